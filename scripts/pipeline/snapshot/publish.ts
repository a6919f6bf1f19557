import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { DOWNLOADS_BY_NAME } from '../../../src/areas/snapshot/download-names.ts';
import {
  boundariesName,
  COLLECTION_NAMES,
  type Downloads,
  EDITION_OBJECT,
  editionName,
  HISTORY,
  type Manifest,
  OVERVIEW_NAMES,
  RELEASE_DOCUMENT,
  RELEASE_SIGNATURE,
  type SnapshotName,
  type SnapshotObject,
  THROUGH_TIME,
} from '../../../src/areas/snapshot/layout.ts';
import type { Area } from '../../../src/areas/store.ts';
import { RELEASE_LOCK } from '../../../src/db/releases.ts';
import type { buildDownloads } from '../downloads/build.ts';
import type { buildCountry } from '../downloads/country.ts';
import { writeObject } from '../object-files.ts';
import { ask, type Endpoint } from '../service.ts';
import { inThread } from '../thread.ts';
import { readVersion } from './areas.ts';
import { databaseSource, type SnapshotParts, snapshotParts } from './build.ts';
import { encodeReleaseDocument } from './document.ts';
import { signerFromSettings } from './minisign.ts';

/** Steps of a publication in order, each with its share of the time: from, to. */
const STEPS = { geography: [0, 0.1], boundaries: [0.1, 0.4], editions: [0.4, 0.6], files: [0.6, 1] } as const;

type Step = keyof typeof STEPS;

const MAKING = 'Making the snapshot';

interface PublishOptions {
  releaseId: string;
  endpoint: Endpoint;
  /** Publish only where the service does not answer from a snapshot of this load of the release. */
  onlyMissing: boolean;
  /** Called with 0 to 1 and what is being done. */
  onProgress: (fraction: number, label: string) => void;
}

export interface Published {
  objects: number;
  bytes: number;
  /** Whether the service answers from it now. */
  served: boolean;
}

/**
 * Publishes the snapshot of a release of the database, as `publishSource` does.
 *
 * @param scratch directory for temporary files, some 500 MB
 * @returns undefined where it is published already
 * @throws Error if the release is not in the database, or the service refuses
 */
export async function publishSnapshot(
  client: pg.ClientBase,
  scratch: string,
  { releaseId, endpoint, onlyMissing, onProgress }: PublishOptions,
): Promise<Published | undefined> {
  const found = await findPublished(endpoint, releaseId);
  const stored = found?.version === (await readVersion(client, releaseId)) ? found : undefined;
  if (onlyMissing && stored?.downloads && hasOverview(stored) && hasLaterParts(stored)) return undefined;
  onProgress(0, MAKING);
  // The release is read in many statements, and is not deleted between them.
  const lock = [RELEASE_LOCK, releaseId];
  await client.query('select pg_advisory_lock_shared($1, hashtext($2))', lock);
  try {
    const parts = snapshotParts(await databaseSource(client, releaseId), scratch);
    return await publishParts(parts, scratch, { endpoint, stored, onProgress });
  } finally {
    await client.query('select pg_advisory_unlock_shared($1, hashtext($2))', lock);
  }
}

interface PartsOptions extends Pick<PublishOptions, 'endpoint'> {
  /** The service's manifest of the same version. */
  stored?: Omit<Manifest, 'release'> | undefined;
  /**
   * Whether the database of the service has the release. Else the service takes the version as it is told, and geography is
   * answered before all boundaries are there.
   */
  isLoaded?: boolean;
  /** Called with 0 to 1, what is being done, and how far the step is that it belongs to. */
  onProgress: (fraction: number, label: string, at: { step: Step; fraction: number }) => void;
  /** Called when the service answers from the objects of a step. */
  onStep?: (step: Step) => void;
}

/**
 * Publishes a snapshot, and then what takes longer: editions, precompressed collections, and download files. Every object
 * is uploaded and verified before the manifest names it, so that an aborted publication changes nothing of what is served.
 * Objects that the service already has are not sent again.
 *
 * @param scratch the directory of the parts, in which some 500 MB more are written
 * @throws Error if the service refuses
 */
export async function publishParts(
  parts: SnapshotParts,
  scratch: string,
  { endpoint, stored, isLoaded = true, onProgress, onStep }: PartsOptions,
): Promise<Published> {
  /** Makes the progress callback of a part of a step. */
  const progressOf = (step: Step, label: string, from = 0, to = 1) => {
    const [start, end] = STEPS[step];
    return (part: number) => {
      const fraction = from + (to - from) * part;
      onProgress(start + (end - start) * fraction, label, { step, fraction });
    };
  };
  const { version, release } = parts;
  // A key that can't be read is told before anything is made.
  const sign = await signerFromSettings();
  if (!sign && stored?.objects.some(({ name }) => name === RELEASE_SIGNATURE)) {
    throw new Error(`${release} is published with a signature: set RELEASE_SIGNING_KEY, so that it stays signed.`);
  }
  const send = senderOf(endpoint, { release, version }, { scratch, stored: stored?.objects ?? [], isLoaded });
  const all: SnapshotObject[] = [];
  const add = async (objects: readonly SnapshotObject[], onSent?: (fraction: number) => void) => {
    await send(objects, onSent);
    all.push(...objects);
  };
  /** Publishes the objects added so far, together with later parts of an earlier publication. */
  const publish = async (step: Step, downloads = stored?.downloads) => {
    const isAdded = (name: SnapshotName) => all.some((object) => object.name === name);
    const before = stored?.objects.filter(({ name }) => isMadeLater(name) && !isAdded(name)) ?? [];
    const objects = step === 'files' ? all : [...all, ...before];
    const { served } = await putManifest(endpoint, { release, version, objects, downloads }, isLoaded);
    onStep?.(step);
    return served;
  };

  progressOf('geography', MAKING)(0);
  await add(await parts.first(), progressOf('geography', 'Publishing the snapshot', 0.5));
  // The service already answers from stored objects of the same version.
  if (!isLoaded && stored) onStep?.('geography');
  else if (!isLoaded) await publish('geography');
  const editions = parts.editions();
  const boundaries = await parts.boundaries(progressOf('boundaries', 'Making the boundaries', 0, 0.2));
  await add(boundaries, progressOf('boundaries', 'Publishing the boundaries', 0.2));
  await publish('boundaries');
  const now = new Date();
  // Each file is sent while the next are made.
  const files: SnapshotObject[] = [];
  let sending = Promise.resolve();
  const sendSoon = (objects: readonly SnapshotObject[]) => {
    files.push(...objects);
    sending = sending.then(() => send(objects));
    // A failure is thrown where it is awaited, and so is one of making them.
    sending.catch(() => undefined);
  };
  const makeFiles = async () => {
    const module = new URL('../downloads/build.ts', import.meta.url);
    const made = inThread<typeof buildDownloads>(module, 'buildDownloads', scratch, now);
    sendSoon(await parts.collections());
    const onMade = progressOf('files', 'Making the files', 0, 0.95);
    let downloads: Downloads | undefined;
    for await (const { objects, fraction, facts } of made) {
      sendSoon(objects);
      onMade(fraction);
      downloads = facts;
    }
    return downloads;
  };
  // Files and editions are made at the same time, in a thread each.
  const making = makeFiles();
  making.catch(() => undefined);
  await add(await parts.history());
  const onEdition = progressOf('editions', 'Publishing the editions');
  for await (const { objects, fraction } of editions) {
    await add(objects);
    onEdition(fraction);
  }
  await publish('editions');
  const module = new URL('../downloads/country.ts', import.meta.url);
  const countryMade = inThread<typeof buildCountry>(module, 'buildCountry', scratch, now);
  let downloads = await making;
  const { value: country } = await countryMade[Symbol.asyncIterator]().next();
  if (country) {
    sendSoon([country.object]);
    if (downloads) downloads = { ...downloads, rows: { ...downloads.rows, [country.object.name]: country.rows } };
  }
  await sending;
  all.push(...files);
  const document = encodeReleaseDocument({ version, release, objects: all, downloads });
  if (document) await add(await documentObjects(document, scratch, { release, sign }));
  const served = await publish('files', downloads);
  return { objects: all.length, bytes: bytesOf(all), served };
}

/**
 * Lets a service that has no snapshot of a version answer geography from its first objects. The database need not have the
 * release.
 *
 * @param directory of their files
 * @throws Error if the service refuses
 */
export async function publishFirst(
  endpoint: Endpoint,
  { release, version }: Pick<Manifest, 'release' | 'version'>,
  objects: readonly SnapshotObject[],
  directory: string,
): Promise<void> {
  if (await findPublished(endpoint, release, version)) return;
  const send = senderOf(endpoint, { release, version }, { scratch: directory, stored: [], isLoaded: false });
  await send(objects);
  await putManifest(endpoint, { release, version, objects: [...objects] }, false);
}

/** The objects of a release's document, and of its signature where there is a key. */
async function documentObjects(
  document: Buffer,
  directory: string,
  { release, sign }: { release: string; sign: Awaited<ReturnType<typeof signerFromSettings>> },
): Promise<SnapshotObject[]> {
  const stored = await writeObject(directory, RELEASE_DOCUMENT, document);
  if (!sign) return [stored];
  const signature = Buffer.from(sign(document, `release ${release}, sha256 ${stored.sha256}`));
  return [stored, await writeObject(directory, RELEASE_SIGNATURE, signature)];
}

/** Whether an object is made after the snapshot itself, of its objects. */
function isMadeLater(name: SnapshotName): boolean {
  return (
    DOWNLOADS_BY_NAME.has(name) ||
    OVERVIEW_NAMES.some((overview) => overview === name) ||
    COLLECTION_NAMES.some((collection) => collection === name) ||
    EDITION_OBJECT.test(name) ||
    name === RELEASE_DOCUMENT ||
    name === RELEASE_SIGNATURE ||
    name === HISTORY
  );
}

/** Whether there is all that earlier builds did not make: the history, versions of areas, and the document, which is signed with a key. */
function hasLaterParts({ objects }: Pick<Manifest, 'objects'>): boolean {
  const signature = process.env.RELEASE_SIGNING_KEY ? [RELEASE_SIGNATURE] : [];
  const wanted: readonly SnapshotName[] = [HISTORY, editionName(THROUGH_TIME), RELEASE_DOCUMENT, ...signature];
  return wanted.every((name) => objects.some((object) => object.name === name));
}

/** Whether there are the overviews, or nothing to make them of. Versions that earlier builds published have none. */
function hasOverview({ objects }: Pick<Manifest, 'objects'>): boolean {
  const has = (wanted: SnapshotName) => objects.some(({ name }) => name === wanted);
  const isDrawn = (...levels: readonly Area['level'][]) => levels.every((it) => has(boundariesName(it, 'simple')));
  return (has('overview') || !isDrawn('region', 'province')) && (has('overview-municities') || !isDrawn('municity'));
}

function bytesOf(objects: readonly SnapshotObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Uploads the files of objects, each with its digest, but those that the service has stored. */
function senderOf(
  endpoint: Endpoint,
  { release, version }: Pick<Manifest, 'release' | 'version'>,
  { scratch, stored, isLoaded }: { scratch: string; stored: readonly SnapshotObject[]; isLoaded: boolean },
) {
  const isStored = (object: SnapshotObject) =>
    stored.some(({ name, sha256 }) => name === object.name && sha256 === object.sha256);
  return async (objects: readonly SnapshotObject[], onProgress?: (fraction: number) => void) => {
    const total = Math.max(bytesOf(objects), 1);
    let sent = 0;
    for (const object of objects) {
      if (!isStored(object)) {
        const digest = Buffer.from(object.sha256, 'hex').toString('base64');
        const headers = { 'Content-Type': 'application/octet-stream', 'Content-Digest': `sha-256=:${digest}:` };
        const body = await openAsBlob(join(scratch, object.name));
        const path = `${snapshotPath(release)}/${object.name}`;
        await ask(endpoint, path + versionQuery(version, isLoaded), { method: 'PUT', headers, body });
      }
      sent += object.bytes;
      onProgress?.(sent / total);
    }
  };
}

/** Has the service verify the objects of a manifest and publish it. */
async function putManifest(
  endpoint: Endpoint,
  { release, version, objects, downloads }: Manifest,
  isLoaded: boolean,
): Promise<{ served: boolean }> {
  const body = JSON.stringify({ version, objects, downloads });
  const headers = { 'Content-Type': 'application/json' };
  const path = snapshotPath(release) + versionQuery(version, isLoaded);
  const answer = await ask(endpoint, path, { method: 'PUT', headers, body });
  return ((await answer.json()) as { data: { served: boolean } }).data;
}

/**
 * The service's manifest of a release's snapshot; undefined if none.
 *
 * @param version that of a release which its database need not have; without it the one that its database has
 */
export async function findPublished(
  endpoint: Endpoint,
  releaseId: string,
  version?: string,
): Promise<Omit<Manifest, 'release'> | undefined> {
  const query = version === undefined ? '' : `?version=${version}`;
  const answer = await ask(endpoint, `${snapshotPath(releaseId)}${query}`, {}, [200, 404]);
  if (answer.status === 404) return undefined;
  return ((await answer.json()) as { data: Omit<Manifest, 'release'> }).data;
}

/** Without it the service looks the release up in its database, and refuses another version. */
function versionQuery(version: string, isLoaded: boolean): string {
  return isLoaded ? '' : `?version=${version}`;
}

function snapshotPath(releaseId: string): string {
  return `/v1/admin/releases/${encodeURIComponent(releaseId)}/snapshot`;
}
