import { request } from '../shared/api.ts';
import { saveFile } from '../shared/dom.ts';
import { size } from '../shared/format.ts';
import type { SavedFile } from './choice.ts';

/** Saves a file once all of it is here. Returns what is said then. */
export async function saveWhole(file: SavedFile): Promise<string> {
  const { pathname, search } = new URL(file.href);
  const response = await request(pathname + search);
  const content = await response.blob();
  // It names the release, which the page may not know. A module that other pages share would be one more request.
  const [, name = file.name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  saveFile(content, name);
  return `${name} (${size(content.size)}) is saved.`;
}
