import { expect, it } from 'vitest';
import { NO_ROW } from '../../../src/areas/snapshot/layout.ts';
import { RowGroups } from '../../../src/areas/snapshot/row-groups.ts';

it('groups the rows of a level by their parents, which must be rows of the level above', () => {
  const [children, parents] = [
    { first: 4, end: 8 },
    { first: 1, end: 4 },
  ];
  const column = (...rows: number[]) => Uint16Array.from([0, 0, 0, 0, ...rows]);
  const groups = new RowGroups(column(3, 1, NO_ROW, 3), children, parents);
  expect([1, 2, 3].map((parent) => [...groups.of(parent)])).toEqual([[5], [], [4, 7]]);
  for (const parent of [0, 4, NO_ROW]) expect(() => groups.of(parent)).toThrow(/not of the level/);
  for (const parent of [0, 4]) expect(() => new RowGroups(column(3, 1, 2, parent), children, parents)).toThrow(/level/);
});
