import { postedBy } from '../thread.ts';
import type { MadeFiles } from './build.ts';
import type { buildCountry } from './country.ts';

/** Makes the download files of a release as `buildDownloads` does, in a thread of its own. */
export function downloadsBeside(directory: string, now: Date): AsyncIterable<MadeFiles> {
  return postedBy(new URL('./thread.ts', import.meta.url), { directory, now });
}

/** Makes the file of the country as `buildCountry` does, in a thread of its own. */
export async function countryBeside(directory: string, now: Date): ReturnType<typeof buildCountry> {
  const posted = postedBy<Awaited<ReturnType<typeof buildCountry>>>(new URL('./country-thread.ts', import.meta.url), {
    directory,
    now,
  });
  for await (const made of posted) return made;
  throw new Error('The file of the country was not made.');
}
