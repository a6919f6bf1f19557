import { expect, it } from 'vitest';
import { Table } from '../../../src/tables/table.ts';

it('no cell that is added to a table is taken for a formula by a spreadsheet', async () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '1-1', "it's"];
  const table = new Table(() => ({ reads: {}, columns: cells.map((_, i) => `c${i}`), linesOf: () => [[cells]] }));
  let text = '';
  const none = (async function* () {})();
  for await (const lines of table.texts({ text: 'name\n=kept\n', isLast: true }, none)) text += lines;
  expect(text).toBe(`name,c0,c1,c2,c3,c4,c5,c6\n=kept,'=1+1,'+1,'-1,'@SUM(A1),"'\tx",1-1,it's\n`);
});

it('rows count as their work says, and lines without a cell as one row for a hundred', async () => {
  const counts: number[] = [];
  const pace = { add: async (rows: number) => void counts.push(rows), end: async () => {}, leave: async () => {} };
  const linesOf = (rows: readonly (readonly string[])[]) => rows.map(() => [['']]);
  const work = { reads: {}, columns: ['c'], countOf: ([cell = '']: readonly string[]) => cell.length, linesOf };
  const table = new Table(() => work, pace);
  const text = `name\n${'abc\n'.repeat(100)}${'\n'.repeat(250)}`;
  for await (const _ of table.texts({ text, isLast: true }, (async function* () {})()));
  expect(counts).toEqual([300, 1, 1, 1]);
});
