import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** A comment that names a file, alone in its line: `<!-- ../shared/top.html -->`. */
const PARTIAL = /^[ \t]*<!-- (\.{1,2}\/[\w./-]+\.html) -->\n/gm;

/**
 * Puts the content of files in the place of the comments that name them. A link in such a file that leads to the page
 * itself is marked as the current one.
 *
 * @param folder of the page, from which the files are named
 * @param name of the page, which is its URL
 * @throws Error if there is no such file
 */
export async function insertPartials(html: string, folder: string, name: string): Promise<string> {
  const paths = [...html.matchAll(PARTIAL)].map(([, path = '']) => path);
  const texts = await Promise.all(paths.map((path) => readFile(resolve(folder, path), 'utf8')));
  const parts = texts.map((text) => text.replaceAll(`<a href="/${name}">`, `<a href="/${name}" aria-current="page">`));
  return html.replaceAll(PARTIAL, () => parts.shift() ?? '');
}
