import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { SaxesParser } from 'saxes';

// npm run test:count: sums the reports that the lanes of .ci/run leave in a directory. <lane>.json is a report of Vitest,
// <lane>.xml one of Schemathesis, in the format of JUnit. Failures come first, because the output of a lane that ran
// beside others may hide them, and so do tests that passed only when they were tried again: each is a race to be mended.
// Each lane has a line with its counts. The last line is always "N passed, N failed", for programs that read it.

const USAGE = 'npm run test:count -- <directory> <exit code of the run> <lane it ended in> <lane with a report>…';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** Those of the passed ones that had failed before. */
  retried: number;
}

interface Report extends Count {
  /** Each failed test with the beginning of what was wrong. */
  failures: string[];
  /** The same of each retried test. */
  races: string[];
}

const MAX_LINES = 30;

const READERS = { json: fromVitest, xml: fromJUnit };

/** A lane's report. Undefined where it left none that can be read, or one without tests. */
async function reportOf(directory: string, lane: string): Promise<Report | undefined> {
  for (const [ending, read] of Object.entries(READERS)) {
    const path = join(directory, `${lane}.${ending}`);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    try {
      const report = read(text);
      if (report.passed + report.failed + report.skipped > 0) return report;
    } catch (error) {
      console.log(`${path} can't be read: ${(error as Error).message}`);
    }
  }
  return undefined;
}

/** Whatever neither passed nor failed was skipped: also what a run never came to. */
function fromVitest(text: string): Report {
  const {
    numTotalTests: total,
    numPassedTests: passed,
    numFailedTests: failed,
    testResults: files = [],
  }: VitestReport = JSON.parse(text);
  if (!(Number.isInteger(total) && Number.isInteger(passed) && Number.isInteger(failed))) {
    throw new Error('it has no numbers of tests.');
  }
  const races = files.flatMap((file) => testsOf(file, 'passed'));
  return {
    passed,
    failed,
    skipped: total - passed - failed,
    retried: races.length,
    failures: files.flatMap((file) => [...importsOf(file), ...testsOf(file, 'failed')]),
    races,
  };
}

interface VitestReport {
  numTotalTests: number;
  numPassedTests: number;
  numFailedTests: number;
  testResults?: VitestFile[];
}

interface VitestFile {
  name: string;
  /** What failed besides its tests, such as an import. */
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

const importsOf = ({ name, message }: VitestFile) => (message ? [failure(pathOf(name), message)] : []);

/** Tests that ended so, and had failed at least once. */
function testsOf({ name, assertionResults }: VitestFile, ending: 'passed' | 'failed'): string[] {
  return assertionResults
    .filter(({ status, failureMessages }) => status === ending && (ending === 'failed' || failureMessages.length > 0))
    .map(({ fullName, failureMessages }) => failure(`${pathOf(name)}: ${fullName}`, failureMessages.join('\n')));
}

const pathOf = (file: string) => relative(process.cwd(), file);

function failure(name: string, message: string): string {
  return [name, ...stripVTControlCharacters(message).split('\n', MAX_LINES)].join('\n    ');
}

/** A test may have several failures, errors and notes: it failed if it has one of the first two. */
function fromJUnit(text: string): Report {
  const count: Count = { passed: 0, failed: 0, skipped: 0, retried: 0 };
  const failures: string[] = [];
  let result: Exclude<keyof Count, 'retried'> = 'passed';
  let test = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'testcase') {
      result = 'passed';
      test = attributes.name ?? '';
    } else if (name === 'failure' || name === 'error') {
      result = 'failed';
      failures.push(failure(test, attributes.message ?? ''));
    } else if (name === 'skipped' && result === 'passed') result = 'skipped';
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'testcase') count[result] += 1;
  });
  parser.write(text).close();
  return { ...count, failures, races: [] };
}

function inWords({ passed, failed, skipped, retried }: Count): string {
  const rest = [skipped > 0 && `${skipped} skipped`, retried > 0 && `${retried} passed only when tried again`];
  return [`${passed} passed`, `${failed} failed`, ...rest.filter(Boolean)].join(', ');
}

/** Prints the failures and the counts. Returns the exit code: that of the run, or 1 where a test failed or a lane reports no test. */
async function main([directory, code, ended, ...lanes]: string[]): Promise<number> {
  if (!directory || !/^\d+$/.test(code ?? '') || !ended || lanes.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const total = { passed: 0, failed: 0 };
  const width = Math.max(...lanes.map(({ length }) => length));
  const reports = await Promise.all(lanes.map((lane) => reportOf(directory, lane)));
  for (const [index, lane] of lanes.entries()) {
    for (const text of reports[index]?.races ?? []) console.log(`${lane} passed only when tried again: ${text}\n`);
  }
  for (const [index, lane] of lanes.entries()) {
    for (const text of reports[index]?.failures ?? []) console.log(`${lane} failed: ${text}\n`);
  }
  for (const [index, lane] of lanes.entries()) {
    const count = reports[index];
    console.log(`${lane.padEnd(width)}  ${count ? inWords(count) : 'reports no test'}`);
    // Without this a lane that ran nothing would look as one that passed.
    const added = count ?? { passed: 0, failed: code === '0' ? 1 : 0 };
    total.passed += added.passed;
    total.failed += added.failed;
  }
  if (code !== '0') {
    console.log(`The run ended in ${ended} with exit code ${code}.`);
    // What fails besides tests, such as a static check, is one failure, so that no failed run is said to have none.
    total.failed ||= 1;
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return Number(code) || Number(total.failed > 0);
}

process.exitCode = await main(process.argv.slice(2));
