import { goalCells, printTable } from './table.ts';
import { MASTER, type MeasuredWorker, startWorker, type WorkerOptions } from './worker.ts';
import type { Subject } from './works.ts';

interface Counts {
  statements: number;
  reads: number;
  calls: number;
}

/** A wrapper that counts the Worker's outgoing calls. The path /counts returns and resets the counts. */
const COUNTING = `
  import worker, { Meter } from './worker.js';
  export { Meter };

  const counts = { statements: 0, reads: 0, calls: 0 };
  const send = globalThis.fetch;
  globalThis.fetch = (...given) => {
    counts.statements += 1;
    return send(...given);
  };

  /** The same object, whose methods call note with their names first. */
  const noted = (object, note) => new Proxy(object, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...given) => {
        const result = target[name](...given);
        return note(name, result) ?? result;
      };
    },
  });
  const bucketOf = (bucket) => noted(bucket, (name) => {
    if (name === 'get' || name === 'head' || name === 'list') counts.reads += 1;
  });
  const objectsOf = (namespace) => noted(namespace, (name, result) =>
    name === 'get' || name === 'getByName' ? noted(result, () => { counts.calls += 1; }) : undefined);

  let counted;
  export default {
    fetch(request, env, context) {
      if (new URL(request.url).pathname === '/counts') {
        const answer = Response.json(counts);
        Object.assign(counts, { statements: 0, reads: 0, calls: 0 });
        return answer;
      }
      counted ??= { ...env, FILES: bucketOf(env.FILES), METER: objectsOf(env.METER) };
      return worker.fetch(request, counted, context);
    },
  };`;

/**
 * Counts the statements, reads of the bucket and calls of Durable Objects that a request needs: in an isolate that has
 * just started, and when the same was asked before.
 *
 * @param key an API key
 */
export async function measureCounts(
  options: Omit<WorkerOptions, 'wrapper'>,
  subjects: readonly Subject[],
  key: string,
): Promise<void> {
  const rows: string[][] = [];
  for (const subject of subjects) {
    const worker = await startWorker({ ...options, wrapper: COUNTING });
    try {
      const cold = await countsOf(worker, subject, key);
      // Data stored after a response must be there for the next one.
      await countsOf(worker, subject, key);
      const warm = await countsOf(worker, subject, key);
      const { statements, reads, calls } = warm;
      const nothing = statements === 0 && reads === 0;
      const [goal, met] = subject.withKeys
        ? ['one call', nothing && calls === 1]
        : [subject.nothingRead ? 'nothing' : undefined, nothing && calls === 0];
      rows.push([subject.work, ...cellsOf(cold), ...cellsOf(warm), ...goalCells(goal as string, met as boolean)]);
    } finally {
      await worker.close();
    }
  }
  printTable(
    'What one request asks: statements, reads of the bucket, calls of Durable Objects',
    ['work', 'cold: statements', 'reads', 'calls', 'warm: statements', 'reads', 'calls', 'goal', ''],
    rows,
  );
}

function cellsOf({ statements, reads, calls }: Counts): string[] {
  return [statements, reads, calls].map(String);
}

async function countsOf({ url }: MeasuredWorker, subject: Subject, key: string): Promise<Counts> {
  const { path, body, withKeys, authorized } = subject;
  const credentials = withKeys ? { Authorization: `Bearer ${key}` } : MASTER;
  const response = await fetch(url + path, {
    headers: {
      ...(authorized === false ? {} : credentials),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await (await fetch(`${url}/counts`)).json()) as Counts;
}
