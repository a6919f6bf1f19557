import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import type { DataSource } from '../../../../src/db/columns.ts';
import { hashOf, type Input } from '../../inputs.ts';
import type { Control } from './control.ts';
import { type PackedCountry, packCountry, unpackCountry } from './format.ts';

/** The directory of the borders in the repository. */
const DIRECTORY = join(import.meta.dirname, '../../../../data/boundaries');

const TOPOLOGY = 'country.topology';
/** Reference areas and points, measured from the original boundary files, with which tests compare the borders. */
const CONTROL = 'control.csv.br';
const SOURCE = 'source.json';

const text = z.string().min(1);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const sourceSchema = z.looseObject({
  source: text,
  publisher: text,
  url: text,
  licence: text,
  credit: text,
  edition: text,
  note: text,
  /** The edition of `data/psgc` whose codes the units have. */
  psgc: text,
  sha256: z.object({ [TOPOLOGY]: hash, [CONTROL]: hash }),
});

/** The borders of the country, and their source. */
export interface Borders {
  readonly country: PackedCountry;
  /** The edition of `data/psgc` whose codes the units have. */
  readonly psgcEdition: string;
  readonly source: DataSource;
  /** Hash of the packed bytes, 64 hex digits. */
  readonly sha256: string;
}

/**
 * Reads the borders in the repository, which takes half a second.
 *
 * @throws Error if the bytes are not those that `source.json` describes
 */
export async function readBorders(directory: string = DIRECTORY): Promise<Borders> {
  const [packed, described] = await readDescribed(TOPOLOGY, directory);
  const { source, publisher, url, licence, credit, edition, note, psgc, sha256 } = described;
  return {
    country: unpackCountry(packed),
    psgcEdition: psgc,
    sha256: sha256[TOPOLOGY],
    source: { part: 'boundaries', name: source, edition, publisher, url, licence, attribution: credit, note },
  };
}

/** Writes the borders, and their hash into the `source.json` beside them. Returns their size in bytes. */
export async function writeBorders(country: PackedCountry, directory: string = DIRECTORY): Promise<number> {
  return await writeDescribed(TOPOLOGY, packCountry(country), directory);
}

/**
 * Reads the reference areas and points of the repository, in the order of their codes.
 *
 * @throws Error if the bytes are not those that `source.json` describes
 */
export async function readControl(directory: string = DIRECTORY): Promise<Control[]> {
  const [packed] = await readDescribed(CONTROL, directory);
  const [, ...lines] = brotliDecompressSync(packed).toString().trimEnd().split('\n');
  return lines.map((line): Control => {
    const [code = '', km2, lon, lat] = line.split(',');
    return { code, km2: Number(km2), point: lon ? { lon: Number(lon), lat: Number(lat) } : null };
  });
}

/**
 * Writes reference areas and points as CSV compressed with brotli, and their hash into the `source.json` beside it.
 * Returns its size in bytes.
 */
export async function writeControl(control: readonly Control[], directory: string = DIRECTORY): Promise<number> {
  const lines = control.map(({ code, km2, point }) => `${code},${km2},${point?.lon ?? ''},${point?.lat ?? ''}\n`);
  return await writeDescribed(CONTROL, brotliCompressSync(`code,km2,lon,lat\n${lines.join('')}`), directory);
}

/** Writes the input files of the borders into `source.json`. */
export async function writeInputs(inputs: readonly Input[], directory: string = DIRECTORY): Promise<void> {
  const { sha256, ...described } = JSON.parse(await readFile(join(directory, SOURCE), 'utf8'));
  await writeFile(join(directory, SOURCE), `${JSON.stringify({ ...described, inputs, sha256 }, null, 2)}\n`);
}

async function readDescribed(name: typeof TOPOLOGY | typeof CONTROL, directory: string) {
  const [bytes, json] = await Promise.all([readFile(join(directory, name)), readFile(join(directory, SOURCE), 'utf8')]);
  const described = sourceSchema.parse(JSON.parse(json));
  if (hashOf(bytes) !== described.sha256[name]) {
    throw new Error(`${join(directory, name)} has other bytes than ${SOURCE} says. Get it from the repository again.`);
  }
  return [bytes, described] as const;
}

async function writeDescribed(name: string, bytes: Uint8Array, directory: string): Promise<number> {
  await writeFile(join(directory, name), bytes);
  const described = JSON.parse(await readFile(join(directory, SOURCE), 'utf8'));
  described.sha256 = { ...described.sha256, [name]: hashOf(bytes) };
  await writeFile(join(directory, SOURCE), `${JSON.stringify(described, null, 2)}\n`);
  return bytes.length;
}
