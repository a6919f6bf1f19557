import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { editionId } from '../../../src/areas/edition-id.ts';
import {
  DOWNLOADS_BY_NAME,
  downloadName,
  FILE_LEVELS,
  type FileLevel,
  type LayerFormat,
} from '../../../src/areas/snapshot/download-names.ts';
import type { Downloads, SnapshotName, SnapshotObject, Terms } from '../../../src/areas/snapshot/layout.ts';
import type { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import type { DataSource } from '../../../src/db/columns.ts';
import { type Box, boxOf, multiPolygonOf, type Shape } from '../../../src/layer-files/shapes.ts';
import { columnsOf, valuesOf } from './columns.ts';
import { flatGeobufWriter } from './flatgeobuf.ts';
import { featureText, geoJsonWriter } from './geojson.ts';
import { geoParquetWriter } from './geoparquet.ts';
import { hilbertOrder } from './hilbert.ts';
import { writeOverview } from './overview.ts';
import { areasOf, BoundaryTexts, type Bounded, boundedAreas, openRelease } from './release-files.ts';
import { writeTables } from './tables.ts';
import { writeTopology } from './topojson.ts';

/** Layers that are written at the same time: one is compressed in threads of the system while another one is read. */
const LAYERS_AT_ONCE = 2;

interface DownloadOptions {
  /** Called with 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Called with the objects whose files are complete. */
  onObjects: (objects: readonly SnapshotObject[]) => void;
}

/**
 * Makes the download files of a release from its snapshot in a directory, in the same directory, each under the name of
 * its object. At most some thousand boundaries are in memory, except for TopoJSON.
 *
 * @param now when they are made
 */
export async function buildDownloads(
  directory: string,
  now: Date,
  { onProgress = () => undefined, onObjects }: DownloadOptions,
): Promise<Downloads> {
  const opened = await openRelease(directory);
  const pathOf = (name: SnapshotName) => join(directory, name);
  const rows: Record<string, number> = {};
  const add = async (names: readonly SnapshotName[]) =>
    onObjects(await Promise.all(names.map((name) => objectOf(pathOf(name), name))));
  const note = async (names: readonly SnapshotName[], count: number) => {
    for (const name of names) rows[name] = count;
    await add(names);
  };
  await add(await writeOverview(directory, opened));
  const levels = Object.keys(FILE_LEVELS) as FileLevel[];
  const layers = levels.flatMap((level) =>
    RESOLUTIONS.map((resolution) => ({ level, resolution, bounded: boundedAreas(opened, level, resolution) })).filter(
      ({ bounded }) => bounded.length > 0,
    ),
  );
  // The largest come first, so that none of them is left alone at the end.
  layers.sort((a, b) => bytesOf(b.bounded) - bytesOf(a.bounded));
  const total = layers.reduce((sum, { bounded }) => sum + bytesOf(bounded), 1);
  let done = 1;
  for (const level of levels) {
    const areas = areasOf(opened, level);
    await note(await writeTables(level, areas, pathOf), areas.length);
  }
  onProgress(done / total);
  const left = layers.values();
  const writeLayers = async () => {
    for (const layer of left) {
      await note(await writeLayer(directory, layer, pathOf), layer.bounded.length);
      done += bytesOf(layer.bounded);
      onProgress(done / total);
    }
  };
  await Promise.all(Array.from({ length: LAYERS_AT_ONCE }, writeLayers));
  return factsOf(opened, rows, now);
}

function bytesOf(bounded: readonly Bounded[]): number {
  return bounded.reduce((sum, { length }) => sum + length, 0);
}

function factsOf({ facts }: OpenedAreas, rows: Downloads['rows'], now: Date): Downloads {
  const termsOf = (part: DataSource['part']): Terms | null => {
    const sources = facts.sources.filter((source) => source.part === part);
    if (sources.length === 0) return null;
    const joined = (member: 'licence' | 'attribution') => [...new Set(sources.map((it) => it[member]))].join('; ');
    return { licence: joined('licence'), attribution: joined('attribution') };
  };
  return {
    edition: editionId(facts.edition),
    created_at: now.toISOString(),
    codes: termsOf('codes') ?? { licence: '', attribution: '' },
    boundaries: termsOf('boundaries'),
    rows,
  };
}

/** Writes the files of a level with its boundaries at a resolution. Returns the names of their objects. */
async function writeLayer(
  directory: string,
  { level, resolution, bounded }: { level: FileLevel; resolution: Resolution; bounded: readonly Bounded[] },
  pathOf: (name: SnapshotName) => string,
): Promise<SnapshotName[]> {
  const columns = columnsOf(level, 'layer');
  const name = (format: LayerFormat) => downloadName({ level, resolution, format });
  const formats = (['geojson.gz', 'fgb', 'parquet', 'topojson'] as const).filter((it) =>
    DOWNLOADS_BY_NAME.has(name(it)),
  );
  const texts = await BoundaryTexts.open(directory, level, resolution);
  try {
    const boxes: Box[] = [];
    const features: string[] = [];
    const geojson = geoJsonWriter(pathOf(name('geojson.gz')));
    for (const it of bounded) {
      const text = await texts.read(it);
      const box = boxOf(shapeOf(text)) as Box;
      boxes.push(box);
      const values = valuesOf(level, it.area, columns);
      const feature = featureText({ code: it.area.code, values, columns }, box, text);
      if (formats.includes('topojson')) features.push(feature);
      await geojson.add(feature);
    }
    await geojson.end();
    if (formats.includes('topojson')) await writeTopology(pathOf(name('topojson')), FILE_LEVELS[level], features);

    const fgb = flatGeobufWriter(pathOf(name('fgb')), { name: FILE_LEVELS[level], columns });
    const parquet = geoParquetWriter(pathOf(name('parquet')), { columns });
    for (const i of hilbertOrder(boxes)) {
      const it = bounded[i] as Bounded;
      const shape = shapeOf(await texts.read(it));
      const feature = { values: valuesOf(level, it.area, columns), shape, box: boxes[i] as Box };
      await fgb.add(feature);
      await parquet.add(feature);
    }
    await fgb.end();
    await parquet.end();
    return formats.map(name);
  } finally {
    await texts.close();
  }
}

/** The shape of the GeoJSON text of a boundary. */
function shapeOf(text: string): Shape {
  return multiPolygonOf(JSON.parse(text));
}

/** The facts of a stored file. */
async function objectOf(path: string, name: SnapshotName): Promise<SnapshotObject> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  for await (const chunk of createReadStream(path)) {
    sha256.update(chunk as Buffer);
    md5.update(chunk as Buffer);
  }
  return { name, bytes: (await stat(path)).size, sha256: sha256.digest('hex'), etag: md5.digest('hex') };
}
