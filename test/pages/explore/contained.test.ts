import { expect, it } from 'vitest';
import { containedIn } from '../../../pages/explore/contained.ts';
import type { Area } from '../../../pages/explore/places.ts';

const area = (more: Partial<Area>): Area => ({
  ...{ code: '', name: '', population: null, population_year: null, centroid: null, bbox: null, r_code: '07' },
  ...more,
});

it('says of a province which cities are not among its own, and whose barangays are counted', () => {
  const cebu = area({ municity_count: 50, barangay_count: 1066 });
  const own = ['50 cities and municipalities', '1,066 barangays in these'];
  const city = area({ type: 'City' });
  expect(containedIn(cebu, [city, city, city])).toEqual([...own, 'besides, 3 independent cities']);
  expect(containedIn(cebu, [city, area({ type: 'City', r_code: '08' })])).toEqual([
    ...[...own, 'besides, 1 independent city'],
    'besides, 1 city of another region',
  ]);
  expect(containedIn(cebu, [])).toEqual(['50 cities and municipalities', '1,066 barangays']);
});
