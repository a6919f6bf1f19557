import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, fold, romanValue } from '../../../src/names/fold.ts';

describe('fold', () => {
  it.each([
    ['City of Parañaque', 'city of paranaque'],
    ['LAS PIN\u0303AS', 'las pinas'],
    ['DasmariÃ±as', 'dasmarinas'],
    ['PIÃ‘AN', 'pinan'],
    ['Para\uFFFDaque', 'paranaque'],
    ['Pe?aranda', 'penaranda'],
    ['S0uth Cotabato', 'south cotabato'],
    ['QUEZ0N', 'quezon'],
    ['Ceb0', 'cebo'],
    ['Brgy10Pob', 'barangay 10 poblacion'],
    ['Lot0, 0 Zone', 'loto 0 zone'],
    ["Brooke's Point", 'brookes point'],
    ['Brooke´s Point', 'brookes point'],
    ['Brgy. Sto. Niño', 'barangay santo nino'],
    ['Bgy. No. 13, Nstra. Sra. De Visitacion', 'barangay 13 nuestra senora de visitacion'],
    ['Bo. Obrero', 'barrio obrero'],
    ['Pres. Carlos P. Garcia', 'president carlos p garcia'],
    ['Mt. Nebo', 'mount nebo'],
    ['Zone I Pob.', 'zone 1 poblacion'],
    ['ZoneIV', 'zone 4'],
    ['Zone 007', 'zone 7'],
    ['Poblacion No. III', 'poblacion 3'],
    ['50th District', '50 district'],
    ['Barangay IV-A', 'barangay 4 a'],
    ['Brgy176A', 'barangay 176 a'],
    ['V. Villanueva', 'v villanueva'],
    ['Ma. Cristina', 'maria cristina'],
    ['Santa Ma.', 'santa maria'],
    ['Cabeseria 6 & 24', 'cabeseria 6 and 24'],
    ['Region IV-A (CALABARZON)', 'region 4 a calabarzon'],
    ['Region IVA', 'region 4 a'],
    ['Rio Viva', 'rio viva'],
    ['…', ''],
  ])('folds %j to %j', (name, folded) => {
    expect(fold(name)).toBe(folded);
  });

  it('changes nothing that is folded', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom('sto', 'no', 'iv', 'i', 'v', '5', '1st', 'ma', 'st', 'zonex', 'a', 'san'), {
        maxLength: 5,
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const folded = fold(typeof text === 'string' ? text : text.join(' '));
        expect(fold(folded)).toBe(folded);
        expect(folded).toMatch(/^(?:[a-z]+|\d+)?(?: (?:[a-z]+|\d+))*$/);
      }),
    );
  });
});

describe('compact', () => {
  it.each([
    ['lapu lapu', 'lapulapu'],
    ['barangay 176 a', 'barangay176a'],
    // Without the space they would be another number.
    ['purok 1 1', 'purok1 1'],
  ])('makes %j %j', (folded, letters) => {
    expect(compact(folded)).toBe(letters);
  });
});

it.each([
  ['iv', 4],
  ['xxxix', 39],
  ['viiii', 0],
  ['iix', 0],
  ['', 0],
])('reads %j as %i', (word, value) => {
  expect(romanValue(word)).toBe(value);
});
