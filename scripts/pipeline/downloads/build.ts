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
import { type Box, boxOf, multiPolygonOf } from '../../../src/layer-files/shapes.ts';
import { writeObject } from '../object-files.ts';
import { columnsOf, valuesOf } from './columns.ts';
import { flatGeobufOf } from './flatgeobuf.ts';
import { featureText, packedGeoJson } from './geojson.ts';
import { geoParquetOf } from './geoparquet.ts';
import { hilbertOrder } from './hilbert.ts';
import type { LayerFeature } from './layer-feature.ts';
import { overviewOf } from './overview.ts';
import { areasOf, type Bounded, boundaryTexts, boundedAreas, openRelease } from './release-files.ts';
import { tablesOf } from './tables.ts';
import { topologyOf } from './topojson.ts';

/** Objects whose files are written. */
export interface MadeFiles {
  readonly objects: readonly SnapshotObject[];
  /** Share of all files that are made, 0 to 1. */
  readonly fraction: number;
  /** What is said of all that are made so far. */
  readonly facts: Downloads;
}

/**
 * Makes the download files of a release from its snapshot in a directory, in the same directory, each under the name of
 * its object. The boundaries of one level are in memory in all formats, some 500 MB.
 *
 * @param now when they are made
 */
export async function* buildDownloads(directory: string, now: Date): AsyncGenerator<MadeFiles> {
  const opened = await openRelease(directory);
  const levels = Object.keys(FILE_LEVELS) as FileLevel[];
  const layers = levels.flatMap((level) =>
    RESOLUTIONS.map((resolution) => ({ level, resolution, bounded: boundedAreas(opened, level, resolution) })).filter(
      ({ bounded }) => bounded.length > 0,
    ),
  );
  // The largest come first, so that little is left to send at the end.
  layers.sort((a, b) => bytesOf(b.bounded) - bytesOf(a.bounded));
  const total = layers.reduce((sum, { bounded }) => sum + bytesOf(bounded), 1);
  let done = 1;
  const rows: Record<string, number> = {};
  const write = async (files: readonly File[], areas?: number): Promise<MadeFiles> => {
    const objects = await Promise.all(files.map(([name, bytes]) => writeObject(directory, name, bytes)));
    if (areas !== undefined) for (const { name } of objects) rows[name] = areas;
    return { objects, fraction: done / total, facts: factsOf(opened, { ...rows }, now) };
  };
  yield write(await overviewOf(directory, opened));
  for (const level of levels) {
    const areas = areasOf(opened, level);
    yield write(await tablesOf(level, areas), areas.length);
  }
  // The text of a layer is compressed while the files of the next one are made.
  let last: (() => Promise<MadeFiles>) | undefined;
  for (const layer of layers) {
    const { compressing, others } = await layerFiles(directory, layer);
    if (last) yield last();
    const areas = layer.bounded.length;
    yield write(others, areas);
    last = async () => {
      const files = [await compressing];
      done += bytesOf(layer.bounded);
      return write(files, areas);
    };
  }
  if (last) yield last();
}

type File = readonly [SnapshotName, Uint8Array];

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

/** The files of a level with its boundaries at a resolution. The largest is still being compressed. */
async function layerFiles(
  directory: string,
  { level, resolution, bounded }: { level: FileLevel; resolution: Resolution; bounded: readonly Bounded[] },
): Promise<{ compressing: Promise<File>; others: File[] }> {
  const name = FILE_LEVELS[level];
  const columns = columnsOf(level, 'layer');
  const textOf = await boundaryTexts(directory, level, resolution);
  const features = bounded.map((it): LayerFeature => {
    const shape = multiPolygonOf(JSON.parse(textOf(it)));
    return { code: it.area.code, values: valuesOf(level, it.area, columns), shape, box: boxOf(shape) as Box };
  });
  const texts = features.map((feature, i) => featureText(feature, columns, textOf(bounded[i] as Bounded)));
  const fileName = (format: LayerFormat) => downloadName({ level, resolution, format });
  const topology = fileName('topojson');
  const ordered = hilbertOrder(features.map(({ box }) => box)).map((i) => features[i] as LayerFeature);
  const compressing = packedGeoJson(texts).then((bytes): File => [fileName('geojson.gz'), bytes]);
  // A failure is thrown where it is awaited.
  compressing.catch(() => undefined);
  const others: File[] = [
    [fileName('fgb'), flatGeobufOf(ordered, { name, columns })],
    [fileName('parquet'), geoParquetOf(ordered, columns)],
    ...(DOWNLOADS_BY_NAME.has(topology) ? [[topology, await topologyOf(name, texts)] as const] : []),
  ];
  return { compressing, others };
}
