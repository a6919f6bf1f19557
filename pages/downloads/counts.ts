import type { Download } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { number } from '../shared/format.ts';
import { LEVELS, type Level } from '../shared/levels.ts';
import type { Area, Choice } from './choice.ts';

/** Counts by the path of their list. */
const known = new Map<string, number>();

/**
 * The areas of a choice in a sentence: as many as the files of the level say, or else their list; empty where neither does. An edition
 * without boundaries is said to have none.
 */
export async function countedWords(
  choice: Pick<Choice, 'level' | 'edition' | 'boundaries'>,
  area: Area,
  { files, isDrawn }: { files: readonly Download[]; isDrawn: boolean },
): Promise<string> {
  const { level, edition, boundaries } = choice;
  const rowsOf = (resolution: string | null) =>
    files.find((it) => it.level === level && it.edition === edition && it.resolution === resolution)?.rows;
  const [all, drawn] = [rowsOf(null), rowsOf(boundaries)];
  const total = await totalOf(choice, area, all);
  if (total === undefined) return '';
  if (total === 1) return 'One area. ';
  const words = `${number(total)} ${LEVELS[level].nouns.toLowerCase()}`;
  if (boundaries === 'none') return `${isDrawn ? '' : 'There are no boundaries of this edition here. '}${words}. `;
  if (all === undefined || drawn === undefined) return `Of ${words}, those with a boundary. `;
  const missing = number(all - drawn);
  if (missing === '0') return `All ${words}. `;
  return total === all
    ? `${words} but for ${missing}, which have no boundary. `
    : `${words}, but for those without a boundary (${missing} in the whole country). `;
}

/** @param all of the level */
async function totalOf(
  { level, edition }: Pick<Choice, 'level' | 'edition'>,
  area: Area,
  all: number | undefined,
): Promise<number | undefined> {
  if (area.level === level) return 1;
  if (area.level === undefined || level === 'submunicipality') return all;
  const path = `/v1/${LEVELS[level].path}?${filterOf(area)}=${area.code}&limit=1${edition && `&edition=${edition}`}`;
  const found = known.get(path) ?? (await requestJson<{ meta: { total: number } }>(path)).meta.total;
  known.set(path, found);
  return found;
}

function filterOf({ level }: { readonly level?: Level | undefined }): string {
  if (level === 'region') return 'region';
  return level === 'province' ? 'province_code' : 'municity_code';
}
