import { readWorkbook } from './workbook-reader.ts';
import type { Task } from './workbook-tasks.ts';
import { writeWorkbook } from './workbook-writer.ts';

// The script of a web worker that reads and writes workbooks.

addEventListener('message', async ({ data }: MessageEvent<Task>) => {
  if (data.task === 'read') {
    postMessage(await readWorkbook(data.bytes));
    return;
  }
  const file = writeWorkbook(data.rows);
  postMessage(file, { transfer: [file.buffer] });
});
