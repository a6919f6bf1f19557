import { expect, it } from 'vitest';
import { islandGroupOf, iso31662Of, pcodeOf } from '../../../src/areas/identifiers.ts';
import type { Area } from '../../../src/areas/store.ts';

it.each<[Area['level'], string, string | null, string | null, string]>([
  ['region', '0700000000', 'PH-07', 'visayas', 'PH07'],
  ['region', '1300000000', 'PH-00', 'luzon', 'PH13'],
  ['region', '1600000000', 'PH-13', 'mindanao', 'PH16'],
  ['region', '1800000000', null, 'visayas', 'PH18'],
  ['region', '1900000000', 'PH-14', 'mindanao', 'PH19'],
  ['region', '2000000000', null, null, 'PH20'],
  ['province', '0102800000', 'PH-ILN', 'luzon', 'PH01028'],
  ['province', '1108600000', 'PH-DVO', 'mindanao', 'PH11086'],
  ['province', '1908800000', 'PH-MGS', 'mindanao', 'PH19088'],
  ['province', '0203900000', null, 'luzon', 'PH02039'],
  ['municity', '0730600000', null, 'visayas', 'PH0730600'],
  ['municity', '1999901000', null, 'mindanao', 'PH1909901'],
  ['barangay', '1380601001', null, 'luzon', 'PH1380601001'],
])('%s %s is %s, in %s, and %s', (level, code, iso, group, pcode) => {
  expect([iso31662Of({ level, code }), islandGroupOf(code), pcodeOf({ level, code })]).toEqual([iso, group, pcode]);
});
