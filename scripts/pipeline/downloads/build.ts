import { editionId } from '../../../src/areas/edition-id.ts';
import {
  DOWNLOADS_BY_NAME,
  downloadName,
  FILE_LEVELS,
  type FileLevel,
  type LayerFormat,
} from '../../../src/areas/snapshot/download-names.ts';
import type { Downloads, SnapshotName, SnapshotObject } from '../../../src/areas/snapshot/layout.ts';
import type { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
import { columnsOf, valuesOf } from '../../../src/downloads/columns.ts';
import { featureText } from '../../../src/downloads/feature-text.ts';
import { termsOf } from '../../../src/downloads/terms.ts';
import { type Box, boxOf, multiPolygonOf } from '../../../src/layer-files/shapes.ts';
import { writeObject } from '../object-files.ts';
import { flatGeobufOf } from './flatgeobuf.ts';
import { gzippedGeoJson } from './geojson.ts';
import { geoParquetOf } from './geoparquet.ts';
import { hilbertOrder } from './hilbert.ts';
import type { LayerFeature } from './layer-feature.ts';
import { municityOverviewOf, overviewOf } from './overview.ts';
import { areasOf, type Bounded, boundaryTexts, boundedAreas, openRelease, parentNames } from './release-files.ts';
import { tablesOf } from './tables.ts';
import { TopologyThread } from './topojson-in-thread.ts';

/** Max number of layers whose last files are made beside the files of others. The texts of each are in memory, at most 60 MB. */
const MAX_UNFINISHED = 4;

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
  const names = parentNames(opened);
  const levels = Object.keys(FILE_LEVELS) as FileLevel[];
  const layers: Layer[] = levels.flatMap((level) =>
    RESOLUTIONS.map((resolution) => ({
      level,
      resolution,
      names,
      bounded: boundedAreas(opened, level, resolution),
    })).filter(({ bounded }) => bounded.length > 0),
  );
  // Topologies take longest. Of the others the largest come first, so that little is left to send at the end.
  const weightOf = (it: Layer) => (hasTopology(it.level, it.resolution) ? 10 : 1) * bytesOf(it.bounded);
  layers.sort((a, b) => weightOf(b) - weightOf(a));
  // Overviews and tables, which are written first, count as one byte. So the fraction is 1 where there are no layers.
  const total = layers.reduce((sum, { bounded }) => sum + bytesOf(bounded), 1);
  let done = 1;
  const rows: Record<string, number> = {};
  const write = async (files: readonly File[], areas?: number): Promise<MadeFiles> => {
    const objects = await Promise.all(files.map(([name, bytes]) => writeObject(directory, name, bytes)));
    if (areas !== undefined) for (const { name } of objects) rows[name] = areas;
    return { objects, fraction: done / total, facts: factsOf(opened, { ...rows }, now) };
  };
  yield write([...(await overviewOf(directory, opened)), ...(await municityOverviewOf(directory, opened))]);
  for (const level of levels) {
    const areas = areasOf(opened, level);
    yield write(await tablesOf(level, areas, names), areas.length);
  }
  const topologies = new TopologyThread();
  const unfinished = new Map<Layer, Promise<{ layer: Layer; files: File[] }>>();
  const finished = async (): Promise<MadeFiles> => {
    const { layer, files } = await Promise.race(unfinished.values());
    unfinished.delete(layer);
    done += bytesOf(layer.bounded);
    return write(files, layer.bounded.length);
  };
  try {
    for (const layer of layers) {
      const { files, later } = await layerFiles(directory, layer, topologies);
      yield write(files, layer.bounded.length);
      const pending = later.then((files) => ({ layer, files }));
      // A failure is thrown where it is awaited, which may be some layers later.
      pending.catch(() => undefined);
      unfinished.set(layer, pending);
      if (unfinished.size === MAX_UNFINISHED) yield finished();
    }
    while (unfinished.size > 0) yield finished();
  } finally {
    await topologies.close();
  }
}

type File = readonly [SnapshotName, Uint8Array];

/** A level with its boundaries at a resolution. */
interface Layer {
  readonly level: FileLevel;
  readonly resolution: Resolution;
  readonly bounded: readonly Bounded[];
  /** Of what its areas lie in, by their codes. */
  readonly names: ReadonlyMap<string, string>;
}

function bytesOf(bounded: readonly Bounded[]): number {
  return bounded.reduce((sum, { length }) => sum + length, 0);
}

function factsOf({ facts }: OpenedAreas, rows: Downloads['rows'], now: Date): Downloads {
  return {
    edition: editionId(facts.edition),
    created_at: now.toISOString(),
    codes: termsOf(facts.sources, 'codes') ?? { licence: '', attribution: '' },
    boundaries: termsOf(facts.sources, 'boundaries'),
    rows,
  };
}

/** The files of a layer. What takes longest is made beside the files of other layers: `later`. */
async function layerFiles(
  directory: string,
  { level, resolution, bounded, names }: Layer,
  topologies: TopologyThread,
): Promise<{ files: File[]; later: Promise<File[]> }> {
  const name = FILE_LEVELS[level];
  const columns = columnsOf(level, 'layer');
  const textOf = await boundaryTexts(directory, level, resolution);
  const features = bounded.map((it): LayerFeature => {
    const shape = multiPolygonOf(JSON.parse(textOf(it)));
    return {
      code: it.area.code,
      values: valuesOf(level, it.area, { columns, names }),
      shape,
      box: boxOf(shape) as Box,
    };
  });
  const texts = features.map((feature, i) => featureText(feature, columns, textOf(bounded[i] as Bounded)));
  const fileName = (format: LayerFormat) => downloadName({ level, resolution, format });
  const later = Promise.all([
    gzippedGeoJson(texts).then((bytes): File => [fileName('geojson.gz'), bytes]),
    ...(hasTopology(level, resolution)
      ? [topologies.of(name, texts).then((bytes): File => [fileName('topojson'), bytes])]
      : []),
  ]);
  // A failure is thrown where it is awaited, unless what follows throws before.
  later.catch(() => undefined);
  const ordered = hilbertOrder(features.map(({ box }) => box)).map((i) => features[i] as LayerFeature);
  const files: File[] = [
    [fileName('fgb'), flatGeobufOf(ordered, { name, columns })],
    [fileName('parquet'), geoParquetOf(ordered, columns)],
  ];
  return { files, later };
}

function hasTopology(level: FileLevel, resolution: Resolution): boolean {
  return DOWNLOADS_BY_NAME.has(downloadName({ level, resolution, format: 'topojson' }));
}
