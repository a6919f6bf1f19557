import { buildIndex } from '../../src/names/build.ts';
import type { NameIndex } from '../../src/names/index.ts';
import { matchRow } from '../../src/names/match.ts';
import { sourceOf } from '../../src/names/source.ts';
import type { Release } from '../pipeline/psgc/area.ts';
import { toRelease } from '../pipeline/psgc/areas.ts';
import { readBuiltin } from '../pipeline/psgc/builtin.ts';
import { type List, makeLists } from './names/lists.ts';
import { printTable } from './table.ts';

/** Whoever changes the seed sees other damage of the same kinds. */
const SEED = Number(process.env.SEED || 20250701);
const BARANGAYS = Number(process.env.BARANGAYS || 1000);

/** Measures what names are found, and how fast, on lists that are made from the packed edition and a seed. */
export async function measureNames(): Promise<void> {
  const release = toRelease(await readBuiltin());
  const index = indexOf(release);
  const lists = makeLists(release, { seed: SEED, barangays: BARANGAYS });
  for (const level of ['municity', 'barangay'] as const)
    measureLists(
      index,
      lists.filter((list) => list.level === level),
    );
}

function indexOf(release: Release): NameIndex {
  return buildIndex(sourceOf(release.areas, { names: release.formerNames, codes: release.aliases }));
}

function measureLists(index: NameIndex, lists: readonly List[]): void {
  const rows: string[][] = [];
  const total = { count: 0, right: 0, exact: 0, likely: 0, wrongExact: 0, wrongLikely: 0, ms: 0 };
  const show = process.env.SHOW;
  for (const { kind, questions } of lists) {
    const at = { count: questions.length, right: 0, exact: 0, likely: 0, wrongExact: 0, wrongLikely: 0, ms: 0 };
    let offered = 0;
    let shown = 0;
    const start = process.cpuUsage();
    const found = questions.map(({ row }) => matchRow(index, row));
    const { user, system } = process.cpuUsage(start);
    at.ms = (user + system) / 1000;
    for (const [i, { code, row }] of questions.entries()) {
      const result = found[i] as (typeof found)[number];
      const isRight = result.code === code;
      if (result.match === 'exact') isRight ? (at.exact += 1) : (at.wrongExact += 1);
      if (result.match === 'likely') isRight ? (at.likely += 1) : (at.wrongLikely += 1);
      const isDecided = result.match === 'exact' || result.match === 'likely';
      if (isDecided && isRight) at.right += 1;
      else if (result.candidates.some((it) => it.code === code)) offered += 1;
      if (show === kind && !(isDecided && isRight) && shown++ < 30)
        console.log(
          code,
          index.source.nameOf(index.rowOf(lists[0]!.level, code)),
          JSON.stringify(row),
          result.match,
          result.name,
          result.candidates.map((c) => `${c.name}:${c.score}`).join(' | '),
        );
      if (show === 'wrong' && isDecided && !isRight)
        console.log(
          kind,
          code,
          index.source.nameOf(index.rowOf(lists[0]!.level, code)),
          JSON.stringify(row),
          result.match,
          result.name,
          result.score,
          result.candidates.map((c) => `${c.name}:${c.score}`).join(' | '),
        );
    }
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += at[key];
    rows.push(lineOf(kind, at, offered));
  }
  rows.push(lineOf('all', total));
  const head = [
    'damage',
    'rows',
    'right',
    'exact',
    'likely',
    'offered',
    'wrong exact',
    'wrong likely',
    'of likely',
    'rows/s',
  ];
  printTable(`Matching: ${lists[0]?.level}`, head, rows);
}

function lineOf(
  kind: string,
  {
    count,
    right,
    exact,
    likely,
    wrongExact,
    wrongLikely,
    ms,
  }: Record<'count' | 'right' | 'exact' | 'likely' | 'wrongExact' | 'wrongLikely' | 'ms', number>,
  offered?: number,
): string[] {
  const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`);
  return [
    kind,
    String(count),
    percent(right, count),
    percent(exact, count),
    percent(likely, count),
    offered === undefined ? '' : percent(offered, count),
    String(wrongExact),
    String(wrongLikely),
    percent(wrongLikely, likely + wrongLikely),
    ms === 0 ? '' : ((1000 * count) / ms).toFixed(0),
  ];
}
