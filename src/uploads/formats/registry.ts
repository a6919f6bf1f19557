import { lowerAscii } from '../../ascii.ts';
import { csv } from './csv.ts';
import { flatgeobuf } from './flatgeobuf.ts';
import type { Format } from './format.ts';
import { geojson } from './geojson.ts';
import { geopackage } from './geopackage.ts';
import { gpx } from './gpx.ts';
import { kml } from './kml.ts';
import { kmz } from './kmz.ts';
import { sequence } from './sequence.ts';
import { shapefile } from './shapefile.ts';
import { topojson } from './topojson.ts';
import { workbook } from './workbook.ts';

export const FORMATS: readonly Format[] = [
  geojson,
  sequence,
  topojson,
  flatgeobuf,
  geopackage,
  csv,
  workbook,
  kml,
  kmz,
  gpx,
  shapefile,
];

/** The format of a file by the extension of its name. */
export function formatOf(fileName: string): Format | undefined {
  const name = lowerAscii(fileName);
  return FORMATS.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)));
}
