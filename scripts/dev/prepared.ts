import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { POINTS, type SnapshotObject } from '../../src/areas/snapshot/layout.ts';
import { fingerprintOf } from '../command/fingerprint.ts';
import { makeDataRelease } from '../pipeline/data/release.ts';
import { type Load, versionOf } from '../pipeline/release/load-data.ts';
import type { Endpoint } from '../pipeline/service.ts';
import { snapshotParts } from '../pipeline/snapshot/build.ts';
import { dataSource } from '../pipeline/snapshot/data-source.ts';
import type { Points } from '../pipeline/snapshot/points.ts';
import { PointsBeside } from '../pipeline/snapshot/points-beside.ts';
import { publishFirst } from '../pipeline/snapshot/publish.ts';
import { newestReleaseId } from './releases.ts';

/** What a release is made of: the data, and the code that reads it. */
const SOURCES = ['data', 'src', 'scripts', 'package-lock.json'];

/** Beside the directory of a repository's prepared release, while it is made. */
const UNFINISHED = '.new';

const DESCRIPTION = 'prepared.json';

/**
 * What geography is answered from first, made before the service starts: areas, points, and boundaries of regions and
 * provinces at medium and simple resolution. It takes some ten seconds to make and is the same for every new database.
 */
export interface Prepared {
  readonly load: Load;
  /** Where the files of the objects are. */
  readonly directory: string;
  readonly objects: readonly SnapshotObject[];
  readonly cells: Points['cells'];
}

interface Description extends Pick<Prepared, 'objects' | 'cells'> {
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
  const load = { id: await newestReleaseId(), createdAt: new Date() };
  const directory = directoryIn(root);
  const unfinished = directory + UNFINISHED;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const points = new PointsBeside();
  const cut = Promise.withResolvers<Points>();
  const data = await makeDataRelease({ onUnits: (units, areas) => cut.resolve(points.cut(units, areas)) });
  const source = dataSource(data, { id: load.id, version: versionOf(load) }, () => cut.promise);
  const objects = await snapshotParts(source, unfinished).first();
  const { cells } = await cut.promise;
  const description = { fingerprint, id: load.id, createdAt: load.createdAt.toISOString(), objects, cells };
  await writeFile(join(unfinished, DESCRIPTION), JSON.stringify(description satisfies Description));
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  return true;
}

/** What was made of the sources as they are; undefined where it was not, or they have changed since. */
export async function findPrepared(root: string): Promise<Prepared | undefined> {
  const found = await readDescription(root);
  if (found?.fingerprint !== (await fingerprintOf(root, SOURCES))) return undefined;
  const { id, createdAt, objects, cells } = found;
  return { load: { id, createdAt: new Date(createdAt) }, directory: directoryIn(root), objects, cells };
}

/** Whether it was made for a load, or for another one of the same release. */
export function isOf({ load }: Prepared, other: Load): boolean {
  return versionOf(load) === versionOf(other);
}

/** Lets a service answer geography from it. Objects that it has already are not sent again. */
export function publishPrepared({ load, directory, objects }: Prepared, endpoint: Endpoint): Promise<void> {
  return publishFirst(endpoint, { release: load.id, version: versionOf(load) }, objects, directory);
}

/** The points of a prepared release, which take as long to cut as everything else together. */
export async function pointsOf({ directory, cells }: Pick<Prepared, 'directory' | 'cells'>): Promise<Points> {
  return { cells, bytes: await readFile(join(directory, POINTS)) };
}

async function readDescription(root: string): Promise<Description | undefined> {
  const text = await readFile(join(directoryIn(root), DESCRIPTION), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

function directoryIn(root: string): string {
  return join(root, '.cache', 'first-release');
}
