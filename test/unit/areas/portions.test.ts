import { describe, expect, it } from 'vitest';
import { boundariesOf, cachingOf } from '../../../src/areas/portions.ts';
import type { Area } from '../../../src/areas/store.ts';

const MIB = 1024 * 1024;

/** An area with a boundary of so many bytes, in memory or left out. Its other columns are not looked at. */
const area = (boundaryBytes: number, inMemory: boolean) =>
  ({ boundaryBytes, boundary: inMemory ? '{}' : null }) as unknown as Area;

describe('the copy that the edge gets', () => {
  it.each([
    ['none of an empty list', [], undefined],
    ['a clone of an answer whose boundaries are all in memory', [area(10, true), area(20, true)], 'clone'],
    ['a clone where there is no boundary', [area(0, false)], 'clone'],
    ['made anew where a boundary was left out', [area(10, true), area(2 * MIB, false)], 'remake'],
    ['made anew up to eight MiB', [area(4 * MIB, true), area(4 * MIB, false)], 'remake'],
    ['none of a larger answer', [area(4 * MIB, true), area(4 * MIB + 1, false)], undefined],
  ])('is %s', (_, areas, copy) => {
    expect(cachingOf(areas, 8 * 1024 * 1024)).toBe(copy);
  });
});

describe('the boundaries of areas', () => {
  const read = async (texts: readonly string[]) => {
    const boundaries: { text: string }[] = [];
    for await (const it of boundariesOf([area(3, false), area(2, true)], async () => texts)) boundaries.push(it);
    return boundaries;
  };

  it('are those that were read and those in memory', async () => {
    expect((await read(['abc'])).map(({ text }) => text)).toEqual(['abc', '{}']);
  });

  it.each([[[]], [['ab']]])('are for now not there where their release was replaced: %j', async (texts) => {
    await expect(read(texts)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
