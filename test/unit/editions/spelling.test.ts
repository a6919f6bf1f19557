import { describe, expect, it } from 'vitest';
import { isRenamed } from '../../../src/editions/spelling.ts';

// Names of one code in two editions of the PSGC, one after the other.
describe('isRenamed', () => {
  it.each([
    ['Santo Niño', 'Sto. Niño'],
    ['Sanchez-Mira', 'Sanchez Mira'],
    ['Maca-opao', 'Macaopao'],
    ['Palañogan', 'Palanogan'],
    ['Maliksi I', 'Maliksi 1'],
    ['Tagoloan Ii', 'Tagoloan II'],
    ['Concepcion No. 1', 'Concepcion 1'],
    ['Culasi', 'Kulasi'],
    ['Balukbukan', 'Balocbocan'],
    ['Gimenarat East', 'Gimiranat East'],
    ['Casalungan', 'Casulongan'],
    ['Pook', 'Pooc'],
    ['Lapu-lapu Pob.', 'Lapu-Lapu'],
    ['Carmona', 'City of Carmona'],
    ['Barangay ng mga Mangingisda', 'Mangingisda'],
    ['De Carabao', 'Carabao'],
    ['San Jose', 'San Jose (Arevalo)'],
  ])('is not so from %s to %s, which are spellings', (before, after) => {
    expect([isRenamed(before, after), isRenamed(after, before)]).toEqual([false, false]);
  });

  it.each([
    ['Bacungan', 'Leon T. Postigo'],
    ['San Isidro', 'Sawata'],
    ['Sawata', 'Poblacion'],
    ['Ligas III', 'Ligas 2'],
    ['Barangay 1', 'Barangay 2'],
    ['Rizal', 'Dr. Jose P. Rizal'],
    ['San Juan', 'San Jose'],
    ['San Jose East', 'San Jose West'],
    ['Bagong Silang North', 'Bagong Silang South'],
    ['Purok A', 'Purok B'],
    ['Carmen Cluster', 'Kapalawan'],
  ])('is so from %s to %s', (before, after) => {
    expect([isRenamed(before, after), isRenamed(after, before)]).toEqual([true, true]);
  });
});
