import { expect, it } from 'vitest';
import { listShortcomings } from '../../../../scripts/pipeline/boundaries/check/shortcomings.ts';
import { explainGaps } from '../../../../scripts/pipeline/boundaries/plan/missing.ts';
import { planBoundaries } from '../../../../scripts/pipeline/boundaries/plan/origins.ts';
import type { AreaLevel } from '../../../../scripts/pipeline/psgc/area.ts';
import { BARANGAYS, barangays, COUNTRY, country, feature, lines, place, polygon, surveyed } from '../country.ts';

const AREAS = new Map<AreaLevel, number>([
  ['region', 2],
  ['province', 2],
  ['municity', 3],
  ['barangay', 6],
]);
const upper = COUNTRY.filter(({ level }) => level !== 'Bgy').map(({ code }) => feature(code, polygon(place(0))));
const all = lines(barangays());

async function found(files: Record<string, string>, { gaps = [] }: { gaps?: string[] } = {}) {
  const survey = await surveyed(files);
  return listShortcomings({
    plan: explainGaps(planBoundaries(country(), survey), gaps, country()),
    areas: AREAS,
  });
}

it('boundaries of all areas, given or dissolved, have no shortcomings, whatever else is in the files', async () => {
  const stranger = feature('0102899001', polygon(place(7)));
  expect(await found({ 'a.ndjson': lines([...barangays(), stranger]) })).toEqual([]);
  expect(await found({ 'a.ndjson': all })).toEqual([]);
  expect(await found({ 'a.detailed.ndjson': all, 'a.simple.ndjson': all, 'b.ndjson': lines(upper) })).toEqual([]);
});

it.each<[string, Record<string, string>, string[]]>([
  [
    'a barangay that is missing',
    { 'a.ndjson': lines([...barangays().slice(1), ...upper]) },
    ['barangay: 1 of 6 without a boundary, and nothing explains it'],
  ],
  [
    'an area above barangays that is missing',
    {
      'a.ndjson': lines([
        ...barangays().slice(1),
        ...upper.filter(({ properties: { psgc } }) => psgc !== '0102801000'),
      ]),
    },
    [
      'municity: 1 of 3 without a boundary, and nothing explains it',
      'barangay: 1 of 6 without a boundary, and nothing explains it',
    ],
  ],
  [
    'files of a coarser resolution only',
    { 'barangays.medium.ndjson': all },
    ['barangay: the boundaries are medium ones, none is detailed'],
  ],
])('%s is one', async (_, files, reasons) => {
  expect(await found(files)).toEqual(reasons);
});

it('a coarser boundary in place of a detailed one is a shortcoming', async () => {
  const coarse = barangays().map((it, i) => (i === 0 ? feature(BARANGAYS[0], null) : it));
  expect(await found({ 'a.detailed.ndjson': lines(coarse), 'a.medium.ndjson': all })).toEqual([
    'barangay: 1 of 6 with a coarser boundary instead of a detailed one',
  ]);
});

it('a gap declared by the source is no shortcoming, as long as there are barangays', async () => {
  const some = lines([...barangays().slice(1), ...upper]);
  expect(await found({ 'a.ndjson': some }, { gaps: ['0102801000'] })).toEqual([]);
  expect(await found({ 'a.ndjson': lines(upper) }, { gaps: ['0100000000', '0200000000'] })).toEqual([
    'barangay: none has a boundary',
  ]);
});
