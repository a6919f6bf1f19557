import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { DataSource } from '../../../../src/db/columns.ts';
import { type PackedCountry, packCountry, unpackCountry } from './format.ts';

/** The borders of the country that the repository has. */
const DIRECTORY = fileURLToPath(new URL('../../../../data/boundaries', import.meta.url));

const TOPOLOGY = 'country.topology';
const SOURCE = 'source.json';

const text = z.string().min(1);

const sourceSchema = z.looseObject({
  source: text,
  publisher: text,
  url: text,
  licence: text,
  credit: text,
  edition: text,
  note: text,
  /** The edition of `data/psgc` by whose codes land is named. */
  psgc: text,
  sha256: z.object({ [TOPOLOGY]: z.string().regex(/^[0-9a-f]{64}$/) }),
});

/** The borders of the country, and who made them. */
export interface Borders {
  readonly country: PackedCountry;
  /** The edition of `data/psgc` by whose codes land is named. */
  readonly edition: string;
  readonly source: DataSource;
  /** Of the packed bytes, 64 hex digits. */
  readonly sha256: string;
}

/**
 * Reads the borders in the repository, which takes half a second.
 *
 * @throws Error where the bytes are not those that `source.json` describes
 */
export async function readBorders(directory: string = DIRECTORY): Promise<Borders> {
  const [packed, described] = await Promise.all([
    readFile(join(directory, TOPOLOGY)),
    readFile(join(directory, SOURCE), 'utf8'),
  ]);
  const { source, publisher, url, licence, credit, edition, note, psgc, sha256 } = sourceSchema.parse(
    JSON.parse(described),
  );
  if (hashOf(packed) !== sha256[TOPOLOGY]) {
    throw new Error(
      `${join(directory, TOPOLOGY)} has other bytes than ${SOURCE} says. Get it from the repository again.`,
    );
  }
  return {
    country: unpackCountry(packed),
    edition: psgc,
    sha256: sha256[TOPOLOGY],
    source: { part: 'boundaries', name: source, edition, publisher, url, licence, attribution: credit, note },
  };
}

/** Writes the borders, and their hash into the `source.json` beside them. Returns how many bytes they take. */
export async function writeBorders(country: PackedCountry, directory: string = DIRECTORY): Promise<number> {
  const packed = packCountry(country);
  await writeFile(join(directory, TOPOLOGY), packed);
  const described = JSON.parse(await readFile(join(directory, SOURCE), 'utf8'));
  described.sha256 = { ...described.sha256, [TOPOLOGY]: hashOf(packed) };
  await writeFile(join(directory, SOURCE), `${JSON.stringify(described, null, 2)}\n`);
  return packed.length;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
