import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../scripts/pipeline/psgc/builtin.ts';
import { formerCode } from '../../scripts/pipeline/psgc/former-codes.ts';
import { writeRelease } from '../../scripts/pipeline/release/write.ts';
import { RELEASE_VERSION_TEXT } from '../../src/db/releases.ts';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { type Made, twentyChanges } from './twenty-changes.ts';

// Three editions of the whole country: the seeded one, and two that follow it, each with twenty changes of every kind.
// The last one is loaded before the one in the middle.

let database: TestDatabase;
let client: pg.Client;
/** What happened between the first edition and the middle one, and between that and the last. */
let [earlier, later]: [Made[], Made[]] = [[], []];
const FIRST = '2025-2q-1';
const MIDDLE = '2025-4q-1';
const LAST = '2026-1q-1';
/** The versions of the last edition's release before the middle one was loaded, and after. */
let versions: string[];
let revised: string[][];
/** A barangay that the edition in the middle no longer has, without a word. */
let gone: string;

const rowsOf = async <Row extends pg.QueryResultRow>(query: string, values: unknown[] = []) =>
  (await client.query<Row>(query, values)).rows;

async function versionOf(id: string): Promise<string> {
  const query = `select ${RELEASE_VERSION_TEXT} as version from data_releases r where id = $1`;
  return (await rowsOf<{ version: string }>(query, [id]))[0]?.version ?? '';
}

beforeAll(async () => {
  database = await seededDatabase(inject('postgresServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const used = new Set<string>();
  const middle = twentyChanges(await readBuiltin(), '4Q 2025', used);
  const lost = middle.publication.rows.findLastIndex(
    ({ level, code }) => level === 'Bgy' && !used.has(code.slice(0, 5)),
  );
  gone = middle.publication.rows.splice(lost, 1)[0]?.code ?? '';
  used.add(gone.slice(0, 5));
  const last = twentyChanges(middle.publication, '1Q 2026', used);
  [earlier, later] = [middle.made, last.made];
  // What was renamed twice had a name that only the edition in the middle tells.
  const [renamed] = middle.made;
  const row = last.publication.rows.find(({ code }) => code === renamed?.to[0]);
  if (row) {
    later.push({ what: 'a barangay that was renamed twice', from: [row.code], to: [row.code], formerName: row.name });
    row.name = 'Bagumbuhay Muli';
  }
  const written = await writeRelease(client, toRelease(last.publication));
  const before = await versionOf(LAST);
  const between = await writeRelease(client, toRelease(middle.publication));
  versions = [before, await versionOf(LAST)];
  revised = [written.revised, between.revised];
});

afterAll(async () => {
  await client?.end();
  await database?.close();
});

describe('three editions of the whole country', () => {
  it('have every code of each in the others but one that nothing is known of, with weights that add up to 1', async () => {
    const pairs = await rowsOf<{ pair: string; none: string[]; uneven: number }>(
      `select from_edition || ' ' || to_edition as pair,
         coalesce((select array_agg(from_code) from edition_links l
           where (l.from_edition, l.to_edition) = (p.from_edition, p.to_edition) and relation = 'none'), '{}') as none,
         (select count(*)::int from (
           select from_code from edition_links l
           where (l.from_edition, l.to_edition) = (p.from_edition, p.to_edition) and relation <> 'none' group by from_code
           having abs(sum(weight_area) - 1) > 1e-9 or abs(sum(weight_population) - 1) > 1e-9) it) as uneven
       from edition_pairs p order by 1`,
    );
    const editions = ['2025-2q', '2025-4q', '2026-1q'];
    const all = editions.flatMap((one) => editions.filter((other) => other !== one).map((other) => `${one} ${other}`));
    expect(pairs).toEqual(all.map((pair) => ({ pair, none: pair.startsWith('2025-2q') ? [gone] : [], uneven: 0 })));
  });

  it.each([
    ['first', FIRST, MIDDLE, () => earlier],
    ['second', MIDDLE, LAST, () => later],
  ] as const)('tell each change of the %s step, there and back', async (_, from, to, changes) => {
    for (const { what, from: before, to: after } of changes()) {
      for (const [one, other, codes, expected] of [
        [from, to, before, after],
        [to, from, after, before],
      ] as const) {
        const found = await rowsOf<{ to_code: string }>(
          `select to_code from edition_links
           where from_edition = left($1, 7) and to_edition = left($2, 7) and from_code = any ($3)`,
          [one, other, codes],
        );
        // A code that is the same area has no row.
        const known = [...found.map(({ to_code }) => to_code), ...codes];
        expect(known, `${what}, ${one} to ${other}`).toEqual(expect.arrayContaining(expected));
      }
    }
  });

  it('list what happened to each area in /v1/changes, too', async () => {
    for (const [from, changes] of [
      ['2025-2q', earlier],
      ['2025-4q', later],
    ] as const) {
      for (const { what, from: before, to: after } of changes) {
        const found = await rowsOf<{ kind: string }>(
          'select kind from area_changes where from_edition = $1 and codes @> $2',
          [from, [...before.slice(0, 1), ...after.slice(-1)]],
        );
        expect(found.length, `${what}, ${before} to ${after}`).toBeGreaterThan(0);
      }
    }
  });

  it('give the newer one what was known in the older one, in whichever order they are loaded', async () => {
    expect(revised).toEqual([[], [LAST]]);
    expect(versions[1]).not.toBe(versions[0]);
    for (const { what, to, formerName } of [...earlier, ...later]) {
      if (formerName === undefined) continue;
      const found = await rowsOf<{ code: string }>(
        'select code from former_names where release_id = $1 and name = $2',
        [LAST, formerName],
      );
      const codes = found.map(({ code }) => code);
      expect(codes, `${what}: ${formerName}`).toEqual(expect.arrayContaining(to));
    }
    const codes = [...earlier, ...later].flatMap(({ from, to }) => from.filter((code) => !to.includes(code)));
    const aliases = await rowsOf<{ alias: string }>(
      `select distinct alias from code_aliases where release_id = $1 and alias = any ($2) and code <> ''`,
      [LAST, codes],
    );
    // The last eight digits of a province that went to another region lead there by themselves.
    expect(aliases.length).toBe(codes.length - 2);
    // Of what the edition in the middle does not explain, and of all codes that it had before, only that it is gone.
    const unexplained = await rowsOf<{ alias: string }>(
      `select distinct alias from code_aliases where release_id = $1 and code = '' order by alias`,
      [LAST],
    );
    const former = await rowsOf<{ alias: string }>(
      'select alias from code_aliases where release_id = $1 and code = $2',
      [FIRST, gone],
    );
    const codesOfGone = [gone, formerCode(gone) ?? gone, ...former.map(({ alias }) => alias)];
    expect(unexplained.map(({ alias }) => alias)).toEqual([...new Set(codesOfGone)].sort());
  });
});
