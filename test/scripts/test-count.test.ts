import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/test-count.ts', import.meta.url));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-reports-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Stores a report as Vitest writes it. */
function tests(lane: string, [total, passed, failed]: [number, number, number]) {
  const report = { numTotalTests: total, numPassedTests: passed, numFailedTests: failed };
  return writeFile(join(directory, `${lane}.json`), JSON.stringify(report));
}

/** Sums the reports of some lanes after a run that ended with an exit code in the first of them. */
function count(code: number, ...lanes: [string, ...string[]]) {
  const args = [SCRIPT, directory, String(code), lanes[0], ...lanes];
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    execFile(process.execPath, args, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, lines: stdout.trimEnd().split('\n') }),
    );
  });
}

it('sums the reports of both formats, and ends as the run did', async () => {
  await tests('test', [7, 5, 0]);
  await writeFile(
    join(directory, 'fuzz.xml'),
    `<testsuites tests="4"><testsuite>
      <testcase name="GET /"/><testcase name="POST /"><skipped/></testcase><testcase name="PUT /"></testcase>
    </testsuite></testsuites>`,
  );
  expect(await count(0, 'test', 'fuzz')).toEqual({
    code: 0,
    lines: ['test  5 passed, 0 failed, 2 skipped', 'fuzz  2 passed, 0 failed, 1 skipped', '7 passed, 0 failed'],
  });
});

it('keeps the exit code of a run that failed, and counts what failed', async () => {
  await tests('test', [7, 5, 2]);
  await writeFile(
    join(directory, 'fuzz.xml'),
    '<testsuites><testcase><failure/><error/><skipped/></testcase><testcase><error/></testcase></testsuites>',
  );
  expect(await count(3, 'test', 'fuzz', 'clients')).toMatchObject({
    code: 3,
    lines: expect.arrayContaining([
      'test     5 passed, 2 failed',
      'fuzz     0 passed, 2 failed',
      'clients  reports no test',
      'The run ended in test with exit code 3.',
      '5 passed, 4 failed',
    ]),
  });
});

it('names what passed only when it was tried again', async () => {
  const assertionResults = [
    { fullName: 'areas are read', status: 'passed', failureMessages: [] },
    { fullName: 'areas are written', status: 'passed', failureMessages: ['expected 1 to be 2'] },
  ];
  const files = [{ name: join(process.cwd(), 'test/a.test.ts'), message: '', assertionResults }];
  const report = { numTotalTests: 2, numPassedTests: 2, numFailedTests: 0, testResults: files };
  await writeFile(join(directory, 'test.json'), JSON.stringify(report));
  expect(await count(0, 'test')).toEqual({
    code: 0,
    lines: [
      'test passed only when tried again: test/a.test.ts: areas are written',
      '    expected 1 to be 2',
      '',
      'test  2 passed, 0 failed, 1 passed only when tried again',
      '2 passed, 0 failed',
    ],
  });
});

it('names what failed, with the beginning of why, before it counts', async () => {
  const assertionResults = [
    { fullName: 'areas are read', status: 'passed', failureMessages: [] },
    {
      fullName: 'areas are written',
      status: 'failed',
      failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m\n    at a line'],
    },
  ];
  const files = [
    { name: join(process.cwd(), 'test/a.test.ts'), message: '', assertionResults },
    { name: join(process.cwd(), 'test/b.test.ts'), message: 'No module.', assertionResults: [] },
  ];
  const report = { numTotalTests: 2, numPassedTests: 1, numFailedTests: 1, testResults: files };
  await writeFile(join(directory, 'test.json'), JSON.stringify(report));
  await writeFile(
    join(directory, 'fuzz.xml'),
    '<testsuites><testcase name="GET /a"/><testcase name="PUT /b"><failure message="Undocumented&#10;500"/></testcase></testsuites>',
  );
  expect((await count(1, 'test', 'fuzz')).lines).toEqual([
    ...['test failed: test/a.test.ts: areas are written', '    expected 1 to be 2', '        at a line', ''],
    ...['test failed: test/b.test.ts', '    No module.', ''],
    ...['fuzz failed: PUT /b', '    Undocumented', '    500', ''],
    'test  1 passed, 1 failed',
    'fuzz  1 passed, 1 failed',
    'The run ended in test with exit code 1.',
    '2 passed, 2 failed',
  ]);
});

it('says of no run that failed that nothing did', async () => {
  await tests('test', [7, 7, 0]);
  expect(await count(1, 'test')).toMatchObject({ code: 1, lines: { 2: '7 passed, 1 failed' } });
});

it('fails where a test failed or a lane reports no test, although the run did not', async () => {
  await tests('test', [7, 6, 1]);
  expect(await count(0, 'test')).toMatchObject({ code: 1, lines: { 1: '6 passed, 1 failed' } });
  await tests('test', [7, 7, 0]);
  expect(await count(0, 'test', 'clients')).toMatchObject({
    code: 1,
    lines: { 1: 'clients  reports no test', 2: '7 passed, 1 failed' },
  });
});

it('fails where a report has no tests, or is none', async () => {
  await tests('test', [0, 0, 0]);
  expect(await count(0, 'test')).toEqual({ code: 1, lines: ['test  reports no test', '0 passed, 1 failed'] });
  await writeFile(join(directory, 'test.json'), '{"success":true}');
  expect(await count(0, 'test')).toMatchObject({ code: 1, lines: { 2: '0 passed, 1 failed' } });
  await writeFile(join(directory, 'fuzz.xml'), '<testsuites><testcase>');
  expect(await count(0, 'fuzz')).toMatchObject({ code: 1, lines: { 2: '0 passed, 1 failed' } });
});
