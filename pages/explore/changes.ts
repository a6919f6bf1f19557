import { EDITION_ID } from '../../src/areas/edition-id.ts';
import { LEVEL_NAMES, type Level } from '../shared/levels.ts';
import { readOnce } from './data.ts';
import type { Edition } from './editions.ts';
import { KINDS, type Kind } from './kinds.ts';

/** An area before or after a change. */
export interface Party {
  readonly code: string;
  readonly name: string;
}

/** What happened to areas between an edition and the next one. */
export interface Change {
  readonly kind: Kind;
  readonly level: Level;
  readonly from: readonly Party[];
  readonly to: readonly Party[];
  readonly from_edition: string;
  readonly to_edition: string;
  /** What lists or laws say of it. */
  readonly note: string | null;
}

/** Which changes are shown. */
export interface ChangeFilter {
  /** The earlier edition. */
  readonly from: string;
  readonly to: string;
  readonly level?: Level | undefined;
  readonly kind?: Kind | undefined;
  /** Only those of the area with this code, before or after. */
  readonly code?: string | undefined;
}

/** A page of changes. */
export interface ChangePage {
  readonly changes: readonly Change[];
  readonly total: number;
  /** How many there are of each kind, whatever kind is shown. */
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  /** Number of the next page; null for the last one. */
  readonly next: number | null;
}

interface Answer {
  data: Change[];
  meta: { total: number; next: number | null; kinds: ChangePage['kinds'] };
}

/** Changes on a page, the most that the service gives. */
const PAGE_SIZE = 100;

/** The fragment of a list of changes. */
export function fragmentOfChanges({ from, to, level, kind }: ChangeFilter): string {
  const query = new URLSearchParams({ ...(level && { level }), ...(kind && { kind }) }).toString();
  return `#/changes/${from}/${to}${query && `?${query}`}`;
}

/** The changes in a fragment. Editions that it doesn't name are missing. */
export function changesAt(fragment: string): Partial<ChangeFilter> | undefined {
  const found = /^#\/changes(?:\/([^/?]+)\/([^/?]+))?(?:\?(.*))?$/i.exec(fragment);
  const [, from, to, query] = found ?? [];
  if (!found || [from, to].some((id) => id !== undefined && !EDITION_ID.test(id))) return undefined;
  const given = new URLSearchParams(query);
  const level = LEVEL_NAMES.find((name) => name === given.get('level'));
  const kind = KINDS.find((name) => name === given.get('kind'));
  return { ...(from && to ? { from: from.toLowerCase(), to: to.toLowerCase() } : {}), level, kind };
}

/**
 * Completes a filter: the earlier edition first, and where it names none, the step to an edition from the one before it.
 *
 * @param editions at least two, the newest first
 * @param shown the edition whose step is wanted; the current one unless given
 */
export function completed(filter: Partial<ChangeFilter>, editions: readonly Edition[], shown?: string): ChangeFilter {
  const { from, to, level, kind } = filter;
  const indexOf = (wanted?: string) => editions.findIndex(({ id, active }) => (wanted ? id === wanted : active));
  if (from && to && from !== to) {
    return { ...(indexOf(from) < indexOf(to) ? { from: to, to: from } : { from, to }), level, kind };
  }
  const at = indexOf(to ?? shown);
  // Nothing is before the oldest edition, so that the step after it is shown.
  const after = Math.min(Math.max(at, 0), editions.length - 2);
  return { from: editions[after + 1]?.id ?? '', to: editions[after]?.id ?? '', level, kind };
}

/**
 * Reads a page of changes.
 *
 * @param page from 1
 * @throws PsgcError
 */
export async function readChanges({ from, to, level, kind, code }: ChangeFilter, page = 1): Promise<ChangePage> {
  const only = `${level ? `&level=${level}` : ''}${kind ? `&kind=${kind}` : ''}${code ? `&code=${code}` : ''}`;
  const path = `/v1/changes?from=${from}&to=${to}${only}&limit=${PAGE_SIZE}&page=${page}`;
  const { data, meta } = await readOnce<Answer>(path);
  return { changes: data, total: meta.total, kinds: meta.kinds, next: meta.next };
}

/**
 * Everything that happened to the area with a code, the oldest first.
 *
 * @throws PsgcError
 */
export async function readHistory(code: string): Promise<readonly Change[]> {
  return (await readOnce<{ data: Change[] }>(`/v1/changes/${code}`)).data;
}

/** The areas that a change leads to: those after it, or where nothing came of them, those before it. */
export function outcomeOf({ from, to, from_edition, to_edition }: Change): {
  parties: readonly Party[];
  edition: string;
} {
  return to.length > 0 ? { parties: to, edition: to_edition } : { parties: from, edition: from_edition };
}
