import { expect, it } from 'vitest';
import { WorkerOutput } from '../../scripts/dev/output.ts';

/** What is said of these lines. */
function saidOf(lines: readonly string[], { requests = false } = {}): string[] {
  const said: string[] = [];
  const output = new WorkerOutput({ requests: () => requests, say: (sentence) => said.push(sentence) });
  for (const line of lines) output.take(line);
  return said;
}

const ABOUT_ITSELF = [
  '[custom build] Running: node scripts/pages.ts',
  'Using secrets defined in .data/worker.env',
  'Your Worker has access to the following bindings:',
  'Binding                       Resource                  Mode',
  'env.METER (Meter)             Durable Object            local',
  '',
  '❓ Your types might be out of date. Re-run `wrangler types` to ensure your types are correct.',
  '\x1b[33m▲ \x1b[43;33m[\x1b[43;30mWARNING\x1b[43;33m]\x1b[0m \x1b[1mScheduled Workers are not triggered.\x1b[0m',
  '  To manually trigger a scheduled event, run:',
  '⎔ Starting local server...',
  '[wrangler:info] Ready on http://127.0.0.1:8787',
];
const REQUEST = '[wrangler:info] GET /v1/regions 200 OK (12ms)';
const LOGGED = '{"level":"info","method":"GET","path":"/v1/regions","status":200}';

it('is silent about wrangler and about requests', () => {
  expect(saidOf([...ABOUT_ITSELF, REQUEST, LOGGED])).toEqual([]);
});

it('has one line for every request where that is asked for', () => {
  const lines = [...ABOUT_ITSELF, LOGGED, REQUEST, '[wrangler:info] GET /docs?q=a 304 Not Modified (2ms)'];
  expect(saidOf(lines, { requests: true })).toEqual(['GET /v1/regions 200 in 12 ms', 'GET /docs?q=a 304 in 2 ms']);
});

it('says what failed, with its stack, and what a developer logs', () => {
  const failed =
    '{"level":"error","method":"GET","path":"/v1/regions","status":500,"error":{"stack":"Error: a\\n at b"}}';
  const job = '{"level":"error","what":"delete-old-events","error":{"message":"no table"}}';
  expect(saidOf([failed, job, 'my own line', '{"mine":1}'])).toEqual([
    'GET /v1/regions answered 500: Error: a\n at b',
    'delete-old-events failed: no table',
    'my own line',
    '{"mine":1}',
  ]);
});

it('says in words also what wrangler marks as an error', () => {
  const failed = '{"level":"error","method":"GET","path":"/v1/regions","status":500,"error":{"message":"a"}}';
  expect(saidOf([`\x1b[31m✘ \x1b[41;31m[\x1b[41;97mERROR\x1b[41;31m]\x1b[0m \x1b[1m${failed}\x1b[0m`, '', ''])).toEqual(
    ['GET /v1/regions answered 500: a'],
  );
});

it('writes a path as one line', () => {
  const failed = '{"level":"error","method":"GET","path":"/a\\nGET /b","status":500,"error":{"message":"a"}}';
  expect(saidOf([failed])).toEqual(['GET /a%0AGET%20/b answered 500: a']);
});

it('says of a stream that it broke off, after its status was sent', () => {
  expect(saidOf(['{"level":"error","path":"/v1/features","error":{"message":"a"}}'])).toEqual([
    '/v1/features broke off: a',
  ]);
});

it('is silent about requests that come before the database is open, and about these only', () => {
  const refused = (status: number, code: string) =>
    `✘ [ERROR] {"level":"error","method":"GET","path":"/v1/editions","status":${status},"error":{"code":"database_unavailable","message":"a","cause":{"message":"b","cause":{"code":"${code}","message":"c"}}}}`;
  const unhealthy = '✘ [ERROR] {"level":"error","method":"GET","path":"/healthcheck","status":503}';
  const job = '✘ [ERROR] {"level":"error","what":"active_release_unknown","error":{"code":"57P03","message":"a"}}';
  expect(saidOf([unhealthy, job, refused(503, '57P03'), refused(503, '57P01'), refused(500, '57P03')])).toEqual([
    'GET /v1/editions answered 503: a',
    'GET /v1/editions answered 500: a',
  ]);
});

it('shows a build that fails, with the lines that say why', () => {
  const lines = [
    '[custom build] Running: node scripts/pages.ts',
    '[custom build] pages/docs/main.ts:3:8: ERROR: Could not resolve "./gone.ts"',
    '✘ [ERROR] Running custom build `node scripts/pages.ts` failed.',
    '',
    '  There are likely more logs from your build command above.',
    '⎔ Reloading local server...',
    '  Not of the error',
  ];
  expect(saidOf(lines)).toEqual([
    'pages/docs/main.ts:3:8: ERROR: Could not resolve "./gone.ts"',
    'Running custom build `node scripts/pages.ts` failed.',
    '',
    '  There are likely more logs from your build command above.',
  ]);
});
