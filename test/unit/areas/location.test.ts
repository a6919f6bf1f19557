import { expect, it } from 'vitest';
import { locationOf } from '../../../src/areas/location.ts';
import type { Area } from '../../../src/areas/store.ts';

it('moves a point in a city without sub-municipalities to no barangay, where these are asked for', () => {
  const city = { code: '1130700000', level: 'municity', provinceCode: null, regionCode: '1100000000' } as Area;
  const barangay = {
    code: '1130700001',
    level: 'barangay',
    municityCode: city.code,
    submunicipalityCode: null,
  } as Area;
  const areas = new Map([city, barangay].map((area) => [area.code, area]));
  const found = {
    inside: { municity: city.code },
    near: barangay.code,
    distance: 12,
    areaWith: (code: string) => areas.get(code) ?? null,
  };
  const none = { submunicipality: null, municity: city };
  expect(locationOf('submunicipality', found)).toMatchObject({
    ...none,
    match: 'contains',
    distance: 0,
    barangay: null,
  });
  expect(locationOf('barangay', found)).toMatchObject({ ...none, match: 'nearest', distance: 12, barangay });
});
