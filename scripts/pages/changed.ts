import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf } from '../command/fingerprint.ts';
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
  const sources = await fingerprintOf(root, SOURCES);
  const file = join(root, FINGERPRINT);
  const isThere = existsSync(join(root, 'dist', 'pages', 'robots.txt'));
  if (isThere && (await readFile(file, 'utf8').catch(() => '')) === sources) return false;
  await buildPages(root);
  await writeFile(file, sources);
  return true;
}
