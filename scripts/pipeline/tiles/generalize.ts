import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TileLevel } from './levels.ts';
import { EXTENT, type Part, type Shape, shapesOf } from './shapes.ts';

/** Metres of one unit at zoom 0, at the equator. */
const UNIT_M = 40_075_016.686 / EXTENT;

/**
 * Units: the size of the corners that simplification removes. Tiles are drawn with eight units to a pixel, then
 * enlarged up to twice, so that a removed corner is smaller than a pixel. The last zoom is enlarged more than that.
 */
const CORNER_UNITS = 3;
const LAST_CORNER_UNITS = 1;

/** Metres. No source is drawn more finely, so smaller corners are not removed. */
const FINEST_M = 5;

/**
 * Gaps up to this size, weighted by how thin they are, are closed: they come from neighbours that the source simplified
 * in different files. Lakes that belong to no area are rounder and larger.
 */
const GAP = '2km2';

export interface Generalized {
  /** A point in the largest part of each area, by code: longitude, latitude. */
  labels: Map<string, [number, number]>;
  /** Reads the shapes of a zoom. */
  at(zoom: number): Promise<Shape[]>;
}

/**
 * Makes the shapes of each zoom of a level from its boundaries and writes them to files. The country is treated as one
 * topology: overlaps go to one side, gaps between neighbours are closed, and then all is simplified by weighted
 * Visvalingam, which leaves of every island at least a triangle. So neighbours have the same positions on their shared
 * border at every zoom. Each zoom is made from the next finer one. The level is in memory, which takes about fifteen
 * times the size of its GeoJSON.
 * @param source path of a FeatureCollection of polygons with the property `code`
 * @param options `scratch`: directory for the files; `onProgress` is called with 0 to 1
 */
export async function generalize(
  source: string,
  { minzoom, maxzoom }: TileLevel,
  { scratch, onProgress }: { scratch: string; onProgress?: (fraction: number) => void },
): Promise<Generalized> {
  const { default: mapshaper } = await import('mapshaper');
  const run = async (commands: string, input: Uint8Array | string) => {
    const output = await mapshaper.applyCommands(`-i ${IN} ${commands}`, { [IN]: input });
    return (name: string) => output[name] as Uint8Array;
  };
  const cleaned = await run(
    `-clean gap-fill-area=${GAP} -points inner + name=points -o ${POINTS} ${FORMAT} -explode target=level -o ${OUT} ${FORMAT}`,
    await readFile(source),
  );
  onProgress?.(FIRST_SHARE);
  const labels = labelsIn(cleaned(POINTS));
  let shapes = cleaned(OUT);
  const files = new Map<number, string>();
  for (let zoom = maxzoom; zoom >= minzoom; zoom -= 1) {
    const corner = ((zoom === maxzoom ? LAST_CORNER_UNITS : CORNER_UNITS) * UNIT_M) / 2 ** zoom;
    const finer = files.get(zoom + 1);
    if (corner >= FINEST_M) {
      shapes = (await run(`-simplify weighted keep-shapes interval=${corner} -o ${OUT} ${FORMAT}`, shapes))(OUT);
    } else if (finer !== undefined) {
      files.set(zoom, finer);
      continue;
    }
    const file = join(scratch, `shapes-${zoom}.json`);
    await writeFile(file, shapes);
    files.set(zoom, file);
    // Every zoom has about half the vertices of the next finer one.
    onProgress?.(1 - (1 - FIRST_SHARE) / 2 ** (maxzoom - zoom + 1));
  }
  return {
    labels,
    at: async (zoom) => {
      const file = files.get(zoom);
      if (file === undefined) throw new Error(`Zoom ${zoom} was not made.`);
      const { features } = JSON.parse(await readFile(file, 'utf8')) as { features: Part[] };
      return shapesOf(features, zoom);
    },
  };
}

const IN = 'level.json';
const OUT = 'shapes.json';
const POINTS = 'points.json';
const FORMAT = 'format=geojson precision=0.000001';
const FIRST_SHARE = 0.3;

function labelsIn(points: Uint8Array): Generalized['labels'] {
  const { features } = JSON.parse(Buffer.from(points).toString()) as {
    features: { properties: { code: string }; geometry: { coordinates: [number, number] } | null }[];
  };
  return new Map(
    features.flatMap(({ properties, geometry }) => (geometry ? [[properties.code, geometry.coordinates]] : [])),
  );
}
