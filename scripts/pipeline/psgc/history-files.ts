import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editionText, lastDayOf } from '../../../src/areas/edition-id.ts';
import { csvLine } from '../../../src/csv/cells.ts';
import { hashOf, type Input } from '../inputs.ts';
import {
  AREAS_HEADER,
  EDITIONS_HEADER,
  type History,
  type HistoryEdition,
  readEditionFile,
  type Span,
} from './history.ts';

/** What a list says of an area, besides its code. */
export type Facts = Omit<Span, 'code' | 'first' | 'last'>;

const FACTS = ['level', 'name', 'correspondence', 'oldNames', 'cityClass', 'incomeClass', 'urbanRural'] as const;

export function isSame(one: Facts | undefined, other: Facts | undefined): boolean {
  return one === other || (!!one && !!other && FACTS.every((fact) => one[fact] === other[fact]));
}

/** What each edition says of each code, in the order of editions; undefined where it has none. */
export function factsByCode({
  editions,
  spans,
}: Pick<History, 'editions' | 'spans'>): Map<string, (Facts | undefined)[]> {
  const all = new Map<string, (Facts | undefined)[]>();
  for (const span of spans) {
    const facts = all.get(span.code) ?? editions.map(() => undefined);
    facts.fill(span, span.first, span.last + 1);
    all.set(span.code, facts);
  }
  return all;
}

/** As few spans as there can be, in the order of codes, then of editions. */
export function spansOf(all: ReadonlyMap<string, readonly (Facts | undefined)[]>): Span[] {
  return [...all.keys()].sort().flatMap((code) => {
    const facts = all.get(code) ?? [];
    const spans: Span[] = [];
    for (const [i, own] of facts.entries()) {
      const before = spans.at(-1);
      if (own && before?.last === i - 1 && isSame(before, own)) before.last = i;
      else if (own) spans.push({ ...own, code, first: i, last: i });
    }
    return spans;
  });
}

/** The texts of the files of a history, by their names. */
export function textsOf({ editions, spans, years, populations }: History): Record<string, string> {
  const text = (header: string, lines: string[]) => `${[header, ...lines].join('\n')}\n`;
  return {
    'editions.csv': text(
      EDITIONS_HEADER,
      editions.map(({ id, asOf, census, areas, source }) => lineOf([id, asOf, `${census}`, `${areas}`, source])),
    ),
    'areas.csv': text(
      AREAS_HEADER,
      spans.map((span) => {
        const last = span.last === editions.length - 1 ? '' : (editions[span.last]?.id ?? '');
        return lineOf([span.code, ...FACTS.map((fact) => span[fact]), editions[span.first]?.id ?? '', last]);
      }),
    ),
    'population.csv': text(
      ['code', ...years].join(),
      [...populations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, counts]) => [code, ...counts].join()),
    ),
  };
}

function lineOf(fields: readonly string[]): string {
  return csvLine(fields).trimEnd();
}

/** What `source.json` says of where the files come from. */
interface Origins {
  /** The files that the history was made of. */
  readonly inputs: readonly Input[];
  /** What was taken from whom. */
  readonly gathered: readonly { readonly what: string; readonly from: string; readonly url: string }[];
}

/**
 * Writes the files of a history, and into `source.json` their hashes and the quarters that it lacks.
 *
 * @param describe what `source.json` says of the origins, from what it has said
 */
export async function writeHistory(
  folder: string,
  history: History,
  describe: (before: Origins) => Partial<Origins> = () => ({}),
): Promise<void> {
  const texts = textsOf(history);
  const { sha256: before, ...source } = JSON.parse(await readEditionFile(join(folder, 'source.json')));
  const hashes = Object.entries(texts).map(([name, text]) => [name, hashOf(text)]);
  const sha256 = { ...before, ...Object.fromEntries(hashes) };
  const described = { ...source, missing: missingQuarters(history.editions), ...describe(source), sha256 };
  texts['source.json'] = `${JSON.stringify(described, null, 2)}\n`;
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
}

/** The quarters between the first edition and the last that have none, in words. */
function missingQuarters(editions: readonly Pick<HistoryEdition, 'id' | 'asOf'>[]): string {
  const ids = new Set(editions.map(({ id }) => id));
  const [first = '', last = ''] = [editions[0]?.asOf, editions.at(-1)?.asOf];
  const missing: string[] = [];
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year += 1) {
    for (const id of [1, 2, 3, 4].map((quarter) => `${year}-${quarter}q`)) {
      const day = lastDayOf(id);
      if (!ids.has(id) && day > first && day < last) missing.push(editionText(id));
    }
  }
  return missing.length === 0 ? 'nothing' : new Intl.ListFormat('en-GB').format(missing);
}

/**
 * Finds differences from what `geo:edition -- add` writes: lines in another order, spans that could be one, and hashes
 * of other files.
 */
export async function checkFiles(folder: string, history: History): Promise<string[]> {
  const texts = textsOf({ ...history, spans: spansOf(factsByCode(history)) });
  const { sha256 } = JSON.parse(await readEditionFile(join(folder, 'source.json')));
  const faults: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const given = await readFile(join(folder, name), 'utf8');
    const lines = text.split('\n');
    const at = given.split('\n').findIndex((line, i) => line !== lines[i]);
    if (at >= 0)
      faults.push(`${name}, line ${at + 1}: "${given.split('\n')[at]}" would be written "${lines[at] ?? ''}"`);
    if (sha256?.[name] !== hashOf(given)) faults.push(`source.json: the SHA-256 of ${name} is ${hashOf(given)}`);
  }
  return faults;
}
