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
import { PointsBeside } from '../pipeline/snapshot/points-beside.ts';
import { publishFirst } from '../pipeline/snapshot/publish.ts';
import { firstIdOfNewestEdition } from './releases.ts';

/** What a release is made of: the data, and the code that reads it. */
const SOURCES = ['data', 'src', 'scripts', 'package-lock.json'];

/** Beside the directory of a repository's prepared release, while it is made. */
const UNFINISHED = '.new';

const DESCRIPTION = 'prepared.json';

/** The parts of a snapshot, with the objects of each. */
const PARTS = [
  'first',
  'boundaries',
  'history',
  'editions',
  'collections',
] as const satisfies readonly (keyof SnapshotParts)[];

/**
 * The snapshot of the repository's data, made before the service starts. It takes some thirty seconds to make and is the
 * same for every new database.
 */
export interface Prepared {
  readonly load: Load;
  /** Where the files of the objects are, some 300 MB. */
  readonly directory: string;
  readonly objects: Readonly<Record<(typeof PARTS)[number], SnapshotObject[]>>;
}

interface Description extends Pick<Prepared, 'objects'> {
  /** Of the sources that it was made of. */
  readonly fingerprint: string;
  readonly id: string;
  readonly createdAt: string;
}

/**
 * Makes the first release of the repository's data where its sources have changed since.
 *
 * @param root the repository
 * @returns whether it was made
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
  // They take as long as all that follows, which is made beside them.
  const carried = parts.editions();
  const boundaries = await parts.boundaries();
  const history = await parts.history();
  const collections = await parts.collections();
  const editions: SnapshotObject[] = [];
  for await (const edition of carried) editions.push(...edition.objects);
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
 * @param onProgress called with 0 to 1 while the release is made
 */
export async function makeParts(
  load: Load,
  directory: string,
  onProgress?: (fraction: number) => void,
): Promise<{ data: DataRelease; parts: SnapshotParts }> {
  const points = new PointsBeside();
  const cut = Promise.withResolvers<Points>();
  // A failure is thrown where the points are awaited.
  cut.promise.catch(() => undefined);
  const data = await makeDataRelease({
    onUnits: (units, areas) => cut.resolve(points.cut(units, areas)),
    onProgress,
  });
  const source = dataSource(data, { id: load.id, version: versionOf(load) }, () => cut.promise);
  return { data, parts: snapshotParts(source, directory) };
}

/** What was made of the sources as they are; undefined where it was not, or they have changed since. */
export async function findPrepared(root: string): Promise<Prepared | undefined> {
  const found = await readDescription(root);
  if (found?.fingerprint !== (await fingerprintOf(root, SOURCES))) return undefined;
  const { id, createdAt, objects } = found;
  return { load: { id, createdAt: new Date(createdAt) }, directory: directoryIn(root), objects };
}

/** Whether it was made for a load, or for another one of the same release. */
export function isOf({ load }: Prepared, other: Load): boolean {
  return versionOf(load) === versionOf(other);
}

/** Lets a service answer geography from it. Objects that it has already are not sent again. */
export function publishPrepared({ load, directory, objects }: Prepared, endpoint: Endpoint): Promise<void> {
  return publishFirst(endpoint, { release: load.id, version: versionOf(load) }, objects.first, directory);
}

/** The parts of a prepared snapshot, copied to another directory: the prepared one may be made again meanwhile. */
export async function preparedParts({ load, directory, objects }: Prepared, into: string): Promise<SnapshotParts> {
  for (const { name } of PARTS.flatMap((part) => objects[part])) {
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
