import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { headOf } from './formats/bytes.ts';
import type { BoundaryFormat, SourceFile } from './formats/format.ts';
import { geojson } from './formats/geojson.ts';
import { shapefile, topojson } from './formats/mapshaper.ts';
import { sequence } from './formats/sequence.ts';

/**
 * The first format that matches reads the file. TopoJSON comes before GeoJSON, because both use the same file names.
 */
const FORMATS: readonly BoundaryFormat[] = [sequence, shapefile, topojson, geojson];

/** Name of the file that says who made the boundaries; see source.ts. */
export const SOURCE_FILE = 'source.json';

export interface BoundaryFile extends SourceFile {
  format: BoundaryFormat;
}

/**
 * Finds the boundary files in a directory and in the directories below it, in the order of their names. Where `path`
 * is a file, it is that file. Files of other formats, `source.json`, and files of a directory whose names begin with a dot are
 * ignored.
 * @throws Error when there are none, and when `path` does not exist
 */
export async function findBoundaryFiles(path: string): Promise<BoundaryFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`${path} does not exist: give a directory of boundary files, one of them, or a URL`);
  const files: BoundaryFile[] = [];
  for (const file of found.isDirectory() ? await filesUnder(path) : [{ path, name: basename(path) }]) {
    if (basename(file.name).toLowerCase() === SOURCE_FILE) continue;
    const format = await findFormat(file);
    if (format) files.push({ ...file, format });
  }
  if (files.length > 0) return files;
  throw new Error(`${path} holds no boundary files (${FORMATS.map(({ name }) => name).join(', ')})`);
}

async function filesUnder(directory: string): Promise<SourceFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(directory, path).replaceAll('\\', '/') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The format of a file, or undefined where the file has no boundaries. */
async function findFormat(file: SourceFile): Promise<BoundaryFormat | undefined> {
  const name = file.name.toLowerCase().replace(/\.gz$/, '');
  // Only files whose names may be those of boundaries are opened. No format needs another text than this one of TopoJSON.
  if (!FORMATS.some((format) => format.matches(name, '') || format.matches(name, '"type":"Topology"')))
    return undefined;
  const head = await headOf(file);
  return FORMATS.find((format) => format.matches(name, head));
}
