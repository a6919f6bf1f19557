import path from 'node:path';
import readExcelFile from 'read-excel-file/node';
import { type Cell, text } from './cells.ts';
import { readFootnotes } from './footnotes.ts';
import { type Problem, type Publication, psaSource } from './publication.ts';
import { readSummary } from './summary.ts';
import { type Columns, findColumns } from './workbook-columns.ts';
import { decideEdition, editionOf, publicationDate } from './workbook-edition.ts';
import { haveNineDigits, readRows } from './workbook-rows.ts';

/** A sheet that has the columns of a list of areas. */
interface List {
  name: string;
  rows: Cell[][];
  columns: Columns;
}

/**
 * Reads a PSGC publication workbook of the PSA (`.xlsx`, about 4 MB). This takes two seconds and 250 MB of memory. Rows
 * that are not understood are reported in the publication.
 * @param options `edition` decides over the publication date on sheet `Metadata` and the name of the file
 * @throws Error when the file is no such workbook, is of before 2021, or says two editions
 */
export async function readWorkbook(file: string, options: { edition?: string | undefined } = {}): Promise<Publication> {
  const read = await readExcelFile(file).catch((cause) => {
    throw new Error(`${file} can't be read as a workbook (.xlsx): ${cause instanceof Error ? cause.message : cause}`);
  });
  const sheets = read.map((it) => ({ name: it.sheet, rows: it.data as Cell[][] }));
  // Some workbooks have the list twice, such as a sheet for one region: the one with most codes is the whole list.
  const lists = sheets.flatMap(({ name, rows }): List[] => {
    const columns = findColumns(rows);
    return columns ? [{ name, rows, columns }] : [];
  });
  const list = lists.sort((a, b) => codesOf(b) - codesOf(a))[0];
  if (!list) {
    const names = sheets.map(({ name }) => `"${name}"`).join(', ');
    throw notLoadable(
      `${file} has no sheet with the columns "10-digit PSGC", "Name" and "Geographic Level" (it has ${names})`,
    );
  }
  const { name, rows, columns } = list;
  if (haveNineDigits(rows, columns)) throw notLoadable(`Most codes on the sheet "${name}" of ${file} have nine digits`);
  const metadata = sheets.find((sheet) => /^metadata$/i.test(sheet.name.trim()));
  const publishedOn = publicationDate(metadata?.rows ?? []);
  const edition = decideEdition(file, publishedOn, options.edition);
  const footnotes = readFootnotes(
    sheets.filter((sheet) => sheet.name === name || /note/i.test(sheet.name)).map((sheet) => sheet.rows),
  );
  const summary = readSummary(sheets.find((sheet) => /^nat.*sum/i.test(sheet.name.trim()))?.rows ?? []);
  const areas = readRows(name, rows, { columns, footnotes });
  const warnings: Problem[] = columns.faults.map((what) => ({ at: `sheet "${name}"`, what }));
  if (summary.length === 0) {
    const what = 'there is no national summary, "Nat\'l Sum", that the list could be compared with';
    warnings.push({ at: path.basename(file), what });
  }
  return {
    edition,
    // A day of another edition is not that of this one.
    publishedOn: publishedOn !== null && editionOf(publishedOn) === edition ? publishedOn : null,
    source: psaSource(edition, `Publication datafile ${path.basename(file)}`),
    ...areas,
    warnings: [...warnings, ...areas.warnings],
    problems: [],
    summary,
  };
}

function codesOf({ rows, columns }: List): number {
  return rows.filter((cells) => /^\d+$/.test(text(cells[columns.code]))).length;
}

function notLoadable(why: string): Error {
  return new Error(
    `${why}. Give the PSGC publication datafile of the PSA as it was downloaded; lists of before 2021 have nine-digit codes and can't be loaded.`,
  );
}
