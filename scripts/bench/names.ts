import { buildIndex } from '../../src/names/build.ts';
import type { NameIndex } from '../../src/names/index.ts';
import { matchRow } from '../../src/names/match.ts';
import type { Match } from '../../src/names/result.ts';
import { searchNames } from '../../src/names/search.ts';
import { sourceOf } from '../../src/names/source.ts';
import { releaseOf } from '../pipeline/editions/release.ts';
import type { Release } from '../pipeline/psgc/area.ts';
import { type History, readHistory } from '../pipeline/psgc/history.ts';
import { type Judged, judged } from './names/judge.ts';
import { type List, makeLists, type Question } from './names/lists.ts';
import { Shares } from './names/shares.ts';
import { type Outcome, outcomeOf, Tally } from './names/tally.ts';
import { makeTexts } from './names/texts.ts';
import { goalCells, medianOf, printTable } from './table.ts';

const SEED = 20250701;
const BARANGAYS = 2000;
const SEARCHES = 2000;

/**
 * Damaged rows of lists with a goal: one or two letters, a form or a parent is wrong. Those of cities and
 * municipalities are of rows with a province. Rows without a share have no goal.
 */
const GOALS = [
  { level: 'municity', kinds: /^clean/, share: 0.995, what: 'clean cities and municipalities' },
  { level: 'barangay', kinds: /^clean/, share: 0.995, what: 'clean barangays' },
  {
    level: 'municity',
    kinds: /^(?!clean|province missing)/,
    share: 0.97,
    what: 'damaged cities and municipalities with a province, right or wrong',
  },
  { level: 'municity', kinds: /wrong/, share: undefined, what: 'of these, those with a wrong province or region' },
  { level: 'barangay', kinds: /^(?!clean|city missing)/, share: 0.9, what: 'damaged barangays with a city' },
  { level: 'barangay', kinds: /wrong/, share: undefined, what: 'of these, those with a wrong province or region' },
  { level: 'municity', kinds: /^province missing/, share: undefined, what: 'cities and municipalities alone' },
  { level: 'barangay', kinds: /^city missing/, share: undefined, what: 'barangays with a province alone' },
] as const;

/**
 * Measures what names are found, and how fast, on lists that are made of the packed edition and a seed. Time is CPU time.
 * With SHOW=<kind of damage> it also prints the rows of that kind that were not matched right, and with SHOW=wrong all that
 * were called exact or likely and are not.
 */
export async function measureNames(): Promise<void> {
  const history = await readHistory();
  const release = releaseOf(history, history.editions.at(-1)?.id ?? '');
  const index = measureIndex(release);
  const seed = Number(process.env.SEED || SEED);
  const lists = makeLists(release, { seed, barangays: Number(process.env.BARANGAYS || BARANGAYS) });
  const shares = new Shares();
  const tallies = lists.map((list) => ({ list, tally: measureList(index, list, shares) }));
  const shared = lists
    .filter((list) => list.shared.length > 0)
    .map((list) => ({ list, tally: measureList(index, { ...list, questions: list.shared }, shares) }));
  for (const level of ['municity', 'barangay'] as const) {
    const ofLevel = tallies.filter(({ list }) => list.level === level);
    const all = Tally.sum(ofLevel.map(({ tally }) => tally));
    const leftOut = (count: (list: List) => number) => ofLevel.reduce((sum, { list }) => sum + count(list), 0);
    printTable(
      `Rows matched, ${level}, seed ${seed}`,
      [...Tally.HEAD, 'unchanged', 'others'],
      [
        ...ofLevel.map(({ list, tally }) => [...tally.cells(list.kind), String(list.unchanged), String(list.others)]),
        [...all.cells('all'), String(leftOut((it) => it.unchanged)), String(leftOut((it) => it.others))],
      ],
    );
  }
  console.log(
    '\n  Left out of each list: names that the damage leaves as they are (unchanged), and rows that with their damage name',
    '\n  another area than the one they were made of (others). Rows that name several areas have a table of their own.',
  );
  printTable(
    `Rows that name several areas, seed ${seed}: only another area is wrong`,
    Tally.HEAD,
    shared.map(({ list, tally }) => tally.cells(`${list.level}: ${list.kind}`)),
  );
  printGoals(tallies, shared);
  measureTexts(index, { release, history, shares });
  shares.print(seed);
  measureSearch(index, lists);
}

function measureIndex(release: Release): NameIndex {
  const source = sourceOf(release.areas, { names: release.formerNames, codes: release.aliases });
  const builds: number[] = [];
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined);
  collect();
  const before = process.memoryUsage();
  let index = buildIndex(source);
  collect();
  const after = process.memoryUsage();
  for (let i = 0; i < 5; i += 1) {
    const { ms, result } = cpuOf(() => buildIndex(source));
    builds.push(ms);
    index = result;
  }
  const heap = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  printTable(
    'The index of names',
    ['what', 'this', 'goal', ''],
    [
      ['areas, distinct keys', `${source.size}, ${index.keys.size}`, '', ''],
      [
        'building it, CPU (median of 5)',
        `${medianOf(builds).toFixed(0)} ms`,
        ...goalCells('≤ 100 ms', medianOf(builds) <= 100),
      ],
      ['bytes of its arrays and its text', mb(index.bytes), ...goalCells('≤ 12 MB', index.bytes <= 12e6)],
      ['heap after building it', mb(heap), ...goalCells('≤ 12 MB', heap <= 12e6)],
    ],
  );
  return index;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function cpuOf<T>(work: () => T): { ms: number; result: T } {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, result };
}

function measureList(index: NameIndex, { kind, level, questions }: List, shares: Shares): Tally {
  const { ms, result } = cpuOf(() => questions.map(({ row }) => matchRow(index, row)));
  const tally = new Tally(ms);
  for (const [i, question] of questions.entries()) {
    const match = result[i] as Match;
    const outcome = outcomeOf(match, question.code);
    tally.add(outcome);
    shares.add(index, match, [question.code]);
    show(index, { kind, level, question, match, outcome });
  }
  return tally;
}

function show(
  index: NameIndex,
  {
    kind,
    level,
    question,
    match,
    outcome,
  }: Pick<List, 'kind' | 'level'> & { question: Question; match: Match; outcome: Outcome },
): void {
  const shown = process.env.SHOW;
  const isWrong = outcome === 'wrong exact' || outcome === 'wrong likely';
  const isMissed = shown === kind && outcome !== 'exact' && outcome !== 'likely';
  if (!isMissed && !(shown === 'wrong' && isWrong)) return;
  const name = index.source.nameOf(index.rowOf(level, question.code));
  const candidates = match.candidates.map((it) => `${it.name} ${it.score}`).join(', ');
  console.log(
    `${kind}: ${question.code} ${name} ${JSON.stringify(question.row)} ${outcome}: ${match.name} (${candidates})`,
  );
}

/** A list, and what came of its rows. */
interface Measured {
  readonly list: List;
  readonly tally: Tally;
}

function printGoals(tallies: readonly Measured[], shared: readonly Measured[]): void {
  const rows = GOALS.map(({ level, kinds, share, what }) => {
    const meant = tallies.filter(({ list }) => list.level === level && kinds.test(list.kind));
    const { right, size } = Tally.sum(meant.map(({ tally }) => tally));
    const goal = share === undefined ? undefined : `≥ ${percent(share)}`;
    return [`${what}, right`, String(size), percent(right), ...goalCells(goal, right >= (share ?? 0))];
  });
  const all = Tally.sum([...tallies, ...shared].map(({ tally }) => tally));
  const worst = [...tallies, ...shared].toSorted((a, b) => b.tally.wrongOfLikely - a.tally.wrongOfLikely)[0];
  const fullRows = Tally.sum(
    tallies
      .filter(({ list }) => list.level === 'barangay' && list.kind === 'clean, no region')
      .map(({ tally }) => tally),
  );
  printTable(
    'Goals',
    ['what', 'rows', 'this', 'goal', ''],
    [
      ...rows,
      [
        'called exact and wrong',
        String(all.size),
        String(all.count('wrong exact')),
        ...goalCells('0', all.count('wrong exact') === 0),
      ],
      [
        'called likely and wrong',
        String(all.size),
        percent(all.wrongOfLikely),
        ...goalCells('≤ 0.5 %', all.wrongOfLikely <= 0.005),
      ],
      [
        `the same of the worst kind: ${worst?.list.level}, ${worst?.list.kind}`,
        String(worst?.tally.size),
        percent(worst?.tally.wrongOfLikely ?? 0),
        ...goalCells('≤ 0.5 %', (worst?.tally.wrongOfLikely ?? 0) <= 0.005),
      ],
      [
        'clean rows a second, in one process of Node',
        String(fullRows.size),
        fullRows.perSecond.toFixed(0),
        ...goalCells('≥ 5,000', fullRows.perSecond >= 5000),
      ],
    ],
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/** Places in texts and columns as people write them, in every order, by all editions. With SHOW=<kind> what was not right. */
function measureTexts(
  index: NameIndex,
  { release, history, shares }: { release: Release; history: History; shares: Shares },
): void {
  const seed = Number(process.env.SEED || SEED);
  const lists = makeTexts(release, history, { seed, rows: Number(process.env.BARANGAYS || BARANGAYS) });
  const shown = process.env.SHOW;
  const rows = lists.map(({ kind, goal, allowed, questions }) => {
    const { ms, result } = cpuOf(() => questions.map(({ row }) => matchRow(index, row)));
    const all = questions.map(({ codes }, i) => judged(result[i] as Match, codes));
    const count = (outcome: Judged) => all.filter((it) => it === outcome).length;
    for (const [i, { row, codes, town }] of questions.entries()) {
      const outcome = all[i] as Judged;
      const { match, name, code } = result[i] as Match;
      shares.add(index, result[i] as Match, match === 'ambiguous' && town ? [...codes, town] : codes);
      const isShown = shown === 'wrong' ? outcome.startsWith('wrong') : shown === kind && outcome !== 'right';
      if (isShown) console.log(`${kind}: ${codes} ${JSON.stringify(row)} ${outcome}: ${match} ${code} ${name}`);
    }
    const right = count('right') / all.length;
    const wrong = count('wrong likely');
    const isFew = allowed === undefined ? isRare(wrong, count('right')) : wrong <= allowed * all.length;
    const isMet = right >= (goal ?? 0) && count('wrong exact') === 0 && isFew;
    const rare = allowed === undefined ? 'wrong rare' : `wrong ≤ ${percent(allowed)}`;
    return [
      kind,
      String(all.length),
      percent(right),
      ...(['offered', 'missed', 'wrong likely', 'wrong exact'] as const).map((outcome) => String(count(outcome))),
      ((1000 * all.length) / ms).toFixed(0),
      ...goalCells(goal === undefined ? rare : `≥ ${percent(goal)}`, isMet),
    ];
  });
  printTable(
    `Places as people write them, seed ${seed}: besides its goal a kind has nothing exact that is wrong, and one in 500 that is likely`,
    ['kind', 'rows', 'right', 'offered', 'missed', 'wrong likely', 'wrong exact', 'rows/s', 'goal', ''],
    rows,
  );
}

/** Whether few enough likely rows are wrong. A single one may be by chance. */
function isRare(wrong: number, right: number): boolean {
  return wrong <= Math.max(1, right / 500);
}

/** Searches for damaged names over all levels, and how often the name's area is the first or among the first ten. */
function measureSearch(index: NameIndex, lists: readonly List[]): void {
  const kinds = ['clean, no region', 'case', 'one letter', 'two letters', 'by ear twice', 'abbreviations', 'text'];
  const rows = kinds.flatMap((kind) =>
    lists
      .filter((list) => list.kind === kind)
      .map(({ level, questions }) => {
        const sample = questions.slice(0, SEARCHES);
        const texts = sample.map(({ row }) => row.text ?? row[level] ?? '');
        const { ms, result } = cpuOf(() => texts.map((q) => searchNames(index, { q, limit: 10 })));
        const share = (isFound: (codes: string[], i: number) => boolean) =>
          percent(
            result.filter((hits, i) =>
              isFound(
                hits.map(({ code }) => code),
                i,
              ),
            ).length / sample.length,
          );
        const nameOf = (code: string) => index.source.nameOf(index.rowOf(level, code));
        const first = share((codes, i) => codes[0] === sample[i]?.code);
        const named = result.filter((hits, i) =>
          hits.some((hit) => index.source.nameOf(hit.row) === nameOf(sample[i]?.code ?? '')),
        );
        const each = ms / sample.length;
        return [
          `${level}: ${kind}`,
          String(sample.length),
          first,
          share((codes, i) => codes.includes(sample[i]?.code ?? '')),
          percent(named.length / sample.length),
          `${each.toFixed(2)} ms`,
          ...goalCells('≤ 2 ms', each <= 2),
        ];
      }),
  );
  printTable(
    'Searches over all levels (names without parents can mean several areas)',
    ['names', 'searches', 'area first', 'area in ten', 'its name in ten', 'CPU each', 'goal', ''],
    rows,
  );
}
