import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '../command/root.ts';

// Fails when an import runs up. Every folder and file of src stands on a floor and imports from lower floors only. Trees
// import from the trees that OUTSIDE names, and nothing imports a command. In no folder do two entries import each
// other, also not through others. Types count everywhere. Biome holds the same for single files (noImportCycles).

/** The folders and files of src from top to bottom. Names in one row know nothing of each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['own-server'],
  ['worker.ts', 'texts.ts'],
  ['app.ts', 'scheduled.ts', 'meter.ts'],
  ['ogc', 'fhir', 'mcp'],
  ['uploads', 'analysis', 'notifications'],
  ['join', 'parse'],
  ['request-log.ts', 'admin', 'dashboard', 'status', 'search', 'match', 'editions', 'downloads'],
  ['tiles', 'webhooks', 'areas'],
  ['account'],
  ['datasets', 'api-keys', 'profiles'],
  ['features'],
  ['openapi', 'session-parameter.ts'],
  ['operation.ts', 'once.ts', 'notify.ts', 'tables', 'request-metrics.ts'],
  ['context.ts', 'owner-fields.ts'],
  ['auth'],
  ['rate-limits', 'storage'],
  ['usage', 'http'],
  ['names', 'layer-files', 'cql2'],
  ['db', 'geojson', 'csv', 'log.ts', 'bounded-map.ts', 'cached-value.ts'],
  ['env.ts'],
  [
    ...['ascii.ts', 'bytes.ts', 'clock.ts', 'errors.ts', 'deadline.ts', 'crc32.ts', 'hex.ts', 'control-characters.ts'],
    ...['version.ts', 'zod-used.ts', 'turn.ts', 'zip-codes.ts', 'day-text.ts'],
  ],
];

/** What each tree may import besides itself: other trees, and files. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  src: ['data/postal-codes/areas.json'],
  // The build colours code in the way of the reference, and writes what its search reads.
  scripts: [
    ...['src', 'package.json'],
    ...['pages/docs/highlight.ts', 'pages/docs/search-file.ts', 'pages/docs/everyday-words.json'],
  ],
  'scripts/pipeline': ['src'],
  pages: [
    ...[
      'src/areas/edition-id.ts',
      'src/areas/names.ts',
      'src/day-text.ts',
      'src/names',
      'src/csv',
      'src/control-characters.ts',
      'src/geojson/geometry-columns.ts',
      'src/openapi/error-meanings.ts',
      'clients/typescript/src/address.ts',
      'clients/typescript/src/errors.ts',
      'clients/typescript/src/types.ts',
    ],
    ...['src/match/cells.ts', 'src/match/columns.ts', 'src/tables/columns.ts', 'src/tables/text.ts'],
    'src/tables/workbook.ts',
  ],
  // The command answers from a snapshot with what the Worker answers with.
  clients: [
    ...['src/areas/edition-id.ts', 'src/areas/level-names.ts', 'src/areas/names.ts', 'src/areas/psgc.ts'],
    ...['src/areas/snapshot', 'src/names', 'src/search/service.ts', 'src/match/service.ts', 'src/match/cells.ts'],
    ...['src/match/columns.ts', 'src/tables/table.ts', 'src/tables/text.ts', 'src/csv', 'src/errors.ts'],
    ...['src/control-characters.ts', 'src/turn.ts', 'src/zip-codes.ts'],
  ],
  test: ['src', 'scripts', 'pages', 'clients', 'migrations', 'package.json', 'docs/monitoring.md'],
};

/** Trees whose folders are free of circles. */
const TREES = ['src', 'scripts', 'pages', 'clients'];

/** An import, by paths from the root. */
interface Import {
  readonly from: string;
  readonly to: string;
}

/** The relative imports of all files of a tree. Types count. */
async function importsOf(tree: string): Promise<Import[]> {
  const names = (await readdir(join(ROOT, tree), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const found = await Promise.all(
    names.map(async (name) => {
      const from = join(tree, name);
      const text = await readFile(join(ROOT, from), 'utf8');
      const specifiers = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^'?]+)/g);
      return [...specifiers].map(([, specifier = '']) => ({
        from,
        to: relative(ROOT, resolve(ROOT, dirname(from), specifier)),
      }));
    }),
  );
  return found.flat();
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The folder or file of `folder` that a path leads through; undefined for a path that is not inside. */
function entryOf(path: string, folder: string): string | undefined {
  return isIn(path, folder) ? path.slice(folder.length + 1).split('/')[0] : undefined;
}

/** Imports of src that do not run down, in words. */
function upwards(imports: readonly Import[]): string[] {
  const floorOf = (path: string) => FLOORS.findIndex((row) => row.includes(entryOf(path, 'src') ?? ''));
  const paths = imports.flatMap(({ from, to }) => [from, to]).filter((path) => isIn(path, 'src'));
  const unknown = new Set(paths.filter((path) => floorOf(path) === -1).map((path) => entryOf(path, 'src')));
  return [
    ...[...unknown].map((entry) => `src/${entry} stands on no floor: add it to scripts/check/layers.ts`),
    ...imports
      .filter(({ from, to }) => isIn(from, 'src') && isIn(to, 'src') && entryOf(from, 'src') !== entryOf(to, 'src'))
      .filter(({ from, to }) => floorOf(to) <= floorOf(from))
      .map(({ from, to }) => `${from} imports ${to}, which is not below it`),
  ];
}

/** Imports that leave their tree for a place that it may not import, in words. */
function outwards(imports: readonly Import[]): string[] {
  return Object.entries(OUTSIDE).flatMap(([tree, allowed]) =>
    imports
      .filter(({ from, to }) => isIn(from, tree) && ![tree, ...allowed].some((folder) => isIn(to, folder)))
      .map(({ from, to }) => `${from} imports ${to}; ${tree} may import ${allowed.join(', ') || 'nothing'} outside`),
  );
}

/** Imports of commands, in words. */
function ofCommands(imports: readonly Import[]): string[] {
  return imports
    .filter(({ to }) => /^scripts\/[^/]+\.ts$/.test(to))
    .map(({ from, to }) => `${from} imports ${to}, which is a command: what both need belongs into a folder`);
}

/** Circles between the entries of a folder, in words. */
function circles(folder: string, all: readonly Import[]): string[] {
  const imports = all.flatMap(({ from, to }) => {
    const [fromEntry, toEntry] = [entryOf(from, folder), entryOf(to, folder)];
    const isBetween = fromEntry !== undefined && toEntry !== undefined && fromEntry !== toEntry;
    return isBetween ? [{ from, to, fromEntry, toEntry }] : [];
  });
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
    .map(({ from, to }) => `${from} imports ${to}, which leads back to it`);
}

const imports = (await Promise.all(['src', 'scripts', 'pages', 'clients', 'test'].map(importsOf))).flat();
const folders = new Set(
  imports
    .map(({ from }) => dirname(from))
    .flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))),
);
const faults = [
  ...upwards(imports),
  ...outwards(imports),
  ...ofCommands(imports),
  ...[...folders].filter((path) => TREES.some((tree) => isIn(path, tree))).flatMap((path) => circles(path, imports)),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
