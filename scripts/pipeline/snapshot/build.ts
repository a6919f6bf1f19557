import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { nameKey } from '../../../src/areas/names.ts';
import {
  AREAS,
  boundariesName,
  COLLECTION_LEVELS,
  type Manifest,
  POINTS,
  ROW_LEVELS,
  type SnapshotName,
  type SnapshotObject,
} from '../../../src/areas/snapshot/layout.ts';
import { type Area, RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import { encodeAreas, readRelease, type SnapshotInput } from './areas.ts';
import { Collections } from './collections.ts';
import { buildPoints } from './points.ts';

/** Characters of boundaries that one statement reads, about. */
const PORTION = 4_000_000;

/**
 * Makes the objects of a release's snapshot as files of a directory, each under the name of the object.
 *
 * @param onProgress called with 0 to 1
 * @returns what is to be published
 */
export async function buildSnapshot(
  client: pg.ClientBase,
  releaseId: string,
  directory: string,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<Manifest> {
  const input = await readRelease(client, releaseId);
  const objects: SnapshotObject[] = [];
  const collections = new Collections(encodeAreas(input, { cells: [], key: nameKey }));
  const total = RESOLUTIONS.reduce((sum, name) => sum + sumOf(input.lengths[name]), 0);
  let done = 0;
  for (const resolution of RESOLUTIONS) {
    for (const level of ROW_LEVELS) {
      const rows = rowsInPlace(input, level, resolution);
      if (rows.length === 0) continue;
      const file = objectFile(directory, boundariesName(level, resolution));
      const texts = new Map<string, string>();
      for await (const { row, geojson } of boundaryTexts(client, input, { level, resolution, rows })) {
        if (isCollected(level)) texts.set(input.areas[row]?.code ?? '', geojson);
        await file.write(Buffer.from(geojson, 'latin1'));
        done += geojson.length;
        onProgress((0.7 * done) / Math.max(total, 1));
      }
      objects.push(await file.end());
      collections.pack(level, resolution, texts);
    }
  }
  const { cells, bytes } = await buildPoints(detailedBoundaries(client, input));
  onProgress(0.95);
  if (bytes.length > 0) objects.push(await writeObject(directory, POINTS, bytes));
  for (const { name, bytes: packed } of await collections.packed()) {
    objects.push(await writeObject(directory, name, packed));
  }
  const areas = encodeAreas(input, { cells, collections: collections.checksums, key: nameKey });
  objects.push(await writeObject(directory, AREAS, gzipSync(areas, { level: 9 })));
  onProgress(1);
  return { version: input.version, release: input.release, objects };
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

async function* detailedBoundaries(client: pg.ClientBase, input: SnapshotInput) {
  for (const level of ['region', 'province', 'municity', 'barangay'] as const) {
    // Points are numbered by row, whose order this is.
    const rows = rowsInPlace(input, level, 'detailed').sort((a, b) => a - b);
    for await (const { row, geojson } of boundaryTexts(client, input, { level, resolution: 'detailed', rows }))
      yield { row, level, geojson };
  }
}

/** The GeoJSON texts of some rows, in their order. */
async function* boundaryTexts(
  client: pg.ClientBase,
  { release, areas, lengths }: SnapshotInput,
  { level, resolution, rows }: { level: Area['level']; resolution: Resolution; rows: readonly number[] },
): AsyncGenerator<{ row: number; geojson: string }> {
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
      yield { row, geojson };
    }
    start = end;
  }
}

/** A file that is written in parts while its hashes are taken. */
function objectFile(directory: string, name: SnapshotName) {
  const stream = createWriteStream(join(directory, name));
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let bytes = 0;
  return {
    async write(chunk: Uint8Array): Promise<void> {
      bytes += chunk.length;
      sha256.update(chunk);
      md5.update(chunk);
      if (!stream.write(chunk)) await once(stream, 'drain');
    },
    async end(): Promise<SnapshotObject> {
      stream.end();
      await finished(stream);
      return { name, bytes, sha256: sha256.digest('hex'), etag: md5.digest('hex') };
    },
  };
}

async function writeObject(directory: string, name: SnapshotName, bytes: Uint8Array): Promise<SnapshotObject> {
  await writeFile(join(directory, name), bytes);
  const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  return { name, bytes: bytes.length, sha256: hash('sha256'), etag: hash('md5') };
}
