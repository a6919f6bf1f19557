/** A format that features are read from, as the page tells of it. */
export interface UploadFormat {
  readonly name: string;
  /** Endings of file names, in lower case, with the dot. */
  readonly extensions: readonly string[];
  /** Whether it is text, so that the place of a fault can be shown. */
  readonly isText: boolean;
}

/** The formats of the service's `src/uploads/formats/registry.ts`. A test compares the two. */
export const UPLOAD_FORMATS: readonly UploadFormat[] = [
  { name: 'GeoJSON', extensions: ['.geojson', '.json'], isText: true },
  {
    name: 'newline-delimited GeoJSON',
    extensions: ['.ndjson', '.ndgeojson', '.geojsonl', '.geojsons', '.geojsonseq', '.jsonl'],
    isText: true,
  },
  { name: 'TopoJSON', extensions: ['.topojson'], isText: true },
  { name: 'FlatGeobuf', extensions: ['.fgb'], isText: false },
  { name: 'GeoPackage', extensions: ['.gpkg'], isText: false },
  { name: 'CSV', extensions: ['.csv', '.tsv'], isText: true },
  { name: 'workbook', extensions: ['.xlsx', '.xlsm'], isText: false },
  { name: 'KML', extensions: ['.kml'], isText: true },
  { name: 'KMZ', extensions: ['.kmz'], isText: false },
  { name: 'GPX', extensions: ['.gpx'], isText: true },
  { name: 'zipped shapefile', extensions: ['.zip'], isText: false },
];

/** The format that the name of a file tells by its ending. */
export function uploadFormatOf(fileName: string): UploadFormat | undefined {
  const name = fileName.toLowerCase();
  return UPLOAD_FORMATS.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)));
}

/** What a format needs before features can be read from it, by the ending of its files. */
const ADVICE: Readonly<Record<string, string>> = {
  shp: 'A shapefile is several files: put the .shp, .shx, .dbf and .prj into one zip archive.',
  xls: 'Save it as .xlsx or CSV with columns of places, or of longitude and latitude.',
};

/** How to make a file readable that is of none of the formats. */
export function adviceFor(fileName: string): string {
  const ending = /\.(\w+)$/.exec(fileName.toLowerCase())?.[1] ?? '';
  const same: Readonly<Record<string, string>> = { dbf: 'shp', shx: 'shp', prj: 'shp', ods: 'xls' };
  return ADVICE[same[ending] ?? ending] ?? 'Features can be read after you have saved it as GeoJSON, for example.';
}
