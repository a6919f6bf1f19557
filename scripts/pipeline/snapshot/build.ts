import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { nameKey } from '../../../src/areas/names.ts';
import {
  AREAS,
  boundariesName,
  COLLECTION_LEVELS,
  HISTORY,
  type Manifest,
  POINTS,
  ROW_LEVELS,
  type SnapshotObject,
} from '../../../src/areas/snapshot/layout.ts';
import { type Area, RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import { readBorders } from '../boundaries/packed/file.ts';
import { encodeAreas, readRelease, type SnapshotInput } from './areas.ts';
import { Collections } from './collections.ts';
import { historyOf } from './history.ts';
import { objectFile, writeObject } from './object-files.ts';
import { buildPoints, type Points, pointRingsOf } from './points.ts';

/** Characters of boundaries that one statement reads, about. */
const PORTION = 4_000_000;

/** Which boundaries are asked for. */
interface Wanted {
  readonly level: Area['level'];
  readonly resolution: Resolution;
  readonly rows: readonly number[];
}

/** What a snapshot is made of. */
export interface SnapshotSource {
  readonly input: SnapshotInput;
  /** The GeoJSON texts of rows that have a boundary, in their order. They are ASCII. */
  texts(wanted: Wanted): AsyncIterable<{ row: number; text: Uint8Array }>;
  points(): Promise<Points>;
  /** Whether the borders in the repository draw it. Else the areas of editions that it carries have no boundaries. */
  readonly isDrawn: boolean;
}

interface Options {
  /** Called with 0 to 1. */
  onProgress?: (fraction: number) => void;
}

/**
 * Makes the objects of a release's snapshot as files of a directory, each under the name of the object.
 *
 * @returns what is to be published, and `complete`, which adds what takes longer and gives all of it: the history of the list, and packed collections of whole levels
 */
export async function buildSnapshot(
  { input, texts, points, isDrawn }: SnapshotSource,
  directory: string,
  { onProgress = () => undefined }: Options = {},
): Promise<{ manifest: Manifest; complete: () => Promise<Manifest> }> {
  const objects: SnapshotObject[] = [];
  const collections = new Collections(encodeAreas(input, { cells: [], key: nameKey }));
  const total = RESOLUTIONS.reduce((sum, name) => sum + sumOf(input.lengths[name]), 0);
  let done = 0;
  for (const resolution of RESOLUTIONS) {
    for (const level of ROW_LEVELS) {
      const rows = rowsInPlace(input, level, resolution);
      if (rows.length === 0) continue;
      const file = objectFile(directory, boundariesName(level, resolution));
      const collected = new Map<string, Uint8Array>();
      for await (const { row, text } of texts({ level, resolution, rows })) {
        if (isCollected(level)) collected.set(input.areas[row]?.code ?? '', text);
        await file.write(text);
        done += text.length;
        onProgress((0.7 * done) / Math.max(total, 1));
      }
      objects.push(await file.end());
      collections.add(level, resolution, collected);
    }
  }
  const { cells, bytes } = await points();
  onProgress(0.9);
  if (bytes.length > 0) objects.push(await writeObject(directory, POINTS, bytes));
  const areas = encodeAreas(input, { cells, collections: collections.checksums, key: nameKey });
  // Level 9 takes twice as long as 6 and makes a hundredth less.
  objects.push(await writeObject(directory, AREAS, await promisify(gzip)(areas, { level: 6 })));
  onProgress(1);
  const manifest = { version: input.version, release: input.release, objects };
  return {
    manifest,
    complete: async () => {
      const packed = [await writeObject(directory, HISTORY, await historyOf(input, isDrawn ? 'full' : 'none'))];
      for (const { name, bytes: collection } of await collections.packed()) {
        packed.push(await writeObject(directory, name, collection));
      }
      return { ...manifest, objects: [...objects, ...packed] };
    },
  };
}

/** Whether all areas of a level together are an answer. */
function isCollected(level: Area['level']): boolean {
  return (COLLECTION_LEVELS as readonly string[]).includes(level);
}

function sumOf(values: Uint32Array): number {
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

/** A release as the database has it. */
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
  { level, resolution, rows }: Wanted,
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
