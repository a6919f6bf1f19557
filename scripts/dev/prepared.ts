import { constants, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotObject } from '../../src/areas/snapshot/layout.ts';
import { fingerprintOf } from '../command/fingerprint.ts';
import { type DataRelease, makeDataRelease } from '../pipeline/data/release.ts';
import { type Load, versionOf } from '../pipeline/release/load-data.ts';
import type { Endpoint } from '../pipeline/service.ts';
import { type SnapshotParts, snapshotParts } from '../pipeline/snapshot/build.ts';
import { dataSource } from '../pipeline/snapshot/data-source.ts';
import type { Points } from '../pipeline/snapshot/points.ts';
import { PointsThread } from '../pipeline/snapshot/points-in-thread.ts';
import { publishFirst } from '../pipeline/snapshot/publish.ts';
import { firstIdOfNewestEdition } from './releases.ts';

/** What the first release depends on: the data, and the code that reads it. */
const SOURCES = ['data', 'src', 'scripts', 'package-lock.json'];

/** Suffix of the directory's name until all files are written. */
const UNFINISHED = '.new';

const DESCRIPTION = 'prepared.json';

/**
 * The snapshot of the repository's data, made by `npm run prepare`. It takes some thirty seconds to make and is the same for
 * every new database.
 */
export interface Prepared {
  readonly load: Load;
  /** The directory with the files of the objects, some 300 MB. */
  readonly directory: string;
  readonly objects: Readonly<Record<Exclude<keyof SnapshotParts, 'release' | 'version'>, SnapshotObject[]>>;
}

/** What `prepared.json` in the directory says. */
interface Description extends Pick<Prepared, 'objects'> {
  /** The fingerprint of `SOURCES` when it was made. */
  readonly fingerprint: string;
  readonly id: string;
  readonly createdAt: string;
}

/**
 * Makes the first release of the repository's data, unless it was made of the same sources before.
 *
 * @param root the directory of the repository
 * @returns whether it was made now
 */
export async function prepareRelease(root: string): Promise<boolean> {
  const fingerprint = await fingerprintOf(root, SOURCES);
  if ((await readDescription(root))?.fingerprint === fingerprint) return false;
  const load = { id: await firstIdOfNewestEdition(), createdAt: new Date() };
  const directory = directoryIn(root);
  const unfinished = directory + UNFINISHED;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const { parts } = await makeParts(load, unfinished);
  const first = await parts.first();
  // The editions take as long as the parts below, so a worker thread makes them in the meantime.
  const making = parts.editions();
  const boundaries = await parts.boundaries();
  const history = await parts.history();
  const collections = await parts.collections();
  const editions: SnapshotObject[] = [];
  for await (const edition of making) editions.push(...edition.objects);
  const objects = { first, boundaries, history, editions, collections };
  const description = { fingerprint, id: load.id, createdAt: load.createdAt.toISOString(), objects };
  await writeFile(join(unfinished, DESCRIPTION), JSON.stringify(description satisfies Description));
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  return true;
}

/**
 * Makes a release of the repository's data, and the parts of its snapshot as files of a directory.
 *
 * @param onProgress called with the share that is done, 0 to 1, while the release is made
 */
export async function makeParts(
  load: Load,
  directory: string,
  onProgress?: (fraction: number) => void,
): Promise<{ data: DataRelease; parts: SnapshotParts }> {
  const thread = new PointsThread();
  const points = Promise.withResolvers<Points>();
  // A failure is thrown where `points` is awaited. Until then it must not count as unhandled.
  points.promise.catch(() => undefined);
  const data = await makeDataRelease({
    onUnits: (units, areas) => points.resolve(thread.cut(units, areas)),
    onProgress,
  });
  const source = dataSource(data, { id: load.id, version: versionOf(load) }, () => points.promise);
  return { data, parts: snapshotParts(source, directory) };
}

/** The prepared release; undefined where there is none, or its sources have changed since. */
export async function findPrepared(root: string): Promise<Prepared | undefined> {
  const found = await readDescription(root);
  if (found?.fingerprint !== (await fingerprintOf(root, SOURCES))) return undefined;
  const { id, createdAt, objects } = found;
  return { load: { id, createdAt: new Date(createdAt) }, directory: directoryIn(root), objects };
}

/** Whether a load is of the prepared version. */
export function isPreparedFor({ load }: Prepared, other: Load): boolean {
  return versionOf(load) === versionOf(other);
}

/** Publishes the first objects, from which a service answers geography. Objects that it has are not sent again. */
export function publishPrepared({ load, directory, objects }: Prepared, endpoint: Endpoint): Promise<void> {
  return publishFirst(endpoint, { release: load.id, version: versionOf(load) }, objects.first, directory);
}

/** The parts of the prepared snapshot, copied to another directory, because the prepared one may be replaced in the meantime. */
export async function preparedParts({ load, directory, objects }: Prepared, into: string): Promise<SnapshotParts> {
  for (const { name } of Object.values(objects).flat()) {
    await copyFile(join(directory, name), join(into, name), constants.COPYFILE_FICLONE);
  }
  return {
    release: load.id,
    version: versionOf(load),
    first: async () => objects.first,
    boundaries: async () => objects.boundaries,
    history: async () => objects.history,
    async *editions() {
      yield { objects: objects.editions, fraction: 1 };
    },
    collections: async () => objects.collections,
  };
}

async function readDescription(root: string): Promise<Description | undefined> {
  const text = await readFile(join(directoryIn(root), DESCRIPTION), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

function directoryIn(root: string): string {
  return join(root, '.cache', 'first-release');
}
