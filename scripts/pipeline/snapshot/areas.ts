import type pg from 'pg';
import type { AreaRow } from '../../../src/areas/postgis/rows.ts';
import { encodeColumns, type NumberColumn, type TextColumn } from '../../../src/areas/snapshot/columns.ts';
import { NO_ROW, ROW_LEVELS, type SnapshotFacts } from '../../../src/areas/snapshot/layout.ts';
import { NO_DEGREES, PER_DEGREE, PER_DENSITY, PER_KM2, UNKNOWN_KM2 } from '../../../src/areas/snapshot/opened.ts';
import { type Area, RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import type { DataSource } from '../../../src/db/columns.ts';
import { RELEASE_VERSION_TEXT } from '../../../src/db/releases.ts';
import type { FormerName } from '../psgc/area.ts';

/** An area as the snapshot needs it, named as the columns of the database. */
export interface SnapshotArea extends Omit<AreaRow, 'boundary' | 'boundary_bytes'> {
  population_history: { year: number; population: number }[] | null;
  notes: string[] | null;
  correspondence: string | null;
}

/** Where a cell of points lies in the object of all of them. Cells follow one another without a gap, by number. */
interface PointCell {
  readonly cell: number;
  readonly offset: number;
  readonly length: number;
}

/** Everything of a release but its geometry. Areas are sorted by level and code: their places here are their rows. */
export interface SnapshotInput {
  release: string;
  version: string;
  edition: string;
  /** `2023-12-31`; null where the list doesn't say. */
  publishedOn: string | null;
  boundarySet: SnapshotFacts['boundarySet'];
  sources: DataSource[];
  areas: readonly SnapshotArea[];
  /** Bytes of the boundaries by resolution and row. */
  lengths: Readonly<Record<Resolution, Uint32Array>>;
  /** The rows of each level in the order in which its boundaries are stored. */
  places: Uint16Array;
  names: readonly { level: string; code: string; key: string; former: boolean }[];
  formerNames: readonly FormerName[];
  aliases: readonly { level: string; alias: string; code: string; change: string }[];
  neighbors: readonly { level: string; code: string; neighbor: string }[];
}

/** @throws Error if the release is not loaded */
export async function readVersion(client: pg.ClientBase, releaseId: string): Promise<string> {
  const query = `select ${RELEASE_VERSION_TEXT} as version from data_releases r where r.id = $1`;
  const { rows } = await client.query<{ version: string }>(query, [releaseId]);
  if (!rows[0]) throw new Error(`There is no release ${releaseId}.`);
  return rows[0].version;
}

/** Reads a release, all but its geometry, from the database that it is loaded in. */
export async function readRelease(client: pg.ClientBase, releaseId: string): Promise<SnapshotInput> {
  const rowsOf = async <Row extends pg.QueryResultRow>(query: string) =>
    (await client.query<Row>(query, [releaseId])).rows;
  const [release] = await rowsOf<{
    version: string;
    edition: string;
    published_on: string | null;
    boundary_set: SnapshotFacts['boundarySet'];
    sources: DataSource[];
  }>(
    `select ${RELEASE_VERSION_TEXT} as version, r.edition, r.published_on::text, r.boundary_set, r.sources
     from data_releases r where r.id = $1`,
  );
  if (!release) throw new Error(`There is no release ${releaseId}.`);
  const areas = await rowsOf<SnapshotArea>(
    `select id, level, code, name, type, city_class, r_code, p_code, host_province_code, m_code, sm_code, urban_rural,
       population, population_year, population_history, income_class, area_km2, density_km2, notes, correspondence, lon, lat, bbox, province_count, municity_count, hosted_municity_count, barangay_count
     from areas where release_id = $1 order by level, code`,
  );
  const bytes = await rowsOf<{ level: string; resolution: Resolution; code: string; bytes: number }>(
    'select level, resolution, code, bytes from boundaries where release_id = $1',
  );
  const rowOf = new Map(areas.map(({ level, code }, row) => [`${level} ${code}`, row]));
  const lengths = Object.fromEntries(RESOLUTIONS.map((name) => [name, new Uint32Array(areas.length)])) as Record<
    Resolution,
    Uint32Array
  >;
  for (const boundary of bytes) {
    const row = rowOf.get(`${boundary.level} ${boundary.code}`);
    if (row === undefined) throw new Error(`The boundary of ${boundary.code} belongs to no area.`);
    lengths[boundary.resolution][row] = boundary.bytes;
  }
  return {
    release: releaseId,
    version: release.version,
    edition: release.edition,
    publishedOn: release.published_on,
    boundarySet: release.boundary_set,
    sources: release.sources,
    areas,
    lengths,
    places: placesOf(areas),
    names: await rowsOf(
      'select level, code, key, former from area_names where release_id = $1 order by level, code, key',
    ),
    formerNames: await rowsOf(
      'select code, name, until, since from former_names where release_id = $1 order by code, name',
    ),
    aliases: await rowsOf(
      'select level, alias, code, change from code_aliases where release_id = $1 order by level, alias, code',
    ),
    neighbors: await rowsOf(
      'select level, code, neighbor from area_neighbors where release_id = $1 order by level, code, neighbor',
    ),
  };
}

/** The children of a parent are stored side by side: in the order of region, province or host, city and code. */
export function placesOf(areas: readonly SnapshotArea[]): Uint16Array {
  const keys = areas.map(
    ({ r_code, p_code, host_province_code, m_code, code }) =>
      `${r_code ?? ''} ${p_code ?? host_province_code ?? ''} ${m_code ?? ''} ${code}`,
  );
  const levels = areas.map(({ level }) => ROW_LEVELS.indexOf(level));
  return Uint16Array.from(
    areas
      .map((_, row) => row)
      .sort((a, b) => {
        const byLevel = (levels[a] as number) - (levels[b] as number);
        return byLevel || ((keys[a] as string) < (keys[b] as string) ? -1 : 1);
      }),
  );
}

/** Further content of the object `areas`: cells of points, and checksums of precompressed collections. */
interface FurtherContent {
  cells: readonly PointCell[];
  /** Only for the other editions of a release: per row the row of the release's area with the same land; `NO_ROW` if none. */
  drawnBy?: Uint16Array;
  /** Only for versions of areas: the editions, and the indexes of the first and the last of each row. */
  validity?: {
    readonly editions: NonNullable<SnapshotFacts['editions']>;
    readonly firsts: ArrayLike<number>;
    readonly lasts: ArrayLike<number>;
  };
  collections?: SnapshotFacts['collections'];
  /** The form in which names are compared. */
  key: (name: string) => string;
}

/** Encodes the object `areas` of a snapshot, uncompressed. */
export function encodeAreas(
  input: SnapshotInput,
  { cells, collections, drawnBy, validity, key }: FurtherContent,
): Uint8Array {
  const { areas, lengths, places } = input;
  if (areas.length >= NO_ROW) throw new Error(`A snapshot has room for ${NO_ROW - 1} areas, not ${areas.length}.`);
  const rowOf = new Map(areas.map(({ level, code }, row) => [`${level} ${code}`, row]));
  const parent = (name: string, level: Area['level'], codeOf: (area: SnapshotArea) => string | null) =>
    ofAreas(name, 2, (area) => {
      const code = codeOf(area);
      if (code === null) return NO_ROW;
      const row = rowOf.get(`${level} ${code}`);
      if (row === undefined) throw new Error(`${area.code} has the parent ${code}, which is no ${level}.`);
      return row;
    });
  const censusYears = [
    ...new Set(areas.flatMap((area) => (area.population_history ?? []).map(({ year }) => year))),
  ].sort((a, b) => a - b);
  const words: (string | null)[] = [null];
  const word = (value: string | null) => {
    if (!words.includes(value)) words.push(value);
    return words.indexOf(value);
  };
  const numbers = (name: string, values: ArrayLike<number>, width: 1 | 2 | 4): NumberColumn => ({
    name,
    values,
    width,
  });
  const deltas = (name: string, values: ArrayLike<number>, width: 2 | 4 = 4): NumberColumn => ({
    ...numbers(name, values, width),
    delta: true,
  });
  /** A column with a value for each area. */
  const ofAreas = (name: string, width: 1 | 2 | 4, of: (area: SnapshotArea) => number) =>
    numbers(name, areas.map(of), width);
  const degrees = (name: string, value: (area: SnapshotArea) => number | null | undefined) => {
    const integers = areas.map((area) => microdegrees(value(area), area.code));
    return deltas(name, integers);
  };
  const codes = areas.map(({ code }) => tenDigits(code));
  const ids = areas.map(({ id }) => id);
  const cellNumbers = cells.map(({ cell }) => cell);
  const cellLengths = cells.map(({ length }) => length);
  const columns: (NumberColumn | TextColumn)[] = [
    deltas('code', codes),
    deltas('id', ids),
    parent('region', 'region', (area) => area.r_code),
    parent('province', 'province', (area) => area.p_code),
    parent('host', 'province', (area) => area.host_province_code),
    parent('municity', 'municity', (area) => area.m_code),
    parent('submunicipality', 'submunicipality', (area) => area.sm_code),
    ofAreas('population', 4, ({ population }) => population ?? -1),
    ...(['type', 'city_class', 'urban_rural', 'income_class'] as const).map((name) =>
      ofAreas(name, 1, (area) => word(area[name])),
    ),
    ofAreas('population_year', 2, ({ population_year }) => population_year ?? 0),
    ...censusYears.map((year) =>
      ofAreas(
        `population_${year}`,
        4,
        (area) => area.population_history?.find((it) => it.year === year)?.population ?? -1,
      ),
    ),
    ofAreas('area', 4, ({ area_km2: size }) => (size === null ? UNKNOWN_KM2 : Math.round(size * PER_KM2))),
    ofAreas('density', 4, ({ density_km2: density }) => (density === null ? -1 : Math.round(density * PER_DENSITY))),
    degrees('lon', ({ lon }) => lon),
    degrees('lat', ({ lat }) => lat),
    ...['west', 'south', 'east', 'north'].map((name, side) => degrees(name, ({ bbox }) => bbox?.[side])),
    ...(['province_count', 'municity_count', 'hosted_municity_count', 'barangay_count'] as const).map((name) =>
      ofAreas(name, 2, (area) => area[name]),
    ),
    ...RESOLUTIONS.map((resolution) => numbers(`bytes_${resolution}`, lengths[resolution], 4)),
    deltas('place', places, 2),
    ...(drawnBy ? [numbers('drawn_by', drawnBy, 2)] : []),
    ...(validity ? [numbers('first', validity.firsts, 1), numbers('last', validity.lasts, 1)] : []),
    deltas('cell', cellNumbers),
    numbers('cell_bytes', cellLengths, 4),
    { name: 'name', text: lines(areas.map(({ name }) => name)) },
    { name: 'former_name', text: lines(formerNameLines(input, ({ name }) => name)) },
    {
      name: 'former_edition',
      text: lines(formerNameLines(input, ({ until, since }) => `${until ?? ''} ${since ?? ''}`)),
    },
    {
      name: 'note',
      text: lines(areas.flatMap(({ notes }, row) => (notes ?? []).map((note) => `${row} ${note}`))),
    },
    {
      name: 'former_code',
      text: lines(
        input.aliases.map(({ level, alias, code, change }) => {
          const row = code === '' ? -1 : rowOf.get(`${level} ${code}`);
          if (row === undefined) throw new Error(`The former code ${alias} leads to ${code}, which is no ${level}.`);
          return `${level} ${alias} ${row} ${change}`;
        }),
      ),
    },
    ...nameColumns(input, key),
    ...neighborColumns(input),
  ];
  const facts: SnapshotFacts = {
    release: input.release,
    version: input.version,
    edition: input.edition,
    publishedOn: input.publishedOn,
    boundarySet: input.boundarySet,
    sources: input.sources,
    rows: ROW_LEVELS.map((level) => areas.filter((area) => area.level === level).length),
    words,
    censusYears,
    ...(collections ? { collections } : {}),
    ...(validity ? { editions: validity.editions } : {}),
  };
  return encodeColumns(facts, columns);
}

function tenDigits(code: string): number {
  if (!/^\d{10}$/.test(code) || Number(code) >= 2 ** 32) throw new Error(`${code} is no code of ten digits.`);
  return Number(code);
}

/** Degrees as an integer of millionths, from which the same number is made again; the least integer for none. */
function microdegrees(value: number | null | undefined, code: string): number {
  if (value === null || value === undefined) return NO_DEGREES;
  const integer = Math.round(value * PER_DEGREE);
  if (integer / PER_DEGREE !== value)
    throw new Error(`${code} has a coordinate with more than six decimals: ${value}.`);
  return integer;
}

function lines(texts: readonly string[]): string {
  for (const text of texts) if (text.includes('\n')) throw new Error(`A name has a line end: ${JSON.stringify(text)}.`);
  return texts.join('\n');
}

/** A line per former name: the row of its area, and its description. */
function formerNameLines({ areas, formerNames }: SnapshotInput, describe: (it: FormerName) => string): string[] {
  const rows = new Map(areas.map(({ code }, row) => [code, row]));
  return formerNames.map((it) => {
    const row = rows.get(it.code);
    if (row === undefined) throw new Error(`The former name ${it.name} is of ${it.code}, which is no area.`);
    return `${row} ${describe(it)}`;
  });
}

/** The keys of each level's rows, that of the whole present name first. */
function nameColumns({ areas, names }: SnapshotInput, key: (name: string) => string): (NumberColumn | TextColumn)[] {
  const keysOf = Map.groupBy(names, ({ level, code }) => `${level} ${code}`);
  return ROW_LEVELS.flatMap((level) => {
    const rows = areas.filter((area) => area.level === level);
    const perRow = rows.map(({ code, name }) => {
      const whole = key(name);
      const keys = keysOf.get(`${level} ${code}`) ?? [];
      const others = keys.filter((it) => it.key !== whole);
      const first = keys.find((it) => it.key === whole);
      return first ? [first, ...others] : [{ key: whole, former: false }, ...others];
    });
    const all = perRow.flat();
    return [
      { name: `key_${level}`, text: lines(all.map((it) => it.key)) },
      { name: `key_count_${level}`, values: perRow.map((keys) => keys.length), width: 1 as const },
      { name: `key_former_${level}`, values: all.map(({ former }) => Number(former)), width: 1 as const },
    ];
  });
}

function neighborColumns({ areas, neighbors }: SnapshotInput): NumberColumn[] {
  const groups = Map.groupBy(neighbors, ({ code }) => code);
  const rowOf = new Map(areas.map(({ code }, row) => [code, row]));
  const counts: number[] = [];
  const rows: number[] = [];
  for (const { level, code } of areas) {
    const found = groups.get(code) ?? [];
    for (const { neighbor } of found) {
      const row = rowOf.get(neighbor);
      if (row === undefined || areas[row]?.level !== level) throw new Error(`A neighbour of ${code} is no ${level}.`);
      rows.push(row);
    }
    counts.push(found.length);
  }
  return [
    { name: 'neighbor_count', values: counts, width: 2 },
    { name: 'neighbor', values: rows, width: 2, delta: true },
  ];
}
