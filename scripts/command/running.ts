import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from './root.ts';

/** How commands reach a server that `npm run dev` runs. */
export interface Running {
  /** Its origin, without a slash at the end. */
  address: string;
  masterToken: string;
  /** Connection string of its database, for `pg`. */
  databaseUrl: string;
}

const FILE = 'running.json';

/** Writes the file by which commands find a running server. Only its owner can read it. */
export async function announce(dataDir: string, running: Running): Promise<void> {
  const path = join(dataDir, FILE);
  await writeFile(path, JSON.stringify(running), { mode: 0o600 });
  await chmod(path, 0o600);
}

export async function withdraw(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true });
}

/** Finds the server that runs on a data directory. The file of a server that was killed is ignored: nothing answers. */
export async function findRunning(dataDir = dataDirectory()): Promise<Running | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const running = JSON.parse(text) as Running;
  const answer = await fetch(`${running.address}/version`, { signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  );
  return answer?.ok ? running : undefined;
}
