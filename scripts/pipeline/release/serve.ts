import type pg from 'pg';
import { ask, type Endpoint } from '../service.ts';
import { snapshotParts } from '../snapshot/build.ts';
import { signerFromSettings } from '../snapshot/minisign.ts';
import { publishParts, publishSnapshot } from '../snapshot/publish.ts';
import { conclude, type InactiveRelease, type Loaded, type LoadOptions, loadInactive } from './load.ts';

/** Share of the time that loading takes; the rest is making and publishing the snapshot. */
const LOADING = 0.75;

/** Thrown if a loaded release can't be served. The service still serves the previous one. */
export class NotServed extends Error {
  readonly loaded: InactiveRelease;

  constructor(loaded: InactiveRelease, cause: unknown) {
    super(`Release ${loaded.releaseId} is loaded and not served`, { cause });
    this.loaded = loaded;
  }
}

/**
 * Loads a release as `loadRelease` does, publishes its snapshot to the service that answers from the same database, and
 * then activates it there. The snapshot is also published where the release is not activated.
 *
 * @param scratch directory for temporary files, some 500 MB
 * @throws LoadRefused if the checks fail; the database is then unchanged
 * @throws NotServed if the snapshot can't be published or the release not be activated
 */
export async function loadAndServe(endpoint: Endpoint, scratch: string, options: LoadOptions): Promise<Loaded> {
  const { client, onProgress } = options;
  await requireAdministrator(endpoint);
  await signerFromSettings();
  const loaded = await loadInactive({
    ...options,
    onProgress: (fraction, label) => onProgress?.(LOADING * fraction, label),
  });
  const { releaseId } = loaded;
  try {
    const { source } = loaded;
    const publishing = {
      endpoint,
      onProgress: (fraction: number, label: string) => onProgress?.(LOADING + (1 - LOADING) * fraction, label),
    };
    if (source) await publishParts(snapshotParts(source, scratch), scratch, publishing);
    else await publishSnapshot(client, scratch, { ...publishing, releaseId, onlyMissing: false });
    return await conclude(loaded, options, () => activateThrough(endpoint, releaseId));
  } catch (error) {
    throw new NotServed(loaded, error);
  }
}

/** Finds out before a long load whether the service will take the release. @throws Error if it will not */
async function requireAdministrator(endpoint: Endpoint): Promise<void> {
  await ask(endpoint, '/v1/admin/releases?limit=1');
}

/** Activates a release through the service where none is active. Where users have chosen another one, that stays. */
export async function activateFirst(client: pg.ClientBase, endpoint: Endpoint, releaseId: string): Promise<void> {
  const { rowCount } = await client.query('select from active_release where release_id <> $1', [releaseId]);
  // One that is active already is activated again, which points the bucket to it where that was interrupted.
  if (rowCount === 0) await activateThrough(endpoint, releaseId);
}

/**
 * Makes a release the one that is served, through the service, which answers from its snapshot at once.
 *
 * @param options `force`: also where users lose something by it
 * @returns the id of the release that was served until then, the same id where nothing changes, null for the first
 * @throws Error if the service does not do it; what it serves stays
 */
export async function activateThrough(
  endpoint: Endpoint,
  releaseId: string,
  { force = false }: { force?: boolean } = {},
): Promise<string | null> {
  const path = `/v1/admin/releases/${encodeURIComponent(releaseId)}/activate`;
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask(endpoint, path, { method: 'POST', headers, body: JSON.stringify({ force }) }, [200, 409]);
  const { data, message } = (await answer.json()) as { data?: { previous: string | null }; message?: string };
  if (!data) throw new Error(message?.replace('send { "force": true }', 'add --force') ?? 'The service refused.');
  return data.previous;
}
