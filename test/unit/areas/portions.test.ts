import { describe, expect, it } from 'vitest';
import { keepingOf } from '../../../src/areas/portions.ts';
import type { Area } from '../../../src/areas/store.ts';

const MIB = 1024 * 1024;

/** An area with so many bytes of boundary, at hand or left out. Its other columns are not read. */
const area = (boundaryBytes: number, atHand: boolean) =>
  ({ boundaryBytes, boundary: atHand ? '{}' : null }) as unknown as Area;

describe('what the edge keeps', () => {
  it.each([
    ['nothing of an empty list', [], undefined],
    ['a copy of what is at hand whole', [area(10, true), area(20, true)], 'copy'],
    ['a copy where there is no boundary', [area(0, false)], 'copy'],
    ['what is left out in part, read anew', [area(10, true), area(2 * MIB, false)], 'anew'],
    ['as much as eight MiB, read anew', [area(4 * MIB, true), area(4 * MIB, false)], 'anew'],
    ['nothing of what is larger', [area(4 * MIB, true), area(4 * MIB + 1, false)], undefined],
  ])('is %s', (_, areas, kept) => {
    expect(keepingOf(areas)).toBe(kept);
  });
});
