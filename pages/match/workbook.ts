import type { Cell } from './table.ts';
import type { Answers, Task } from './workbook-tasks.ts';
import workerUrl from './workbook-worker.ts?worker';

/**
 * Lets a web worker read or write a workbook, so that the page can be used meanwhile. Its script has the library for
 * workbooks and is loaded for the first of them.
 */
export function inWorker<T extends Task>(task: T): Promise<Answers[T['task']]> {
  const worker = new Worker(workerUrl, { type: 'module' });
  return new Promise<Answers[T['task']]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data as Answers[T['task']]));
    worker.addEventListener('error', () =>
      reject(new Error('The part of this page that reads workbooks could not be loaded. Load the page again.')),
    );
    worker.postMessage(task, task.task === 'read' ? [task.bytes] : []);
  }).finally(() => worker.terminate());
}

/** A workbook of one sheet. */
export async function workbookOf(rows: readonly (readonly Cell[])[]): Promise<Blob> {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return new Blob([await inWorker({ task: 'write', rows })], { type });
}
