import type { AppContext } from '../context.ts';
import type { Actor } from '../db/audit.ts';
import { userOf } from './principal.ts';

/**
 * Whoever makes the request.
 *
 * @throws Error for an anonymous caller, who may do nothing that is written down
 */
export function actorOf(c: AppContext): Actor {
  const { principal, requestId } = c.var;
  if (principal.kind === 'anonymous') throw new Error('Nobody is asking');
  return {
    kind: principal.kind,
    userId: userOf(principal)?.userId ?? null,
    keyId: principal.kind === 'key' ? principal.keyId : null,
    requestId,
  };
}
