import { describe, expect, it } from 'vitest';
import { holds, type Principal, userOf } from '../../../src/auth/principal.ts';
import { SCOPES, type Scope } from '../../../src/auth/scopes.ts';

const user = { userId: 'u', email: null, accountRpm: null };
const session = (isAdmin: boolean): Principal => ({ kind: 'session', ...user, isAdmin });
const key = (scopes: Scope[] | null, isAdmin = false): Principal => ({
  kind: 'key',
  expiresAt: null,
  keyId: 'k',
  scopes,
  ...user,
  isAdmin,
});
const held = (principal: Principal) => SCOPES.filter((scope) => holds(principal, scope));
const ALL_BUT_ADMIN = SCOPES.filter((scope) => scope !== 'admin');

describe('the scopes', () => {
  it('are read and write of five families, and admin', () => {
    const families = ['boundaries', 'datasets', 'places', 'politics', 'orgs'];
    const pairs = families.flatMap((family) => [`read:${family}`, `write:${family}`]);
    expect([...SCOPES].sort()).toEqual([...pairs, 'admin'].sort());
  });

  it.each<[string, Principal, readonly Scope[]]>([
    ['nobody', { kind: 'anonymous' }, []],
    ['the master', { kind: 'master' }, SCOPES],
    ['a session', session(false), ALL_BUT_ADMIN],
    ['a session of an administrator', session(true), SCOPES],
    ['a key without scopes', key(null), ALL_BUT_ADMIN],
    ['a key without scopes, of an administrator', key(null, true), ALL_BUT_ADMIN],
    ['a key with some', key(['read:orgs', 'write:datasets']), ['read:orgs', 'write:datasets']],
    ['a key to write', key(['write:boundaries']), ['write:boundaries']],
    ['a key with admin, of an administrator', key(['admin'], true), ['admin']],
    ['a key with admin, of somebody who is none any more', key(['admin', 'read:orgs']), ['read:orgs']],
  ])('of %s', (_, principal, scopes) => {
    expect(held(principal).sort()).toEqual([...scopes].sort());
  });
});

it('sessions and keys have a user, and nothing else has', () => {
  expect([session(true), key(null)].map(userOf)).toEqual([session(true), key(null)]);
  expect([{ kind: 'anonymous' } as const, { kind: 'master' } as const].map(userOf)).toEqual([undefined, undefined]);
});
