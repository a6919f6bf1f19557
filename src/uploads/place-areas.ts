import { servedAreas } from '../areas/served-areas.ts';
import type { Area, AreaStore, Resolution } from '../areas/store.ts';
import { BOUNDARY_BUDGET } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { NewFeature, StoredShape } from '../features/feature.ts';
import { type AreaShape, findShapes, insertShapes } from '../features/repo/shapes.ts';
import { WGS84 } from '../geojson/domains.ts';
import { listedIn } from '../join/service.ts';
import type { NamedColumns } from '../match/columns.ts';
import { type MatchedRow, matchRows } from '../match/service.ts';
import { isDecided } from '../names/result.ts';
import type { NameLevel } from '../names/source.ts';
import { featureOfValues } from './formats/feature-values.ts';
import { FileFault, type PlaceRow } from './formats/format.ts';

/** How many candidates an error names. */
const NAMED_CANDIDATES = 3;

/** How a table of places is read. */
export interface PlaceOptions {
  /** The columns of places by their headings; undefined: those that are recognized. */
  readonly columns: NamedColumns | undefined;
  /** The level of the areas; undefined: that of the finest column that is filled. */
  readonly level: NameLevel | undefined;
  /** The edition whose areas they are; undefined: the one that is served. */
  readonly edition: string | undefined;
  readonly resolution: Resolution | undefined;
}

/** What a feature says of its area beside the columns of its row, by the property that says it. */
export const PLACE_PROPERTIES = {
  code: 'psgc_code',
  level: 'psgc_level',
  name: 'psgc_name',
  match: 'psgc_match',
} as const;

type Said = keyof typeof PLACE_PROPERTIES;

/** What the rows of a table were taken for. */
export interface PlaceSummary {
  readonly release: string;
  readonly resolution: Resolution;
  /** The names of the properties: another one where the table has such a column. */
  readonly properties: Readonly<Record<Said, string>>;
  readonly exact: number;
  readonly likely: number;
}

interface Source {
  readonly areas: AreaStore;
  readonly index: Parameters<typeof matchRows>[0];
  readonly release: string;
  readonly version: string;
}

/** Makes features of the rows of a table of places: each has the boundary of its area by reference. */
export class PlaceAreas {
  readonly #ctx: ServiceContext;
  readonly #options: PlaceOptions | undefined;
  readonly #resolution: Resolution;
  #opened: Promise<Source> | undefined;
  /** Boundaries that are stored, by their keys. */
  readonly #stored = new Map<string, StoredShape>();
  #summary: PlaceSummary | undefined;

  constructor(ctx: ServiceContext, options: PlaceOptions | undefined) {
    this.#ctx = ctx;
    this.#options = options;
    this.#resolution = options?.resolution ?? 'simple';
  }

  /** Undefined if no row was read. */
  get summary(): PlaceSummary | undefined {
    return this.#summary;
  }

  /**
   * The features of rows, in their order.
   *
   * @param onInvalid is given the fault of each row that no feature can be made of
   * @throws DomainError `edition_not_found`, `boundaries_not_loaded`
   */
  async featuresOf(rows: readonly PlaceRow[], onInvalid: (fault: FileFault) => void): Promise<NewFeature[]> {
    this.#opened ??= this.#open();
    const source = await this.#opened;
    const places = rows.map(({ place }) => place);
    const { data, meta } = await matchRows(source.index, { rows: places, level: this.#options?.level });
    this.#summary = {
      release: source.release,
      resolution: this.#resolution,
      properties: this.#summary?.properties ?? namesBeside(rows[0]?.properties ?? {}),
      exact: (this.#summary?.exact ?? 0) + meta.exact,
      likely: (this.#summary?.likely ?? 0) + meta.likely,
    };
    const { properties: names } = this.#summary;
    await this.#store(source, data);
    return rows.flatMap((row, i) => {
      const matched = data[i] as MatchedRow;
      try {
        return [this.#featureOf(row, matched, { source, names })];
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        onInvalid(new FileFault(error.message, `line ${row.line}`, undefined, row.cell));
        return [];
      }
    });
  }

  /** @throws FileFault without a place */
  #featureOf(
    { properties }: PlaceRow,
    matched: MatchedRow,
    { source, names }: { source: Source; names: PlaceSummary['properties'] },
  ): NewFeature {
    const { code, level, name, match } = matched;
    if (!isDecided(matched) || code === null || level === null) throw new FileFault(undecided(matched));
    const shape = this.#stored.get(this.#keyOf(source, { code, level }));
    if (!shape) throw new FileFault(`${name} has no boundary in ${source.release}`);
    const said: Record<Said, string | null> = { code, level, name, match };
    const added = Object.entries(names).map(([it, property]) => [property, said[it as Said]]);
    const feature = featureOfValues(null, { ...properties, ...Object.fromEntries(added) }, { srid: WGS84 });
    return { ...feature, shape };
  }

  async #open(): Promise<Source> {
    const areas = await servedAreas(this.#ctx, this.#options?.edition);
    const { release, version, value } = await areas.names();
    const { value: sources } = await areas.listSources({});
    if (sources.boundarySet === 'none') {
      throw new DomainError(
        'boundaries_not_loaded',
        `There are no boundaries of ${release} that places could be shown with.`,
      );
    }
    return { areas, index: value.index, release, version };
  }

  #keyOf({ version }: Source, { code, level }: Pick<Area, 'code' | 'level'>): string {
    return `${version}/${level}/${this.#resolution}/${code}`;
  }

  /**
   * Stores the boundaries of matched areas that are not stored yet. Areas without one are left out. At most
   * `BOUNDARY_BUDGET` of text and one boundary more are in memory.
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
      const { release, value } = await source.areas.findMany(level, codes, { resolution });
      for (const area of value.areas) {
        const { code, boundaryBytes: length } = area;
        if (area.boundary === null && length === 0) continue;
        const set = { release, level, resolution };
        const geometry = area.boundary ?? (await source.areas.boundaries(set, [{ code, start: 0, length }]))[0];
        if (geometry === undefined) throw new Error(`The boundary of ${code} is gone`);
        yield { key: this.#keyOf(source, area), geometry };
      }
    }
  }
}

/** The names of properties that stand beside those of a table. */
function namesBeside(properties: PlaceRow['properties']): PlaceSummary['properties'] {
  const nameOf = (name: string) => (Object.hasOwn(properties, name) ? `${name}_matched` : name);
  const { code, level, name, match } = PLACE_PROPERTIES;
  return { code: nameOf(code), level: nameOf(level), name: nameOf(name), match: nameOf(match) };
}

/** Why a row has no area, and what would decide. */
function undecided({ match, candidates, notes, name }: MatchedRow): string {
  const needs = notes.filter((note) => note.endsWith('would decide.')).map((note) => ` ${note.slice(0, -1)}`);
  const of = candidates.slice(0, NAMED_CANDIDATES).map((it) => {
    const [parent] = [...it.ancestors].reverse();
    return `${it.name}${parent ? ` (${parent.name})` : ''}, ${it.code}`;
  });
  const more = candidates.length > of.length ? ' or others' : '';
  if (match === 'none') return 'names no place that is known';
  if (of.length === 0) return `names nothing of the level within ${name}`;
  return `may be ${of.join(' or ')}${more}${needs.length > 0 ? ';' : ''}${needs.join('')}`;
}
