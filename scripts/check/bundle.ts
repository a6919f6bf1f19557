import { gzipSync } from 'node:zlib';
import { buildWorker } from '../command/worker-build.ts';

// Builds the Worker as a deployment would. Fails when what an isolate loads at its start, all modules together, or a part of
// them is larger than its budget.

/**
 * The most of what every isolate loads at its start, kB gzipped: the main module, and all that it imports, also through others,
 * other than by `import()`.
 */
const AT_START = 390;

/** The most of all modules together, kB gzipped. The platform limits that to 10 MB. */
const WHOLE = 580;

/**
 * The most of each part, kB minified: packages, and folders of src. What a part is gzipped depends on what stands beside it; it is
 * about a third.
 */
const PARTS: Readonly<Record<string, number>> = {
  '@modelcontextprotocol': 198,
  '@neondatabase/serverless': 149,
  'src/names': 150,
  'src/areas': 138,
  zod: 91,
  'src/uploads': 127,
  'src/datasets': 55,
  'hyparquet-writer': 43,
  'drizzle-orm': 38,
  'src/admin': 34,
  'src/mcp': 35,
  hono: 30,
  'src/http': 30,
  // Among it are the ZIP codes of data/postal-codes, 6 kB.
  src: 42,
  saxes: 25,
  'src/downloads': 33,
  'src/db': 28,
  'src/notifications': 27,
  jose: 21,
  'src/api-keys': 21,
  'src/tiles': 19,
  'src/auth': 19,
  'src/rate-limits': 21,
  'src/editions': 24,
  'src/layer-files': 21,
  'src/features': 22,
  fflate: 16,
  pmtiles: 15,
  'src/geojson': 16,
  'src/tables': 14,
  'src/match': 14,
  'src/parse': 20,
  'src/join': 10,
  'src/webhooks': 10,
  flatbuffers: 9,
  'src/analysis': 21,
  'src/ogc': 42,
  'src/fhir': 35,
  'src/cql2': 23,
  'src/account': 19,
  'src/search': 10,
  others: 53,
  'src/status': 14,
};

const { modules, atStart, metafile } = await buildWorker();
const sizes = new Map(Object.keys(PARTS).map((part) => [part, 0]));
for (const { inputs } of Object.values(metafile.outputs)) {
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = partOf(path);
    sizes.set(part, (sizes.get(part) ?? 0) + bytesInOutput);
  }
}
for (const [part, bytes] of sizes) compare(part, bytes, PARTS[part] ?? 0);
const rest = Object.keys(modules).filter((name) => !atStart.includes(name));
for (const name of rest) console.log(`${kilobytes(gzipped([name]))} kB, gzipped: ${name}, on demand`);
compare(`what every isolate loads, gzipped (${atStart.length} modules)`, gzipped(atStart), AT_START);
compare(`all ${atStart.length + rest.length} modules, gzipped`, gzipped([...atStart, ...rest]), WHOLE);

/** Bytes of modules that are compressed in one go, as the platform counts a Worker. */
function gzipped(names: readonly string[]): number {
  return gzipSync(names.map((name) => modules[name]).join('')).length;
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(6);
}

/** The part that a file belongs to. */
function partOf(path: string): string {
  const library = /.*node_modules\/((@[^/]+)\/[^/]+|[^/]+)/.exec(path);
  const names = library ? library.slice(1) : [/^src\/[^/]+(?=\/)/.exec(path)?.[0] ?? 'src'];
  return names.find((name) => name in PARTS) ?? 'others';
}

function compare(part: string, bytes: number, budget: number): void {
  const isTooLarge = bytes > budget * 1000;
  console.log(`${kilobytes(bytes)} kB of ${budget}: ${part}${isTooLarge ? ' IS TOO LARGE' : ''}`);
  if (isTooLarge) process.exitCode = 1;
}
