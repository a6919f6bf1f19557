import { beforeAll, expect, it } from 'vitest';
import { matchRows } from '../../../src/match/service.ts';
import type { MatchInput } from '../../../src/names/match.ts';
import { type NamedCountry, namedCountry } from '../names/country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

it.each<[MatchInput, string | undefined]>([
  [{ municity: 'San Juan' }, 'A province beside it would decide.'],
  [{ barangay: 'San Isidro', province: 'Pangasinan' }, 'A city or municipality beside it would decide.'],
  // What a row gives already decides only where it is written in full.
  [{ municity: 'Baista' }, 'A province beside it would decide.'],
  [{ municity: 'Baista', province: '-' }, 'A province beside it would decide.'],
  [{ municity: 'Baista', province: 'Pangasinan' }, 'The full name of the city or municipality would decide.'],
  [{ barangay: 'San Jose', municity: 'Iloilo City' }, 'The full name of the barangay would decide.'],
  // Both are in one region, which tells them not apart.
  [{ province: 'Maguindanao' }, undefined],
])('says what would decide %j', async (row, sentence) => {
  const { data } = await matchRows(country.index, { rows: [row] });
  expect(data[0]?.match).toBe('ambiguous');
  expect(data[0]?.notes.at(-1)).toBe(sentence);
});
