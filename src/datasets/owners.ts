import { type Principal, type User, userOf } from '../auth/principal.ts';
import { DomainError } from '../errors.ts';
import type { DatasetFields } from './dataset.ts';

/** Whose datasets a statement is about: those of one person, or everybody's for the holder of the master token. */
export type Caller = Pick<User, 'userId' | 'email'> | 'master';

/** The owner of a new dataset. Somebody without a profile is known by their address only. */
export interface Owner {
  readonly userId: string | null;
  readonly email: string | null;
}

/** The fields of a body or form that name an owner. */
export interface OwnerFields {
  readonly user_id?: string | null | undefined;
  readonly user_email?: string | null | undefined;
}

/**
 * The caller of an operation that needs credentials.
 *
 * @throws Error for an anonymous principal: the route lets nobody in without credentials
 */
export function callerOf(principal: Principal): Caller {
  if (principal.kind === 'master') return 'master';
  const user = userOf(principal);
  if (!user) throw new Error('The route admits authenticated callers only');
  return { userId: user.userId, email: user.email };
}

/**
 * Refuses to name another owner. Credentials decide who owns a dataset: only the holder of the master token may name
 * somebody else, and everybody else may only repeat what they are.
 *
 * @throws DomainError `owner_not_allowed`
 */
export function requireOwnerFields(principal: Principal, { user_id: id, user_email: email }: OwnerFields): void {
  const user = userOf(principal);
  if (!user) return;
  if (id && id.toLowerCase() !== user.userId) {
    throw new DomainError('owner_not_allowed', 'user_id: must be left out or be your own id.');
  }
  if (email && email.toLowerCase() !== user.email) {
    throw new DomainError('owner_not_allowed', 'user_email: must be left out or be your own address.');
  }
}

/**
 * The owner of a new dataset: whoever creates it, or whom the holder of the master token names.
 *
 * @throws DomainError `owner_not_allowed`
 */
export function ownerOf(principal: Principal, fields: OwnerFields): Owner {
  requireOwnerFields(principal, fields);
  const user = userOf(principal);
  if (user) return { userId: user.userId, email: null };
  return { userId: fields.user_id ?? null, email: fields.user_email?.toLowerCase() ?? null };
}

/**
 * The new owner of a dataset where the holder of the master token names one, as the fields to change. An owner who is
 * named by id only, or by address only, becomes the only owner: the other field becomes null.
 */
export function newOwnerOf(
  principal: Principal,
  { user_id: id, user_email: email }: OwnerFields,
): Pick<DatasetFields, 'userId' | 'userEmail'> {
  if (principal.kind !== 'master') return {};
  return {
    userId: id === undefined && email ? null : id,
    userEmail: email === undefined && id ? null : email?.toLowerCase(),
  };
}
