import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/mcp/answers.ts';
import { type Body, MASTER } from '../support/api.ts';
import { newDataset } from '../support/datasets.ts';
import { ask, call, failure } from '../support/mcp.ts';
import { type Headers, person } from '../support/people.ts';

// The answers of tools have at most 4,000 tokens, text and structure together. test/unit/mcp holds the estimate of tokens
// against tokenizers.

const MAX_TOKENS = 4000;

/** Calls a tool, whose answer must not be too long; gives the answer, and how many tokens it has. */
async function measured(
  name: string,
  given: object,
  headers: Headers = MASTER,
): Promise<{ answer: Body; tokens: number }> {
  const answer = await call(name, given, headers);
  const tokens = 2 * tokensOf(JSON.stringify(answer));
  expect(tokens, `${name} ${JSON.stringify(given).slice(0, 100)}`).toBeLessThanOrEqual(MAX_TOKENS);
  return { answer, tokens };
}

/** All items of a list, answer by answer. */
async function walked(name: string, given: object, items: string, headers: Headers = MASTER) {
  const found: Body[] = [];
  const sizes: number[] = [];
  let cursor: string | null | undefined;
  do {
    const { answer, tokens } = await measured(name, { ...given, ...(cursor && { cursor }) }, headers);
    expect(answer[items].length).toBeGreaterThan(0);
    expect(answer.more).toBe(answer.next !== null);
    found.push(...answer[items]);
    sizes.push(tokens);
    cursor = answer.next;
  } while (cursor !== null);
  return { found, sizes };
}

describe('the answer of a tool', () => {
  it('is cut where a list is long, which goes on without a gap', async () => {
    const manila = { level: 'barangay', municity_code: '1380600000', limit: 100 };
    const { found, sizes } = await walked('list_places', manila, 'places');
    expect(new Set(found.map(({ code }) => code)).size).toBe(897);
    expect(found).toHaveLength(897);
    // Nothing is left out that there is room for.
    expect(Math.max(...sizes)).toBeGreaterThan(0.9 * MAX_TOKENS);
    const few = await walked('list_places', { level: 'province', region: '0700000000', limit: 1 }, 'places');
    expect(few.found).toHaveLength(few.sizes.length);
  });

  it('of a search and of a match says that it is cut', async () => {
    const { answer } = await measured('search_places', { q: 'Poblacion', limit: 50 });
    expect(answer.more).toBe(true);
    expect(answer.places.length).toBeGreaterThan(10);
    for (const [q, more] of [
      ['Poblacion', true],
      ['Cebu City', false],
    ] as const) {
      const given = { q, level: ['municity', 'barangay'], limit: q === 'Poblacion' ? 2 : 50, parent: '0702200000' };
      expect((await measured('search_places', given)).answer.more).toBe(more);
    }
    const rows = Array.from({ length: 100 }, (_, id) => ({ id, text: 'San Jose' }));
    const first = (await measured('match_places', { rows })).answer;
    expect(first).toMatchObject({ more: true, next_row: first.rows.length });
    expect(first.rows[0].candidates).toHaveLength(10);
    const rest = (await measured('match_places', { rows: rows.slice(first.next_row) })).answer;
    expect(rest.rows[0].id).toBe(first.next_row);
    const sure = Array.from({ length: 100 }, (_, id) => ({ id, province: 'Cebu', municity: 'Argao' }));
    expect((await measured('match_places', { rows: sure })).answer.rows.length).toBeGreaterThan(20);
  });

  it('of a place has room for all its neighbours and ancestors', async () => {
    for (const code of ['1380600000', '0400000000', '0702200000', '1380601001']) {
      const given = { code, include: ['ancestors', 'neighbors'] };
      const { answer } = await measured('get_place', given);
      expect(answer).toMatchObject({ more: false, neighbors_total: answer.neighbors.length });
    }
  });

  it('of a place whose code no area has names the error', async () => {
    expect(await failure('get_place', { code: '1374040000' }, MASTER)).toMatch(/area_not_found/);
  });

  it('of datasets is cut whatever users have written', async () => {
    const { session } = await person();
    const texts = ['\u{1f98a}', '語', '"\\', 'ÿ', 'a0', '\u0301'];
    await Promise.all(
      texts.map((text) => {
        // The longest name, description, status and type that a dataset may have.
        const longest = text.repeat(64 / [...text].length);
        const [name, description] = [text.repeat(120), text.repeat(3000)];
        return newDataset(session, { name, description, status: longest, geometry_type: longest });
      }),
    );
    const { found } = await walked('list_datasets', { limit: 50 }, 'datasets', session);
    expect(new Set(found.map(({ id }) => id)).size).toBe(texts.length);
  });

  it('about the service itself is short too', async () => {
    const { resources } = (await ask('resources/list')).result;
    const { tools } = (await ask('tools/list')).result;
    expect(tokensOf(JSON.stringify(tools))).toBeLessThan(4 * MAX_TOKENS);
    for (const { uri, name } of resources) {
      const { text } = (await ask('resources/read', { uri })).result.contents[0];
      if (name !== 'errors') expect([name, tokensOf(text) <= MAX_TOKENS]).toEqual([name, true]);
    }
  });
});
