import { expect, it } from 'vitest';
import { attributionOf, attributionsIn } from '../../../pages/shared/attribution.ts';

const CODES = 'Philippine Statistics Authority, Philippine Standard Geographic Code, 3Q 2026';
const BOUNDARIES = 'Boundaries: Philippine Statistics Authority, NAMRIA and UN OCHA (COD-AB PHL), generalised';

it('whose the areas are is said alike of a list of sources and of the header of a map', () => {
  const expected = `Areas: ${CODES} · ${BOUNDARIES}`;
  expect(attributionOf([CODES, BOUNDARIES, BOUNDARIES], true)).toBe(expected);
  expect(attributionOf(attributionsIn(`${BOUNDARIES}; ${CODES}`), true)).toBe(expected);
  expect(attributionOf([BOUNDARIES, CODES])).toBe(`${CODES} · ${BOUNDARIES}`);
  expect([attributionOf(attributionsIn(''), true), attributionOf([])]).toEqual(['', '']);
});
