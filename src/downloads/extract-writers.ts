import { COLLECTION } from '../areas/records.ts';
import { joinBytes } from '../bytes.ts';
import { csvLine } from '../csv/cells.ts';
import type { Value } from '../layer-files/columns.ts';
import { DbaseTable } from '../layer-files/dbase.ts';
import { flatGeobufFeature, flatGeobufHead } from '../layer-files/flatgeobuf.ts';
import { GeoPackage } from '../layer-files/geopackage.ts';
import { GeoParquet } from '../layer-files/geoparquet.ts';
import { SHAPEFILE_CRS, ShapefileShapes } from '../layer-files/shapefile.ts';
import { zipChunks } from '../layer-files/zip.ts';
import { type WorkbookCell, workbookFiles } from '../tables/workbook.ts';
import { inTurns, turn } from '../turn.ts';
import type { Extract } from './extract.ts';
import { type ExtractFormat, SHORT_NAMES, shortenedColumns } from './extract-formats.ts';
import { featureText } from './feature-text.ts';

type Chunks = (extract: Extract) => AsyncGenerator<string | Uint8Array>;

/** Rows of a table in one chunk. */
const BATCH_ROWS = 500;

/** A row group of a GeoParquet is written when it has this many bytes of geometries and texts, or this many rows. */
const GROUP_BYTES = 4 * 1024 * 1024;
const GROUP_ROWS = 5000;

/** Makes the file in each format. The same extract gives the same bytes each time, so the ETag is strong. */
export const EXTRACT_WRITERS: Readonly<Record<ExtractFormat, Chunks>> = {
  async *csv({ columns, ...extract }) {
    const rows = extract.rows();
    yield csvLine(columns.map(({ name }) => name));
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const some = rows.slice(at, at + BATCH_ROWS);
      await turn();
      yield some.map((row) => csvLine(row.map((value) => String(value ?? '')))).join('');
    }
  },
  xlsx({ name, columns, published, ...extract }) {
    const headings = columns.map((column) => column.name);
    const sheets = [
      { name, rows: [headings, ...extract.rows()] as WorkbookCell[][], hasHeadings: true },
      { name: 'source', rows: Object.entries(aboutOf(extract)) },
    ];
    const files = workbookFiles(sheets).map((file) => ({ ...file, chunks: inTurns(file.chunks) }));
    return zipChunks(files, published);
  },
  async *geojson(extract) {
    const { name, columns } = extract;
    // The members that RFC 7946 leaves to others (6.1) come before the features.
    const about = JSON.stringify({ type: 'FeatureCollection', name, ...aboutOf(extract) }).slice(0, -1);
    let separator = `${about},"features":[\n`;
    for await (const features of extract.features()) {
      yield separator + features.map((feature) => featureText(feature, columns, feature.text)).join(',\n');
      separator = ',\n';
    }
    yield `\n${COLLECTION.tail}\n`;
  },
  async *gpkg(extract) {
    const layer = layerOf(extract);
    const measuring = new GeoPackage(layer);
    for await (const features of extract.features({ isAnswering: false })) {
      for (const feature of features) measuring.add(feature);
      measuring.take();
    }
    const file = new GeoPackage(layer, measuring.end(), extract.published);
    yield file.begin();
    for await (const features of extract.features()) {
      for (const feature of features) file.add(feature);
      yield file.take();
    }
    file.end();
    yield file.take();
  },
  async *shp(extract) {
    const { name, published } = extract;
    const drawn = new ShapefileShapes('polygons');
    const table = new DbaseTable(extract.columns.map(({ name, type }) => ({ name: SHORT_NAMES[name] ?? name, type })));
    // The table has the areas of the shapes, in their order.
    const rows: (readonly Value[])[] = [];
    for await (const features of extract.features({ isAnswering: false })) {
      for (const { shape, values } of features) {
        drawn.add(shape);
        table.add(values);
        rows.push(values);
      }
    }
    const shapes = async function* () {
      yield drawn.head();
      let at = 0;
      for await (const features of extract.features()) {
        yield joinBytes(features.map(({ shape }, i) => drawn.record(shape, at + i)));
        at += features.length;
      }
    };
    const cells = function* () {
      yield table.head(published);
      for (const row of rows) yield table.row(row);
      yield DbaseTable.end;
    };
    yield* zipChunks(
      [
        { name: 'README.txt', chunks: [readMe(extract)] },
        { name: `${name}.prj`, chunks: [SHAPEFILE_CRS] },
        { name: `${name}.cpg`, chunks: ['UTF-8'] },
        { name: `${name}.dbf`, chunks: inTurns(cells(), BATCH_ROWS) },
        { name: `${name}.shp`, chunks: shapes() },
        { name: `${name}.shx`, chunks: lazily(() => drawn.index()) },
      ],
      published,
    );
  },
  async *fgb(extract) {
    const layer = layerOf(extract);
    yield flatGeobufHead(layer);
    for await (const features of extract.features()) {
      yield joinBytes(features.map((feature) => flatGeobufFeature(feature, layer)));
    }
  },
  async *parquet(extract) {
    const { columns, description } = layerOf(extract);
    const limits = { groupBytes: GROUP_BYTES, groupRows: GROUP_ROWS };
    const file = new GeoParquet({ columns, description, ...limits, statistics: true, isOriented: true });
    yield file.begin();
    for await (const features of extract.features()) {
      yield joinBytes(features.flatMap((feature) => file.add(feature) ?? []));
    }
    yield file.end();
  },
};

/** The metadata of a file, in the formats that have a place for it. */
function aboutOf({
  release,
  edition,
  licence,
  attribution,
}: Pick<Extract, 'release' | 'edition' | 'licence' | 'attribution'>) {
  return { release, edition, licence, attribution };
}

function layerOf(extract: Extract) {
  const { name, columns, attribution, licence } = extract;
  const description = `${attribution}. ${licence}. Release ${extract.release}.`;
  return { name, columns, type: 'MultiPolygon', hasZ: false, description } as const;
}

function readMe(extract: Extract): string {
  const { columns } = extract;
  const about = Object.entries(aboutOf(extract)).map(([name, value]) => `${name}: ${value}`);
  const renamed = shortenedColumns(columns).map(([name, short]) => `${short}: ${name}`);
  const why = 'Columns whose names are longer than the ten characters that the format has for them:';
  return [...about, '', why, ...renamed, ''].join('\r\n');
}

function* lazily(make: () => Uint8Array): Generator<Uint8Array> {
  yield make();
}
