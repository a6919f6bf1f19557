import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataSource } from '../../../../src/db/columns.ts';
import { SOURCE_FILE } from './files.ts';

/** The set that the boundaries in circulation are made from, with the credit that its licence asks for. */
const COD_AB: Omit<DataSource, 'note' | 'edition'> = {
  part: 'boundaries',
  name: 'Subnational administrative boundaries of the Philippines (COD-AB PHL)',
  publisher: 'Philippine Statistics Authority and NAMRIA, published by UN OCHA',
  url: 'https://data.humdata.org/dataset/cod-ab-phl',
  licence: 'CC BY-IGO',
  attribution: 'Boundaries: Philippine Statistics Authority, NAMRIA and UN OCHA (COD-AB PHL), generalised',
};

/** What a set of boundaries says of itself. */
interface Described {
  source: DataSource;
  /** Codes of areas that the set is known to have no boundary of, nor of anything below them. */
  gaps: string[];
}

const fileSchema = z.object({ gaps: z.array(z.string().regex(/^\d{9,10}$/)).default([]) }).catchall(z.string());

/**
 * Who made the boundaries at `path`, under which terms, and what they are known to lack: what `source.json` in the
 * directory says of it (any of the fields of `DataSource`, and `gaps`), and of the rest, that they are the COD-AB set.
 * @param given what was asked to be loaded, for the note
 * @throws when `source.json` is there and no JSON object of texts
 */
export async function boundarySource(path: string, given: string): Promise<Described> {
  const defaults: DataSource = {
    ...COD_AB,
    edition: 'unknown',
    note: `Read from ${given.split(/[\\/]/).at(-1) || given}`,
  };
  const isDirectory = (await stat(path)).isDirectory();
  const text = isDirectory ? await readFile(join(path, SOURCE_FILE), 'utf8').catch(() => undefined) : undefined;
  if (text === undefined) return { source: defaults, gaps: [] };
  const { success, data } = fileSchema.safeParse(jsonOf(text));
  if (!success) {
    throw new Error(
      `${join(path, SOURCE_FILE)} is no JSON object of texts such as "licence" and "attribution", with the PSGC codes ` +
        'of known gaps, if any, as a list of texts "gaps"',
    );
  }
  const { gaps, ...said } = data;
  const known = Object.entries(said).filter(([field]) => field in defaults && field !== 'part');
  return { source: { ...defaults, ...Object.fromEntries(known) }, gaps };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
