import { describe, expect, it } from 'vitest';
import { EXAMPLE_TEXT, parseAnswer } from '../../src/parse/schemas.ts';
import { api, type Body, MASTER, openApi, post } from '../support/api.ts';
import { keyOf, left } from '../support/limits.ts';
import { bearer } from '../support/people.ts';

const parts = ({ parts }: Body) => parts.map(({ part, value }: Body) => [part, value]);

describe('POST /v1/parse with JSON', () => {
  it('answers what the document shows as its answer', async () => {
    const document = await openApi();
    const declared = document.paths['/v1/parse'].post.responses[200].content['application/json'].schema;
    const { status, body } = await post('/v1/parse', { texts: [EXAMPLE_TEXT] }, {});
    expect(status).toBe(200);
    expect(body).toEqual((declared.example ?? parseAnswer) as Body);
  });

  it('takes one text or a list, and answers in their order', async () => {
    const { body } = await post('/v1/parse', { texts: 'Blk 4, Brgy. Salawag, Dasmariñas' }, {});
    expect(body.data.map(parts)).toEqual([
      [
        ['block', '4'],
        ['barangay', 'Salawag'],
        ['municity', 'Dasmariñas'],
      ],
    ]);
    const texts = ['Poblacion, Makati', 'nothing at all', 'Brgy. San Antonio, Pasig 1605'];
    const { body: list } = await post('/v1/parse', { texts }, {});
    expect(list.data.map(({ text }: Body) => text)).toEqual(texts);
    expect(list.data.map(({ match }: Body) => match)).toEqual(['exact', 'none', 'exact']);
    expect(list.meta).toEqual({ exact: 2, likely: 0, ambiguous: 0, none: 1 });
  });

  it.each<[Body, string]>([
    [{}, 'texts'],
    [{ texts: [] }, 'texts'],
    [{ texts: '' }, 'texts'],
    [{ texts: 'x'.repeat(501) }, 'texts'],
    [{ texts: 7 }, 'texts'],
    [{ texts: Array.from({ length: 1001 }, () => 'a') }, 'texts'],
  ])('refuses %j', async (body, parameter) => {
    const { status, body: refusal } = await post('/v1/parse', body);
    expect([status, refusal.error.issues[0].path[0]]).toEqual([422, parameter]);
  });

  it.each<[unknown, string]>([
    [null, 'texts.1: must be text of 1 to 500 characters (got null)'],
    ['', 'texts.1: must be text of 1 to 500 characters (got "")'],
    [['a'], 'texts.1: must be text of 1 to 500 characters (got an array of 1)'],
  ])('says which of several texts is none: %j', async (text, message) => {
    const { status, body } = await post('/v1/parse', { texts: ['Makati', text] });
    expect([status, body.error.issues]).toEqual([422, [expect.objectContaining({ path: ['texts', 1], message })]]);
  });

  it('takes twenty texts without credentials, and more with them', async () => {
    const texts = Array.from({ length: 21 }, (_, i) => `${i} Rizal St., Poblacion, Makati`);
    expect((await post('/v1/parse', { texts: texts.slice(1) }, {})).status).toBe(200);
    const refused = await post('/v1/parse', { texts }, {});
    expect([refused.status, refused.body.code]).toEqual([401, 'authentication_required']);
    expect(refused.body.message).toContain('more than 20 addresses (got 21)');
    expect((await post('/v1/parse', { texts })).body.data).toHaveLength(21);
  });
});

it('counts an address as a row for each hundred characters, in a list and in a table', async () => {
  const { key } = await keyOf(12);
  const text = 'Rizal St. '.repeat(25);
  // 34 addresses of three rows each.
  const list = await post('/v1/parse', { texts: Array(34).fill(text) }, bearer(key));
  expect(left(list)?.r).toBe(10);
  const headers = { ...bearer(key), 'Content-Type': 'text/csv' };
  const body = `Address\n${`${text}\n`.repeat(34)}`;
  await api('/v1/parse', { method: 'POST', headers, body });
  expect(left(await post('/v1/parse', { texts: 'Makati' }, bearer(key)))?.r).toBe(7);
});

describe('POST /v1/parse with CSV', () => {
  const table = (body: string, query = '', headers: Record<string, string> = MASTER) =>
    api(`/v1/parse${query}`, { method: 'POST', headers: { ...headers, 'Content-Type': 'text/csv' }, body });

  it('gives the columns back with one for each part and those of matching', async () => {
    const { status, text, headers } = await table('Name,Address\nAna,"Blk 4, Brgy. Salawag, Dasmariñas 4114"\nBen,\n');
    expect([status, headers.get('X-Columns')]).toEqual([200, 'text=Address']);
    const [head = '', first = '', second = ''] = text.split('\n');
    const columns = head.split(',');
    expect(columns.slice(0, 3)).toEqual(['Name', 'Address', 'address_unit']);
    expect(columns.slice(-6)).toEqual([
      'psgc_code',
      'psgc_level',
      'psgc_name',
      'psgc_match',
      'psgc_score',
      'psgc_candidates',
    ]);
    const cells = first.replace(/"[^"]*"/, 'address').split(',');
    const cell = (name: string) => cells[columns.indexOf(name)];
    expect(['address_block', 'address_barangay', 'address_zip_code', 'psgc_code', 'psgc_match'].map(cell)).toEqual([
      '4',
      'Salawag',
      '4114',
      '0402106011',
      'exact',
    ]);
    expect(second).toMatch(/^Ben,,+none,0,$/);
  });

  it('reads the column that the query names', async () => {
    const { headers } = await table('Who,Where\nAna,Makati\n', '?text=Where');
    expect(headers.get('X-Columns')).toBe('text=Where');
  });

  it('refuses a table without addresses, and one without credentials', async () => {
    const unknown = await table('Who,What\nAna,Makati\n');
    expect([unknown.status, unknown.body.code]).toEqual([422, 'columns_not_recognized']);
    const anonymous = await table('Address\nMakati\n', '', {});
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'authentication_required']);
  });

  it('refuses the name of a column beside JSON', async () => {
    const { status, body } = await post('/v1/parse?text=Where', { texts: 'Makati' });
    expect([status, body.code]).toEqual([422, 'columns_not_recognized']);
  });
});
