import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type DownloadName,
  downloadName,
  type FileLevel,
  type TableFormat,
} from '../../../src/areas/snapshot/download-names.ts';
import type { Area } from '../../../src/areas/store.ts';
import { csvLine } from '../../../src/csv/cells.ts';
import { columnsOf, valuesOf } from '../../../src/downloads/columns.ts';

/**
 * The files of a level without geometry, each with the name of its object: CSV (RFC 4180, UTF-8, an empty cell for what is
 * unknown), the same gzipped, and one JSON object per line.
 */
export async function tablesOf(
  level: FileLevel,
  areas: readonly Area[],
  parentNames: ReadonlyMap<string, string>,
): Promise<[DownloadName, Buffer][]> {
  const columns = columnsOf(level, 'table');
  const names = columns.map(({ name }) => name);
  const rows = areas.map((area) => valuesOf(level, area, { columns, names: parentNames }));
  const csv = csvLine(names) + rows.map((row) => csvLine(row.map((value) => String(value ?? '')))).join('');
  const lines = rows.map((row) => `${JSON.stringify(Object.fromEntries(row.map((value, i) => [names[i], value])))}\n`);
  const pack = (text: string) => promisify(gzip)(text);
  const files: [TableFormat, Buffer][] = [
    ['csv', Buffer.from(csv)],
    ['csv.gz', await pack(csv)],
    ['ndjson.gz', await pack(lines.join(''))],
  ];
  return files.map(([format, bytes]) => [downloadName({ level, resolution: null, format }), bytes]);
}
