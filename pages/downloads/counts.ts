import type { Download } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { LEVELS, type Level } from '../shared/levels.ts';
import { type Area, type Choice, COUNTRY } from './choice.ts';

/** Counts by the path of their list. */
const known = new Map<string, number>();

export interface Count {
  /** The areas of a choice, with a boundary or without one. */
  readonly total: number;
  /** How many areas of the level have no boundary in the whole country, where files of both say it. */
  readonly undrawn: number | undefined;
}

/** How many areas a choice has: as the files of the level say it, or else as their list. Undefined where neither does. */
export async function countAreas(
  choice: Pick<Choice, 'level' | 'edition' | 'boundaries'>,
  area: Area,
  files: readonly Download[],
): Promise<Count | undefined> {
  const { level, edition, boundaries } = choice;
  const rowsOf = (resolution: string | null) =>
    files.find((it) => it.level === level && it.edition === edition && it.resolution === resolution)?.rows;
  const [all, drawn] = [rowsOf(null), rowsOf(boundaries)];
  const total = await totalOf(choice, area, all);
  const undrawn = all === undefined || drawn === undefined ? undefined : all - drawn;
  return total === undefined ? undefined : { total, undrawn };
}

/** @param all of the level */
async function totalOf(
  { level, edition }: Pick<Choice, 'level' | 'edition'>,
  area: Area,
  all: number | undefined,
): Promise<number | undefined> {
  if (area.level === level) return 1;
  if (area.code === COUNTRY || level === 'submunicipality') return all;
  const path = `/v1/${LEVELS[level].path}?${filterOf(area)}=${area.code}&edition=${edition}&limit=1`;
  const found = known.get(path) ?? (await requestJson<{ meta: { total: number } }>(path)).meta.total;
  known.set(path, found);
  return found;
}

function filterOf({ level }: { readonly level?: Level | undefined }): string {
  if (level === 'region') return 'region';
  return level === 'province' ? 'province_code' : 'municity_code';
}
