import { type Cell, digits, text } from './cells.ts';
import { type Footnotes, NO_FOOTNOTES, readMarks } from './footnotes.ts';
import type { Problem, Publication, PublishedLevel, PublishedRow } from './publication.ts';
import { formerNamesOf, LINES, tidyName } from './published-names.ts';
import type { Columns, NamedColumn } from './workbook-columns.ts';

/** Levels by the letters of their abbreviation. */
const LEVELS: Readonly<Record<string, PublishedLevel>> = {
  reg: 'Reg',
  region: 'Reg',
  prov: 'Prov',
  province: 'Prov',
  city: 'City',
  mun: 'Mun',
  municipality: 'Mun',
  sgu: 'SGU',
  submun: 'SubMun',
  bgy: 'Bgy',
  brgy: 'Bgy',
  barangay: 'Bgy',
};
const CITY_CLASSES: ReadonlySet<string> = new Set(['HUC', 'ICC', 'CC']);

/** Maps the rows below the header. Every row becomes an area, or is listed as ignored or as a problem. */
export function readRows(
  sheet: string,
  rows: Cell[][],
  { columns, footnotes = NO_FOOTNOTES }: { columns: Columns; footnotes?: Footnotes },
) {
  const areas: PublishedRow[] = [];
  const ignored: Publication['ignored'] = [];
  const repairs: string[] = [];
  const warnings: Problem[] = [];
  const seen = new Map<string, string>();
  for (const [i, cells] of rows.entries()) {
    if (i <= columns.headerRow || cells.every((cell) => text(cell) === '')) continue;
    const cell = (column: NamedColumn) => readMarks(text(cells[columns[column]]), footnotes).content;
    const at = `${sheet} row ${i + 1}`;
    const code = digits(cell('code'), 10);
    const published = text(cells[columns.name]);
    const row = `${at}: ${code || 'no code'} ${published}`;
    const given = cell('level');
    const level = levelOf(given) ?? levelOfCode(code, cell('name'));
    const reason = whyNoArea(code, given, published);
    if (reason || level === null) {
      ignored.push({ row, why: reason ?? 'a row that is no area: it has no ten-digit code, or no geographic level' });
      continue;
    }
    const warn = (what: string) => warnings.push({ at, what: `${code} ${published} has ${what}` });
    if (levelOf(given) === null) warn(`the geographic level "${given}"; taken as ${level} by its code`);
    const content = cells.map(text).join('\t');
    if (seen.get(code) === content) {
      ignored.push({ row, why: 'the same row stands twice' });
      continue;
    }
    seen.set(code, content);
    const name = tidyName(cell('name'), level);
    if (name !== published) repairs.push(`${code}: ${published} → ${name}`);
    if (name.endsWith('/')) warn('a slash at the end of its name, which belongs to no footnote');
    const cityClass = cell('cityClass').toUpperCase();
    if (cityClass !== '' && cityClass !== '-' && !CITY_CLASSES.has(cityClass)) {
      warn(`the city class "${cityClass}"; taken as unknown`);
    }
    const correspondence = digits(cell('correspondence'), 9);
    if (correspondence !== '' && !/^\d{9}$/.test(correspondence)) {
      warn(`the correspondence code "${correspondence}"; left out`);
    }
    const censuses = columns.populations.map(({ column, year }) => {
      const given = cells[column] ?? null;
      const population = populationOf(typeof given === 'number' ? given : readMarks(text(given), footnotes).content);
      if (population === undefined) {
        const why = `its population of ${year} "${text(given)}" is no number; taken as unknown`;
        ignored.push({ row, why });
      }
      return { year, population: population ?? null };
    });
    const urbanRural = cell('urbanRural').toUpperCase();
    const incomeClass = cell('incomeClass');
    const marks = marksOf(cells, columns, footnotes);
    for (const mark of marks) {
      if (!footnotes.has(mark)) warn(`the footnote mark "${mark}/", which no footnote explains`);
    }
    areas.push({
      at,
      code,
      name,
      correspondence: /^\d{9}$/.test(correspondence) ? correspondence : null,
      level,
      formerNames: formerNamesOf(String(cells[columns.formerNames] ?? ''), level, footnotes),
      cityClass: CITY_CLASSES.has(cityClass) ? (cityClass as PublishedRow['cityClass']) : null,
      urbanRural: urbanRural === 'U' || urbanRural === 'R' ? urbanRural : null,
      population: censuses.at(-1)?.population ?? null,
      populations: censuses.flatMap(({ year, population }) => (population === null ? [] : [{ year, population }])),
      incomeClass: incomeClass === '' || incomeClass === '-' ? null : incomeClass,
      notes: marks.flatMap((mark) => (footnotes.has(mark) ? [`${mark}/ ${footnotes.get(mark)}`] : [])),
    });
  }
  return { rows: areas, ignored, repairs, warnings, censusYears: columns.populations.map(({ year }) => year) };
}

/**
 * Whether the codes of a list are those of before 2021. A code kept as a number has lost the zero at its beginning, so
 * that nine digits may have been ten; those of before 2021 are eight digits then, and have no other column of codes.
 */
export function haveNineDigits(rows: readonly (readonly Cell[])[], columns: Columns): boolean {
  const codes = rows
    .slice(columns.headerRow + 1)
    .map((cells) => text(cells[columns.code]))
    .filter((code) => /^(?!0+$)\d+$/.test(code));
  const short = codes.filter((code) => code.length < 9 || (code.length === 9 && code.startsWith('0'))).length;
  const long = codes.filter((code) => code.length > 9).length;
  return short > long || (codes.length > 0 && long === 0 && columns.correspondence < 0);
}

/**
 * The footnote marks in a row, each once: behind its name and other texts, in a population, in columns without heading.
 * Codes have none.
 */
function marksOf(cells: Cell[], columns: Columns, footnotes: Footnotes): string[] {
  const { name, formerNames, cityClass, urbanRural, incomeClass, level, populations, unnamed } = columns;
  const marked = new Set([name, level, cityClass, urbanRural, incomeClass, ...populations.map(({ column }) => column)]);
  const texts = cells.flatMap((cell, column) => {
    if (column === formerNames) return String(cell ?? '').split(LINES);
    return marked.has(column) || unnamed.includes(column) ? [text(cell)] : [];
  });
  return [...new Set(texts.flatMap((it) => readMarks(it.trim(), footnotes).marks))];
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
function whyNoArea(code: string, level: string, name: string): string | null {
  if (/^\d\d9\d\d00000$/.test(code)) return 'a special province code, not a province';
  if (/^dist/i.test(level)) return 'a district of the National Capital Region, not part of the ten-digit PSGC';
  if (/^(?:\d{5}00000)?$/.test(code) && /\(not a province\)/i.test(name)) return 'not a province, as its name says';
  return level === '' && /^0*$/.test(code) ? 'a row without code and geographic level' : null;
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
