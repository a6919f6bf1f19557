import type { SourceFile } from '../feature.ts';
import { headOf } from './bytes.ts';
import type { Format } from './format.ts';
import { geojson } from './geojson.ts';
import { sequence } from './sequence.ts';
import { shapefile } from './shapefile.ts';
import { topojson } from './topojson.ts';

/** The first that matches reads the file: TopoJSON stands before GeoJSON, whose file names it shares. */
const FORMATS: readonly Format[] = [sequence, shapefile, topojson, geojson];

/** The format of a file, or undefined where it holds no boundaries. */
export async function formatOf(file: SourceFile): Promise<Format | undefined> {
  const name = file.name.toLowerCase().replace(/\.gz$/, '');
  if (!FORMATS.some((format) => format.matches(name, '') || format.matches(name, '"type":"Topology"')))
    return undefined;
  const head = await headOf(file);
  return FORMATS.find((format) => format.matches(name, head));
}
