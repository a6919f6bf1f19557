import { beforeAll, describe, expect, it } from 'vitest';
import { landIn } from '../../../../scripts/pipeline/boundaries/packed/land.ts';
import { readBorders } from '../../../../scripts/pipeline/boundaries/packed/repository-files.ts';
import type { Unit } from '../../../../scripts/pipeline/boundaries/topology/country.ts';
import { toRelease } from '../../../../scripts/pipeline/psgc/areas.ts';
import { publicationOf, readHistory } from '../../../../scripts/pipeline/psgc/history.ts';

const [SULU_OF_BARMM, BARMM] = ['1906600000', '1900000000'];
const [SULU, REGION_IX] = ['0906600000', '0900000000'];
const [MAKATI, TAGUIG] = ['1380300000', '1381500000'];
const [CALOOCAN, BARANGAY_176] = ['1380100000', '1380100176'];

const EDITIONS = ['2023-1q', '2023-4q', '2025-2q', '2026-3q'] as const;
type EditionId = (typeof EDITIONS)[number];

/** What the units of the borders in the repository belong to, by the codes that the borders have and by those of an edition. */
let pairsIn: Record<EditionId, { drawn: Unit; now: Unit }[]>;
beforeAll(async () => {
  const history = await readHistory();
  const { country, psgcEdition } = await readBorders();
  const releaseOf = (id: string) => toRelease(publicationOf(history, id));
  const drawn = releaseOf(psgcEdition);
  const pairs = EDITIONS.map((id) => {
    const units = landIn(country.units, drawn, releaseOf(id));
    return [id, country.units.map((unit, i) => ({ drawn: unit, now: units[i] as Unit }))];
  });
  pairsIn = Object.fromEntries(pairs);
});

/** The different values of a list, sorted. */
const distinct = (list: readonly unknown[]) => [...new Set(list.map(String))].sort();

describe('land belongs', () => {
  it.each<[EditionId, string, string]>([
    ['2025-2q', SULU_OF_BARMM, BARMM],
    ['2026-3q', SULU, REGION_IX],
  ])('in %s, where it is Sulu’s, to %s in %s', (edition, province, region) => {
    const pairs = pairsIn[edition];
    const sulu = pairs.filter(({ drawn }) => drawn.province === SULU_OF_BARMM);
    expect(distinct(sulu.map(({ now }) => [now.region, now.province]))).toEqual([`${region},${province}`]);
    const barangays = sulu.flatMap(({ now }) => now.barangay ?? []);
    expect(distinct(barangays.map((code) => code.slice(0, 5)))).toEqual([province.slice(0, 5)]);
    expect(barangays.length).toBeGreaterThan(400);
    // Nobody else has come to the province.
    expect(pairs.filter(({ now }) => now.province === province)).toHaveLength(sulu.length);
  });

  it('to no region where it is specks of BARMM alone, which lie around Sulu too, once Sulu has left', () => {
    const specks = (edition: EditionId) =>
      pairsIn[edition]
        .filter(({ drawn }) => drawn.region === BARMM && !drawn.province && !drawn.municity)
        .map(({ now }) => now.region);
    const before = specks('2025-2q');
    expect(before.length).toBeGreaterThan(0);
    expect(distinct(before)).toEqual([BARMM]);
    expect(distinct(specks('2026-3q'))).toEqual(['null']);
  });

  it('of the ten barangays that Taguig has from Makati to Makati before, and to Taguig after', () => {
    const embo = pairsIn['2023-1q'].filter(({ drawn, now }) => drawn.municity === TAGUIG && now.municity === MAKATI);
    expect(distinct(embo.map(({ drawn }) => drawn.barangay))).toHaveLength(10);
    expect(embo.every(({ now }) => now.barangay?.startsWith('13803'))).toBe(true);
    const moved = pairsIn['2023-4q'].filter(({ drawn, now }) => drawn.municity !== now.municity);
    expect(moved).toEqual([]);
  });

  it('to a barangay until it is divided, and then to its city alone', () => {
    const of176 = (edition: EditionId) =>
      distinct(
        pairsIn[edition]
          .filter(({ drawn }) => drawn.barangay === BARANGAY_176)
          .map(({ now }) => [now.municity, now.barangay]),
      );
    expect(of176('2023-4q')).toEqual([`${CALOOCAN},${BARANGAY_176}`]);
    expect(of176('2026-3q')).toEqual([`${CALOOCAN},`]);
  });
});
