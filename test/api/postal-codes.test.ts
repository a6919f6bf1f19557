import { describe, expect, it } from 'vitest';
import { get, MASTER, post } from '../support/api.ts';

describe('GET /v1/postal-codes/{zip}', () => {
  it('gives the area of a ZIP code with its label and all that it lies in', async () => {
    const { status, body } = await get('/v1/postal-codes/1605');
    expect([status, body]).toEqual([
      200,
      {
        data: {
          zip_code: '1605',
          areas: [
            {
              code: '1381200000',
              level: 'municity',
              name: 'City of Pasig',
              type: 'City',
              label: 'Pasig City, Metro Manila',
              ancestors: [{ code: '1300000000', level: 'region', name: 'National Capital Region (NCR)' }],
            },
          ],
        },
        error: null,
      },
    ]);
  });

  it('gives the city and the sub-municipality of a ZIP code of Manila', async () => {
    const { body } = await get('/v1/postal-codes/1002');
    expect(body.data.areas.map(({ level, name }: { level: string; name: string }) => [level, name])).toEqual([
      ['municity', 'City of Manila'],
      ['submunicipality', 'Intramuros'],
    ]);
  });

  it('gives both cities that share one', async () => {
    const { body } = await get('/v1/postal-codes/1215');
    expect(body.data.areas.map(({ name }: { name: string }) => name)).toEqual(['City of Makati', 'City of Taguig']);
  });

  it('refuses an unknown one, and names the nearest', async () => {
    const { status, body } = await get('/v1/postal-codes/1699');
    expect([status, body.code]).toEqual([404, 'postal_code_not_found']);
    expect(body.nearest).toHaveLength(3);
    expect(body.nearest).toContain('1700');
    expect(body.message).toContain('ZIP code 1699. The nearest known ones are 1700,');
  });

  it.each(['160', '16055', 'abcd', '16O5'])('refuses %s, which is no ZIP code', async (zip) => {
    const { status, body } = await get(`/v1/postal-codes/${zip}`);
    expect(status).toBe(422);
    expect(body.error.issues[0]).toMatchObject({ path: ['zip'] });
    expect(body.error.issues[0].message).toContain('four digits');
  });

  it('names the editions there are where another is asked for', async () => {
    const { status, body } = await get('/v1/postal-codes/6100?edition=2020-1q');
    expect([status, body.code]).toEqual([404, 'edition_not_found']);
  });
});

describe('zip_codes', () => {
  it('stand on the records of cities and municipalities, alone and in lists', async () => {
    const { body } = await get('/v1/municities/1381200000');
    expect(body.data.zip_codes).toContain('1605');
    const { body: list } = await get('/v1/municities?province_code=0402100000&limit=100');
    const listed = list.data.find(({ code }: { code: string }) => code === '0402106000');
    expect(listed.zip_codes).toEqual(['4114', '4115']);
    expect((await get('/v1/municities/1380609000')).body.data.zip_codes).toEqual(['1002']);
  });

  it('are an empty list where none is known, and no member of other levels', async () => {
    expect((await get('/v1/municities/1999901000')).body.data.zip_codes).toEqual([]);
    expect((await get('/v1/provinces/0402100000')).body.data).not.toHaveProperty('zip_codes');
    expect((await get('/v1/barangays/1381200019')).body.data).not.toHaveProperty('zip_codes');
  });
});

it('is no member of a feature, because the tables of desktop tools have no lists', async () => {
  for (const path of [
    '/v1/municities/1381200000?format=geojson',
    '/v1/municities?province_code=0402100000&limit=5&format=geojson',
  ]) {
    const { status, body } = await get(path, MASTER);
    expect([path, status]).toEqual([path, 200]);
    for (const { properties } of body.features ?? [body]) expect(properties).not.toHaveProperty('zip_codes');
  }
});

describe('a ZIP code in POST /v1/match', () => {
  it('chooses among places that fit as well', async () => {
    const rows = [{ municity: 'San Juan' }, { municity: 'San Juan', zip: '1500' }];
    const { body } = await post('/v1/match', { rows });
    expect(body.data.map(({ match, code }: { match: string; code: string }) => [match, code])).toEqual([
      ['ambiguous', null],
      ['likely', '1381400000'],
    ]);
  });
});
