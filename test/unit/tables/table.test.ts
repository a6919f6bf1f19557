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
