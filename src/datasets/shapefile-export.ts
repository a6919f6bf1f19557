import { slicesOf } from '../bytes.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { GEOMETRY_TYPES } from '../geojson/geometry.ts';
import { LayerChanged } from '../layer-files/columns.ts';
import { DbaseTable, dbaseNames, MAX_COLUMNS } from '../layer-files/dbase.ts';
import { LAYER_OF, type LayerType, SHAPEFILE_CRS, ShapefileShapes } from '../layer-files/shapefile.ts';
import type { Shape } from '../layer-files/shapes.ts';
import { type ZippedFile, zipChunks } from '../layer-files/zip.ts';
import { inTurns } from '../turn.ts';
import type { ExportedFeatures } from './dataset.ts';
import { partPages } from './export-parts.ts';
import { layerColumns, rowOf, type Table, tableOf } from './layer-export.ts';

/**
 * How long all files may be together, bytes. It is what the processor has time to pack. Readers count up to 2 GiB in a file, and
 * up to 4 GiB in the archive.
 */
const MAX_BYTES = 2 ** 30;

/** The same for callers without credentials: the padding of rows can be a hundred times what a dataset has. */
const MAX_FREE_BYTES = 2 ** 26;

/** What a reader makes a layer of: the shapes of one type, and their table. */
interface Layer {
  readonly type: LayerType;
  readonly shapes: ShapefileShapes;
  readonly cells: DbaseTable;
}

/**
 * The features of a dataset as an archive of a Shapefile. Where they have geometries of several types, each type is a
 * Shapefile of its own. Features without a geometry are in the first. They are read once more to be measured, and twice for
 * each Shapefile.
 *
 * @throws DomainError `export_not_possible`; without credentials `authentication_required`, where it would be too large
 */
export async function* shapefileChunks(db: Database, features: ExportedFeatures): AsyncGenerator<Uint8Array> {
  const named = layerColumns(features, []);
  // The id has a column too.
  if (!named || named.length >= MAX_COLUMNS) {
    throw notPossible(`A Shapefile has no place for more than ${MAX_COLUMNS - 1} properties.`);
  }
  const table = await tableOf(db, features, named, { mostDigits: 15 });
  const names = dbaseNames(table.columns.map(({ name }) => name));
  const columns = table.columns.map(({ type }, i) => ({ name: names[i] as string, type }));
  const layers = [...typesOf(table)].map((type): Layer => {
    return { type, shapes: new ShapefileShapes(type), cells: new DbaseTable(columns) };
  });
  for await (const page of partPages(db, features, { hasBegun: false })) {
    for (const feature of page) {
      const { shape, values } = rowOf(feature, table);
      const { shapes, cells } = layerOf(layers, shape);
      shapes.add(shape);
      cells.add(values);
    }
    requirePlace(layers, features);
  }
  const changed = new Date();
  yield* zipChunks(filesOf(db, { features, table, layers, changed, renamed: shapefileNames(features) }), changed);
}

function requirePlace(layers: readonly Layer[], { isFree }: ExportedFeatures): void {
  const bytes = layers.reduce((sum, { shapes, cells }) => sum + shapes.bytes + cells.bytes, 0);
  if (bytes <= (isFree ? MAX_FREE_BYTES : MAX_BYTES)) return;
  const padding = 'Each row has place for the longest text of each column.';
  if (isFree && bytes <= MAX_BYTES) {
    const message = `Without authentication a Shapefile has at most 64 MiB before it is packed. ${padding}`;
    throw new DomainError('authentication_required', message);
  }
  throw notPossible(`The Shapefiles of a dataset have here at most 1 GiB. ${padding}`);
}

/** The names of the columns of properties; undefined where there are too many. */
export function shapefileNames(features: ExportedFeatures): string[] | undefined {
  const columns = layerColumns(features, []);
  return columns && dbaseNames(['id', ...columns]).slice(1);
}

function typesOf({ kinds }: Table): Set<LayerType> {
  const types = [...kinds.geometryTypes].sort().map((type) => LAYER_OF[GEOMETRY_TYPES[type] as Shape['type']]);
  if (types.includes(undefined)) throw notPossible('A Shapefile has no place for a GeometryCollection.');
  return new Set(types.length > 0 ? (types as LayerType[]) : ['points']);
}

function layerOf(layers: readonly Layer[], shape: Shape | null): Layer {
  const layer = shape ? layers.find(({ type }) => type === LAYER_OF[shape.type]) : layers[0];
  if (!layer) throw new LayerChanged('A feature got a geometry of another type');
  return layer;
}

interface Archive {
  readonly features: ExportedFeatures;
  readonly table: Table;
  readonly layers: readonly Layer[];
  readonly changed: Date;
  readonly renamed: readonly string[] | undefined;
}

function filesOf(db: Database, { features, table, layers, changed, renamed = [] }: Archive): ZippedFile[] {
  const title = features.name.replace(/[^\w-]+/g, '_').slice(0, 60) || 'features';
  const rows = async function* (layer: Layer) {
    let count = 0;
    for await (const page of partPages(db, features)) {
      const own = page.map((feature) => rowOf(feature, table)).filter(({ shape }) => layerOf(layers, shape) === layer);
      yield own;
      count += own.length;
    }
    if (count !== layer.shapes.count) throw new LayerChanged('Another number of features was measured');
  };
  const cells = async function* (layer: Layer) {
    yield layer.cells.head(changed);
    for await (const some of rows(layer)) yield* inTurns(slicesOf(some, ({ values }) => layer.cells.row(values)));
    yield DbaseTable.end;
  };
  const shapes = async function* (layer: Layer) {
    yield layer.shapes.head();
    let at = 0;
    for await (const some of rows(layer)) {
      yield* inTurns(slicesOf(some, ({ shape }) => layer.shapes.record(shape, at++)));
    }
  };
  const index = function* (layer: Layer) {
    yield layer.shapes.index();
  };
  const cut = new Set(layers.flatMap((layer) => [...layer.cells.cut]));
  const about = [`${features.name}, in WGS 84`, ...renamedLines(features, renamed), ...cutLines(cut), ''];
  return [
    { name: 'README.txt', chunks: [about.join('\r\n')] },
    ...layers.flatMap((layer) => {
      const name = layers.length === 1 ? title : `${title}_${layer.type}`;
      return [
        { name: `${name}.prj`, chunks: [SHAPEFILE_CRS] },
        { name: `${name}.cpg`, chunks: ['UTF-8'] },
        { name: `${name}.dbf`, chunks: cells(layer) },
        { name: `${name}.shp`, chunks: shapes(layer) },
        { name: `${name}.shx`, chunks: index(layer) },
      ];
    }),
  ];
}

function renamedLines({ propertyNames }: ExportedFeatures, columns: readonly string[]): string[] {
  const renamed = propertyNames.flatMap((name, i) => (columns[i] === name ? [] : [`${columns[i]}: ${name}`]));
  if (renamed.length === 0) return [];
  return ['', 'Columns whose names are not those of their properties. A name has ten characters of ASCII:', ...renamed];
}

function cutLines(cut: ReadonlySet<string>): string[] {
  if (cut.size === 0) return [];
  return ['', 'Columns with texts that are cut after 254 bytes, which is all that the format has for them:', ...cut];
}

function notPossible(message: string): DomainError {
  return new DomainError('export_not_possible', `format: ${message} Take another format, such as gpkg.`);
}
