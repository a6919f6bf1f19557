import { compareEditions, editionId, lastDayOf } from '../../../src/areas/edition-id.ts';
import { toRelease } from './areas.ts';
import { checkRelease, LoadRefused } from './checks.ts';
import { CODE_CHANGES } from './code-changes.ts';
import { censusReader, type History, type HistoryEdition, localCode } from './history.ts';
import { type Facts, factsByCode, isSame, spansOf } from './history-files.ts';
import { isRenamed } from './name-changes.ts';
import type { Problem, Publication, PublishedRow } from './publication.ts';
import { isGarbled } from './published-names.ts';
import { isDayOf } from './workbook-edition.ts';

/** Differences between an edition and the previous one, a line per area. */
type Differences = Record<
  'new' | 'gone' | 'recoded' | 'renamed' | 'respelled' | 'reclassified' | 'other residents',
  string[]
>;

interface Added {
  history: History;
  edition: HistoryEdition;
  /** The id of the edition that it is compared to; null where there is none before it. */
  before: string | null;
  differences: Differences;
  warnings: Problem[];
  /** Whether the history had the same edition already. */
  isRecorded: boolean;
}

/** How an edition is added. */
interface Addition {
  /** What the list was read from. */
  source: string;
  /** The codes of regions, provinces and highly urbanised cities that are gone for reasons that no file here says. */
  allowGone?: readonly string[];
}

/** The share of areas of a level that an edition must have of those in the one next to it. */
const PLAUSIBLE = 0.98;

const REMEDY = 'Nothing was written. Give the publication datafile of the PSA as it was downloaded.';

/** Texts that a list has for some areas, if it has a column of them. */
const COLUMNS: readonly [keyof Facts, string][] = [
  ['correspondence', 'correspondence codes'],
  ['oldNames', 'old names'],
  ['cityClass', 'city classes'],
  ['incomeClass', 'income classes'],
  ['urbanRural', 'urban or rural'],
];

/**
 * Adds a publication to a history as an edition, between those before and after it. Pure.
 *
 * @throws LoadRefused with every problem where it doesn't fit
 */
export function addEdition(history: History, publication: Publication, { source, allowGone = [] }: Addition): Added {
  const id = editionId(publication.edition);
  const facts = new Map(publication.rows.map((row) => [row.code, factsOf(row)]));
  const at = history.editions.filter((it) => compareEditions(it.id, id) < 0).length;
  const recorded = history.editions[at]?.id === id ? history.editions[at] : undefined;
  const { problems, report } = checkRelease(toRelease(publication));
  const all = factsByCode(history);
  const edition: HistoryEdition = recorded ?? {
    id,
    asOf: publication.publishedOn ?? lastDayOf(id),
    census: publication.censusYears.at(-1) ?? history.editions[at - 1]?.census ?? 0,
    areas: facts.size,
    source,
  };
  problems.push(...checkColumns(facts, publication), ...checkPlace(history, edition, at));
  problems.push(...checkCounts(all, facts, at), ...checkGone(all, facts, { at, allowGone }));
  if (recorded) problems.push(...checkRecorded(all, facts, { at, id }));
  if (problems.length > 0) throw new LoadRefused(problems, REMEDY);

  const neighbour = at - 1;
  const before = new Map([...all].flatMap(([code, own]) => (own[neighbour] ? [[code, own[neighbour]] as const] : [])));
  const differences = differencesOf(before, facts);
  if (!recorded) {
    for (const code of new Set([...all.keys(), ...facts.keys()])) {
      const own = all.get(code) ?? history.editions.map(() => undefined);
      all.set(code, own.toSpliced(at, 0, facts.get(code)));
    }
  }
  const editions = recorded ? history.editions : history.editions.toSpliced(at, 0, edition);
  const counted = addPopulations(history, publication, at === history.editions.length);
  differences['other residents'] = counted.others;
  return {
    history: {
      ...history,
      editions,
      spans: recorded ? history.spans : spansOf(all),
      ...(recorded ? {} : counted.census),
    },
    edition,
    before: history.editions[neighbour]?.id ?? null,
    differences,
    warnings: report.warnings,
    isRecorded: recorded !== undefined,
  };
}

function factsOf(row: PublishedRow): Facts {
  return {
    level: row.level,
    name: row.name,
    correspondence: row.correspondence ?? '',
    oldNames: row.formerNames.filter((name) => !isGarbled(name)).join('/'),
    cityClass: row.cityClass ?? '',
    incomeClass: row.incomeClass ?? '',
    urbanRural: row.urbanRural ?? '',
  };
}

/** A list must have every column that earlier editions have. */
function checkColumns(facts: ReadonlyMap<string, Facts>, { censusYears }: Publication): Problem[] {
  const missing = COLUMNS.filter(([fact]) => [...facts.values()].every((own) => own[fact] === '')).map(([, it]) => it);
  if (censusYears.length === 0) missing.push('residents of any census');
  return missing.map((what) => ({ at: 'columns', what: `the list has no ${what}` }));
}

/**
 * A whole province is few areas of the country, so that a list without one has nearly as many as the one before. A region,
 * a province or a highly urbanised city whose code nothing follows has to be said to be gone.
 */
function checkGone(
  all: ReadonlyMap<string, readonly (Facts | undefined)[]>,
  facts: ReadonlyMap<string, Facts>,
  { at, allowGone }: { at: number; allowGone: readonly string[] },
): Problem[] {
  const here = new Set([...facts.keys(), ...CODE_CHANGES.flatMap(({ from }) => from)].map(localCode));
  const gone = [...all].flatMap(([code, own]) => {
    const before = own[at - 1];
    const isLarge = before && (before.level === 'Reg' || before.level === 'Prov' || before.cityClass === 'HUC');
    return isLarge && !here.has(localCode(code)) ? [[code, before.name] as const] : [];
  });
  const codes = new Set(gone.map(([code]) => code));
  return [
    ...gone
      .filter(([code]) => !allowGone.includes(code))
      .map(([code, name]) => ({
        at: code,
        what: `${name} is gone, and nothing says what became of it: an entry in code-changes.json does, or --allow-gone ${code}`,
      })),
    ...allowGone
      .filter((code) => !codes.has(code))
      .map((at) => ({ at, what: 'is given with --allow-gone, and is not gone' })),
  ];
}

function checkPlace({ editions }: History, { id, asOf }: HistoryEdition, at: number): Problem[] {
  if (!isDayOf(id, asOf)) {
    const what = `the list is as of ${asOf}, which is no day of the edition ${id}: say which it is with --edition`;
    return [{ at: 'publication date', what }];
  }
  const [before, after] = [editions[at - 1], editions.find((it) => compareEditions(it.id, id) > 0)];
  const isBetween = (before?.asOf ?? '') < asOf && asOf < (after?.asOf ?? '9');
  if (isBetween) return [];
  const what = `the list of ${id} is as of ${asOf}, and has to be ${before ? `later than ${before.asOf}` : 'one'}${after ? ` and earlier than ${after.asOf}` : ''}`;
  return [{ at: 'publication date', what }];
}

/** A part of the country, or a list that was cut off, has far fewer areas of some level. */
function checkCounts(
  all: ReadonlyMap<string, readonly (Facts | undefined)[]>,
  facts: ReadonlyMap<string, Facts>,
  at: number,
): Problem[] {
  const beside = Math.max(at - 1, 0);
  const counts = (list: Iterable<Facts | undefined>) =>
    Map.groupBy(
      [...list].flatMap((own) => own ?? []),
      ({ level }) => (level === 'SGU' ? 'Mun' : level),
    );
  const now = counts(facts.values());
  return [...counts([...all.values()].map((own) => own[beside]))].flatMap(([level, { length }]) => {
    const found = now.get(level)?.length ?? 0;
    if (found >= PLAUSIBLE * length) return [];
    return [
      { at: 'count', what: `the list has ${found} areas of the level ${level}, and the one next to it ${length}` },
    ];
  });
}

function checkRecorded(
  all: ReadonlyMap<string, readonly (Facts | undefined)[]>,
  facts: ReadonlyMap<string, Facts>,
  { at, id }: { at: number; id: string },
): Problem[] {
  const codes = [...new Set([...all.keys(), ...facts.keys()])].sort();
  return codes
    .filter((code) => !isSame(all.get(code)?.[at], facts.get(code)))
    .map((code) => {
      const [one, other] = [all.get(code)?.[at], facts.get(code)].map((own) => (own ? describe(own) : 'nothing'));
      return { at: code, what: `the edition ${id} is there already, and has ${one}, not ${other}` };
    });
}

function describe({ level, name, correspondence, ...others }: Facts): string {
  return [level, name, correspondence, ...Object.values(others)]
    .filter((it) => typeof it === 'string' && it)
    .join(' | ');
}

function differencesOf(before: ReadonlyMap<string, Facts>, after: ReadonlyMap<string, Facts>): Differences {
  const found: Differences = {
    new: [],
    gone: [],
    recoded: [],
    renamed: [],
    respelled: [],
    reclassified: [],
    'other residents': [],
  };
  const byLocal = (all: ReadonlyMap<string, Facts>) => new Map([...all.keys()].map((code) => [localCode(code), code]));
  const [then, now] = [byLocal(before), byLocal(after)];
  for (const [local, code] of then) {
    if (!now.has(local)) found.gone.push(`${code} ${before.get(code)?.name}`);
  }
  for (const [local, code] of now) {
    const old = then.get(local);
    const [one, other] = [before.get(old ?? ''), after.get(code) as Facts];
    if (old === undefined || !one) {
      found.new.push(`${code} ${other.name}`);
      continue;
    }
    if (old !== code) found.recoded.push(`${old} → ${code} ${other.name}`);
    if (one.name !== other.name) {
      const kind = isRenamed({ code, name: one.name }, { code, name: other.name }) ? 'renamed' : 'respelled';
      found[kind].push(`${code} ${one.name} → ${other.name}`);
    }
    const classes = ({ level, cityClass, incomeClass, urbanRural }: Facts) =>
      [level, cityClass, incomeClass, urbanRural].filter((it) => it !== '').join(' ');
    if (classes(one) !== classes(other)) {
      found.reclassified.push(`${code} ${other.name}: ${classes(one)} → ${classes(other)}`);
    }
  }
  return found;
}

/**
 * The residents that are known, with those that a list adds. Where it says otherwise of a census, the newest list is
 * right; older ones change nothing, and the lines in `others` say that what is known stays.
 */
export function addPopulations(
  history: History,
  { rows, censusYears }: Pick<Publication, 'rows' | 'censusYears'>,
  isNewest: boolean,
): { census: Pick<History, 'years' | 'populations'>; others: string[] } {
  const { years, populations } = history;
  const all = [...new Set([...years, ...censusYears])].sort();
  const censusesOf = censusReader(history);
  const counts = new Map(
    [...populations].map(([code, own]) => [code, all.map((year) => own[years.indexOf(year)] ?? null)]),
  );
  const codes = Map.groupBy(counts.keys(), localCode);
  const others: string[] = [];
  for (const { code, name, populations: censuses } of rows) {
    for (const { year, population } of censuses) {
      const recorded = censusesOf(code).find((census) => census.year === year)?.population;
      if (recorded === population) continue;
      if (recorded !== undefined) {
        const what = isNewest
          ? `${recorded} → ${population} in`
          : `${recorded} stays, and the list has ${population} in`;
        others.push(`${code} ${name}: ${what} ${year}`);
      }
      if (recorded === undefined || isNewest) {
        const i = all.indexOf(year);
        const holder = codes.get(localCode(code))?.find((it) => counts.get(it)?.[i] != null) ?? code;
        const own = counts.get(holder) ?? all.map(() => null);
        own[i] = population;
        counts.set(holder, own);
      }
    }
  }
  return { census: { years: all, populations: counts }, others };
}
