import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// Fails when an import runs up: every folder of src stands on a floor and imports from lower floors only, types too.
// Other trees have no order of their own: there no two folders may import each other, also not through others. Biome
// holds the same for single files (noImportCycles).

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The folders and files of src from top to bottom. Names in one row know nothing of each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['worker.ts'],
  ['app.ts', 'scheduled.ts'],
  ['openapi', 'request-log.ts', 'meter.ts', 'admin', 'dashboard', 'status'],
  ['uploads', 'tiles', 'webhooks', 'areas'],
  ['datasets', 'api-keys', 'profiles'],
  ['features'],
  ['operation.ts'],
  ['context.ts'],
  ['auth'],
  ['rate-limits'],
  ['usage', 'http'],
  ['db', 'geojson', 'log.ts', 'bounded-map.ts'],
  ['env.ts', 'errors.ts', 'crc32.ts', 'zod-locales.ts'],
];

/** Trees whose folders have no declared order. */
const TREES = ['scripts', 'scripts/pipeline', 'scripts/pipeline/boundaries', 'pages'];

interface Import {
  from: string;
  to: string;
}

/** The imports between the entries of a folder, with the files that they stand between. Types count. */
async function importsBetween(tree: string): Promise<(Import & { fromEntry: string; toEntry: string })[]> {
  const top = join(ROOT, tree);
  const files = (await readdir(top, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const found = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(top, name), 'utf8');
      const specifiers = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g);
      return [...specifiers].flatMap(([, specifier = '']) => {
        const to = relative(top, resolve(top, dirname(name), specifier));
        const fromEntry = name.split(sep)[0] ?? '';
        const toEntry = to.split(sep)[0] ?? '';
        return toEntry === '..' || fromEntry === toEntry ? [] : [{ from: name, to, fromEntry, toEntry }];
      });
    }),
  );
  return found.flat();
}

/** Imports of src that do not run down, in words. */
async function upwards(): Promise<string[]> {
  const floorOf = (entry: string) => FLOORS.findIndex((row) => row.includes(entry));
  const imports = await importsBetween('src');
  const entries = new Set(imports.flatMap(({ fromEntry, toEntry }) => [fromEntry, toEntry]));
  const unknown = [...entries].filter((entry) => floorOf(entry) === -1);
  return [
    ...unknown.map((entry) => `src/${entry} stands on no floor: add it to scripts/check/layers.ts`),
    ...imports
      .filter(({ fromEntry, toEntry }) => floorOf(toEntry) <= floorOf(fromEntry))
      .map(({ from, to }) => `src/${from} imports src/${to}, which is not below it`),
  ];
}

/** Circles between the folders of a tree, in words. */
async function circles(tree: string): Promise<string[]> {
  const imports = (await importsBetween(tree)).filter((it) => !/\.ts$/.test(it.fromEntry) && !/\.ts$/.test(it.toEntry));
  const below = Map.groupBy(imports, ({ fromEntry }) => fromEntry);
  const reaches = (start: string, end: string, seen = new Set<string>()): boolean =>
    (below.get(start) ?? []).some(({ toEntry }) => {
      if (toEntry === end) return true;
      if (seen.has(toEntry)) return false;
      seen.add(toEntry);
      return reaches(toEntry, end, seen);
    });
  return imports
    .filter(({ fromEntry, toEntry }) => reaches(toEntry, fromEntry))
    .map(({ from, to }) => `${tree}/${from} imports ${tree}/${to}, which leads back to it`);
}

const faults = [await upwards(), ...(await Promise.all(TREES.map(circles)))].flat();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
