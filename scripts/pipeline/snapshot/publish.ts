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
import type { Endpoint } from '../service.ts';
import { inThread } from '../thread.ts';
import { readVersion } from './areas.ts';
import { databaseSource, type SnapshotParts, snapshotParts } from './build.ts';
import { encodeReleaseDocument } from './document.ts';
import { signerFromSettings } from './minisign.ts';
import { bytesOf, findPublished, putManifest, uploaderTo } from './requests.ts';

/** The steps of a publication in the order in which they end, each with its share of the time. */
const SHARES = { geography: 0.1, boundaries: 0.3, editions: 0.2, files: 0.4 } as const;

type Step = keyof typeof SHARES;

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
  // The release is read in many statements, and is not deleted, or loaded again as another version, between them.
  const lock = [RELEASE_LOCK, releaseId];
  await client.query('select pg_advisory_lock_shared($1, hashtext($2))', lock);
  try {
    const found = await findPublished(endpoint, releaseId);
    const stored = found?.version === (await readVersion(client, releaseId)) ? found : undefined;
    if (onlyMissing && stored?.downloads && hasOverview(stored) && hasNewerParts(stored)) return undefined;
    onProgress(0, MAKING);
    const parts = snapshotParts(await databaseSource(client, releaseId), scratch);
    return await publishParts(parts, scratch, { endpoint, stored, onProgress });
  } finally {
    await client.query('select pg_advisory_unlock_shared($1, hashtext($2))', lock);
  }
}

interface PartsOptions extends Pick<PublishOptions, 'endpoint'> {
  /** The service's manifest of the same version. */
  stored?: Omit<Manifest, 'release'> | undefined;
  /** Whether the database of the service has the release. Else geography is answered before all boundaries are published. */
  isLoaded?: boolean;
  /**
   * Called with 0 to 1, what is being done, and how far the step is that it belongs to. Editions and files are made at the same
   * time, so calls for these steps alternate.
   */
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
  const done: Record<Step, number> = { geography: 0, boundaries: 0, editions: 0, files: 0 };
  /** Makes the progress callback of a part of a step, which spans `from` to `to` of it. */
  const progressOf =
    (step: Step, label: string, from = 0, to = 1) =>
    (part: number) => {
      const fraction = from + (to - from) * part;
      done[step] = fraction;
      const steps = Object.keys(SHARES) as Step[];
      const total = steps.reduce((sum, it) => sum + SHARES[it] * done[it], 0);
      onProgress(total, label, { step, fraction });
    };
  const { version, release } = parts;
  const target = { endpoint, release, version, isLoaded };
  // A signing key that can't be read is an error before anything is made.
  const sign = await signerFromSettings();
  if (!sign && stored?.objects.some(({ name }) => name === RELEASE_SIGNATURE)) {
    throw new Error(`${release} is published with a signature: set RELEASE_SIGNING_KEY, so that it stays signed.`);
  }
  const send = uploaderTo(target, scratch, stored?.objects ?? []);
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
    const served = await putManifest(target, { objects, downloads });
    // A release without boundaries has a step in which nothing is made.
    done[step] = 1;
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
    // A failure is thrown where `sending` is awaited. Until then Node would report it as unhandled.
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
  // As with `sending`, a failure is thrown where `making` is awaited.
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
  const target = { endpoint, release, version, isLoaded: false };
  await uploaderTo(target, directory, [])(objects);
  await putManifest(target, { objects });
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

/** Whether an object is made of the areas and boundaries, after these are published. */
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

/**
 * Whether a published snapshot has what earlier builds of this command did not make: the history, the versions of areas, the
 * document of the release, and its signature where there is a key.
 */
function hasNewerParts({ objects }: Pick<Manifest, 'objects'>): boolean {
  const signature = process.env.RELEASE_SIGNING_KEY ? [RELEASE_SIGNATURE] : [];
  const wanted: readonly SnapshotName[] = [HISTORY, editionName(THROUGH_TIME), RELEASE_DOCUMENT, ...signature];
  return wanted.every((name) => objects.some((object) => object.name === name));
}

/** Whether a published snapshot has the overviews, or nothing to make them of. Earlier builds made none. */
function hasOverview({ objects }: Pick<Manifest, 'objects'>): boolean {
  const has = (wanted: SnapshotName) => objects.some(({ name }) => name === wanted);
  const areDrawn = (...levels: readonly Area['level'][]) => levels.every((it) => has(boundariesName(it, 'simple')));
  return (has('overview') || !areDrawn('region', 'province')) && (has('overview-municities') || !areDrawn('municity'));
}
