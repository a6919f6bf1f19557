import { compareEditions } from '../areas/edition-id.ts';
import type { ServiceContext } from '../context.ts';
import { openHistory } from '../editions/open.ts';
import { DomainError } from '../errors.ts';

/** Max changes in one notification. */
const MAX_LISTED = 100;

/**
 * The changes between two editions of areas, and of all areas that are or were inside them.
 *
 * @returns undefined if the served history doesn't have both editions yet
 * @throws DomainError `storage_unavailable`
 */
export async function findChanges(
  ctx: ServiceContext,
  { areas, from, to }: { areas: readonly string[]; from: string; to: string },
): Promise<{ total: number; changes: readonly object[] } | undefined> {
  // An older release that is served again tells nothing new, and its history does not have the newer edition.
  if (compareEditions(from, to) >= 0) return { total: 0, changes: [] };
  const { history } = await openHistory(ctx);
  const known = new Set(history.editions.map(({ id }) => id));
  if (!known.has(from) || !known.has(to)) return undefined;
  const { total, changes } = history.listChanges({ from, to, within: areas }, { page: 1, limit: MAX_LISTED });
  return { total, changes };
}

/**
 * Refuses codes that no edition has or had.
 *
 * @throws DomainError `area_not_found`; `storage_unavailable` if the history can't be read
 */
export async function requireAreas(ctx: ServiceContext, areas: readonly string[]): Promise<void> {
  if (areas.length === 0) return;
  const { history } = await openHistory(ctx);
  const unknown = areas.find((code) => history.nameOfCode(code) === undefined);
  if (unknown === undefined) return;
  throw new DomainError('area_not_found', `areas: no edition of the PSGC has or had the code ${unknown}.`);
}
