import { describe, expect, it } from 'vitest';
import { isOtherName } from '../../../scripts/pipeline/psgc/spelling.ts';

// Names of one code in two editions of the PSGC, one after the other.
describe('isOtherName', () => {
  it.each([
    ['Santo Niño', 'Sto. Niño'],
    ['Sanchez-Mira', 'Sanchez Mira'],
    ['Maca-opao', 'Macaopao'],
    ['Palañogan', 'Palanogan'],
    ['Maliksi I', 'Maliksi 1'],
    ['Tagoloan Ii', 'Tagoloan II'],
    ['Concepcion No. 1', 'Concepcion 1'],
    ['Lapu-lapu Pob.', 'Lapu-Lapu'],
    ['Carmona', 'City of Carmona'],
    ['Barangay ng mga Mangingisda', 'Mangingisda'],
    ['De Carabao', 'Carabao'],
    ['San Jose', 'San Jose (Arevalo)'],
  ])('is not so from %s to %s, which are spellings', (before, after) => {
    expect([isOtherName(before, after), isOtherName(after, before)]).toEqual([false, false]);
  });

  it.each([
    ['Bacungan', 'Leon T. Postigo'],
    ['San Isidro', 'Sawata'],
    ['Sawata', 'Poblacion'],
    ['Culasi', 'Kulasi'],
    ['Balukbukan', 'Balocbocan'],
    ['Gimenarat East', 'Gimiranat East'],
    ['Pook', 'Pooc'],
    ['Ligas III', 'Ligas 2'],
    ['Barangay 1', 'Barangay 2'],
    ['Rizal', 'Dr. Jose P. Rizal'],
    ['San Juan', 'San Jose'],
    ['Purok A', 'Purok B'],
    ['Carmen Cluster', 'Kapalawan'],
  ])('is so from %s to %s', (before, after) => {
    expect([isOtherName(before, after), isOtherName(after, before)]).toEqual([true, true]);
  });
});
