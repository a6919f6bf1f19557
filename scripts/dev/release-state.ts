import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** How far the release of the repository's data has come on this machine. */
export interface ReleaseState {
  /** `2026-3q-1` */
  readonly id: string;
  /** When it was begun, which is a part of its version. */
  readonly createdAt: Date;
  /** The database that it is made for, without user and password; null for the embedded one of the data directory. */
  readonly database: string | null;
  /** Whether the bucket and the database have all of it, or another one took its place meanwhile. */
  readonly isComplete: boolean;
}

const FILE = 'release.json';

const schema = z.object({
  id: z.string(),
  createdAt: z.coerce.date(),
  // Earlier builds did not say it.
  database: z.string().nullable().default(null),
  isComplete: z.boolean(),
});

/**
 * The name of a database in the state: what tells it from others, and is no secret.
 *
 * @param databaseUrl undefined for the embedded one
 */
export function databaseName(databaseUrl: string | undefined): string | null {
  if (databaseUrl === undefined) return null;
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}

/**
 * The state in a data directory; undefined where no release was begun there, or the last one for another database: this
 * one has nothing of it.
 */
export async function readReleaseState(
  dataDir: string,
  database: ReleaseState['database'],
): Promise<ReleaseState | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const state = schema.parse(JSON.parse(text));
  return state.database === database ? state : undefined;
}

export async function writeReleaseState(dataDir: string, state: ReleaseState): Promise<void> {
  const path = join(dataDir, FILE);
  await writeFile(`${path}.new`, `${JSON.stringify(state)}\n`);
  await rename(`${path}.new`, path);
}
