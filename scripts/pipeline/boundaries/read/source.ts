import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataSource } from '../../../../src/db/columns.ts';
import { SOURCE_FILE } from './files.ts';

/** The set from which the boundaries in circulation are made, with the attribution that its licence asks for. */
const COD_AB: Omit<DataSource, 'note' | 'edition'> = {
  part: 'boundaries',
  name: 'Subnational administrative boundaries of the Philippines (COD-AB PHL)',
  publisher: 'Philippine Statistics Authority and NAMRIA, published by UN OCHA',
  url: 'https://data.humdata.org/dataset/cod-ab-phl',
  licence: 'CC BY-IGO',
  attribution: 'Boundaries: Philippine Statistics Authority, NAMRIA and UN OCHA (COD-AB PHL), generalised',
};

/** A set's own description. */
interface SetDescription {
  source: DataSource;
  /** Codes of areas for which, and for everything below them, the set is known to have no boundary. */
  gaps: string[];
}

const fileSchema = z.object({ gaps: z.array(z.string().regex(/^\d{9,10}$/)).default([]) }).catchall(z.string());

/**
 * Reads the source, terms and known gaps of the boundaries at `path`. A file `source.json` in the directory can say any
 * of the fields of `DataSource`, and `gaps`. Missing fields are those of the COD-AB set.
 * @param given what the user asked to load, for the note
 * @throws Error when `source.json` exists and is no JSON object of strings
 */
export async function readBoundarySource(path: string, given: string): Promise<SetDescription> {
  const defaults: DataSource = {
    ...COD_AB,
    edition: 'unknown',
    note: `Read from ${given.split(/[\\/]/).at(-1) || given}`,
  };
  const isDirectory = (await stat(path)).isDirectory();
  // The case of the name is ignored, as where the boundary files are found: else the terms in it would be passed over.
  const name = isDirectory ? (await readdir(path)).find((it) => it.toLowerCase() === SOURCE_FILE) : undefined;
  const text = name && (await readFile(join(path, name), 'utf8').catch(() => undefined));
  if (text === undefined) return { source: defaults, gaps: [] };
  const { success, data } = fileSchema.safeParse(jsonOf(text));
  if (!success) {
    throw new Error(
      `${join(path, SOURCE_FILE)} is no JSON object of texts such as "licence" and "attribution", with the PSGC codes ` +
        'of known gaps, if any, as a list of texts "gaps"',
    );
  }
  const { gaps, ...fields } = data;
  const overrides = Object.entries(fields).filter(([field]) => field in defaults && field !== 'part');
  return { source: { ...defaults, ...Object.fromEntries(overrides) }, gaps };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
