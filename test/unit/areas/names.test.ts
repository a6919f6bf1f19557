import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey, searchKeys } from '../../../src/areas/names.ts';

describe('nameKey', () => {
  it.each([
    ['City of Parañaque', 'city of paranaque'],
    ["  Brooke's   Point ", 'brookes point'],
    ['Tondo I/II', 'tondo i ii'],
    ['LAS PIN\u0303AS', 'las pinas'],
    ['100%_', '100%_'],
    ['…', ''],
  ])('makes %j %j', (name, key) => {
    expect(nameKey(name)).toBe(key);
  });

  it('leaves a key as it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => nameKey(nameKey(name)) === nameKey(name)));
  });

  it('has no spaces at its ends and none in a row', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => !/^ | $| {2}/.test(nameKey(name))));
  });
});

describe('searchKeys', () => {
  it.each([
    ['City of Parañaque', ['city of paranaque', 'paranaque', 'paranaque city']],
    ['Quezon City', ['quezon city', 'quezon', 'city of quezon']],
    ['Poblacion (Pob.)', ['poblacion pob', 'poblacion']],
    ['Milagrosa (Tulo)', ['milagrosa tulo', 'milagrosa', 'tulo']],
    ['Region VII (Central Visayas)', ['region vii central visayas', 'region vii', 'central visayas']],
    ['MIMAROPA Region', ['mimaropa region', 'mimaropa']],
    ['Adams', ['adams']],
    ['…', []],
  ])('finds %j by %j', (name, keys) => {
    expect(searchKeys(name)).toEqual(keys);
  });

  it('finds the capital by what people call it', () => {
    expect(searchKeys('National Capital Region (NCR)')).toEqual(
      expect.arrayContaining(['national capital region', 'ncr', 'metro manila']),
    );
  });

  it.each(['constructor', '__proto__'])('stumbles over no name: %s', (name) => {
    expect(searchKeys(name)).toEqual([name]);
  });

  it('gives keys, each once, the whole name first', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const keys = searchKeys(name);
        expect(keys.every((key) => key !== '' && nameKey(key) === key)).toBe(true);
        expect(new Set(keys).size).toBe(keys.length);
        if (nameKey(name) !== '') expect(keys[0]).toBe(nameKey(name));
      }),
    );
  });
});
