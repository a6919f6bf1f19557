import { expect, it } from 'vitest';
import { aboutOf } from '../../../pages/shared/find-places.ts';

it('says what a place is, where it lies, and by which other name it was found', () => {
  const ancestors = [
    { code: '0100000000', level: 'region', name: 'Region I (Ilocos Region)' },
    { code: '0102805000', level: 'municity', name: 'City of Batac' },
  ] as const;
  const acosta = { level: 'barangay', type: null, ancestors: [...ancestors], name: 'Acosta Pob.' } as const;
  expect(aboutOf({ ...acosta, matched_name: 'Acosta Pob.' })).toBe('Barangay · City of Batac');
  expect(aboutOf({ ...acosta, matched_name: 'Iloilo' })).toBe('Barangay · City of Batac · also called Iloilo');
  const region = { level: 'region', type: null, ancestors: [], name: 'National Capital Region (NCR)' } as const;
  expect(aboutOf({ ...region, matched_name: 'Metro Manila' })).toBe('Region · also called Metro Manila');
  // Its name says so already.
  expect(aboutOf({ ...region, matched_name: 'NCR' })).toBe('Region');
  expect(aboutOf(region)).toBe('Region');
});
