import { describe, expect, it } from 'vitest';
import { editionAt, fragmentOf, inListOrder, ofEdition, placeAt, shortName } from '../../../pages/explore/places.ts';
import { kindOf } from '../../../pages/shared/levels.ts';

describe('the fragment of an address', () => {
  it('leads to a place of each level and back', () => {
    for (const hash of [
      '#/regions/0700000000',
      '#/provinces/0702200000',
      '#/municities/072217000',
      '#/submunicipalities/1380608000',
      '#/barangays/1',
    ]) {
      expect(fragmentOf(placeAt(hash))).toBe(hash);
    }
  });

  it('keeps the edition', () => {
    const hash = '#/provinces/0702200000?edition=2023-4q';
    expect(fragmentOf(placeAt(hash), editionAt(hash))).toBe(hash);
    expect(fragmentOf(undefined, '2023-4q')).toBe('#/?edition=2023-4q');
    expect(editionAt('#/?edition=2023-4Q')).toBe('2023-4q');
    for (const other of ['#/', '#/?edition=', '#/?edition=newest', '#/?edition=2023-4q5'])
      expect(editionAt(other)).toBe(undefined);
    expect(ofEdition('/v1/regions?limit=5', '2023-4q')).toBe('/v1/regions?limit=5&edition=2023-4q');
  });

  it('stands for the whole country if it is not a place', () => {
    const others = ['', '#', '#/', '#/planets/1', '#/regions/', '#/regions/07x', `#/regions/${'1'.repeat(16)}`];
    for (const hash of others) expect(placeAt(hash)).toBeUndefined();
    expect(fragmentOf(undefined)).toBe('#/');
  });
});

describe('the short name of a region', () => {
  it('is the one that people use', () => {
    expect(shortName('Region VII (Central Visayas)')).toBe('Central Visayas');
    expect(shortName('Negros Island Region (NIR)')).toBe('Negros Island Region');
    expect(shortName('Bangsamoro Autonomous Region in Muslim Mindanao (BARMM)')).toBe('BARMM');
    expect(shortName('MIMAROPA Region')).toBe('MIMAROPA Region');
  });
});

describe('what an area is', () => {
  it('is the class of a city, or else its type, or else its level', () => {
    expect(kindOf('municity', { type: 'City', city_class: 'HUC' })).toBe('Highly urbanized city');
    expect(kindOf('municity', { type: 'Municipality', city_class: null })).toBe('Municipality');
    expect(kindOf('province', {})).toBe('Province');
  });
});

describe('the order of a list', () => {
  it('is that of the names of barangays, with numbers as numbers, and that of codes for all others', () => {
    const areas = ['Zapatera', 'Barangay 10', 'Barangay 2-A', 'Barangay 1', 'Barangay 2'].map((name) => ({
      ...{ code: '', name, population: null, population_year: null, centroid: null, bbox: null },
    }));
    const names = (level: 'barangay' | 'region') => inListOrder(level, areas).map(({ name }) => name);
    expect(names('barangay')).toEqual(['Barangay 1', 'Barangay 2', 'Barangay 2-A', 'Barangay 10', 'Zapatera']);
    expect(names('region')).toEqual(areas.map(({ name }) => name));
  });
});
