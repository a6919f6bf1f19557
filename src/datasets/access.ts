import { type Principal, type User, userOf } from '../auth/principal.ts';

/** Whose datasets a statement is about: a person's own, or everybody's for the holder of the master token. */
export type Caller = Pick<User, 'userId' | 'email'> | 'master';

/** The caller of a route that admits nobody without credentials. */
export function callerOf(principal: Principal): Caller {
  if (principal.kind === 'master') return 'master';
  const user = userOf(principal);
  if (!user) throw new Error('The route admits authenticated callers only');
  return { userId: user.userId, email: user.email };
}
