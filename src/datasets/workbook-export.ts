import { numberOf, saysNoNumber } from '../csv/numbers.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { KINDS } from '../features/repo/property-kinds.ts';
import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS } from '../geojson/geometry-columns.ts';
import { LayerChanged } from '../layer-files/columns.ts';
import type { Shape } from '../layer-files/shapes.ts';
import { zipChunks } from '../layer-files/zip.ts';
import { streamedWorkbookFiles, type WorkbookCell } from '../tables/workbook.ts';
import type { ExportedFeatures } from './dataset.ts';
import { partPages } from './export-parts.ts';
import { type ExportColumn, layerColumns, rowOf, type Table, tableOf } from './layer-export.ts';

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

/** What a column may have whose texts are written as numbers. */
const OF_NUMERALS = KINDS.string | KINDS.numeral | KINDS.code | KINDS.integer | KINDS.decimal;

/**
 * The features of a dataset as a workbook: numbers are numbers, and texts are never formulas. Tables that were uploaded have
 * texts only; where those of a column are numbers, but for words that say there is none, they are written as numbers, so that
 * they can be added up. Points have their position in two columns, other geometries have none.
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
  const isOfNumerals = numeralColumns(table);
  const cellOf = (value: ReturnType<typeof rowOf>['values'][number], i: number): WorkbookCell => {
    const { type } = table.columns[i] as ExportColumn;
    if (typeof value === 'bigint') return Number(value);
    if (typeof value === 'string' && isOfNumerals[i]) return cellOfNumber(value);
    if (typeof value !== 'string' || type === 'number' || value.length <= MAX_TEXT) return value;
    return value.slice(0, MAX_TEXT - CUT.length) + CUT;
  };
  const rows = async function* () {
    yield [[...table.columns.map((column) => column.name), ...(hasPoints ? POSITION : [])]];
    for await (const page of partPages(db, features)) {
      yield page.map((feature) => {
        const { values, shape } = rowOf(feature, table);
        const cells = values.map(cellOf);
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

/**
 * Which columns have numbers as texts, and beside them only words that say there is none. Where all have as many digits as codes
 * of the PSGC they stay texts, as they do where one has a leading zero. The pages tell columns of numbers in the same way.
 */
function numeralColumns({ columns, names, kinds }: Table): boolean[] {
  return columns.map((_, i) => {
    const bits = kinds.properties.get(names?.[i - 1] ?? '') ?? 0;
    return i > 0 && names !== undefined && (bits & KINDS.numeral) !== 0 && (bits & ~OF_NUMERALS) === 0;
  });
}

/** @throws LayerChanged if a text is no number and doesn't say so, because somebody has changed it since the kinds were read */
function cellOfNumber(text: string): WorkbookCell {
  if (text.trim() === '') return null;
  const value = numberOf(text) ?? (saysNoNumber(text) ? text : undefined);
  if (value === undefined) throw new LayerChanged(`A column of numbers got ${text.slice(0, 40)}`);
  return value;
}

function positionOf(shape: Shape | null): WorkbookCell[] {
  const [position] = shape?.type === 'Point' ? shape.runs : [];
  return position ? [position[0] as number, position[1] as number] : [null, null];
}
