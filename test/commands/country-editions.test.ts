import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareAll } from '../../scripts/pipeline/editions/compare.ts';
import { type Edition, editionOf, editionsOf } from '../../scripts/pipeline/editions/edition.ts';
import { inherit } from '../../scripts/pipeline/editions/inherit.ts';
import { completed, releaseOf } from '../../scripts/pipeline/editions/release.ts';
import type { Release } from '../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { checkRelease } from '../../scripts/pipeline/psgc/checks.ts';
import { formerCode } from '../../scripts/pipeline/psgc/former-codes.ts';
import { type History as Lists, publicationOf, readHistory } from '../../scripts/pipeline/psgc/history.ts';
import { packHistory } from '../../scripts/pipeline/snapshot/history.ts';
import { History } from '../../src/editions/history.ts';
import { type Made, twentyChanges } from '../pipeline/editions/twenty-changes.ts';

let lists: Lists;

beforeAll(async () => {
  lists = await readHistory();
});

/** Where a former code leads in a release; undefined where it doesn't know it. */
function leadsOf({ aliases }: Release, code: string): string[] | undefined {
  const found = aliases.filter(({ alias }) => alias === code).map(({ code: lead }) => lead);
  return found.length > 0 ? found.sort() : undefined;
}

function namesOf({ formerNames }: Release, code: string): string[] {
  return formerNames.filter((it) => it.code === code).map(({ name }) => name);
}

// The seeded list, and two that follow it, each with twenty changes of every kind.
describe('three editions of the whole country', () => {
  const [FIRST, MIDDLE, LAST] = ['2026-3q', '2026-4q', '2027-1q'] as const;
  let [earlier, later]: [Made[], Made[]] = [[], []];
  let history: History;
  let first: Release;
  let release: Release;
  /** A barangay that the edition in the middle no longer has, without a word. */
  let gone: string;

  beforeAll(() => {
    const used = new Set<string>();
    const newest = publicationOf(lists, FIRST);
    const middle = twentyChanges(newest, '4Q 2026', used);
    const lost = middle.publication.rows.findLastIndex(
      ({ level, code }) => level === 'Bgy' && !used.has(code.slice(0, 5)),
    );
    gone = middle.publication.rows.splice(lost, 1)[0]?.code ?? '';
    used.add(gone.slice(0, 5));
    const last = twentyChanges(middle.publication, '1Q 2027', used);
    [earlier, later] = [middle.made, last.made];
    // What was renamed twice had a name that only the edition in the middle tells.
    const [renamed] = middle.made;
    const row = last.publication.rows.find(({ code }) => code === renamed?.to[0]);
    if (row) {
      later.push({ what: 'a barangay that was renamed twice', from: [row.code], to: [row.code], formerName: row.name });
      row.name = 'Bagumbuhay Muli';
    }
    const releases = [newest, middle.publication, last.publication].map(toRelease);
    const comparisons = compareAll(releases.map(editionOf));
    [first] = releases as [Release];
    release = inherit(releases[2] as Release, comparisons);
    history = new History(gunzipSync(packHistory(releases.map(editionOf), () => 'none')));
  });

  const rowsOf = (from: string, to: string) => [
    ...history.crosswalk(from, to, ['region', 'province', 'municity', 'submunicipality', 'barangay']),
  ];

  it('have every code of each in the others but one that nothing is known of, with weights that add up to 1', () => {
    for (const from of [FIRST, MIDDLE, LAST]) {
      for (const to of [FIRST, MIDDLE, LAST]) {
        const groups = Map.groupBy(rowsOf(from, to), (row) => row.from_code);
        const none = [...groups].filter(([, [row]]) => row?.relation === 'none').map(([code]) => code);
        expect([from, to, none]).toEqual([from, to, from === FIRST && to !== FIRST ? [gone] : []]);
        const uneven = [...groups].filter(([, rows]) =>
          (['weight_area', 'weight_population'] as const).some(
            (weight) =>
              rows[0]?.relation !== 'none' &&
              Math.abs(rows.reduce((sum, row) => sum + (row[weight] ?? 0), 0) - 1) > 1e-9,
          ),
        );
        expect([from, to, uneven.map(([code]) => code)]).toEqual([from, to, []]);
      }
    }
    expect(new Set(rowsOf(FIRST, LAST).map((row) => row.from_code)).size).toBe(first.areas.length);
  });

  it.each([
    ['first', FIRST, MIDDLE, () => earlier],
    ['second', MIDDLE, LAST, () => later],
  ] as const)('tell each change of the %s step, there and back, and list it', (_, from, to, changes) => {
    const [there, back] = [rowsOf(from, to), rowsOf(to, from)].map((rows) => Map.groupBy(rows, (row) => row.from_code));
    expect(changes().length).toBeGreaterThan(19);
    for (const { what, from: before, to: after } of changes()) {
      for (const [rows, codes, expected] of [
        [there, before, after],
        [back, after, before],
      ] as const) {
        const found = codes.flatMap((code) => rows?.get(code)?.map((row) => row.to_code) ?? []);
        // An area that goes on without a part stands on both sides.
        expect([...found, ...codes], `${what}, ${codes}`).toEqual(expect.arrayContaining(expected));
      }
      const page = { page: 1, limit: 1000 };
      const listed = history.listChanges({ from, to, code: before[0] }, page).changes;
      const told = listed.filter((change) => change.to.some(({ code }) => code === after.at(-1)));
      expect(told.length, `${what}, ${before} to ${after}`).toBeGreaterThan(0);
    }
  });

  it('give the newest one the codes and names of the older ones', () => {
    for (const { what, to, formerName } of [...earlier, ...later]) {
      if (formerName === undefined) continue;
      for (const code of to)
        expect([what, namesOf(release, code)]).toEqual([what, expect.arrayContaining([formerName])]);
    }
    const codes = [...earlier, ...later].flatMap(({ from, to }) => from.filter((code) => !to.includes(code)));
    const known = codes.filter((code) => (leadsOf(release, code) ?? ['']).every((lead) => lead !== ''));
    // The last eight digits of a province that went to another region lead there by themselves.
    expect(known.length).toBe(codes.length - 2);
    // Of what the edition in the middle does not explain, and of all codes that it had before, only that it is gone.
    const unexplained = release.aliases.filter(({ code }) => code === '').map(({ alias }) => alias);
    const former = first.aliases.filter(({ code }) => code === gone).map(({ alias }) => alias);
    expect(unexplained.sort()).toEqual([...new Set([gone, formerCode(gone) ?? gone, ...former])].sort());
    expect(checkRelease(release).problems).toEqual([]);
  });
});

describe('a release of data/psgc', () => {
  it('knows the codes and names of all older editions, and none of a newer one', () => {
    const newest = releaseOf(lists, '2026-3q');
    expect(leadsOf(newest, '1380300003')).toEqual(['1381500029']);
    expect(leadsOf(newest, '1380100176')).toEqual([89, 90, 91, 92, 93, 94].map((end) => `13801001${end}`));
    expect(leadsOf(newest, '0402103032')).toEqual(['0402103076']);
    expect(leadsOf(newest, '0401007038')).toEqual(['0401007019']);
    expect(namesOf(newest, '0401007019')).toContain('San Rafael');
    expect(namesOf(newest, '1705323000')).toContain('Rizal');
    expect(newest.names).toContainEqual({ level: 'municity', code: '1705323000', key: 'rizal', former: true });
    const older = releaseOf(lists, '2023-4q');
    expect(leadsOf(older, '0402103032')).toEqual(['0402103076']);
    expect(leadsOf(older, '1380100176')).toBeUndefined();
    expect(namesOf(older, '1705323000')).not.toContain('Dr. Jose P. Rizal');
  });

  it.each(['2023-1q', '2024-04', '2026-3q'])('has each name and code once, and passes its checks (%s)', (id) => {
    const release = releaseOf(lists, id);
    const { names, formerNames, aliases } = release;
    const keys = [
      names.map(({ level, code, key }) => `${level} ${code} ${key}`),
      formerNames.map(({ code, name }) => `${code} ${name}`),
      aliases.map(({ level, alias, code }) => `${level} ${alias} ${code}`),
    ];
    for (const all of keys) expect(all.length - new Set(all).size).toBe(0);
    const codes = new Set(release.areas.map(({ code }) => code));
    expect(aliases.filter(({ code }) => code !== '' && !codes.has(code))).toEqual([]);
    expect(checkRelease(release).problems).toEqual([]);
  });
});

describe('a list that is loaded', () => {
  const listOf = (
    id: string,
    change: (rows: ReturnType<typeof publicationOf>['rows']) => typeof rows,
    edition: string,
  ) => {
    const publication = publicationOf(lists, id);
    return toRelease({ ...publication, edition, rows: change(publication.rows) });
  };

  it('is compared with the editions before and after it, and takes the place of its own', () => {
    const without = listOf('2024-3q', (rows) => rows.filter(({ code }) => code !== '0102801001'), '3Q 2024');
    const pairs = completed(without, lists).pairs();
    expect(pairs.map(({ from, to }) => [from, to])).toEqual([
      ['2024-2q', '2024-3q'],
      ['2024-3q', '2024-4q'],
    ]);
    expect(pairs[0]?.changes).toMatchObject({ split: 2, abolished: 1 });
    expect(pairs[0]?.unexplained.gone).toEqual(['0102801001 Adams']);
    expect(pairs[1]?.unexplained.made).toEqual(['0102801001 Adams']);
  });

  it('lies between two others where data/psgc has none of its edition', () => {
    const pairs = completed(
      listOf('2026-1q', (rows) => rows, '2Q 2026'),
      lists,
    ).pairs();
    expect(pairs.map(({ from, to }) => [from, to])).toEqual([
      ['2026-1q', '2026-2q'],
      ['2026-2q', '2026-3q'],
    ]);
    expect(pairs[0]?.changes).toEqual({});
  });

  it('stands alone where it is of a part of the country: what it lacks is not gone', () => {
    const region = listOf('2024-3q', (rows) => rows.filter(({ code }) => code.startsWith('01')), '3Q 2024');
    const { release, pairs } = completed(region, lists);
    expect([pairs(), release.aliases]).toEqual([[], region.aliases]);
  });
});

/** A barangay of Bacarra that nobody has drawn, and the land of areas that is not 2 km². */
const UNDRAWN = '0102802001';
const LAND: Readonly<Record<string, number>> = { '0102802000': 65 };

it('the land of barangays measures older editions, and what lies in them', () => {
  const drawn = editionOf(toRelease(publicationOf(lists, '2026-3q')));
  const measured: Edition = {
    ...drawn,
    areas: new Map(
      [...drawn.areas].map(([code, area]) => [code, { ...area, areaKm2: code === UNDRAWN ? null : (LAND[code] ?? 2) }]),
    ),
  };
  const [oldest] = editionsOf(lists, measured);
  const [makati, taguig] = ['1380300000', '1381500000'].map((code) => oldest?.areas.get(code)?.areaKm2);
  // Ten barangays of Taguig were Makati's, under codes that no list has now, but with the same correspondence codes.
  expect([makati, taguig]).toEqual([66, 56]);
  // A municipality with the same barangays is measured by its own boundary where one of them has none.
  expect(oldest?.areas.get(UNDRAWN)?.areaKm2).toBeNull();
  expect(oldest?.areas.get('0102802000')?.areaKm2).toBe(LAND['0102802000']);
  expect(oldest?.areas.get('0102801000')?.areaKm2).toBe(2);
  expect(editionsOf(lists)[0]?.areas.get('1381500000')?.areaKm2).toBeNull();
});
