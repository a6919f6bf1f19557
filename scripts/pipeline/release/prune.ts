import { ask, type Endpoint } from '../service.ts';

/** A release as a service lists it, so far as pruning reads it. */
export interface ListedRelease {
  /** The id of its edition, and a number: `2026-3q-1`. */
  readonly id: string;
  readonly status: 'active' | 'inactive';
  /** RFC 3339; null where its load was never completed. */
  readonly checked_at: string | null;
}

/** How many releases are asked for at once. */
const PAGE = 100;

/**
 * All releases that a service has loaded, the newest first.
 *
 * @throws Error if the service does not answer, or not as expected
 */
export async function listThrough(endpoint: Endpoint): Promise<ListedRelease[]> {
  const releases: ListedRelease[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await ask(endpoint, `/v1/admin/releases?limit=${PAGE}&page=${page}`);
    const { data, meta } = (await answer.json()) as { data: ListedRelease[]; meta: { total: number } };
    releases.push(...data);
    pages = Math.ceil(meta.total / PAGE);
  }
  return releases;
}

/**
 * The releases that nobody needs, the oldest first. Needed are the active one, and of each edition the newest whose load was
 * completed. The service knows others that are needed, and refuses to delete them (docs/releases.md, “Deleting releases”).
 *
 * @param releases the newest first
 * @param keep how many of the newest stay in any case
 */
export function toDelete(releases: readonly ListedRelease[], keep: number): ListedRelease[] {
  const editionOf = ({ id }: ListedRelease) => id.replace(/-\d+$/, '');
  const checked = releases.filter(({ checked_at }) => checked_at !== null);
  const isNewest = (release: ListedRelease) =>
    checked.find((other) => editionOf(other) === editionOf(release)) === release;
  return releases
    .slice(keep)
    .filter((release) => release.status !== 'active' && !isNewest(release))
    .reverse();
}

/**
 * Deletes a release from a service. One that it does not have counts as deleted.
 *
 * @returns why the service keeps it; undefined where it is deleted
 * @throws Error if the service does not answer, or not as expected
 */
export async function deleteThrough(endpoint: Endpoint, id: string): Promise<string | undefined> {
  const path = `/v1/admin/releases/${encodeURIComponent(id)}`;
  // If the answer to a first request came too late, the release is gone when it is asked for again.
  const answer = await ask(endpoint, path, { method: 'DELETE' }, [200, 404, 409]);
  return answer.status === 409 ? ((await answer.json()) as { message: string }).message : undefined;
}
