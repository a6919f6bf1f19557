import { beforeAll, describe, expect, it } from 'vitest';
import { readBorders } from '../../../../scripts/pipeline/boundaries/packed/file.ts';
import { landIn } from '../../../../scripts/pipeline/boundaries/packed/land.ts';
import type { Unit } from '../../../../scripts/pipeline/boundaries/topology/country.ts';
import { toRelease } from '../../../../scripts/pipeline/psgc/areas.ts';
import { publicationOf, readHistory } from '../../../../scripts/pipeline/psgc/history.ts';

const [SULU_OF_BARMM, BARMM] = ['1906600000', '1900000000'];
const [SULU, REGION_IX] = ['0906600000', '0900000000'];
const [MAKATI, TAGUIG] = ['1380300000', '1381500000'];
const [CALOOCAN, BARANGAY_176] = ['1380100000', '1380100176'];

/** What the units of the borders in the repository belong to, by the codes that the borders have and by those of an edition. */
let pairsIn: (edition: string) => Promise<{ drawn: Unit; now: Unit }[]>;
beforeAll(async () => {
  const history = await readHistory();
  const { country, edition } = await readBorders();
  const releaseOf = (id: string) => toRelease(publicationOf(history, id));
  pairsIn = async (id) => {
    const units = landIn(country.units, releaseOf(edition), releaseOf(id));
    return country.units.map((drawn, i) => ({ drawn, now: units[i] as Unit }));
  };
});

/** The different values of a list, sorted. */
const distinct = (list: readonly unknown[]) => [...new Set(list.map(String))].sort();

describe('land belongs', () => {
  it.each([
    ['2025-2q', SULU_OF_BARMM, BARMM],
    ['2026-3q', SULU, REGION_IX],
  ])('in %s, where it is Sulu’s, to %s in %s', async (edition, province, region) => {
    const pairs = await pairsIn(edition);
    const sulu = pairs.filter(({ drawn }) => drawn.province === SULU_OF_BARMM);
    expect(distinct(sulu.map(({ now }) => [now.region, now.province]))).toEqual([`${region},${province}`]);
    const barangays = sulu.flatMap(({ now }) => now.barangay ?? []);
    expect(distinct(barangays.map((code) => code.slice(0, 5)))).toEqual([province.slice(0, 5)]);
    expect(barangays.length).toBeGreaterThan(400);
    // Nobody else has come to the province.
    expect(pairs.filter(({ now }) => now.province === province)).toHaveLength(sulu.length);
  });

  it('to no region where it is specks of BARMM alone, which lie around Sulu too, once Sulu has left', async () => {
    const specks = async (edition: string) =>
      (await pairsIn(edition))
        .filter(({ drawn }) => drawn.region === BARMM && !drawn.province && !drawn.municity)
        .map(({ now }) => now.region);
    const before = await specks('2025-2q');
    expect(before.length).toBeGreaterThan(0);
    expect(distinct(before)).toEqual([BARMM]);
    expect(distinct(await specks('2026-3q'))).toEqual(['null']);
  });

  it('of the ten barangays that Taguig has from Makati to Makati before, and to Taguig after', async () => {
    const embo = (await pairsIn('2023-1q')).filter(
      ({ drawn, now }) => drawn.municity === TAGUIG && now.municity === MAKATI,
    );
    expect(distinct(embo.map(({ drawn }) => drawn.barangay))).toHaveLength(10);
    expect(embo.every(({ now }) => now.barangay?.startsWith('13803'))).toBe(true);
    const moved = (await pairsIn('2023-4q')).filter(({ drawn, now }) => drawn.municity !== now.municity);
    expect(moved).toEqual([]);
  });

  it('to a barangay until it is divided, and then to its city alone', async () => {
    const of176 = async (edition: string) =>
      distinct(
        (await pairsIn(edition))
          .filter(({ drawn }) => drawn.barangay === BARANGAY_176)
          .map(({ now }) => [now.municity, now.barangay]),
      );
    expect(await of176('2023-4q')).toEqual([`${CALOOCAN},${BARANGAY_176}`]);
    expect(await of176('2026-3q')).toEqual([`${CALOOCAN},`]);
  });
});
