import { askJson } from '../shared/api.ts';
import { forgetToken, heldToken, holdToken } from '../shared/credentials.ts';

/** Somebody who is signed in. */
export interface Session {
  /** Their address, or what else says who it is. */
  readonly who: string;
  /** A token that is good now; the identity provider's last a minute. */
  token(): Promise<string>;
  end(): Promise<void>;
}

/** How one signs in here, as the service says. */
export type Ways =
  | { readonly way: 'local' | 'token' }
  | { readonly way: 'provider'; readonly publishable_key: string; readonly host: string };

/** @throws Refusal that says why the service doesn't tell */
export function readWays(): Promise<Ways> {
  // Asked without the token that the tab holds, which may be over.
  return askJson<Ways>('/dashboard/sign-in', { token: '' });
}

/** The session of the token that this tab holds, if it holds one that is not over. */
export function heldSession(): Session | undefined {
  const token = heldToken();
  if (!token) return undefined;
  const claims = claimsOf(token);
  if (claims?.exp !== undefined && claims.exp * 1000 <= Date.now()) {
    forgetToken();
    return undefined;
  }
  return sessionWith(token);
}

export function startSession(token: string): Session {
  holdToken(token);
  return sessionWith(token);
}

function sessionWith(token: string): Session {
  return {
    who: claimsOf(token)?.email ?? 'Signed in with a key',
    token: () => Promise.resolve(token),
    end: () => {
      forgetToken();
      return Promise.resolve();
    },
  };
}

/**
 * Signs in at the local server, which knows everybody.
 * @throws Error that says why not
 */
export async function signInLocally(email: string): Promise<Session> {
  const response = await fetch('/dashboard/sign-in', { method: 'POST', body: email });
  const said = (await response.json()) as { token?: string; message?: string };
  if (!said.token) throw new Error(said.message ?? 'The local server made no session.');
  return startSession(said.token);
}

interface Claims {
  readonly email?: string;
  readonly exp?: number;
}

/** What a session says of itself, for showing only: it is the service that verifies it. */
function claimsOf(token: string): Claims | undefined {
  const [, payload] = token.split('.');
  if (!payload) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return undefined;
  }
}
