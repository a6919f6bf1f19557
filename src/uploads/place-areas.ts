import { editionId } from '../areas/edition-id.ts';
import { boundariesOf } from '../areas/portions.ts';
import { servedAreas } from '../areas/served-areas.ts';
import { type Area, type AreaStore, BOUNDARY_BUDGET, type Resolution, type Slice } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { NewFeature, StoredShape } from '../features/feature.ts';
import { type AreaShape, findShapes, insertShapes } from '../features/repo/shapes.ts';
import { WGS84 } from '../geojson/domains.ts';
import { listedIn } from '../join/service.ts';
import { decidingNoteIn, type MatchedRow, matchRows } from '../match/service.ts';
import { isDecided } from '../names/result.ts';
import type { NameLevel } from '../names/source.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { featureOfValues } from './formats/feature-values.ts';
import { FileFault, type NamedPlaceColumns, type PlaceRow } from './formats/format.ts';
import { PLACE_PROPERTIES } from './place-properties.ts';

/** Max likely rows of one table that an answer lists. */
const MAX_TOLD = 100;

/** How many candidates an error names. */
const NAMED_CANDIDATES = 3;

/** How a table of places is read. */
export interface PlaceOptions {
  /** The columns of places by their headings; undefined: those that are recognized. */
  readonly columns: NamedPlaceColumns | undefined;
  /** The level of the areas; undefined: that of the finest column that is filled. */
  readonly level: NameLevel | undefined;
  /** The edition whose areas they are; undefined: the one that is served. */
  readonly edition: string | undefined;
  readonly resolution: Resolution | undefined;
}

type PlaceProperty = (typeof PLACE_PROPERTIES)[number];

/** What the rows of a table were taken for. */
export interface PlaceSummary {
  readonly release: string;
  readonly edition: string;
  readonly resolution: Resolution;
  /** The name of each property: another one where the table has such a column. */
  readonly properties: Readonly<Record<PlaceProperty, string>>;
  /** Features, by how sure their place is. */
  readonly exact: number;
  readonly likely: number;
  /** Features of rows in which the finest column is blank, so that their area is a larger one. */
  readonly coarser: number;
  /** How many features have an area of which level. */
  readonly levels: Readonly<Partial<Record<NameLevel, number>>>;
  /** The first likely rows and those with a larger area, for people to check. */
  readonly likelyRows: readonly LikelyRow[];
}

/** A row whose place is clearly the best, and not the only one, or larger than those of other rows. */
export interface LikelyRow {
  /** Where it is: `line 7`. */
  readonly place: string;
  readonly column: string;
  readonly value: string;
  readonly code: string;
  readonly name: string | null;
  /** What of the row was passed over, or is blank. */
  readonly notes: readonly string[];
}

interface Source {
  readonly areas: AreaStore;
  readonly index: Parameters<typeof matchRows>[0];
  readonly release: string;
  readonly version: string;
  readonly edition: string;
}

/** Makes features of the rows of a table of places: each has the boundary of its area by reference. */
export class PlaceAreas {
  readonly #ctx: ServiceContext;
  readonly #options: PlaceOptions | undefined;
  readonly #resolution: Resolution;
  #source: Source | undefined;
  /** Boundaries that are stored, by their keys. */
  readonly #stored = new Map<string, StoredShape>();
  #properties: PlaceSummary['properties'] | undefined;
  readonly #counts = { exact: 0, likely: 0, coarser: 0 };
  readonly #levels: Partial<Record<NameLevel, number>> = {};
  readonly #likelyRows: LikelyRow[] = [];

  constructor(ctx: ServiceContext, options: PlaceOptions | undefined) {
    this.#ctx = ctx;
    this.#options = options;
    this.#resolution = options?.resolution ?? 'simple';
  }

  /** Undefined if no row was read. */
  get summary(): PlaceSummary | undefined {
    if (!this.#source || !this.#properties) return undefined;
    const { release, edition } = this.#source;
    return {
      release,
      edition,
      resolution: this.#resolution,
      properties: this.#properties,
      ...this.#counts,
      levels: this.#levels,
      likelyRows: this.#likelyRows,
    };
  }

  /**
   * The features of rows, one after another in their order.
   *
   * @param onInvalid called with the fault of each row that no feature can be made of
   * @throws DomainError `edition_not_found`, `boundaries_not_loaded`, `storage_unavailable`
   */
  async *features(rows: readonly PlaceRow[], onInvalid: (fault: FileFault) => void): AsyncGenerator<NewFeature> {
    this.#source ??= await this.#open();
    const source = this.#source;
    this.#properties ??= namesBeside(rows[0]?.properties ?? {});
    const places = rows.map(({ place }) => place);
    const { data } = await matchRows(source.index, { rows: places, level: this.#options?.level });
    await this.#store(source, data);
    for (const [i, row] of rows.entries()) {
      let feature: NewFeature;
      try {
        feature = this.#featureOf(row, data[i] as MatchedRow, source);
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        onInvalid(new FileFault(error.message, row.at, { cell: row.cell }));
        continue;
      }
      yield feature;
    }
  }

  /** @throws FileFault without a location */
  #featureOf(
    { properties, at, cell, lacks, match: before }: PlaceRow,
    matched: MatchedRow,
    source: Source,
  ): NewFeature {
    const { code, level, name, notes } = matched;
    if (!isDecided(matched) || code === null || level === null) throw new FileFault(undecided(matched));
    const shape = this.#stored.get(this.#keyOf(source, { code, level }));
    if (!shape) throw new FileFault(`${name} has no boundary in ${source.release}`);
    const match = before ?? matched.match;
    const values = { psgc_code: code, psgc_level: level, psgc_name: name, psgc_match: match };
    const names = this.#properties as PlaceSummary['properties'];
    const added = PLACE_PROPERTIES.map((property) => [names[property], values[property]]);
    const feature = featureOfValues(null, { ...properties, ...Object.fromEntries(added) }, { srid: WGS84 });
    const isUnsure = match === 'likely' || match === 'ambiguous';
    this.#counts[isUnsure ? 'likely' : 'exact'] += 1;
    this.#levels[level] = (this.#levels[level] ?? 0) + 1;
    if (lacks !== undefined) this.#counts.coarser += 1;
    if ((isUnsure || lacks !== undefined) && this.#likelyRows.length < MAX_TOLD) {
      const blank = lacks === undefined ? [] : [`${lacks} is blank; the area is that of ${name}.`];
      this.#likelyRows.push({ place: at, ...cell, code, name, notes: [...notes, ...blank] });
    }
    return { ...feature, shape };
  }

  async #open(): Promise<Source> {
    const areas = await servedAreas(this.#ctx, this.#options?.edition);
    const { release, version, value } = await areas.names();
    const { value: sources } = await areas.listSources({});
    const shown = editionId(sources.edition);
    if (sources.boundarySet === 'none') {
      const message = `There are no boundaries of the edition ${shown} in ${release} that places could be shown with.`;
      throw new DomainError('boundaries_not_loaded', message);
    }
    return { areas, index: value.index, release, version, edition: shown };
  }

  #keyOf({ version, edition }: Source, { code, level }: Pick<Area, 'code' | 'level'>): string {
    return `${version}/${edition}/${level}/${this.#resolution}/${code}`;
  }

  /**
   * Stores the boundaries of matched areas that are not stored yet. Areas without one are left out. About
   * `BOUNDARY_BUDGET` of text is in memory.
   */
  async #store(source: Source, rows: readonly MatchedRow[]): Promise<void> {
    const { db } = this.#ctx;
    const wanted = new Map<string, Pick<Area, 'code' | 'level'>>();
    for (const row of rows) {
      const { code, level } = row;
      if (!isDecided(row) || code === null || level === null) continue;
      const key = this.#keyOf(source, { code, level });
      if (!this.#stored.has(key)) wanted.set(key, { code, level });
    }
    if (wanted.size === 0) return;
    for (const shape of await findShapes(db, [...wanted.keys()])) {
      this.#stored.set(shape.key, shape);
      wanted.delete(shape.key);
    }
    let shapes: AreaShape[] = [];
    let bytes = 0;
    const flush = async () => {
      await insertShapes(db, shapes);
      db.deadline.partDone();
      for (const { key, geometry } of shapes) this.#stored.set(key, { key, bytes: geometry.length });
      shapes = [];
      bytes = 0;
    };
    for await (const shape of this.#boundaries(source, [...wanted.values()])) {
      shapes.push(shape);
      bytes += shape.geometry.length;
      if (bytes > BOUNDARY_BUDGET) await flush();
    }
    if (shapes.length > 0) await flush();
  }

  /** The boundaries of areas, as far as they have one. */
  async *#boundaries(source: Source, wanted: readonly Pick<Area, 'code' | 'level'>[]): AsyncGenerator<AreaShape> {
    const resolution = this.#resolution;
    for (const [level, listed] of Map.groupBy(wanted, ({ level }) => listedIn(level))) {
      const codes = listed.map(({ code }) => code);
      const { release, version, value } = await source.areas.findMany(level, codes, { resolution });
      // The key names the load that the boundary is of, for everybody and for good.
      if (version !== source.version) throw storageUnavailable(release, 'Another release was activated meanwhile');
      const read = async (slices: readonly Slice[]) => {
        const texts = await source.areas.boundaries({ release, level, resolution }, slices);
        this.#ctx.db.deadline.partDone();
        return texts;
      };
      for await (const { area, text } of boundariesOf(value.areas, read)) {
        yield { key: this.#keyOf(source, area), geometry: text };
      }
    }
  }
}

/** The names of properties that stand beside those of a table: with `_matched` behind them until they are free. */
function namesBeside(properties: PlaceRow['properties']): PlaceSummary['properties'] {
  const nameOf = (name: string): string => (Object.hasOwn(properties, name) ? nameOf(`${name}_matched`) : name);
  const [code, level, name, match] = PLACE_PROPERTIES;
  return { [code]: nameOf(code), [level]: nameOf(level), [name]: nameOf(name), [match]: nameOf(match) };
}

/** Why a row has no area, and what would decide. */
function undecided({ match, candidates, notes, name }: MatchedRow): string {
  const deciding = decidingNoteIn(notes);
  const of = candidates.slice(0, NAMED_CANDIDATES).map((it) => {
    const [parent] = [...it.ancestors].reverse();
    return `${it.name}${parent ? ` (${parent.name})` : ''}, ${it.code}`;
  });
  const more = candidates.length > of.length ? ' or others' : '';
  if (match === 'none') return 'names no place that is known';
  if (of.length === 0) return `names nothing of the level within ${name}`;
  return `may be ${of.join(' or ')}${more}${deciding === undefined ? '' : `; ${deciding.charAt(0).toLowerCase()}${deciding.slice(1, -1)}`}`;
}
