import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EDITION_ID, editionId, editionText } from '../../../src/areas/edition-id.ts';
import { CODE_CHANGES } from './code-changes.ts';
import { type Census, type Publication, type PublishedLevel, type PublishedRow, psaSource } from './publication.ts';
import { Table } from './table.ts';

/** The folder of the editions of the PSGC in the repository. */
export const HISTORY_FOLDER = join(import.meta.dirname, '../../../data/psgc');

export const EDITIONS_HEADER = 'edition,as_of,census,areas,source';
export const AREAS_HEADER =
  'code,level,name,correspondence_code,old_names,city_class,income_class,urban_rural,first_edition,last_edition';

const LEVELS: ReadonlySet<string> = new Set(['Reg', 'Prov', 'City', 'Mun', 'SGU', 'SubMun', 'Bgy']);

export interface HistoryEdition {
  /** `2026-3q`; an interim list, between two quarters, has its month: `2025-07`. */
  id: string;
  /** The day that the list is as of: `2026-09-30`. */
  asOf: string;
  /** The year of the newest census whose results it has. It has those of earlier ones too. */
  census: number;
  areas: number;
  /** What the list was read from. */
  source: string;
}

/** An area in the editions, one after the other, in which nothing of it changed. Texts are empty for what is unknown. */
export interface Span {
  code: string;
  level: PublishedLevel;
  name: string;
  correspondence: string;
  /** Separated by slashes. */
  oldNames: string;
  cityClass: string;
  incomeClass: string;
  urbanRural: string;
  /** Indexes of its first and its last edition. */
  first: number;
  last: number;
}

/** The editions of the PSGC, as `data/psgc` has them. */
export interface History {
  /** The oldest first. */
  editions: readonly HistoryEdition[];
  /** In the order of codes, then of editions. */
  spans: readonly Span[];
  /** The years of the censuses, the oldest first. */
  years: readonly number[];
  /** Residents by code, a number or null for each census. The code is that of any edition. */
  populations: ReadonlyMap<string, readonly (number | null)[]>;
}

/**
 * Reads the editions of the PSGC that the repository has.
 *
 * @throws Error naming the file and the line that is wrong
 */
export async function readHistory(folder: string = HISTORY_FOLDER): Promise<History> {
  const files = ['editions.csv', 'areas.csv', 'population.csv'].map((name) => join(folder, name));
  const [editionsFile = '', areasFile = '', populationFile = ''] = files;
  const [editionsText = '', areasText = '', populationText = ''] = await Promise.all(
    files.map((file) => readEditionFile(file)),
  );
  const editions = readEditions(new Table(editionsFile, editionsText, EDITIONS_HEADER));
  const spans = readSpans(new Table(areasFile, areasText, AREAS_HEADER), editions);
  return { editions, spans, ...readPopulations(populationFile, populationText) };
}

/** @throws Error that says what a folder of editions has, where the file is not there */
export function readEditionFile(file: string): Promise<string> {
  return readFileOf(file, 'A folder of editions has the files of data/psgc: copy these first.');
}

/**
 * @param remedy what to do where the file is not there
 * @throws Error that names the file and the remedy
 */
export async function readFileOf(file: string, remedy: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${file} is missing. ${remedy}`);
  });
}

/**
 * The id of the newest edition that the repository has, without reading any area.
 *
 * @throws Error naming the file and the line that is wrong
 */
export async function newestEdition(folder: string = HISTORY_FOLDER): Promise<string> {
  const file = join(folder, 'editions.csv');
  return readEditions(new Table(file, await readFile(file, 'utf8'), EDITIONS_HEADER)).at(-1)?.id ?? '';
}

function readEditions(table: Table): HistoryEdition[] {
  const editions: HistoryEdition[] = [];
  table.each(([id = '', asOf = '', census = '', areas = '', source = ''], at) => {
    if (!EDITION_ID.test(id)) throw table.fault(at, `"${id}" is no id of an edition, such as 2026-3q or 2025-07`);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf)) throw table.fault(at, `"${asOf}" is no day such as 2026-09-30`);
    if (!/^\d{4}$/.test(census)) throw table.fault(at, `"${census}" is no year of a census`);
    if (!/^[1-9]\d*$/.test(areas)) throw table.fault(at, `"${areas}" is no number of areas`);
    const before = editions.at(-1);
    if (before && before.asOf >= asOf) throw table.fault(at, `${id} is of ${asOf}, no later than ${before.id}`);
    editions.push({ id, asOf, census: Number(census), areas: Number(areas), source });
  });
  if (editions.length === 0) throw table.fault(1, 'there are no editions');
  return editions;
}

function readSpans(table: Table, editions: readonly HistoryEdition[]): Span[] {
  const indexes = new Map(editions.map(({ id }, i) => [id, i]));
  const counts = new Uint32Array(editions.length);
  const spans: Span[] = [];
  table.each((fields, at) => {
    const [code = '', level = '', name = '', correspondence = '', oldNames = ''] = fields;
    const [firstId = '', lastId = ''] = fields.slice(8);
    const first = indexes.get(firstId);
    const last = lastId === '' ? editions.length - 1 : indexes.get(lastId);
    if (!/^\d{10}$/.test(code)) throw table.fault(at, `"${code}" is no code of ten digits`);
    if (!LEVELS.has(level)) throw table.fault(at, `"${level}" is none of the levels ${[...LEVELS].join(', ')}`);
    if (name === '') throw table.fault(at, `${code} has no name`);
    if (first === undefined) throw table.fault(at, `editions.csv has no edition "${firstId}"`);
    if (last === undefined) throw table.fault(at, `editions.csv has no edition "${lastId}"`);
    if (last < first) throw table.fault(at, `${code} ends with ${lastId}, before it begins with ${firstId}`);
    const before = spans.at(-1);
    if (before && before.code > code) throw table.fault(at, `${code} stands behind ${before.code}`);
    if (before?.code === code && before.last >= first) {
      throw table.fault(at, `${code} begins with ${firstId}, which the line above it has too`);
    }
    for (let i = first; i <= last; i += 1) counts[i] = (counts[i] as number) + 1;
    const [cityClass = '', incomeClass = '', urbanRural = ''] = fields.slice(5);
    const area = { code, level: level as PublishedLevel, name, correspondence, oldNames };
    spans.push({ ...area, cityClass, incomeClass, urbanRural, first, last });
  });
  for (const [i, { id, areas }] of editions.entries()) {
    if (counts[i] !== areas) throw table.fault(0, `${counts[i]} areas are in ${id}, and ${areas} by editions.csv`);
  }
  return spans;
}

/** @throws Error naming the line that is wrong */
export function readPopulations(file: string, text: string): Pick<History, 'years' | 'populations'> {
  const header = /^code(?:,\d{4})+$/.exec(text.slice(0, text.indexOf('\n')))?.[0] ?? 'code,2020';
  const table = new Table(file, text, header);
  const populations = new Map<string, (number | null)[]>();
  let before = '';
  table.each(([code = '', ...counts], at) => {
    if (!/^\d{10}$/.test(code)) throw table.fault(at, `"${code}" is no code of ten digits`);
    if (code <= before) throw table.fault(at, `${code} stands behind ${before}`);
    before = code;
    for (const count of counts) {
      if (!/^\d*$/.test(count)) throw table.fault(at, `"${count}" is no number of residents`);
    }
    populations.set(
      code,
      counts.map((count) => (count === '' ? null : Number(count))),
    );
  });
  return { years: header.split(',').slice(1).map(Number), populations };
}

/**
 * Makes the publication of one edition. The names that an area had in older editions are among its former names. Pure.
 *
 * @throws Error naming the editions that there are
 */
export function publicationOf(history: History, id: string): Publication {
  const index = history.editions.findIndex((it) => it.id === id);
  const found = history.editions[index];
  if (!found) {
    const ids = history.editions.map((it) => it.id).join(', ');
    throw new Error(`There is no edition "${id}" in data/psgc; there are ${ids}`);
  }
  const edition = editionText(id);
  const censusesOf = censusReader(history);
  const older = new Map<string, string[]>();
  const rows: PublishedRow[] = [];
  for (const span of history.spans) {
    if (span.last < index) older.set(localCode(span.code), [...(older.get(localCode(span.code)) ?? []), span.name]);
  }
  for (const { code, name, ...span } of history.spans) {
    if (span.first > index || span.last < index) continue;
    const populations = censusesOf(code).filter(({ year }) => year <= found.census);
    const formerNames = [
      ...(span.oldNames === '' ? [] : span.oldNames.split('/')),
      ...(older.get(localCode(code)) ?? []),
    ];
    const row = rowOf({ code, name, ...span }, populations);
    rows.push({
      ...row,
      formerNames: [...new Set(formerNames)].filter((it) => it !== name),
      population: populations.find(({ year }) => year === found.census)?.population ?? null,
    });
  }
  return {
    edition,
    source: psaSource(edition, `As packed in ${found.source}`),
    rows,
    ignored: [],
    repairs: [],
    publishedOn: found.asOf,
    censusYears: history.years.filter((year) => year <= found.census),
    problems: [],
    warnings: [],
    summary: [],
  };
}

/** An area as its list has it, with the residents by its newest census. */
export function rowOf({ code, name, ...span }: Span, populations: Census[]): PublishedRow {
  return {
    at: code,
    code,
    name,
    correspondence: span.correspondence || null,
    level: span.level,
    formerNames: span.oldNames === '' ? [] : span.oldNames.split('/'),
    cityClass: (span.cityClass || null) as PublishedRow['cityClass'],
    urbanRural: (span.urbanRural || null) as PublishedRow['urbanRural'],
    population: populations.at(-1)?.population ?? null,
    populations,
    incomeClass: span.incomeClass || null,
    notes: [],
  };
}

/** The digits of a code that stay where its region changes; the whole code of a region. */
export function localCode(code: string): string {
  return code.endsWith('00000000') ? code : code.slice(2);
}

/**
 * Finds the residents of an area by the codes that it has had: those with its last eight digits, for a barangay those
 * with its nine-digit code, and manually recorded ones. Parts that were merged or divided are other areas.
 */
export function censusReader(history: History): (code: string) => Census[] {
  const cached = readers.get(history) ?? makeCensusReader(history);
  readers.set(history, cached);
  return cached;
}

/** Cached by history. */
const readers = new WeakMap<History, (code: string) => Census[]>();

function makeCensusReader({ spans, years, populations }: History): (code: string) => Census[] {
  const byLocal = new Map<string, (number | null)[]>();
  for (const [code, counts] of populations) {
    const local = localCode(code);
    const existing = byLocal.get(local);
    byLocal.set(local, existing ? existing.map((count, i) => count ?? counts[i] ?? null) : [...counts]);
  }
  const others = new Map<string, string[]>();
  const relate = (codes: readonly string[]) => {
    const locals = [...new Set(codes.map(localCode))];
    if (locals.length < 2) return;
    for (const local of locals) others.set(local, [...(others.get(local) ?? []), ...locals]);
  };
  const barangays = spans.filter(({ level, correspondence }) => level === 'Bgy' && correspondence !== '');
  for (const same of Map.groupBy(barangays, ({ correspondence }) => correspondence).values()) {
    relate(same.map(({ code }) => code));
  }
  for (const { from, to } of CODE_CHANGES) if (from.length === 1 && to.length === 1) relate([...from, ...to]);
  return (code) => {
    const locals = [localCode(code), ...(others.get(localCode(code)) ?? [])];
    return years.flatMap((year, i) => {
      const population = locals.map((local) => byLocal.get(local)?.[i]).find((count) => count != null);
      return population == null ? [] : [{ year, population }];
    });
  };
}

/**
 * Reads one edition that the repository has.
 *
 * @param edition its id, `2023-4q`, or what it is called, `4Q 2023`; the newest unless given
 * @throws Error naming the editions that there are
 */
export async function readBuiltin(edition?: string): Promise<Publication> {
  const history = await readHistory();
  const newest = history.editions.at(-1)?.id ?? '';
  const wanted = edition ?? newest;
  return publicationOf(history, EDITION_ID.test(wanted) ? wanted.toLowerCase() : editionId(wanted));
}
