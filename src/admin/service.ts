import type { ApiKey } from '../api-keys/key.ts';
import type { Actor } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { changeKey, type KeyChange } from './repo/keys.ts';
import { activateRelease } from './repo/releases.ts';

/** @throws DomainError `api_key_not_found`, `expires_at_in_past` */
export async function adjustKey(db: Database, id: string, wish: KeyChange, actor: Actor): Promise<ApiKey> {
  const change = { ...wish };
  if (wish.name !== undefined) change.name = wish.name.trim();
  if (wish.expires_at) {
    // The database would take neither every offset from UTC nor every number of decimals.
    const end = new Date(wish.expires_at);
    if (end.getTime() <= Date.now()) {
      throw new DomainError(
        'expires_at_in_past',
        `expires_at: must be in the future (got ${wish.expires_at}). To end a key now, revoke it.`,
      );
    }
    change.expires_at = end.toISOString();
  }
  const key = await changeKey(db, id, change, actor);
  if (!key) throw new DomainError('api_key_not_found', `There is no API key with the id ${id}.`);
  return key;
}

/**
 * Serves a release from now on.
 *
 * @returns the id of the release that was served until then, the same one where nothing changes, null for the first
 * @throws DomainError `release_not_found`, `release_not_checked`; what is served then stays
 */
export async function switchRelease(db: Database, id: string, actor: Actor): Promise<string | null> {
  const outcome = await activateRelease(db, id, actor);
  if (!outcome) throw new DomainError('release_not_found', `There is no release ${id}.`);
  if (!outcome.checked) {
    throw new DomainError(
      'release_not_checked',
      `Release ${id} can't be activated: the checks of its load were never completed.`,
    );
  }
  return outcome.previous;
}
