import { lowerAscii } from '../ascii.ts';
import { csvLine } from '../csv/cells.ts';
import type { Database } from '../db/client.ts';
import { MAX_PROPERTY_NAMES } from '../features/repo/summaries.ts';
import { WKT_COLUMNS } from '../geojson/geometry-columns.ts';
import { wktOf } from '../geojson/wkt.ts';
import { surround } from '../http/stream.ts';
import type { ExportedFeatures } from './dataset.ts';
import { columnNames, memberValues, partPages, plainText } from './export-parts.ts';

/**
 * The features of a dataset as RFC 4180 CSV: the id, a column for each member of their properties, and the geometry as
 * WKT. Where there are too many names for a table, all properties are one column of JSON. Strings of properties are
 * written without quotes and escapes of JSON, other values as they are stored. An upload reads the table back.
 */
export function csvPages(db: Database, features: ExportedFeatures): AsyncGenerator<string> {
  const columns = csvColumns(features);
  const head = csvLine(['id', ...(columns ?? ['properties']), 'wkt']);
  return surround(head, csvLines(db, features, columns && features.propertyNames), '');
}

/** The names of the columns of properties; undefined where all properties are one. */
export function csvColumns({ propertyNames }: ExportedFeatures): string[] | undefined {
  if (propertyNames.length > MAX_PROPERTY_NAMES) return undefined;
  return columnNames(propertyNames, (name) => name === 'id' || WKT_COLUMNS.has(lowerAscii(name)));
}

/** @param names the members of properties that have a column; undefined where all properties are one column */
async function* csvLines(
  db: Database,
  features: ExportedFeatures,
  names: readonly string[] | undefined,
): AsyncGenerator<string> {
  for await (const page of partPages(db, features)) {
    yield page
      .map(({ id, geometry, properties }) => {
        const values = names ? memberValues(properties, names) : [properties];
        const cells = [id, ...values].map((json) => plainText(json) ?? '');
        return csvLine([...cells, geometry === 'null' ? '' : wktOf(JSON.parse(geometry))]);
      })
      .join('');
  }
}
