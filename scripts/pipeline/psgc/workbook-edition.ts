import path from 'node:path';
import { EDITION_ID, editionId, editionText, lastDayOf } from '../../../src/areas/edition-id.ts';
import { type Cell, text } from './cells.ts';

/**
 * The edition of a workbook: the one that was given, else what the day on its sheet `Metadata` and its name both say, or
 * the one of them that says any.
 * @throws Error naming what both say where they disagree, and where neither says anything
 */
export function decideEdition(file: string, publishedOn: string | null, given: string | undefined): string {
  const named = editionOfName(path.basename(file));
  const dated = publishedOn === null ? null : editionOf(publishedOn);
  const edition = given ?? dated ?? named;
  if (given === undefined && named !== null && dated !== null && named !== dated) {
    throw unknown(file, `its name says ${named}, and the day on its sheet "Metadata", ${publishedOn}, says ${dated}`);
  }
  if (edition === null) throw unknown(file, 'it has no publication date on a sheet "Metadata", and none in its name');
  try {
    return editionText(EDITION_ID.test(edition) ? edition : editionId(edition));
  } catch {
    throw unknown(file, `it is called "${edition}"`);
  }
}

function unknown(file: string, why: string): Error {
  return new Error(
    `The edition of ${file} can't be told: ${why}. Say which it is with --edition, as in --edition "4Q 2023", or --edition "July 2025" for an interim list.`,
  );
}

/** The day on the sheet `Metadata`: `31 December 2023` → `2023-12-31`. */
export function publicationDate(metadata: Cell[][]): string | null {
  const row = metadata.find((cells) => /^publication date/i.test(text(cells[0])));
  const value = row?.slice(1).find((cell) => cell !== null);
  // The time is noon, so that no time zone changes the day.
  const date = value instanceof Date ? value : new Date(`${text(value).replace(/^(?:as of)\s+/i, '')} 12:00 UTC`);
  return value === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/**
 * The edition of a list that is as of a day. On the last day of a quarter it is that of the quarter, else an interim list,
 * which is called by its month: `2023-12-31` → `4Q 2023`, `2026-10-31` → `October 2026`.
 */
export function editionOf(day: string): string {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  const quarter = `${year}-${Math.ceil(month / 3)}q`;
  return editionText(lastDayOf(quarter) === day ? quarter : day.slice(0, 7));
}

/** Whether a list that is as of a day can be of an edition: of a quarter it is as of its last day, else of the month. */
export function isDayOf(id: string, day: string): boolean {
  return editionId(editionOf(day)) === id || day === lastDayOf(id);
}

/** The edition in the name of a file: `PSGC-4Q-2023-Publication-Datafile.xlsx` → `4Q 2023`. */
export function editionOfName(name: string): string | null {
  const [, quarter, year] = /(?:^|[^\dA-Z])([1-4])Q[-_ ]?(\d{4})/i.exec(name) ?? [];
  return quarter === undefined ? null : `${quarter}Q ${year}`;
}
