import { lowerAscii } from '../../ascii.ts';
import { DomainError } from '../../errors.ts';
import { MAX_NAME_LENGTH, type NewFeature } from '../../features/feature.ts';
import { GeometryFault, pathText } from '../../geojson/geometry.ts';
import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS } from '../../geojson/geometry-columns.ts';
import { geometryOfWkt } from '../../geojson/wkt.ts';
import { placeColumns } from '../../match/columns.ts';
import { isBlankCell } from '../../names/blank.ts';
import type { Field } from '../../names/result.ts';
import { COLUMNS } from '../../names/source.ts';
import { cellOf, type Columns as FieldColumns } from '../../tables/columns.ts';
import { decimalNumber, featureOfValues } from './feature-values.ts';
import {
  FileFault,
  type NamedPlaceColumns,
  PLACE_MATCHES,
  type PlaceRow,
  type ReadOptions,
  type TableFacts,
  validIn,
  withLocation,
} from './format.ts';

/** Max length of a row, characters: that of a GeoJSON feature, so that an export can be uploaded. */
export const MAX_ROW = 8 * 1024 * 1024;

/** Fields of places, the finest first. */
const PLACE_FIELDS: readonly Field[] = ['barangay', 'municity', 'province', 'region', 'text', 'code'];

/** The names of columns, and the indexes of those that have a meaning; -1 if missing. */
interface Columns {
  readonly names: readonly string[];
  readonly wkt: number;
  readonly lon: number;
  readonly lat: number;
  /** The columns of places, where these are read in place of coordinates. */
  readonly places?: FieldColumns<Field>;
  /** The column that says how the codes of places were found before. */
  readonly match?: number;
}

type PlaceColumns = Required<Pick<Columns, 'names' | 'places' | 'match'>>;

interface Row {
  readonly fields: readonly string[];
  /** Where the row is, for people: `line 7`. */
  readonly at: string;
  readonly errors: ReadonlySet<number>;
}

/**
 * Makes features of the rows of a table, the first of which has the names of its columns. The geometry of a row is in a
 * column of WKT, or in two columns of longitude and latitude, or is that of the area that columns of places name. Values
 * stay text; empty values are null.
 */
export class TableRows implements TableFacts {
  /** Whether a comma in a coordinate is the decimal point. */
  hasDecimalCommas = false;
  readonly #options: ReadOptions;
  #columns: Columns | undefined;
  /** Where the row of headings is. */
  #headingsAt = '';

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** The number of columns; undefined before the first row. */
  get width(): number | undefined {
    return this.#columns?.names.length;
  }

  get placeHeadings(): TableFacts['placeHeadings'] {
    const { names = [], places } = this.#columns ?? {};
    if (!places) return undefined;
    const headings = Object.entries(places).map(([field, at = []]) => [field, at.map((i) => names[i] as string)]);
    return Object.fromEntries(headings);
  }

  /**
   * Reads a row: the first as headings, each other one as a feature. One that is not valid gives none where faults are
   * collected.
   *
   * @param at where the row is, for people: `line 7`
   * @param errors indexes of cells without a value, because a formula failed: null as properties, a fault as coordinates or
   *   places
   */
  *row(fields: readonly string[], at: string, errors: ReadonlySet<number> = NONE): Generator<NewFeature | PlaceRow> {
    const columns = this.#columns;
    const withAt = <T>(work: () => T): T => withLocation(() => at, work);
    if (columns) {
      const known = columns.places && isUnknown(columns.places) ? this.#byFirstRow(columns, fields) : columns;
      yield* validIn(this.#options, () => withAt(() => this.#feature({ fields, at, errors }, known)));
    } else {
      this.#columns = withAt(() => columnsOf(fields, this.#options.placeColumns));
      this.#headingsAt = at;
    }
  }

  /** The columns of a table none of whose headings is known, by what its first row has in them. */
  #byFirstRow(columns: Columns, fields: readonly string[]): Columns {
    const places = placeColumns(columns.names, {}, [fields]);
    if (isUnknown(places)) throw new FileFault(NO_PLACES, this.#headingsAt);
    this.#columns = { ...columns, places };
    return this.#columns;
  }

  /** @throws FileFault if there was no row */
  end(): void {
    if (!this.#columns) throw new FileFault('holds no table: the first row must have the names of the columns');
    const { places } = this.#columns;
    if (places && isUnknown(places)) throw new FileFault(NO_PLACES, this.#headingsAt);
  }

  #feature({ fields, at, errors }: Row, columns: Columns): NewFeature | PlaceRow {
    const { names, wkt, places, match = -1 } = columns;
    if (fields.length !== names.length) {
      throw new FileFault(
        `must have ${names.length} values, as the headings in ${this.#headingsAt} (got ${fields.length})`,
      );
    }
    const cellAt = (i: number) => (errors.has(i) ? null : fields[i] || null);
    const entries = names.map((name, i): [string, string | null] => [name, cellAt(i)]);
    const properties = Object.fromEntries(entries.filter((_, i) => i !== wkt && i !== match));
    if (places) return placeRow({ fields, at, errors }, { names, places, match }, properties);
    try {
      return featureOfValues(this.#geometry(fields, columns), properties, this.#options);
    } catch (error) {
      throw error instanceof GeometryFault ? inItsCell(error, fields, columns) : error;
    }
  }

  #geometry(fields: readonly string[], { names, wkt, lon, lat }: Columns): unknown {
    if (wkt >= 0) {
      const text = (fields[wkt] as string).trim();
      const geometry = text === '' ? null : geometryOfWkt(text, this.#options.srid);
      if (geometry !== undefined) return geometry;
      throw cellFault(`${names[wkt]} must be WKT, like POINT (121 14.6)`, names[wkt], text);
    }
    const textOf = (i: number) => (fields[i] as string).trim();
    if (textOf(lon) === '' && textOf(lat) === '') return null;
    const coordinates = [lon, lat].map((i) => this.#number(textOf(i)));
    if (!coordinates.includes(undefined)) return { type: 'Point', coordinates };
    const bad = [lon, lat].filter((_, at) => coordinates[at] === undefined).toSorted((a, b) => a - b);
    const [first, ...others] = bad.map((i) => numberFault(textOf(i), names[i])) as [FileFault, ...FileFault[]];
    throw new FileFault(first.message, undefined, { cell: first.cell, others });
  }

  #number(text: string): number | undefined {
    return decimalNumber(this.hasDecimalCommas ? text.replace(',', '.') : text);
  }
}

const NONE: ReadonlySet<number> = new Set();

/** The beginning of a value, 40 characters. */
function shortened(value: string): string {
  return value.slice(0, 40).toWellFormed();
}

function cellFault(message: string, column: string | undefined, value: string): FileFault {
  return new FileFault(message, undefined, { cell: { column: column ?? '', value: shortened(value) } });
}

/** The fault of a cell that should be a number. */
function numberFault(text: string, name: string | undefined): FileFault {
  const message = text === '' ? 'is empty' : `must be a number (got ${JSON.stringify(shortened(text))})`;
  return cellFault(`${name} ${message}`, name, text);
}

/** A fault of a geometry as one of the cell that has it. */
function inItsCell(fault: GeometryFault, fields: readonly string[], { names, wkt, lon, lat }: Columns): GeometryFault {
  const { path, reason } = fault;
  const at = wkt >= 0 ? wkt : path.at(-1) === 0 ? lon : lat;
  const column = names[at] as string;
  // A point has one number in each column, and WKT has all of them in one.
  const within = wkt < 0 || path.length === 0 ? '' : `${pathText(path)} `;
  return fault.inCell(column, shortened((fields[at] as string).trim()), `${column} ${within}${reason}`);
}

function placeRow(
  { fields, at }: Row,
  { names, places, match: matchAt }: PlaceColumns,
  properties: PlaceRow['properties'],
): PlaceRow {
  const place = Object.fromEntries(PLACE_FIELDS.map((field) => [field, cellOf(fields, places[field])]));
  const field = PLACE_FIELDS.find((it) => place[it] !== undefined) ?? PLACE_FIELDS.find((it) => places[it]);
  const column = names[places[field as Field]?.[0] ?? 0] ?? '';
  const finest = COLUMNS.findLast((it) => places[it] !== undefined);
  const isLacking = finest !== undefined && place.text === undefined && isBlankCell((place[finest] ?? '').trim());
  const cell = matchAt < 0 ? '' : (fields[matchAt] as string);
  const match = PLACE_MATCHES.find((it) => it === cell);
  if (match === undefined && cell !== '') {
    throw cellFault(`${names[matchAt]} must be one of ${PLACE_MATCHES.join(', ')}`, names[matchAt], cell);
  }
  return {
    place,
    lacks: isLacking ? finest : undefined,
    match,
    properties,
    at,
    cell: { column, value: shortened(place[field as Field] ?? '') },
  };
}

/** @param named the columns of places to read in place of coordinates; undefined: they are only read if there are no coordinates */
function columnsOf(fields: readonly string[], named: NamedPlaceColumns | undefined): Columns {
  const names = fields.map((name) => name.trim());
  const empty = names.indexOf('');
  if (empty >= 0) throw new FileFault(`column ${empty + 1} has no name`);
  const tooLong = names.findIndex((name) => name.length > MAX_NAME_LENGTH);
  if (tooLong >= 0) {
    throw new FileFault(`column ${tooLong + 1} must have a name of at most ${MAX_NAME_LENGTH} characters`);
  }
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined)
    throw new FileFault(`has more than one column ${JSON.stringify(duplicate.slice(0, 40))}`);
  if (named) {
    const match = named.match ? names.indexOf(named.match.trim()) : -1;
    if (named.match && match < 0) {
      throw new FileFault(`place_columns: match: there is no column ${JSON.stringify(shortened(named.match))}`);
    }
    return { names, wkt: -1, lon: -1, lat: -1, places: placesOf(names, named), match };
  }
  /** The only column with one of some names; -1 if none. */
  const find = (wanted: ReadonlySet<string>, kind: string): number => {
    const found = [...names.keys()].filter((i) => wanted.has(lowerAscii(names[i] as string)));
    if (found.length < 2) return found[0] ?? -1;
    const got = found.map((i) => JSON.stringify(names[i])).join(' and ');
    throw new FileFault(`must have one column of ${kind}, and has ${got}: give the others another name`);
  };
  const wkt = find(WKT_COLUMNS, 'WKT');
  // Beside WKT, longitude and latitude are ordinary properties.
  const [lon, lat] = wkt >= 0 ? [-1, -1] : [find(LONGITUDE_COLUMNS, 'longitude'), find(LATITUDE_COLUMNS, 'latitude')];
  if (wkt < 0 && (lon < 0 || lat < 0)) {
    const only = names[Math.max(lon, lat)] ?? '';
    // A column x or y alone may be anything.
    if (only.length <= 1) return { names, wkt, lon: -1, lat: -1, places: placesOf(names, {}) };
    const missing = lon < 0 ? 'longitude' : 'latitude';
    throw new FileFault(
      `has the column ${JSON.stringify(only)} and none of ${missing}: add it, or name columns of places in place_columns`,
    );
  }
  return { names, wkt, lon, lat };
}

const NO_PLACES =
  'must have columns of coordinates (lon and lat, or wkt), or of places (such as Province and Municipality), which place_columns may name';

function isUnknown(places: FieldColumns<Field>): boolean {
  return Object.keys(places).length === 0;
}

function placesOf(names: readonly string[], named: NamedPlaceColumns): FieldColumns<Field> {
  try {
    const places = placeColumns(names, named);
    // Where nothing is named, the first row may say more than the headings.
    if (isUnknown(places) && Object.keys(named).length > 0) throw new FileFault(NO_PLACES);
    return places;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new FileFault(`place_columns: ${error.message}`);
  }
}
