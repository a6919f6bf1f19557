import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadFailed, download } from '../read/download.ts';
import { SOURCE_FILE } from '../read/files.ts';
import { type Blob, isBlob, listFilesBelow } from './git-trees.ts';

/** https://github.com/faeldon/philippines-json-maps */
const REPOSITORY = 'faeldon/philippines-json-maps';
export const COMMIT = '8eeead560246863c8c820c31ca6fbca81a279477';
const YEAR = '2023';

/** How long a server may take, in milliseconds. */
interface Patience {
  /** For the answer to the first request. It is short, because without a network nobody wants to wait. */
  contactMs: number;
  /** For the answer to a later request, and between two pieces of a file. */
  silenceMs: number;
  /** Wait before a failed request is repeated for the first time. The wait doubles with every further attempt. */
  retryMs: number;
}

const PATIENCE: Patience = { contactMs: 3000, silenceMs: 10_000, retryMs: 1000 };
const TRIES = 3;
const AT_ONCE = 8;
const MAX_LIST_BYTES = 50_000_000;
/** The directory in which files stay until they are complete and correct. */
const FETCHING = 'fetching';

/**
 * Matches the files with boundaries: provinces by region, cities and municipalities by province, barangays by city or
 * municipality. The files of regions are left out, because they have the lowest resolution only; regions are dissolved
 * from the provinces.
 */
const BOUNDARY_FILE =
  /^((?:regions|provdists|municities)\/(?:lowres|medres|hires)\/[a-z]+-[a-z]+-\d{9,10})(?:\.topo)?(\.0\.\d+\.json)$/;

/**
 * The sub-municipalities of Manila, because their files are empty, and the barangays whose features have no geometry.
 */
const GAPS: readonly string[] = [
  ...Array.from({ length: 14 }, (_, i) => String(1_380_601_000 + i * 1000)),
  '0102910008',
  '0205008007',
  '0304903075',
  '0504117022',
  '0802614008',
  '1400104001',
  '1400106007',
  '1400106008',
];

/** Bytes. A smaller file contains no polygon, such as those of the City of Manila. */
const SMALLEST = 200;

const SOURCE = {
  name: 'Philippines administrative boundaries (philippines-json-maps), made from COD-AB PHL',
  edition: YEAR,
  publisher: 'James Faeldon; Philippine Statistics Authority and NAMRIA, published by UN OCHA',
  url: `https://github.com/${REPOSITORY}/tree/${COMMIT}/${YEAR}`,
  licence: 'MIT; CC BY-IGO',
  attribution:
    'Boundaries: philippines-json-maps, Copyright (c) James Faeldon, MIT licence, made from those of the Philippine ' +
    'Statistics Authority, NAMRIA and UN OCHA (COD-AB PHL), CC BY-IGO; generalised',
  note:
    'The barangays and sub-municipalities of the City of Manila and eight other barangays have no boundary in the ' +
    'source; highly urbanized cities outside Metro Manila and the municipalities of the Special Geographic Area are ' +
    'dissolved from their barangays',
  gaps: GAPS,
};

interface PublicSetOptions {
  /** URL below which `/<commit>/<path>` is the content of a file. */
  baseUrl?: string | undefined;
  /** URL below which `/<sha>` lists the files of a tree, as GitHub's API does. */
  manifestUrl?: string | undefined;
  patience?: Patience | undefined;
  /** Called with the share of the bytes that have come, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Downloads the public boundary set at a pinned commit into a directory, as boundary files with their `source.json`.
 * Every file is checked against the hash that the commit records. Correct files that exist are not fetched again, so an
 * interrupted download resumes.
 * @throws Error with the URL and the reason, within `contactMs` where there is no network
 */
export async function fetchPublicSet(directory: string, options: PublicSetOptions = {}): Promise<void> {
  const { baseUrl = `https://raw.githubusercontent.com/${REPOSITORY}`, onProgress, signal } = options;
  const { manifestUrl = `https://api.github.com/repos/${REPOSITORY}/git/trees`, patience = PATIENCE } = options;
  await mkdir(directory, { recursive: true });
  onProgress?.(0, 'Looking for the public boundary set');
  const files = await listPublicFiles(manifestUrl, directory, { patience, signal });

  const total = files.reduce((sum, { blob }) => sum + blob.size, 0);
  let done = 0;
  const add = (bytes: number) => {
    done += bytes;
    onProgress?.(done / total, `Downloading boundaries: ${megabytes(done)} of ${megabytes(total)} MB`);
  };
  const failed = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const queue = files.values();
  const worker = async () => {
    for (const { name, path, blob } of queue) {
      stop.throwIfAborted();
      const target = join(directory, name);
      if (!(await isComplete(target, blob))) {
        const file = { url: `${baseUrl}/${COMMIT}/${path}`, fetching: join(directory, FETCHING, name), target, blob };
        await fetchFile(file, { patience, signal: stop });
      }
      add(blob.size);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    // The first failure ends the other workers.
    worker().catch((error) => failed.abort(error)),
  );
  await Promise.all(workers);
  stop.throwIfAborted();
  await rm(join(directory, FETCHING), { recursive: true, force: true });
  await writeFile(join(directory, SOURCE_FILE), `${JSON.stringify(SOURCE, null, 2)}\n`);
}

/** A file of the set: its name below the directory, its path in the repository. */
interface PublicFile {
  name: string;
  path: string;
  blob: Blob;
}

/**
 * Lists the files to fetch. Where the GeoJSON file of an area is missing or empty, its TopoJSON file takes its place.
 */
async function listPublicFiles(
  manifestUrl: string,
  directory: string,
  { patience, signal }: { patience: Patience; signal: AbortSignal | undefined },
): Promise<PublicFile[]> {
  let silenceMs = patience.contactMs;
  const get = async (url: string) => {
    const limits = { maxBytes: MAX_LIST_BYTES, silenceMs, totalMs: 60_000, signal };
    const path = await download(url, directory, { limits });
    silenceMs = patience.silenceMs;
    const text = await readFile(path, 'utf8');
    await rm(path);
    return text;
  };
  const files = new Map<string, PublicFile>();
  for (const format of ['geojson', 'topojson']) {
    const folder = `${YEAR}/${format}`;
    for (const blob of await listFilesBelow({ treesUrl: manifestUrl, commit: COMMIT, folder }, get)) {
      const [, area, resolution] = BOUNDARY_FILE.exec(blob.path) ?? [];
      if (area === undefined || resolution === undefined || blob.size < SMALLEST) continue;
      const name = area + resolution;
      if (!files.has(name)) files.set(name, { name, path: `${folder}/${blob.path}`, blob });
    }
  }
  if (files.size === 0) throw new Error(`${manifestUrl}/${COMMIT} lists no boundary files`);
  return [...files.values()];
}

async function isComplete(path: string, blob: Blob): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.size === blob.size && isBlob(await readFile(path), blob);
}

/** Fetches a file into the directory `fetching` and moves it to its place once its hash is found correct. */
async function fetchFile(
  { url, fetching, target, blob }: { url: string; fetching: string; target: string; blob: Blob },
  { patience, signal }: { patience: Patience; signal: AbortSignal },
): Promise<void> {
  await mkdir(fetching, { recursive: true });
  const limits = { maxBytes: blob.size, silenceMs: patience.silenceMs, totalMs: 10 * 60_000, signal };
  let path: string | undefined;
  for (let attempt = 1; path === undefined; attempt++) {
    try {
      path = await download(url, fetching, { limits });
    } catch (error) {
      if (!(error instanceof DownloadFailed && error.isPassing) || attempt === TRIES) throw error;
      await sleep(patience.retryMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }
  if (!isBlob(await readFile(path), blob)) throw new Error(`${url} is not the file that the commit records`);
  await mkdir(dirname(target), { recursive: true });
  await rename(path, target);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
