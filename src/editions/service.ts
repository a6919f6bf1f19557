import { compareEditions } from '../areas/edition-id.ts';
import { LEVEL_NAMES } from '../areas/level-names.ts';
import { noticeOfParent } from '../areas/lost-parents.ts';
import { servedAreas } from '../areas/served-areas.ts';
import type { Level } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Notice } from '../http/notices.ts';
import type { HistoryEdition } from './encoded.ts';
import { editionIndex, openHistory, type ServedHistory } from './open.ts';

export interface AnsweredEdition extends HistoryEdition {
  readonly release: string;
  /** Whether it is the edition of the active release. */
  readonly active: boolean;
}

/**
 * The available editions, newest first: those of the history whose areas were published with it, and others that have a
 * release. Its own release answers for an edition, else the active one. `state` changes with the result.
 *
 * @throws DomainError `storage_unavailable`
 */
export async function listEditions(
  ctx: ServiceContext,
): Promise<{ editions: AnsweredEdition[]; release: string; state: string }> {
  const { history, release, version, included } = await openHistory(ctx);
  const index = await editionIndex(ctx);
  const ofHistory = new Set(history.editions.map(({ id }) => id));
  const others = Object.entries(index).flatMap(([id, own]) => (ofHistory.has(id) ? [] : [{ id, ...own }]));
  const own = release.replace(/-\d+$/, '');
  const answered = history.editions.filter(({ id }) => id === own || id in index || included.has(id));
  const editions = [...answered, ...others]
    .map(({ id, published, counts, boundary_set }): AnsweredEdition => {
      const indexed = index[id];
      return {
        id,
        published,
        counts,
        release: indexed?.release ?? release,
        active: id === own,
        boundary_set: indexed?.boundary_set ?? boundary_set,
      };
    })
    .sort((a, b) => compareEditions(b.id, a.id));
  return { editions, release, state: JSON.stringify([version, index]) };
}

/** @throws DomainError `edition_not_found` naming the available editions */
export function requireEditions(
  { history }: Pick<ServedHistory, 'history'>,
  wanted: Record<string, string | undefined>,
): void {
  const editions = history.editions.map(({ id }) => id).reverse();
  for (const [parameter, id] of Object.entries(wanted)) {
    if (id === undefined || editions.includes(id)) continue;
    const message = `${parameter}: the history has no edition ${id}. It has ${editions.join(', ')}.`;
    throw new DomainError('edition_not_found', message, { facts: { editions } });
  }
}

/**
 * Notices about a code without history: today's area that it leads to, or the successors of an abolished area.
 * Undefined for the code of an area of today, and for an unknown code.
 *
 * @param isOfArea whether it leads to an area that no edition has changed
 */
export async function noticesOfCode(
  ctx: ServiceContext,
  { code, isOfArea }: { code: string; isOfArea: boolean },
): Promise<readonly Notice[] | undefined> {
  const areas = await servedAreas(ctx);
  const lookUpCode = async (level: Level, wanted: string) => (await areas.find(level, wanted, {})).value;
  for (const level of isOfArea ? (Object.keys(LEVEL_NAMES) as Level[]) : []) {
    const { area } = await lookUpCode(level, code);
    if (!area || area.code === code) continue;
    const message = `${code} is an older code of ${area.name}, which is ${area.code} now. The editions there are do not show the change.`;
    const successors = [{ code: area.code, href: `/v1/${LEVEL_NAMES[level].plural}/${area.code}` }];
    return [{ code: 'area_recoded', parameter: 'code', message, successors }];
  }
  const notices = await noticeOfParent(lookUpCode, code, 'code');
  return notices?.[0]?.code === 'area_abolished' ? notices : undefined;
}
