import type { Download } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { LEVELS, type Level } from '../shared/levels.ts';
import { type Area, type Choice, COUNTRY } from './choice.ts';

/** Counts by the path of their list. */
const known = new Map<string, number>();

/** How many areas a choice has: as the files of the level say it, or else as their list. Undefined where neither does. */
export async function countAreas(
  { level, edition }: Pick<Choice, 'level' | 'edition'>,
  area: Area,
  files: readonly Download[],
): Promise<number | undefined> {
  if (area.level === level) return 1;
  const file = files.find((it) => it.level === level && it.edition === edition && it.resolution === null);
  if (area.code === COUNTRY || level === 'submunicipality') return file?.rows;
  const path = `/v1/${LEVELS[level].path}?${filterOf(area)}=${area.code}&edition=${edition}&limit=1`;
  const found = known.get(path) ?? (await requestJson<{ meta: { total: number } }>(path)).meta.total;
  known.set(path, found);
  return found;
}

function filterOf({ level }: { readonly level?: Level | undefined }): string {
  if (level === 'region') return 'region';
  return level === 'province' ? 'province_code' : 'municity_code';
}
