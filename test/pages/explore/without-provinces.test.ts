import { expect, it } from 'vitest';
import { remarkOnAround } from '../../../pages/explore/without-provinces.ts';

it.each([
  // The City of Makati.
  [[121.03, 14.55], 1, true],
  // The middle of Laguna, whose south is 60 km from Metro Manila.
  [[121.33, 14.17], 50, true],
  [[121.33, 14.17], 20, false],
  // The City of Cebu.
  [[123.89, 10.32], 100, false],
] as const)('the provinces around %j within %i km lack Metro Manila: %j', (position, km, isLacking) => {
  expect(remarkOnAround('province', position, km)).toBe(isLacking ? ' Metro Manila has no provinces.' : '');
  expect(remarkOnAround('municity', position, km)).toBe('');
});
