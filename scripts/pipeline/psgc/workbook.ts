import path from 'node:path';
import readExcelFile from 'read-excel-file/node';
import { readFootnotes } from './footnotes.ts';
import {
  EDITION,
  type Problem,
  type Publication,
  type PublishedLevel,
  type PublishedRow,
  psaSource,
  type RegionSummary,
} from './publication.ts';
import { collapseSpaces, footnoteMark, formerNamesOf, tidyName } from './published-names.ts';
import { type Columns, findColumns, type NamedColumn } from './workbook-columns.ts';

/** A cell as `read-excel-file` gives it: rich text as plain text, a formula as its last value. */
export type Cell = string | number | boolean | Date | null;

/** Levels by the letters of their abbreviation. */
const LEVELS: Readonly<Record<string, PublishedLevel>> = {
  ...{ reg: 'Reg', region: 'Reg', prov: 'Prov', province: 'Prov', city: 'City', mun: 'Mun', municipality: 'Mun' },
  ...{ sgu: 'SGU', submun: 'SubMun', bgy: 'Bgy', brgy: 'Bgy', barangay: 'Bgy' },
};
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
  const publishedOn = publicationDate(metadata?.rows ?? []);
  const edition =
    options.edition ?? (publishedOn === null ? editionOfName(path.basename(file)) : editionOf(publishedOn));
  if (edition === null || !EDITION.test(edition)) {
    const found = edition === null ? 'has no publication date on a sheet "Metadata"' : `is called "${edition}"`;
    throw new Error(`The edition of ${file} can't be told: it ${found}. Say it with --edition, as in "4Q 2023".`);
  }
  // Some workbooks have the list twice, such as a sheet for one region: the longest one is the whole list.
  const lists = sheets.flatMap(({ name, rows }) => {
    const columns = findColumns(rows);
    return columns ? [{ name, rows, columns }] : [];
  });
  const list = lists.sort((a, b) => b.rows.length - a.rows.length)[0];
  if (!list) {
    const names = sheets.map(({ name }) => `"${name}"`).join(', ');
    throw new Error(
      `${file} has no sheet with the columns "10-digit PSGC", "Name" and "Geographic Level" (it has ${names}). Give the PSGC publication datafile of the PSA as it was downloaded; lists of before 2021 have nine-digit codes and can't be loaded.`,
    );
  }
  const summary = sheets.find((sheet) => /^nat.*sum/i.test(sheet.name.trim()));
  const footnotes = readFootnotes(
    sheets.filter(({ name }) => name === list.name || /note/i.test(name)).map(({ rows }) => rows),
  );
  return {
    edition,
    publishedOn,
    source: psaSource(edition, `Publication datafile ${path.basename(file)}`),
    ...readRows(list.name, list.rows, list.columns, footnotes),
    problems: [],
    summary: readSummary(summary?.rows ?? []),
  };
}

/** The day on the sheet `Metadata`: `31 December 2023` → `2023-12-31`. */
export function publicationDate(metadata: Cell[][]): string | null {
  const row = metadata.find((cells) => /^publication date/i.test(text(cells[0])));
  const value = row?.slice(1).find((cell) => cell !== null);
  // The time is noon, so that no time zone changes the day.
  const date = value instanceof Date ? value : new Date(`${text(value).replace(/^(?:as of)\s+/i, '')} 12:00 UTC`);
  return value === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** The quarter in which a day lies: `2023-12-31` → `4Q 2023`. */
export function editionOf(day: string): string {
  return `${Math.ceil(Number(day.slice(5, 7)) / 3)}Q ${day.slice(0, 4)}`;
}

/** The edition that the name of a file tells: `PSGC-4Q-2023-Publication-Datafile.xlsx` → `4Q 2023`. */
export function editionOfName(name: string): string | null {
  const [, quarter, year] = /(?:^|[^\dA-Z])([1-4])Q[-_ ]?(\d{4})/i.exec(name) ?? [];
  return quarter === undefined ? null : `${quarter}Q ${year}`;
}

/** Maps the rows below the header. Every row becomes an area, or is listed as ignored or as a problem. */
export function readRows(
  sheet: string,
  rows: Cell[][],
  columns: Columns,
  footnotes: ReadonlyMap<string, string> = new Map(),
) {
  const areas: PublishedRow[] = [];
  const ignored: Publication['ignored'] = [];
  const repairs: string[] = [];
  const warnings: Problem[] = [];
  const seen = new Map<string, string>();
  for (const [i, cells] of rows.entries()) {
    if (i <= columns.headerRow || cells.every((cell) => text(cell) === '')) continue;
    const cell = (column: NamedColumn) => cells[columns[column]] ?? null;
    const at = `${sheet} row ${i + 1}`;
    const code = digits(cell('code'), 10);
    const published = text(cell('name'));
    const row = `${at}: ${code || 'no code'} ${published}`;
    const given = text(cell('level'));
    const level = levelOf(given) ?? levelOfCode(code, published);
    const reason = whyNoArea(code, given);
    if (reason || level === null) {
      ignored.push({ row, why: reason ?? 'a row that is no area: it has no ten-digit code, or no geographic level' });
      continue;
    }
    if (levelOf(given) === null) {
      const what = `${code} ${published} has the geographic level "${given}"; taken as ${level} by its code`;
      warnings.push({ at, what });
    }
    const content = cells.map(text).join('\t');
    if (seen.get(code) === content) {
      ignored.push({ row, why: 'the same row stands twice' });
      continue;
    }
    seen.set(code, content);
    const name = tidyName(published, level);
    if (name !== published) repairs.push(`${code}: ${published} → ${name}`);
    const cityClass = text(cell('cityClass')).toUpperCase();
    if (cityClass !== '' && cityClass !== '-' && !CITY_CLASSES.has(cityClass)) {
      warnings.push({ at, what: `${code} ${published} has the city class "${cityClass}"; taken as unknown` });
    }
    const correspondence = digits(cell('correspondence'), 9);
    if (correspondence !== '' && !/^\d{9}$/.test(correspondence)) {
      warnings.push({ at, what: `${code} ${published} has the correspondence code "${correspondence}"; left out` });
    }
    const censuses = columns.populations.map(({ column, year }) => {
      const population = populationOf(cells[column] ?? null);
      if (population === undefined) {
        const why = `its population of ${year} "${text(cells[column])}" is no number; taken as unknown`;
        ignored.push({ row, why });
      }
      return { year, population: population ?? null };
    });
    const urbanRural = text(cell('urbanRural')).toUpperCase();
    const incomeClass = text(cell('incomeClass'));
    areas.push({
      at,
      code,
      name,
      correspondence: /^\d{9}$/.test(correspondence) ? correspondence : null,
      level,
      formerNames: formerNamesOf(String(cell('formerNames') ?? ''), level),
      cityClass: CITY_CLASSES.has(cityClass) ? (cityClass as PublishedRow['cityClass']) : null,
      urbanRural: urbanRural === 'U' || urbanRural === 'R' ? urbanRural : null,
      population: censuses.at(-1)?.population ?? null,
      populations: censuses.flatMap(({ year, population }) => (population === null ? [] : [{ year, population }])),
      incomeClass: incomeClass === '' || incomeClass === '-' ? null : incomeClass,
      notes: notesOf(cells, columns, footnotes),
    });
  }
  return { rows: areas, ignored, repairs, warnings, censusYears: columns.populations.map(({ year }) => year) };
}

/** The footnotes that the marks in a row name, each once: behind its name, in a population, in a column without header. */
function notesOf(cells: Cell[], columns: Columns, footnotes: ReadonlyMap<string, string>): string[] {
  const marked = [columns.name, ...columns.populations.map(({ column }) => column), ...columns.unnamed];
  const marks = marked.map((column) => footnoteMark(text(cells[column])));
  return [...new Set(marks)].flatMap((mark) => {
    const note = mark === null ? undefined : footnotes.get(mark);
    return note === undefined ? [] : [`${mark}/ ${note}`];
  });
}

/** A level as the PSA writes it in one edition or another: `Bgy`, `BGY`, `Brgy.`. */
function levelOf(given: string): PublishedLevel | null {
  const letters = given.toLowerCase().replace(/[^a-z]/g, '');
  return LEVELS[letters] ?? null;
}

/** The level that a code has by its digits; null for codes that no area can have. */
function levelOfCode(code: string, name: string): PublishedLevel | null {
  if (!/^(?!0+$)\d{10}$/.test(code)) return null;
  if (!code.endsWith('000')) return 'Bgy';
  if (/^\d{2}0{8}$/.test(code)) return 'Reg';
  if (/^\d{2}0\d{2}0{5}$/.test(code)) return 'Prov';
  return /\bCity\b/i.test(name) ? 'City' : 'Mun';
}

/** Why a row is no area, by the notes of the workbook: a district, a special province code, a row without a code. */
function whyNoArea(code: string, level: string): string | null {
  if (/^dist/i.test(level)) return 'a district of the National Capital Region, not part of the ten-digit PSGC';
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
