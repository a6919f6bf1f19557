import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';

// npm run test:count: sums the reports that the lanes of .ci/run leave in a directory. <lane>.json is a report of Vitest,
// <lane>.xml one of Schemathesis, in the format of JUnit. Its last line is "N passed, N failed", and skipped tests if any.

const USAGE = 'npm run test:count -- <directory> <exit code of the run> <lane it ended in> <lane with a report>…';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const NONE: Count = { passed: 0, failed: 0, skipped: 0 };

const READERS = { json: fromVitest, xml: fromJUnit };

/** The counts of a lane's report. Undefined where it left none that can be read, or one without tests. */
async function countOf(directory: string, lane: string): Promise<Count | undefined> {
  for (const [ending, read] of Object.entries(READERS)) {
    const path = join(directory, `${lane}.${ending}`);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    try {
      const count = read(text);
      if (count.passed + count.failed + count.skipped > 0) return count;
    } catch (error) {
      console.log(`${path} can't be read: ${(error as Error).message}`);
    }
  }
  return undefined;
}

/** Whatever neither passed nor failed was skipped: also what a run never came to. */
function fromVitest(text: string): Count {
  const { numTotalTests: total, numPassedTests: passed, numFailedTests: failed } = JSON.parse(text);
  if (!(Number.isInteger(total) && Number.isInteger(passed) && Number.isInteger(failed))) {
    throw new Error('it has no numbers of tests.');
  }
  return { passed, failed, skipped: total - passed - failed };
}

/** A test may have several failures, errors and notes: it failed if it has one of the first two. */
function fromJUnit(text: string): Count {
  const count = { ...NONE };
  let result: keyof Count = 'passed';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    if (name === 'testcase') result = 'passed';
    else if (name === 'failure' || name === 'error') result = 'failed';
    else if (name === 'skipped' && result === 'passed') result = 'skipped';
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'testcase') count[result] += 1;
  });
  parser.write(text).close();
  return count;
}

function inWords({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Prints the counts. Returns the exit code: that of the run, or 1 where a test failed or a lane reports no test. */
async function main([directory, code, ended, ...lanes]: string[]): Promise<number> {
  if (!directory || !/^\d+$/.test(code ?? '') || !ended || lanes.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const total = { ...NONE };
  const width = Math.max(...lanes.map(({ length }) => length));
  for (const lane of lanes) {
    const count = await countOf(directory, lane);
    console.log(`${lane.padEnd(width)}  ${count ? inWords(count) : 'reports no test'}`);
    // Without this a lane that ran nothing would look as one that passed.
    const { passed, failed, skipped } = count ?? { ...NONE, failed: code === '0' ? 1 : 0 };
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  if (code !== '0') {
    console.log(`The run ended in ${ended} with exit code ${code}.`);
    // What fails besides tests, such as a static check, is one failure, so that no failed run is said to have none.
    total.failed ||= 1;
  }
  console.log(inWords(total));
  return Number(code) || Number(total.failed > 0);
}

process.exitCode = await main(process.argv.slice(2));
