import { expect, it } from 'vitest';
import { aboutOf } from '../../../pages/shared/find-places.ts';

it('says what a place is, where it lies, and by which other name it was found', () => {
  const ancestors: Parameters<typeof aboutOf>[0]['ancestors'] = [
    { code: '0100000000', level: 'region', name: 'Region I (Ilocos Region)' },
    { code: '0102805000', level: 'municity', name: 'City of Batac' },
  ];
  const acosta = { level: 'barangay' as const, type: null, ancestors, name: 'Acosta Pob.' } satisfies Parameters<
    typeof aboutOf
  >[0];
  expect(aboutOf({ ...acosta, matched_name: 'Acosta Pob.' })).toBe('Barangay · City of Batac');
  expect(aboutOf({ ...acosta, matched_name: 'Iloilo' })).toBe('Barangay · City of Batac · also called Iloilo');
  const region = { level: 'region' as const, type: null, ancestors: [], name: 'National Capital Region (NCR)' };
  expect(aboutOf({ ...region, matched_name: 'Metro Manila' })).toBe('Region · also called Metro Manila');
  // Its name says so already.
  expect(aboutOf({ ...region, matched_name: 'NCR' })).toBe('Region');
  expect(aboutOf(region)).toBe('Region');
});
