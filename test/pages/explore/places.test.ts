import { describe, expect, it } from 'vitest';
import { hashOf, placeAt, shortName } from '../../../pages/explore/places.ts';
import { kindOf } from '../../../pages/shared/levels.ts';

describe('the fragment of an address', () => {
  it('leads to a place of each level and back', () => {
    for (const hash of ['#/regions/0700000000', '#/provinces/0702200000', '#/municities/072217000', '#/barangays/1']) {
      expect(hashOf(placeAt(hash))).toBe(hash);
    }
  });

  it('stands for the whole country if it is not a place', () => {
    const others = ['', '#', '#/', '#/planets/1', '#/regions/', '#/regions/07x', `#/regions/${'1'.repeat(16)}`];
    for (const hash of others) expect(placeAt(hash)).toBeUndefined();
    expect(hashOf(undefined)).toBe('#/');
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
