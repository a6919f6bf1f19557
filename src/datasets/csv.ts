import type { Database } from '../db/client.ts';
import { featurePages } from '../features/listing.ts';
import { MAX_PROPERTY_NAMES } from '../features/repo/summaries.ts';
import { memberTexts } from '../geojson/json.ts';
import { WKT_COLUMNS, wktOf } from '../geojson/wkt.ts';
import { surround } from '../http/stream.ts';
import type { Exported } from './exports.ts';

/**
 * The features of a dataset as RFC 4180 CSV: id, a column for each member of their properties, and the geometry as
 * WKT. Where there are too many names for a table, all properties are one column of JSON. Strings of properties are
 * written without what JSON puts around them, all else as it is stored. An upload takes the table as it is.
 */
export function csvPages(db: Database, { contents, names }: Exported): AsyncGenerator<string> {
  const columns = names.length <= MAX_PROPERTY_NAMES ? names : undefined;
  const head = line(['id', ...(columns ? columnsOf(columns) : ['properties']), 'wkt']);
  const pages = featurePages(db, { contents: [contents], form: 'parts', separator: '\n' });
  return surround(head, tablesOf(pages, columns), '');
}

async function* tablesOf(
  pages: AsyncGenerator<string>,
  columns: readonly string[] | undefined,
): AsyncGenerator<string> {
  for await (const page of pages) {
    // The separator before it, where it is not the first.
    const rows = page.startsWith('\n') ? page.slice(1) : page;
    yield rows
      .split('\n')
      .map((row) => {
        const [id, geometry, properties] = partsOf(row);
        const values = columns ? valuesOf(properties, columns) : [plain(properties)];
        return line([plain(id), ...values, geometry === 'null' ? '' : wktOf(JSON.parse(geometry))]);
      })
      .join('');
  }
}

/** The id, the geometry and the properties of a feature, each as JSON text. */
function partsOf(row: string): [string, string, string] {
  const first = row.indexOf('\t');
  const second = row.indexOf('\t', first + 1);
  return [row.slice(0, first), row.slice(first + 1, second), row.slice(second + 1)];
}

/** Members of properties, which are an object or null, by their names. */
function valuesOf(properties: string, names: readonly string[]): string[] {
  if (properties === 'null') return names.map(() => '');
  const members = memberTexts(properties);
  return names.map((name) => plain(members.get(name) ?? 'null'));
}

/** JSON text as it stands in a cell: null is nothing, and a string without its quotes and escapes. */
function plain(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** What columns are called: each otherwise, and none as those of the id and the geometry are or could be. */
function columnsOf(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.trim();
    const wanted = plain === '' || plain === 'id' || WKT_COLUMNS.has(plain.toLowerCase()) ? `property_${plain}` : plain;
    let column = wanted;
    for (let n = 2; taken.has(column); n += 1) column = `${wanted}_${n}`;
    taken.add(column);
    return column;
  });
}

function line(texts: readonly string[]): string {
  return `${texts.map(cell).join(',')}\r\n`;
}

/** Quoted also where it holds what other tables are separated by, because readers guess the separator. */
function cell(text: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
