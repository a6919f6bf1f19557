import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS } from '../geojson/geometry-columns.ts';
import type { Shape } from '../layer-files/shapes.ts';
import { zipChunks } from '../layer-files/zip.ts';
import { streamedWorkbookFiles, type WorkbookCell } from '../tables/workbook.ts';
import type { ExportedFeatures } from './dataset.ts';
import { partPages } from './export-parts.ts';
import { type ExportColumn, layerColumns, rowOf, tableOf } from './layer-export.ts';

/** What a sheet has place for: rows without the headings, and characters of a cell. */
const MAX_ROWS = 1_048_575;
const MAX_TEXT = 32_767;
/** What a text ends with that is too long for a cell. */
const CUT = '… [cut]';
/** How many cells a workbook may have. More would be of no use: it takes minutes to open. */
const MAX_CELLS = 20_000_000;

/** The columns of the positions of points. An upload takes them for coordinates again, and no other column. */
const POSITION = ['longitude', 'latitude'] as const;
const GEOMETRY_COLUMNS = [...LONGITUDE_COLUMNS, ...LATITUDE_COLUMNS, ...WKT_COLUMNS];

/**
 * The features of a dataset as a workbook: numbers are numbers, and texts are never formulas. Points have their position in
 * two columns, other geometries have none.
 *
 * @throws DomainError `export_not_possible`
 */
export async function* workbookChunks(db: Database, features: ExportedFeatures): AsyncGenerator<Uint8Array> {
  const { contents } = features;
  const width = (workbookColumns(features)?.length ?? 1) + 3;
  if (contents.count > MAX_ROWS || contents.count * width > MAX_CELLS) {
    const most = 'A workbook has at most 1,048,576 rows and here 20,000,000 cells.';
    throw new DomainError('export_not_possible', `format: ${most} Take csv, which any spreadsheet opens.`);
  }
  const table = await tableOf(db, features, workbookColumns(features), { mostDigits: 15 });
  const hasPoints = table.kinds.geometryTypes.has(1);
  const cellOf = (value: ReturnType<typeof rowOf>['values'][number], { type }: ExportColumn): WorkbookCell => {
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'string' || type === 'number' || value.length <= MAX_TEXT) return value;
    return value.slice(0, MAX_TEXT - CUT.length) + CUT;
  };
  const rows = async function* () {
    yield [[...table.columns.map((column) => column.name), ...(hasPoints ? POSITION : [])]];
    for await (const page of partPages(db, features)) {
      yield page.map((feature) => {
        const { values, shape } = rowOf(feature, table);
        const cells = values.map((value, i) => cellOf(value, table.columns[i] as ExportColumn));
        return hasPoints ? [...cells, ...positionOf(shape)] : cells;
      });
    }
  };
  yield* zipChunks(streamedWorkbookFiles({ name: 'features', pages: rows(), hasHeadings: true }), new Date());
}

/** The names of the columns of properties; undefined where all properties are one. */
export function workbookColumns(features: ExportedFeatures): string[] | undefined {
  return layerColumns(features, GEOMETRY_COLUMNS);
}

function positionOf(shape: Shape | null): WorkbookCell[] {
  const [position] = shape?.type === 'Point' ? shape.runs : [];
  return position ? [position[0] as number, position[1] as number] : [null, null];
}
