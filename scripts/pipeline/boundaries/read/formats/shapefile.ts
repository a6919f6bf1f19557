import { readFile } from 'node:fs/promises';
import type { Format } from './format.ts';
import { converted } from './mapshaper.ts';

/** A ZIP archive of shapefiles, or of GeoJSON or TopoJSON files. A `.prj` in it is followed to WGS 84. */
export const shapefile: Format = {
  name: 'zipped shapefile',
  matches: (name) => /\.zip$/.test(name),
  read: (file, scratch) => converted(file, scratch, { name: 'input.zip', content: () => readFile(file.path) }),
};
