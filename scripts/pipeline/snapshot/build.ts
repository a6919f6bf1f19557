import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { nameKey } from '../../../src/areas/names.ts';
import {
  AREAS,
  boundariesName,
  HISTORY,
  hasCollection,
  POINTS,
  ROW_LEVELS,
  type SnapshotObject,
} from '../../../src/areas/snapshot/layout.ts';
import { type Area, RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import { readBorders } from '../boundaries/packed/repository-files.ts';
import { objectFile, writeObject } from '../object-files.ts';
import { inThread } from '../thread.ts';
import { encodeAreas, readRelease, type SnapshotInput } from './areas.ts';
import { Collections } from './collections.ts';
import { historyOf } from './history.ts';
import { buildPoints, type Points, pointRingsOf } from './points.ts';

export interface EditionObjects {
  readonly objects: readonly SnapshotObject[];
  /** Share of the editions that are made, 0 to 1. */
  readonly fraction: number;
}

type BuildEditions = (directory: string, options: { isDrawn: boolean }) => AsyncIterable<EditionObjects>;

/** Characters of boundaries that one statement reads, about. */
const PORTION = 4_000_000;

interface AreaSelection {
  readonly level: Area['level'];
  readonly resolution: Resolution;
  readonly rows: readonly number[];
}

export interface SnapshotSource {
  readonly input: SnapshotInput;
  /** The GeoJSON texts of rows that have a boundary, in their order. They are ASCII. */
  texts(wanted: AreaSelection): AsyncIterable<{ row: number; text: Uint8Array }>;
  points(): Promise<Points>;
  /** Whether the borders in the repository draw it. Else the areas of the editions that it includes have no boundaries. */
  readonly isDrawn: boolean;
}

/** The parts of a snapshot, in the order in which they are published. Each returns objects whose files are written. */
export interface SnapshotParts extends Pick<SnapshotInput, 'release' | 'version'> {
  /** The first objects for geography: areas, points, and boundaries of regions and provinces except detailed ones. */
  first(): Promise<SnapshotObject[]>;
  /**
   * The other boundaries.
   *
   * @param onProgress called with 0 to 1
   */
  boundaries(onProgress?: (fraction: number) => void): Promise<SnapshotObject[]>;
  history(): Promise<SnapshotObject[]>;
  /** The other editions. They are made from the files of `first`, and the work starts at once. */
  editions(): AsyncIterable<EditionObjects>;
  /** Precompressed collections of whole levels, which take some ten seconds for the country. */
  collections(): Promise<SnapshotObject[]>;
}

/** Makes the objects of a release's snapshot as files of a directory, each under the name of the object. */
export function snapshotParts({ input, texts, points, isDrawn }: SnapshotSource, directory: string): SnapshotParts {
  // Records have neither of what is left out here, and it takes a third of the time.
  const collections = new Collections(encodeAreas({ ...input, names: [], neighbors: [] }, { cells: [], key: nameKey }));
  const layers = RESOLUTIONS.flatMap((resolution) =>
    ROW_LEVELS.map((level) => ({ level, resolution, rows: rowsInPlace(input, level, resolution) })),
  ).filter(({ rows }) => rows.length > 0);
  const isFirst = ({ level, resolution }: AreaSelection) => hasCollection(level) && resolution !== 'detailed';
  /** Writes the boundaries of some levels and resolutions. */
  const write = async (wanted: readonly AreaSelection[], onProgress: (fraction: number) => void = () => undefined) => {
    const sizes = wanted.map(({ resolution, rows }) =>
      sumOf(rows.map((row) => input.lengths[resolution][row] as number)),
    );
    const total = Math.max(sumOf(sizes), 1);
    let done = 0;
    const objects: SnapshotObject[] = [];
    for (const layer of wanted) {
      const file = objectFile(directory, boundariesName(layer.level, layer.resolution));
      const collected = new Map<string, Uint8Array>();
      for await (const { row, text } of texts(layer)) {
        if (hasCollection(layer.level)) collected.set(input.areas[row]?.code ?? '', text);
        await file.write(text);
        done += text.length;
        onProgress(done / total);
      }
      objects.push(await file.end());
      collections.add(layer.level, layer.resolution, collected);
    }
    return objects;
  };
  return {
    release: input.release,
    version: input.version,
    first: async () => {
      const boundaries = await write(layers.filter(isFirst));
      const { cells, bytes } = await points();
      const areas = encodeAreas(input, { cells, collections: collections.checksums, key: nameKey });
      return [
        ...boundaries,
        ...(bytes.length > 0 ? [await writeObject(directory, POINTS, bytes)] : []),
        // Level 9 takes twice as long as 6 and makes a hundredth less.
        await writeObject(directory, AREAS, await promisify(gzip)(areas, { level: 6 })),
      ];
    },
    boundaries: (onProgress) =>
      write(
        layers.filter((layer) => !isFirst(layer)),
        onProgress,
      ),
    history: async () => [await writeObject(directory, HISTORY, await historyOf(input, isDrawn ? 'full' : 'none'))],
    editions: () => {
      const module = new URL('./editions.ts', import.meta.url);
      return inThread<BuildEditions>(module, 'buildEditions', directory, { isDrawn });
    },
    collections: async () => {
      const objects: SnapshotObject[] = [];
      for (const { name, bytes } of await collections.precompressed())
        objects.push(await writeObject(directory, name, bytes));
      return objects;
    },
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The rows of a level that have a boundary at a resolution, in the order in which boundaries are stored. */
function rowsInPlace(
  { areas, lengths, places }: SnapshotInput,
  level: Area['level'],
  resolution: Resolution,
): number[] {
  return [...places].filter((row) => areas[row]?.level === level && (lengths[resolution][row] as number) > 0);
}

export async function databaseSource(client: pg.ClientBase, releaseId: string): Promise<SnapshotSource> {
  const input = await readRelease(client, releaseId);
  const { rows } = await client.query<{ borders: string | null }>(
    `select report ->> 'borders' as borders from data_releases where id = $1`,
    [releaseId],
  );
  const { sha256 } = await readBorders();
  return {
    input,
    isDrawn: rows[0]?.borders === sha256,
    texts: (wanted) => boundaryTexts(client, input, wanted),
    points: () => buildPoints(detailedBoundaries(client, input)),
  };
}

async function* detailedBoundaries(client: pg.ClientBase, input: SnapshotInput) {
  for (const level of ['region', 'province', 'municity', 'barangay'] as const) {
    // Points are numbered by row, whose order this is.
    const rows = rowsInPlace(input, level, 'detailed').sort((a, b) => a - b);
    for await (const { row, text } of boundaryTexts(client, input, { level, resolution: 'detailed', rows }))
      yield { row, level, rings: pointRingsOf(text.toString('latin1'), row) };
  }
}

/** The GeoJSON texts of some rows, in their order. */
async function* boundaryTexts(
  client: pg.ClientBase,
  { release, areas, lengths }: SnapshotInput,
  { level, resolution, rows }: AreaSelection,
): AsyncGenerator<{ row: number; text: Buffer }> {
  for (let start = 0; start < rows.length; ) {
    let end = start;
    for (let bytes = 0; end < rows.length && (end === start || bytes < PORTION); end += 1) {
      bytes += lengths[resolution][rows[end] as number] as number;
    }
    const portion = rows.slice(start, end);
    const found = await client.query<{ code: string; geojson: string }>(
      `select code, geojson from boundaries
       where release_id = $1 and level = $2 and resolution = $3 and code = any ($4::text[])`,
      [release, level, resolution, portion.map((row) => areas[row]?.code)],
    );
    const texts = new Map(found.rows.map(({ code, geojson }) => [code, geojson]));
    for (const row of portion) {
      const geojson = texts.get(areas[row]?.code ?? '');
      if (geojson === undefined || geojson.length !== lengths[resolution][row])
        throw new Error(`The boundary of ${areas[row]?.code} has changed.`);
      yield { row, text: Buffer.from(geojson, 'latin1') };
    }
    start = end;
  }
}
