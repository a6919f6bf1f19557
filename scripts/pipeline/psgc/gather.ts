import { join } from 'node:path';
import { addPopulations } from './add-edition.ts';
import { AREAS_HEADER, type History, type HistoryEdition, readFileOf, readPopulations } from './history.ts';
import { type Facts, factsByCode, spansOf } from './history-files.ts';
import type { Publication, PublishedLevel } from './publication.ts';
import { tidyName } from './published-names.ts';
import { Table } from './table.ts';

/**
 * Makes a history of the tables of a folder: `editions.csv` with the columns `edition,as_of,areas`, `areas.csv` and
 * `population.csv` with those of `data/psgc`. Names lose the marks of footnotes and wrong capitals, cells with a dash
 * are empty, and rows without a level, which are no areas, are left out. What has the same facts after that is one
 * span.
 *
 * @param recorded further facts of the editions: their censuses and sources
 * @param workbooks of the PSA, whose counts fill in what the tables lack
 * @throws Error naming the file and the line that is wrong
 */
export async function gatherHistory(
  folder: string,
  { recorded, workbooks }: { recorded: readonly HistoryEdition[]; workbooks: readonly Publication[] },
): Promise<History> {
  const [editionsFile, areasFile, populationFile] = ['editions.csv', 'areas.csv', 'population.csv'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const read = (file: string) =>
    readFileOf(file, 'The folder of gathered tables has editions.csv, areas.csv and population.csv.');
  const editions = readEditions(new Table(editionsFile, await read(editionsFile), 'edition,as_of,areas'), recorded);
  const spans = readAreas(new Table(areasFile, await read(areasFile), AREAS_HEADER), editions);
  const codes = new Set(spans.map(({ code }) => code));
  const { years, populations } = readPopulations(populationFile, await read(populationFile));
  let history: History = {
    editions: editions.map((edition, i) => ({
      ...edition,
      areas: spans.filter(({ first, last }) => first <= i && i <= last).length,
    })),
    spans,
    years,
    populations: new Map([...populations].filter(([code]) => codes.has(code))),
  };
  for (const workbook of workbooks) history = { ...history, ...addPopulations(history, workbook, false).census };
  return history;
}

function readEditions(table: Table, recorded: readonly HistoryEdition[]): HistoryEdition[] {
  const editions: HistoryEdition[] = [];
  table.each(([id, asOf = '', areas], at) => {
    const found = recorded.find((edition) => edition.id === id);
    if (!found) throw table.fault(at, `"${id}" is not in data/psgc/editions.csv, which says its census and its source`);
    editions.push({ ...found, asOf, areas: Number(areas) });
  });
  return editions;
}

/** @throws Error if an edition has another number of rows than `editions.csv` says */
function readAreas(table: Table, editions: readonly HistoryEdition[]): History['spans'] {
  const ids = editions.map(({ id }) => id);
  const counts = editions.map(() => 0);
  const spans: (Facts & { code: string; first: number; last: number })[] = [];
  table.each((fields, at) => {
    const [code = '', level, name, correspondence, oldNames, cityClass, incomeClass, urbanRural, from = '', to] =
      fields.map((cell) => (cell === '-' ? '' : cell)) as [string, PublishedLevel, ...string[]];
    const [first, last] = [ids.indexOf(from), to ? ids.indexOf(to) : ids.length - 1];
    if (first < 0 || last < first) throw table.fault(at, `there are no editions from "${from}" to "${to}"`);
    for (let i = first; i <= last; i += 1) counts[i] = (counts[i] as number) + 1;
    if (!level) return;
    const facts = {
      level,
      name: tidyName(name ?? '', level),
      correspondence,
      oldNames,
      cityClass,
      incomeClass,
      urbanRural,
    };
    spans.push({ ...(facts as Facts), code, first, last });
  });
  const wrong = editions.find(({ areas }, i) => areas !== counts[i]);
  if (wrong)
    throw table.fault(
      0,
      `${counts[editions.indexOf(wrong)]} rows are in ${wrong.id}, and ${wrong.areas} by editions.csv`,
    );
  return spansOf(factsByCode({ editions, spans }));
}
