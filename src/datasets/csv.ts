import type { Database } from '../db/client.ts';
import type { Contents } from '../features/feature.ts';
import { featurePages } from '../features/listing.ts';
import { MAX_PROPERTY_NAMES } from '../features/repo/items.ts';
import { wktOf } from '../geojson/wkt.ts';
import { propertyNames } from './repo/reads.ts';

/**
 * The features of a dataset as RFC 4180 CSV: id, a column for each member of their properties, and the geometry as
 * WKT. Where there are too many names for a table, all properties are one column of JSON.
 */
export async function* csvPages(db: Database, contents: Contents): AsyncGenerator<string> {
  const names = await propertyNames(db, contents);
  const tabular = names.length <= MAX_PROPERTY_NAMES;
  yield line(['id', ...(tabular ? names : ['properties']), 'wkt']);
  for await (const page of featurePages(db, { contents: [contents], form: 'source', separator: '\n' })) {
    let text = '';
    for (const json of page.split('\n')) {
      if (json === '') continue;
      const { id, properties, geometry } = JSON.parse(json);
      const values = tabular ? names.map((name) => properties?.[name]) : [properties];
      text += line([id, ...values, geometry === null ? null : wktOf(geometry)]);
    }
    yield text;
  }
}

function line(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
