import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The directory of the local R2 and Durable Objects. With the default data directory it is the one that `wrangler dev`
 * takes by itself, so that it answers from what is stored there. What earlier versions stored in the data directory is moved.
 *
 * @param root the repository
 * @param dataDir an absolute path
 */
export async function stateDirectory(root: string, dataDir: string): Promise<string> {
  const inData = join(dataDir, 'worker');
  if (dataDir !== join(root, '.data')) return inData;
  const ofWrangler = join(root, '.wrangler', 'state');
  if (existsSync(inData)) {
    await mkdir(dirname(ofWrangler), { recursive: true });
    // It has no release, and is kept beside it.
    if (existsSync(ofWrangler)) await move(ofWrangler, `${ofWrangler}-${Date.now()}`);
    await move(inData, ofWrangler);
  }
  return ofWrangler;
}

/** Moves a directory, also to another file system, where it can't be renamed. An interrupted copy leaves what it is of. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true });
  }
}
