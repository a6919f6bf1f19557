import type { Database } from '../db/client.ts';
import { featurePages } from '../features/listing.ts';
import { memberTexts } from '../geojson/json.ts';
import { LayerChanged } from '../layer-files/columns.ts';
import type { ExportedFeatures } from './dataset.ts';

/** A feature of an export, each part as JSON text. Properties are an object or null. */
export interface FeatureParts {
  readonly id: string;
  readonly geometry: string;
  readonly properties: string;
}

/** The features of an export, page by page. There are none where there are no features. */
export async function* partPages(
  db: Database,
  { contents }: ExportedFeatures,
  { hasBegun = true } = {},
): AsyncGenerator<FeatureParts[]> {
  for await (const page of featurePages(db, { contents: [contents], form: 'parts', separator: '\n', hasBegun })) {
    // Every page but the first begins with the separator.
    const features = page.startsWith('\n') ? page.slice(1) : page;
    yield features.split('\n').map(splitParts);
  }
}

/** Splits a feature in the form `parts`. */
function splitParts(feature: string): FeatureParts {
  const first = feature.indexOf('\t');
  const second = feature.indexOf('\t', first + 1);
  return {
    id: feature.slice(0, first),
    geometry: feature.slice(first + 1, second),
    properties: feature.slice(second + 1),
  };
}

/**
 * The values of named members of properties, each as JSON text.
 *
 * @param properties an object or null, as JSON text
 * @throws LayerChanged if there is a member that has no name, because it was added since the names were read
 */
export function memberValues(properties: string, names: readonly string[]): string[] {
  if (properties === 'null') return names.map(() => 'null');
  const members = memberTexts(properties);
  let found = 0;
  const values = names.map((name) => {
    const value = members.get(name);
    if (value !== undefined) found += 1;
    return value ?? 'null';
  });
  if (found < members.size) throw new LayerChanged('A feature got a property that has no column');
  return values;
}

/** A JSON value as a text in a table: null stays, and a string is without its quotes and escapes. */
export function plainText(json: string): string | null {
  if (json === 'null') return null;
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/**
 * Names of columns for members of properties. Each is another, also in the eyes of `keyOf`, and none is empty or one of
 * those that a table has for itself.
 *
 * @param isTaken whether the table has a column of a trimmed name
 */
export function columnNames(
  names: readonly string[],
  isTaken: (name: string) => boolean,
  keyOf = (name: string) => name,
): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const trimmed = name.trim();
    const wanted = trimmed === '' || isTaken(trimmed) ? `property_${trimmed}` : trimmed;
    let column = wanted;
    for (let n = 2; taken.has(keyOf(column)); n += 1) column = `${wanted}_${n}`;
    taken.add(keyOf(column));
    return column;
  });
}

/** The header of renamed columns. */
export const RENAMED_COLUMNS = 'X-Renamed-Columns';

/** Max length of it, characters. */
const MAX_HEADER_LENGTH = 4000;

/**
 * Which columns have another name than their property has, for a header: `id=property_id; name=name_2`, percent-encoded.
 * A list that is too long for a header ends with `...`.
 */
export function renamedColumns(names: readonly string[], columns: readonly string[]): string {
  const renamed = names.flatMap((name, i) => {
    const column = columns[i] ?? name;
    return column === name ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(column)}`];
  });
  const text = renamed.join('; ');
  if (text.length <= MAX_HEADER_LENGTH) return text;
  const end = text.lastIndexOf('; ', MAX_HEADER_LENGTH);
  return end === -1 ? '...' : `${text.slice(0, end)}; ...`;
}
