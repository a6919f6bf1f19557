import { postedBy } from '../thread.ts';
import type { MadeFiles } from './build.ts';
import type { buildCountry } from './country.ts';

/** Makes the download files of a release as `buildDownloads` does, in a worker thread. */
export function downloadsInThread(directory: string, now: Date): AsyncIterable<MadeFiles> {
  return postedBy(new URL('./thread.ts', import.meta.url), { directory, now });
}

/** Makes the file of the country as `buildCountry` does, in a worker thread. */
export async function countryInThread(directory: string, now: Date): ReturnType<typeof buildCountry> {
  const posted = postedBy<Awaited<ReturnType<typeof buildCountry>>>(new URL('./country-thread.ts', import.meta.url), {
    directory,
    now,
  });
  for await (const made of posted) return made;
  throw new Error('The file of the country was not made.');
}
