import { createVitest, type TestModule } from 'vitest/node';

// What run.ts runs tests in. One instance of Vitest keeps what it transformed and its database for all mutants, and begins
// with the files that failed last.

/** Files of tests of the API, and the changed file, whose unit tests are run too. */
export interface Ask {
  readonly files: readonly string[];
  readonly changed?: string;
}

/** A test that failed; `file` is undefined where it is not known. */
export interface Failed {
  readonly file: string | undefined;
  readonly test: string;
}

const vitest = await createVitest('test', { watch: false, bail: 1, passWithNoTests: true, reporters: [{}] });

/** Files that were changed in this process: they are put back after their tests, so each run reads them again. */
const changedBefore = new Set<string>();

process.on('message', async ({ files, changed }: Ask) => {
  if (changed !== undefined) changedBefore.add(changed);
  for (const path of changedBefore) vitest.invalidateFile(path);
  vitest.config.related = changed === undefined ? [] : [changed];
  const units = await vitest.getRelevantTestSpecifications(['test/unit/']);
  const named = await vitest.globTestSpecifications([...files]);
  // Else it answers with files of earlier runs too.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([...units, ...named]);
  const failed = testModules.find((it) => !it.ok());
  const [error] = unhandledErrors;
  const answer = failed ? failureOf(failed) : error === undefined ? null : { file: undefined, test: String(error) };
  process.send?.(answer);
});
process.once('disconnect', () => process.exit());

function failureOf(module: TestModule): Failed {
  const [test] = module.children.allTests('failed');
  return { file: module.relativeModuleId, test: test?.fullName ?? String(module.errors()[0]?.message) };
}
