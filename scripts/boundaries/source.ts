import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from '../../src/db/source.ts';
import { SOURCE_FILE } from './files.ts';

/** The set that the boundaries in circulation are made from, with the credit that its licence asks for. */
const COD_AB: Omit<Source, 'note' | 'edition'> = {
  part: 'boundaries',
  name: 'Subnational administrative boundaries of the Philippines (COD-AB PHL)',
  publisher: 'Philippine Statistics Authority and NAMRIA, published by UN OCHA',
  url: 'https://data.humdata.org/dataset/cod-ab-phl',
  licence: 'CC BY-IGO',
  attribution: 'Boundaries: Philippine Statistics Authority, NAMRIA and UN OCHA (COD-AB PHL), generalised',
};

/**
 * Who made the boundaries at `path` and under which terms: what `source.json` in the directory says of it (any of the
 * fields of `Source`), and of the rest, that they are the COD-AB set.
 * @param given what was asked to be loaded, for the note
 * @throws when `source.json` is there and no JSON object of texts
 */
export async function boundarySource(path: string, given: string): Promise<Source> {
  const defaults: Source = { ...COD_AB, edition: 'unknown', note: `Read from ${given.split(/[\\/]/).at(-1) || given}` };
  const isDirectory = (await stat(path)).isDirectory();
  const text = isDirectory ? await readFile(join(path, SOURCE_FILE), 'utf8').catch(() => undefined) : undefined;
  if (text === undefined) return defaults;
  const said: unknown = await new Promise((resolve) => resolve(JSON.parse(text))).catch(() => undefined);
  if (typeof said !== 'object' || said === null || Object.values(said).some((value) => typeof value !== 'string')) {
    throw new Error(`${join(path, SOURCE_FILE)} is no JSON object of texts such as "licence" and "attribution"`);
  }
  const known = Object.entries(said).filter(([field]) => field in defaults && field !== 'part');
  return { ...defaults, ...Object.fromEntries(known) };
}
