import { lowerAscii } from '../ascii.ts';
import { type Principal, type User, userOf } from '../auth/principal.ts';
import { type OwnerFields, requireOwnerFields } from '../owner-fields.ts';
import type { DatasetFields } from './dataset.ts';

/** Whose datasets a statement is about: those of one person, or everybody's for the holder of the master token. */
export type Caller = Pick<User, 'userId' | 'email'> | 'master';

/** Who reads datasets: somebody who is known, the account of an id, or anyone. */
export type Reader = Caller | { readonly account: string } | 'everyone';

/** The owner of a new dataset. Somebody without a profile is known by their address only. */
export interface Owner {
  readonly userId: string | null;
  readonly email: string | null;
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

/** Who reads: a caller without credentials is anyone. */
export function readerOf(principal: Principal): Reader {
  return principal.kind === 'anonymous' ? 'everyone' : callerOf(principal);
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
  return { userId: fields.user_id ?? null, email: fields.user_email ? lowerAscii(fields.user_email) : null };
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
    userEmail: email === undefined && id ? null : email && lowerAscii(email),
  };
}
