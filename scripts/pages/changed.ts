import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPages } from './build.ts';

/** What the pages are made of. The reference is made of the routes in `src`. */
const SOURCES = ['pages', 'src', 'scripts', 'package-lock.json'];

/** The file with the fingerprint of the sources that the pages were built from. */
const FINGERPRINT = join('dist', 'pages.sha256');

/**
 * Builds the pages where a source has changed since they were built, because every start would wait two seconds for it.
 *
 * @param root the repository
 * @returns whether they were built
 * @throws Error that says what is wrong with the sources
 */
export async function buildChangedPages(root: string): Promise<boolean> {
  const sources = await fingerprintOf(root);
  const file = join(root, FINGERPRINT);
  const isThere = existsSync(join(root, 'dist', 'pages', 'robots.txt'));
  if (isThere && (await readFile(file, 'utf8').catch(() => '')) === sources) return false;
  await buildPages(root);
  await writeFile(file, sources);
  return true;
}

/** Changes whenever a source is added, removed, written or renamed. */
async function fingerprintOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    // One that is no directory stands for itself.
    const entries = await readdir(join(root, source), { recursive: true }).catch(() => ['']);
    for (const entry of entries.sort()) {
      const found = await stat(join(root, source, entry)).catch(() => undefined);
      if (found) hash.update(`${source}/${entry} ${found.size} ${found.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
