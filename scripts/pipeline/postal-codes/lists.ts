import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hashOf, type Input } from '../inputs.ts';

/** A line of a list: a ZIP code and the place that it is of, in the words of the list. */
export interface Line {
  readonly zip: string;
  readonly province: string;
  /** Empty where the list does not say in which city the place lies, or the place is the city. */
  readonly city: string;
  readonly place: string;
}

/** Both lists. The first was read from the site of the post office, the second was gathered by volunteers. */
export interface Lists {
  readonly post: readonly Line[];
  readonly community: readonly Line[];
}

const FILES = { post: 'phzipcodes/data/ph_zip_codes.json', community: 'psgc/data/core/zip_codes.json' } as const;

const zip = z.string();
/** By region, province and place. */
const postSchema = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(zip))));
const location = z.object({ area: z.string(), city: z.string(), province: z.string() });
const communitySchema = z.record(
  zip,
  location.extend({ locations: z.array(location).optional(), source_location: location.optional() }),
);

/**
 * Reads the two lists from the folders of their unpacked packages.
 *
 * @throws Error if a file is missing or has another form
 */
export async function readLists(
  folders: Readonly<Record<keyof Lists, string>>,
): Promise<{ lists: Lists; inputs: Input[] }> {
  const [post, community] = await Promise.all([
    readFile(join(folders.post, FILES.post), 'utf8'),
    readFile(join(folders.community, FILES.community), 'utf8'),
  ]);
  const lists = {
    post: postLines(postSchema.parse(JSON.parse(post))),
    community: communityLines(communitySchema.parse(JSON.parse(community))),
  };
  const inputs = [
    { file: FILES.post, sha256: hashOf(post) },
    { file: FILES.community, sha256: hashOf(community) },
  ];
  return { lists, inputs };
}

function postLines(list: z.infer<typeof postSchema>): Line[] {
  return Object.values(list).flatMap((provinces) =>
    Object.entries(provinces).flatMap(([province, places]) =>
      Object.entries(places).flatMap(([place, zips]) =>
        zips.filter((it) => /^\d{4}$/.test(it)).map((it) => ({ zip: it, province, city: '', place })),
      ),
    ),
  );
}

function communityLines(list: z.infer<typeof communitySchema>): Line[] {
  return Object.entries(list).flatMap(([code, { locations, source_location: source, ...own }]) =>
    [own, ...(source ? [source] : []), ...(locations ?? [])]
      // What stands beside its parts is only their names in one text.
      .filter((it) => it.province !== '' && !(locations && it === own))
      .map(({ province, city, area }) => ({ zip: code, province, city, place: area })),
  );
}
