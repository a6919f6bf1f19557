import { lowerAscii } from '../../ascii.ts';
import { csv } from './csv.ts';
import type { Format } from './format.ts';
import { geojson } from './geojson.ts';
import { gpx } from './gpx.ts';
import { kml } from './kml.ts';
import { sequence } from './sequence.ts';
import { shapefile } from './shapefile.ts';

/** Every format that features are read from. */
export const FORMATS: readonly Format[] = [geojson, sequence, csv, kml, gpx, shapefile];

/** The format that the name of a file tells by its ending. */
export function formatOf(fileName: string): Format | undefined {
  const name = lowerAscii(fileName);
  return FORMATS.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)));
}
