import type { Feature, Geometry } from 'geojson';
import type { MatchedPlaces } from '../../shared/matched-places.ts';

/** What is known of a place. */
interface Known {
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** How many characters the geometries of all rows may have together, as GeoJSON. Each row has all of its place. */
const MAX_LENGTH = 60_000_000;

/**
 * The rows of a list as features, as an upload of the list stores them, each with how many rows are of its place. Where the list
 * says nothing but places, each place is one feature. So it is where the geometries would be too many: it then has what all of
 * its rows share, and no number is added up.
 *
 * @param knownOf what is known of a place by its code; undefined where it is left out
 */
export function featuresOfList(
  { counts, rows, columns }: Pick<MatchedPlaces, 'counts' | 'rows' | 'columns'>,
  knownOf: (code: string) => Known | undefined,
): { features: Feature<Geometry | null>[]; isShortened: boolean } {
  const places = counts.map(([code, count]) => {
    const known = knownOf(code);
    return known && { ...known, code, count, length: JSON.stringify(known.geometry).length };
  });
  const length = places.reduce((sum, place) => sum + (place ? place.length * place.count : 0), 0);
  const isShortened = columns.length > 0 && length > MAX_LENGTH;
  const featureOf = (index: number, id: (code: string) => string, valueIn: (column: Values) => unknown) => {
    const place = places[index];
    if (!place) return [];
    const ours: Record<string, unknown> = { rows: place.count, ...place.properties, psgc_code: place.code };
    const theirs = columns.map(({ name, values }) => [name in ours ? `${name} (list)` : name, valueIn(values)]);
    // A map shows the first amounts, which are those of the list.
    const properties = { name: place.properties.name, ...Object.fromEntries(theirs), ...ours };
    return [{ type: 'Feature' as const, id: id(place.code), geometry: place.geometry, properties }];
  };
  if (columns.length > 0 && !isShortened) {
    const seen = new Map<string, number>();
    /** The first row of a place has its code as id. */
    const idOf = (code: string) => {
      const before = seen.get(code) ?? 0;
      seen.set(code, before + 1);
      return before === 0 ? code : `${code}-${before + 1}`;
    };
    return { isShortened, features: rows.flatMap((index, row) => featureOf(index, idOf, (values) => values[row])) };
  }
  const rowsOf = Map.groupBy(rows.keys(), (row) => rows[row]);
  const sharedBy = (index: number) => (values: Values) => {
    const all = new Set(rowsOf.get(index)?.map((row) => values[row]));
    return all.size === 1 ? [...all][0] : null;
  };
  return { isShortened, features: counts.flatMap((_, index) => featureOf(index, (code) => code, sharedBy(index))) };
}

type Values = MatchedPlaces['columns'][number]['values'];
