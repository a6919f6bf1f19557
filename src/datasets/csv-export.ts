import { lowerAscii } from '../ascii.ts';
import { csvLine } from '../csv/cells.ts';
import type { Database } from '../db/client.ts';
import { featurePages } from '../features/listing.ts';
import { MAX_PROPERTY_NAMES } from '../features/repo/summaries.ts';
import { memberTexts } from '../geojson/json.ts';
import { WKT_COLUMNS, wktOf } from '../geojson/wkt.ts';
import { surround } from '../http/stream.ts';
import type { ExportedFeatures } from './dataset.ts';

/**
 * The features of a dataset as RFC 4180 CSV: the id, a column for each member of their properties, and the geometry as
 * WKT. Where there are too many names for a table, all properties are one column of JSON. Strings of properties are
 * written without quotes and escapes of JSON, other values as they are stored. An upload reads the table back.
 */
export function csvPages(db: Database, { contents, propertyNames }: ExportedFeatures): AsyncGenerator<string> {
  const names = propertyNames.length <= MAX_PROPERTY_NAMES ? propertyNames : undefined;
  const head = csvLine(['id', ...(names ? columnNames(names) : ['properties']), 'wkt']);
  const pages = featurePages(db, { contents: [contents], form: 'parts', separator: '\n' });
  return surround(head, csvLines(pages, names), '');
}

/** @param names the members of properties that have a column; undefined where all properties are one column */
async function* csvLines(pages: AsyncGenerator<string>, names: readonly string[] | undefined): AsyncGenerator<string> {
  for await (const page of pages) {
    // Every page but the first begins with the separator.
    const features = page.startsWith('\n') ? page.slice(1) : page;
    yield features
      .split('\n')
      .map((feature) => {
        const [id, geometry, properties] = splitParts(feature);
        const values = names ? memberCells(properties, names) : [cellText(properties)];
        return csvLine([cellText(id), ...values, geometry === 'null' ? '' : wktOf(JSON.parse(geometry))]);
      })
      .join('');
  }
}

/** The id, the geometry and the properties of a feature in the form `parts`, each as JSON text. */
function splitParts(feature: string): [string, string, string] {
  const first = feature.indexOf('\t');
  const second = feature.indexOf('\t', first + 1);
  return [feature.slice(0, first), feature.slice(first + 1, second), feature.slice(second + 1)];
}

/**
 * The cells of named members of properties.
 *
 * @param properties an object or null, as JSON text
 */
function memberCells(properties: string, names: readonly string[]): string[] {
  if (properties === 'null') return names.map(() => '');
  const members = memberTexts(properties);
  return names.map((name) => cellText(members.get(name) ?? 'null'));
}

/** The text of a cell for a JSON value: nothing for null, and a string without its quotes and escapes. */
function cellText(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** Names of columns for members of properties. They are unique, and differ from names of the id and the geometry. */
function columnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const trimmed = name.trim();
    const isReserved = trimmed === '' || trimmed === 'id' || WKT_COLUMNS.has(lowerAscii(trimmed));
    const wanted = isReserved ? `property_${trimmed}` : trimmed;
    let column = wanted;
    for (let n = 2; taken.has(column); n += 1) column = `${wanted}_${n}`;
    taken.add(column);
    return column;
  });
}
