import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** How far the release of the repository's data has come on this machine. */
export interface ReleaseState {
  /** `2026-3q-1` */
  readonly id: string;
  /** When it was begun, which is a part of its version. */
  readonly createdAt: Date;
  /** Whether the bucket and the database have all of it. */
  readonly isComplete: boolean;
}

const FILE = 'release.json';

const schema = z.object({ id: z.string(), createdAt: z.coerce.date(), isComplete: z.boolean() });

/** The state in a data directory; undefined where no release was begun there. */
export async function readReleaseState(dataDir: string): Promise<ReleaseState | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

export async function writeReleaseState(dataDir: string, state: ReleaseState): Promise<void> {
  const path = join(dataDir, FILE);
  await writeFile(`${path}.new`, `${JSON.stringify(state)}\n`);
  await rename(`${path}.new`, path);
}
