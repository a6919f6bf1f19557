import path from 'node:path';
import readExcelFile from 'read-excel-file/node';
import {
  EDITION,
  type Problem,
  type Publication,
  type PublishedLevel,
  type PublishedRow,
  psaSource,
  type RegionSummary,
} from './publication.ts';
import { collapseSpaces, formerNamesOf, tidyName } from './published-names.ts';

/** A cell as `read-excel-file` gives it: rich text as plain text, a formula as its last value. */
export type Cell = string | number | boolean | Date | null;

const LEVELS: ReadonlySet<string> = new Set(['Reg', 'Prov', 'City', 'Mun', 'SGU', 'SubMun', 'Bgy']);
const CITY_CLASSES: ReadonlySet<string> = new Set(['HUC', 'ICC', 'CC']);

/**
 * Reads a PSGC publication workbook of the PSA (`.xlsx`, about 4 MB). This takes two seconds and 250 MB of memory. Rows
 * that are not understood are reported in the publication.
 * @param options `edition` overrides the one that follows from the publication date on sheet `Metadata`
 * @throws Error when the file is no such workbook
 */
export async function readWorkbook(file: string, options: { edition?: string | undefined } = {}): Promise<Publication> {
  const read = await readExcelFile(file).catch((cause) => {
    throw new Error(`${file} can't be read as a workbook (.xlsx): ${cause instanceof Error ? cause.message : cause}`);
  });
  const sheets = read.map((it) => ({ name: it.sheet, rows: it.data as Cell[][] }));
  const metadata = sheets.find((sheet) => sheet.name.trim() === 'Metadata');
  const edition = options.edition ?? editionOf(metadata?.rows ?? []);
  if (edition === null || !EDITION.test(edition)) {
    const found = edition === null ? 'has no publication date on a sheet "Metadata"' : `is called "${edition}"`;
    throw new Error(`The edition of ${file} can't be told: it ${found}. Say it as in "4Q 2023".`);
  }
  for (const { name, rows } of sheets) {
    const columns = findColumns(rows);
    if (!columns) continue;
    const summary = sheets.find((sheet) => /^nat.*sum/i.test(sheet.name.trim()));
    return {
      edition,
      source: psaSource(edition, `Publication datafile ${path.basename(file)}`),
      ...readRows(name, rows, columns),
      summary: readSummary(summary?.rows ?? []),
    };
  }
  throw new Error(`${file} has no sheet with the columns "10-digit PSGC", "Name" and "Geographic Level"`);
}

/** `31 December 2023` → `4Q 2023`: the quarter in which the publication date lies. */
export function editionOf(metadata: Cell[][]): string | null {
  const row = metadata.find((cells) => /^publication date/i.test(text(cells[0])));
  const value = row?.slice(1).find((cell) => cell !== null);
  // The time is noon, so that no time zone changes the day.
  const date = value instanceof Date ? value : new Date(`${text(value)} 12:00 UTC`);
  if (value === undefined || Number.isNaN(date.getTime())) return null;
  return `${Math.floor(date.getUTCMonth() / 3) + 1}Q ${date.getUTCFullYear()}`;
}

/** The index of each column. Editions differ in the number of columns and in their headers. */
interface Columns {
  headerRow: number;
  code: number;
  name: number;
  level: number;
  correspondence: number;
  formerNames: number;
  cityClass: number;
  urbanRural: number;
  population: number;
}

/** Finds the header row among the first twenty rows. A column that the sheet doesn't have gets -1. */
export function findColumns(rows: Cell[][]): Columns | null {
  for (const [headerRow, cells] of rows.slice(0, 20).entries()) {
    const headers = cells.map((cell) => text(cell).toLowerCase());
    const starting = (...starts: string[]) => headers.findIndex((it) => starts.some((start) => it.startsWith(start)));
    const code = headers.findIndex((header) => /\bpsgc\b/.test(header) && !header.startsWith('correspondence'));
    const name = headers.indexOf('name');
    const level = starting('geographic level');
    if (code < 0 || name < 0 || level < 0) continue;
    const years = headers.map((header) => Number(/^(\d{4})\D*\bpopulation\b/.exec(header)?.[1] ?? 0));
    const newest = Math.max(...years);
    return {
      headerRow,
      code,
      name,
      level,
      correspondence: starting('correspondence'),
      formerNames: starting('old name', 'former name'),
      cityClass: starting('city class'),
      urbanRural: starting('urban'),
      population: newest > 0 ? years.indexOf(newest) : -1,
    };
  }
  return null;
}

/** Maps the rows below the header. Every row becomes an area, or is listed as ignored or as a problem. */
export function readRows(sheet: string, rows: Cell[][], columns: Columns) {
  const areas: PublishedRow[] = [];
  const ignored: Publication['ignored'] = [];
  const repairs: string[] = [];
  const problems: Problem[] = [];
  for (const [i, cells] of rows.entries()) {
    if (i <= columns.headerRow || cells.every((cell) => text(cell) === '')) continue;
    const cell = (column: keyof Columns) => cells[columns[column]] ?? null;
    const at = `${sheet} row ${i + 1}`;
    const code = digits(cell('code'), 10);
    const published = text(cell('name'));
    const row = `${at}: ${code || 'no code'} ${published}`;
    const level = text(cell('level'));
    const reason = whyNoArea(code, level);
    if (reason) {
      ignored.push({ row, why: reason });
      continue;
    }
    if (!isLevel(level)) {
      problems.push({
        at,
        what: `${code} ${published} has the geographic level "${level}", which is none of the PSA's`,
      });
      continue;
    }
    const name = tidyName(published, level);
    if (name !== published) repairs.push(`${code}: ${published} → ${name}`);
    const cityClass = text(cell('cityClass'));
    if (cityClass !== '' && cityClass !== '-' && !CITY_CLASSES.has(cityClass)) {
      problems.push({ at, what: `${code} ${published} has the city class "${cityClass}"` });
    }
    const correspondence = digits(cell('correspondence'), 9);
    if (correspondence !== '' && !/^\d{9}$/.test(correspondence)) {
      problems.push({ at, what: `${code} ${published} has the correspondence code "${correspondence}"` });
    }
    const population = populationOf(cell('population'));
    if (population === undefined) {
      ignored.push({ row, why: `its population "${text(cell('population'))}" is no number; taken as unknown` });
    }
    const urbanRural = text(cell('urbanRural'));
    areas.push({
      at,
      code,
      name,
      correspondence: /^\d{9}$/.test(correspondence) ? correspondence : null,
      level,
      formerNames: formerNamesOf(String(cell('formerNames') ?? ''), level),
      cityClass: CITY_CLASSES.has(cityClass) ? (cityClass as PublishedRow['cityClass']) : null,
      urbanRural: urbanRural === 'U' || urbanRural === 'R' ? urbanRural : null,
      population: population ?? null,
    });
  }
  return { rows: areas, ignored, repairs, problems };
}

function isLevel(level: string): level is PublishedLevel {
  return LEVELS.has(level);
}

/** Why a row is no area, by the notes of the workbook: a district, a special province code, a row without a code. */
function whyNoArea(code: string, level: string): string | null {
  if (level === 'Dist') return 'a district of the National Capital Region, not part of the ten-digit PSGC';
  if (level !== '') return null;
  if (/^\d\d9\d\d00000$/.test(code)) return 'a special province code, not a province (no geographic level)';
  return /^0*$/.test(code) ? 'a row without code and geographic level' : null;
}

/** A code as text; empty for none. Spreadsheets keep some codes as numbers, which lose the zero of regions 01 to 09. */
function digits(cell: Cell, length: number): string {
  const code = text(cell);
  if (code === '-') return '';
  return /^\d+$/.test(code) && code.length === length - 1 ? `0${code}` : code;
}

/**
 * Inhabitants; null where the PSA gives none; undefined where the cell is not understood. Provinces say whom they
 * exclude (`(excluding CITY OF BUTUAN) 354,503`), and some cells have a footnote mark (`1,234 y/`).
 */
export function populationOf(cell: Cell): number | null | undefined {
  if (typeof cell === 'number') return Number.isInteger(cell) && cell >= 0 ? cell : undefined;
  const value = text(cell)
    .replace(/^\([^)]*\)/, '')
    .replace(/[a-z]{1,2}\/$/, '')
    .trim();
  // `#VALUE!` and similar values are formulas that failed in the workbook itself.
  if (value === '' || value === '-' || value.startsWith('#')) return null;
  return /^\d{1,3}(,?\d{3})*$/.test(value) ? Number(value.replaceAll(',', '')) : undefined;
}

/** Reads the sheet `Nat'l Sum`. Its columns: code, (nothing), region, provinces, cities, municipalities, barangays. */
export function readSummary(rows: Cell[][]): RegionSummary[] {
  const header = rows.find((cells) => text(cells[0]).toUpperCase() === 'CODE')?.map((cell) => text(cell).toUpperCase());
  if (!header) return [];
  const [provinces, cities, municipalities, barangays] = ['PROV', 'CIT', 'MUN', 'B'].map((start) =>
    header.findIndex((it) => it.startsWith(start)),
  );
  return rows.flatMap((cells) => {
    const region = digits(cells[0] ?? null, 10);
    const count = (column: number | undefined) =>
      Number(
        text(cells[column ?? -1])
          .replace(/^-$/, '0')
          .replaceAll(',', ''),
      );
    if (!/^\d\d0{8}$/.test(region)) return [];
    const line = {
      region,
      provinces: count(provinces),
      cities: count(cities),
      municipalities: count(municipalities),
      barangays: count(barangays),
    };
    return [line];
  });
}

function text(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : collapseSpaces(String(cell));
}
