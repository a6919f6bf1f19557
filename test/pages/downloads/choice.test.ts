import { describe, expect, it } from 'vitest';
import type { Download } from '../../../clients/typescript/src/types.ts';
import {
  type Choice,
  choiceFrom,
  fileOf,
  formatsOf,
  levelsIn,
  NEWEST,
  queryOf,
} from '../../../pages/downloads/choice.ts';

const ORIGIN = 'https://geo.example';
const stored = (id: string, more: Partial<Download>) =>
  ({ id: `2026-3q-1.${id}`, edition: '2026-3q', href: `${ORIGIN}/v1/downloads/2026-3q-1.${id}`, ...more }) as Download;
const OFFER = {
  files: [
    stored('provinces.csv', { level: 'province', resolution: null, format: 'csv' }),
    stored('provinces.detailed.geojson.gz', { level: 'province', resolution: 'detailed', format: 'geojson.gz' }),
    stored('provinces.medium.topojson', { level: 'province', resolution: 'medium', format: 'topojson' }),
  ],
  releases: new Map([
    ['2026-3q', '2026-3q-1'],
    ['2023-4q', '2026-3q-1'],
  ]),
  origin: ORIGIN,
};
const CHOICE: Choice = { area: 'PH', level: 'province', boundaries: 'none', format: 'csv', edition: '2026-3q' };
const nameOf = (more: Partial<Choice>) => fileOf({ ...CHOICE, ...more }, OFFER)?.name;

describe('the file of a choice', () => {
  it('is that of a whole level where there is one, else one that is made', () => {
    expect(fileOf(CHOICE, OFFER)).toMatchObject({ name: '2026-3q-1.provinces.csv', stored: OFFER.files[0] });
    expect(nameOf({ boundaries: 'detailed', format: 'geojson' })).toBe('2026-3q-1.provinces.detailed.geojson.gz');
    expect(fileOf({ ...CHOICE, area: '0700000000', boundaries: 'medium', format: 'shp' }, OFFER)).toEqual({
      name: '2026-3q-1.0700000000.provinces.medium.shp.zip',
      href: `${ORIGIN}/v1/downloads/areas/0700000000?level=province&format=shp&resolution=medium&edition=2026-3q`,
      ...{ level: 'province', format: 'shp', hasBoundaries: true },
    });
    expect(nameOf({ edition: '2023-4q' })).toBe('2023-4q.PH.provinces.csv');
    expect(nameOf({ format: 'xlsx' })).toBe('2026-3q-1.PH.provinces.xlsx');
  });

  it('is of the newest edition where the page knows none', () => {
    expect(fileOf({ ...CHOICE, edition: NEWEST }, { files: [], releases: new Map(), origin: ORIGIN })).toMatchObject({
      name: 'PH.provinces.csv',
      href: `${ORIGIN}/v1/downloads/areas/PH?level=province&format=csv`,
    });
  });

  it('is not made of the detailed boundaries of the country, nor as TopoJSON', () => {
    expect(formatsOf({ ...CHOICE, boundaries: 'detailed' }, OFFER)).toEqual(['geojson']);
    expect(formatsOf({ ...CHOICE, boundaries: 'medium' }, OFFER)).toContain('topojson');
    const cebu = { ...CHOICE, area: '0702200000', boundaries: 'detailed' } as const;
    expect(formatsOf(cebu, OFFER)).toEqual(['gpkg', 'shp', 'geojson', 'fgb', 'parquet']);
    expect(formatsOf(CHOICE, OFFER)).toEqual(['xlsx', 'csv']);
  });
});

it('an area has the levels below it, and itself', () => {
  const within = (code: string, level?: Choice['level'], hasProvinces = true) =>
    levelsIn({ code, name: '', level }, hasProvinces);
  expect(within('PH')).toEqual(['region', 'province', 'municity', 'submunicipality', 'barangay']);
  expect(within('0700000000', 'region')).toEqual(['region', 'province', 'municity', 'barangay']);
  expect(within('1300000000', 'region', false)).toEqual(['region', 'municity', 'submunicipality', 'barangay']);
  expect(within('0702200000', 'province')).toEqual(['province', 'municity', 'barangay']);
  expect(within('0730600000', 'municity')).toEqual(['municity', 'barangay']);
});

it('a choice comes back from its address, and what makes no sense is left out', () => {
  const choice: Choice = {
    area: '0702200000',
    level: 'barangay',
    boundaries: 'medium',
    format: 'shp',
    edition: '2023-4q',
  };
  expect(choiceFrom(queryOf(choice, '2026-3q'), '2026-3q')).toEqual(choice);
  const first = choiceFrom('', '2026-3q');
  expect([first, queryOf(first, '2026-3q')]).toEqual([
    { area: 'PH', level: 'municity', boundaries: 'none', format: 'xlsx', edition: '2026-3q' },
    '',
  ]);
  expect(choiceFrom('area=cebu&level=district&boundaries=fine&format=gpkg', '2026-3q')).toEqual(first);
  expect(choiceFrom('boundaries=simple&format=csv', '2026-3q').format).toBe('gpkg');
});
