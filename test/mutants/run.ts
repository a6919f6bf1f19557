import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf, sampleOf } from './mutants.ts';

// npm run test:mutants: changes one place of the source at a time, and says which changes no test notices. Without arguments
// it tries 20 mutants of the files of TESTS; `-- --count 100 --seed 2` tries others, `-- src/auth/scopes.ts` those of files.
// A file is changed in place while its tests run, and is put back afterwards. It is run by hand: each mutant takes from
// seconds to minutes. Stryker can't do it: its runner for Vitest sets the pool of threads, and the tests of the API run in
// that of the Workers runtime.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The tests over HTTP that are about a folder: all of them import all of the Worker, so Vitest can't tell. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/auth': [
    ...['api-keys', 'api-key-life', 'known-keys', 'key-permits', 'not-asked', 'session-keys', 'sessions', 'http'],
    ...['tile-sessions', 'settings', '../contract/access'],
  ],
  'src/rate-limits': [
    ...['rate-limits', 'account-limits', 'counters', 'key-permits', 'shared-ask', 'not-asked', 'usage', 'match'],
  ],
  'src/http': [
    ...['http', 'bad-input', 'edge-cache', 'area-lists', 'packed-collections', 'dataset-files', 'feature-lists'],
    ...['uploads', 'downloads', '../contract/bodies', '../contract/methods', '../contract/document'],
  ],
  'src/datasets': [
    ...['datasets', 'dataset-access', 'dataset-deletion', 'dataset-exports', 'dataset-files', 'dataset-history'],
    ...['feature-lists', 'features', 'embedded-datasets', 'layer-exports', 'account-quota', 'idempotency', 'sweep'],
  ],
};

/** When a mutant counts as noticed: it may wait for ever. Milliseconds. */
const TIMEOUT_MS = 15 * 60_000;

function passes(args: readonly string[]): boolean {
  const vitest = join(ROOT, 'node_modules/.bin/vitest');
  const options = { cwd: ROOT, timeout: TIMEOUT_MS, stdio: 'ignore' } as const;
  return spawnSync(process.execPath, [vitest, ...args, '--run', '--bail=1', '--passWithNoTests'], options).status === 0;
}

/** The folder of TESTS that a file is in. */
function folderOf(file: string): string {
  const folder = Object.keys(TESTS).find((it) => file.startsWith(`${it}/`));
  if (folder === undefined) throw new Error(`${file}: no tests are named for it in test/mutants/run.ts`);
  return folder;
}

function isNoticed({ file, text }: Mutant): boolean {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  const restore = () => writeFileSync(path, source);
  process.once('exit', restore);
  try {
    writeFileSync(path, text);
    const named = TESTS[folderOf(file)]?.map((name) => join('test/api', `${name}.test.ts`)) ?? [];
    return !passes(['related', '--project', 'unit', file]) || !passes(['--project', 'api', ...named]);
  } finally {
    restore();
    process.off('exit', restore);
  }
}

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const folders = Object.keys(TESTS);
const files =
  positionals.length > 0
    ? positionals
    : globSync(
        folders.map((it) => `${it}/**/*.ts`),
        { cwd: ROOT },
      ).sort();
const all = (await Promise.all(files.map((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'))))).flat();
const tried = sampleOf(all, Number(values.count), Number(values.seed));
console.log(`${tried.length} of ${all.length} mutants of ${files.length} files`);
for (const folder of new Set(tried.map(({ file }) => folderOf(file)))) {
  const named = TESTS[folder]?.map((name) => join('test/api', `${name}.test.ts`)) ?? [];
  if (!passes(['--project', 'api', ...named])) throw new Error(`The tests of ${folder} fail without any mutant`);
}
let noticed = 0;
for (const mutant of tried) {
  const isKilled = isNoticed(mutant);
  if (isKilled) noticed += 1;
  console.log(
    `${isKilled ? 'killed  ' : 'SURVIVED'} ${mutant.file}:${mutant.line}  ${mutant.before}  →  ${mutant.after}`,
  );
}
const share = tried.length === 0 ? 100 : Math.round((100 * noticed) / tried.length);
console.log(`${noticed} killed, ${tried.length - noticed} survived (${share} % killed)`);
