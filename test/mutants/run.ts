import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf, sampleOf } from './mutants.ts';
import type { Ask, Failed } from './tests.ts';

// npm run test:mutants: changes one place of the source at a time, and says which changes no test notices. Without arguments
// it tries 20 mutants of the files of TESTS; `-- --count 100 --seed 2` tries others, `-- src/auth/scopes.ts` those of files,
// and `-- src/auth/principal.ts:64` those of lines. A file is changed in place while its tests run, and is put back
// afterwards. It says which test failed, because a test can also fail on a busy machine. It is run by hand: each mutant takes
// from seconds to minutes. Stryker can't do it: its runner for Vitest sets the pool of threads, and the tests of the API run in
// that of the Workers runtime.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The tests over HTTP that are about a folder: all of them import all of the Worker, so Vitest can't tell. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/auth': [
    ...['api-keys', 'api-key-life', 'known-keys', 'key-permits', 'not-asked', 'session-keys', 'sessions', 'http'],
    ...['tile-sessions', 'settings', 'admin', '../contract/access'],
  ],
  'src/rate-limits': [
    ...['rate-limits', 'account-limits', 'counters', 'key-permits', 'shared-ask', 'not-asked', 'usage', 'match'],
    ...['address-windows', 'match-tables'],
  ],
  'src/http': [
    ...['http', 'bad-input', 'edge-cache', 'area-lists', 'packed-collections', 'dataset-files', 'feature-lists'],
    ...['uploads', 'downloads', 'stream', 'datasets', '../contract/bodies', '../contract/methods'],
    ...['../contract/document'],
  ],
  'src/datasets': [
    ...['datasets', 'dataset-access', 'dataset-deletion', 'dataset-exports', 'dataset-files', 'dataset-history'],
    ...['feature-lists', 'features', 'embedded-datasets', 'layer-exports', 'account-quota', 'idempotency', 'sweep'],
    ...['archive-exports', 'export-changes', 'erasure'],
  ],
};

/** When a mutant counts as noticed: it may wait for ever. Milliseconds. */
const TIMEOUT_MS = 15 * 60_000;

/** The process of the tests, and what is answered where it ends instead of them. */
let runner: { readonly child: ChildProcess; readonly ended: Promise<[Failed]> } | undefined;

function startRunner() {
  const child = fork(join(import.meta.dirname, 'tests.ts'), { cwd: ROOT, detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit').then((): [Failed] => {
    runner = undefined;
    return [{ file: undefined, test: 'the process of the tests ended' }];
  });
  return { child, ended };
}

/** Ends it with its processes: a mutant may loop for ever in one of them. */
function stopRunner(): void {
  if (runner?.child.pid !== undefined) process.kill(-runner.child.pid, 'SIGKILL');
}

async function failedOf(ask: Ask): Promise<Failed | null> {
  runner ??= startRunner();
  const late = setTimeout(stopRunner, TIMEOUT_MS);
  const answered = once(runner.child, 'message');
  runner.child.send(ask);
  const [failed] = await Promise.race([answered, runner.ended]);
  clearTimeout(late);
  return failed;
}

/** The folder of TESTS that a file is in. */
function folderOf(file: string): string {
  const folder = Object.keys(TESTS).find((it) => file.startsWith(`${it}/`));
  if (folder === undefined) throw new Error(`${file}: no tests are named for it in test/mutants/run.ts`);
  return folder;
}

function compiles(): boolean {
  return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: ROOT, stdio: 'ignore' }).status === 0;
}

async function failedWith({ file, text }: Mutant): Promise<Failed | null> {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  const restore = () => writeFileSync(path, source);
  process.once('exit', restore);
  try {
    writeFileSync(path, text);
    const files = (TESTS[folderOf(file)] ?? []).map((name) => join('test/api', `${name}.test.ts`));
    return (await failedOf({ files, changed: path })) ?? (compiles() ? null : { file: undefined, test: 'tsc' });
  } finally {
    restore();
    process.off('exit', restore);
  }
}

async function endRunner(): Promise<void> {
  stopRunner();
  await runner?.ended;
}

/**
 * The test that fails because of the mutant, or null. Its file has to pass without the mutant: tests leave rows in their
 * database, and a busy machine is slow. Where it doesn't, the mutant is tried again with another database. A process builds
 * the OpenAPI document when it begins, so a mutant that survives in an older one is tried in a new one too.
 */
async function killerOf(mutant: Mutant): Promise<Failed | null> {
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const isNew = runner === undefined;
    const failed = await failedWith(mutant);
    if (isNew && failed === null) return null;
    if (isNew && failed) await endRunner();
    if (failed && (failed.file === undefined || (await failedOf({ files: [failed.file] })) === null)) return failed;
    await endRunner();
  }
  throw new Error(`The tests of ${folderOf(mutant.file)} fail without any mutant`);
}

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
process.once('exit', stopRunner);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const places =
  positionals.length > 0
    ? positionals
    : globSync(
        Object.keys(TESTS).map((it) => `${it}/**/*.ts`),
        { cwd: ROOT },
      ).sort();
const all = (await Promise.all(places.map(mutantsAt))).flat();
const tried = sampleOf(all, Number(values.count), Number(values.seed));
console.log(`${tried.length} of ${all.length} mutants of ${places.length} files`);
let noticed = 0;
// Those of one folder follow each other: what killed one is tried first on the next.
for (const mutant of tried.toSorted((a, b) => folderOf(a.file).localeCompare(folderOf(b.file)))) {
  const killer = await killerOf(mutant);
  if (killer) noticed += 1;
  console.log(
    `${killer ? 'killed  ' : 'SURVIVED'} ${mutant.file}:${mutant.line}  ${mutant.before}  →  ${mutant.after}`,
  );
  if (killer) console.log(`         by ${killer.file ? `${killer.file}: ` : ''}${killer.test}`);
}
const share = tried.length === 0 ? 100 : Math.round((100 * noticed) / tried.length);
console.log(`${noticed} killed, ${tried.length - noticed} survived (${share} % killed)`);
process.exit();

/** Those of a file, or of one line of it: `src/auth/principal.ts:64`. */
async function mutantsAt(place: string): Promise<Mutant[]> {
  const [file = '', line] = place.split(':');
  const found = await mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'));
  return line === undefined ? found : found.filter((it) => it.line === Number(line));
}
