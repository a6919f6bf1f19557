import { lowerAscii } from './ascii.ts';
import { type Principal, userOf } from './auth/principal.ts';
import { DomainError } from './errors.ts';

/** The fields of a body or form that name an owner. */
export interface OwnerFields {
  readonly user_id?: string | null | undefined;
  readonly user_email?: string | null | undefined;
}

/**
 * Refuses to name another owner. Credentials decide who owns a thing: only the holder of the master token may name
 * somebody else, and everybody else may only repeat what they are.
 *
 * @throws DomainError `owner_not_allowed`
 */
export function requireOwnerFields(principal: Principal, { user_id: id, user_email: email }: OwnerFields): void {
  const user = userOf(principal);
  if (!user) return;
  if (id && lowerAscii(id) !== user.userId) {
    throw new DomainError('owner_not_allowed', 'user_id: must be left out or be your own id.');
  }
  if (email && lowerAscii(email) !== user.email) {
    throw new DomainError('owner_not_allowed', 'user_email: must be left out or be your own address.');
  }
}
