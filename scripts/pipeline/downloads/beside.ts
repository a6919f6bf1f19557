import { postedBy } from '../thread.ts';
import type { MadeFiles } from './build.ts';

/** Makes the download files of a release as `buildDownloads` does, in a thread of its own. */
export function downloadsBeside(directory: string, now: Date): AsyncIterable<MadeFiles> {
  return postedBy(new URL('./thread.ts', import.meta.url), { directory, now });
}
