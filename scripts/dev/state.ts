import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
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
    if (existsSync(ofWrangler)) await rename(ofWrangler, `${ofWrangler}-${Date.now()}`);
    await rename(inData, ofWrangler);
  }
  return ofWrangler;
}
