import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { downloadName, type FileLevel, type TableFormat } from '../../../src/areas/snapshot/download-names.ts';
import type { SnapshotName } from '../../../src/areas/snapshot/layout.ts';
import type { Area } from '../../../src/areas/store.ts';
import { csvLine } from '../../../src/csv/cells.ts';
import { columnsOf, valuesOf } from './columns.ts';

/**
 * Writes the files of a level without geometry: CSV (RFC 4180, UTF-8, an empty cell for what is unknown), the same
 * gzipped, and one JSON object per line.
 *
 * @param pathOf the path of an object's file
 * @returns the names of the objects
 */
export async function writeTables(
  level: FileLevel,
  areas: readonly Area[],
  pathOf: (name: SnapshotName) => string,
): Promise<SnapshotName[]> {
  const columns = columnsOf(level, 'table');
  const names = columns.map(({ name }) => name);
  const rows = areas.map((area) => valuesOf(level, area, columns));
  const csv = csvLine(names) + rows.map((row) => csvLine(row.map((value) => String(value ?? '')))).join('');
  const lines = rows.map((row) => `${JSON.stringify(Object.fromEntries(row.map((value, i) => [names[i], value])))}\n`);
  const pack = (text: string) => promisify(gzip)(text);
  const contents: Record<TableFormat, Buffer> = {
    csv: Buffer.from(csv),
    'csv.gz': await pack(csv),
    'ndjson.gz': await pack(lines.join('')),
  };
  const files = Object.entries(contents).map(([format, bytes]) => ({
    name: downloadName({ level, resolution: null, format: format as TableFormat }),
    bytes,
  }));
  await Promise.all(files.map(({ name, bytes }) => writeFile(pathOf(name), bytes)));
  return files.map(({ name }) => name);
}
