import { requestJson } from './api.ts';
import { currentToken, forgetToken, storeToken } from './credentials.ts';

/** A person who is signed in. */
export interface Session {
  /** Their email address, or another text that says who they are. */
  readonly displayName: string;
  /** A token that is valid now. Those of the identity provider are valid for a minute. */
  token(): Promise<string>;
  end(): Promise<void>;
}

/** How people sign in here, as the service answers it. */
export type SignInMethod =
  | { readonly way: 'local' | 'token' }
  | { readonly way: 'provider'; readonly publishable_key: string; readonly host: string };

/** @throws PsgcError */
export function readSignInMethod(): Promise<SignInMethod> {
  // It is asked for without the token of the tab, which may have expired.
  return requestJson<SignInMethod>('/dashboard/sign-in', { token: '' });
}

/** The session of this tab's token, unless the token has expired. */
export function storedSession(): Session | undefined {
  const token = currentToken();
  if (!token) return undefined;
  const claims = claimsOf(token);
  if (claims?.exp !== undefined && claims.exp * 1000 <= Date.now()) {
    forgetToken();
    return undefined;
  }
  return sessionWith(token);
}

export function startSession(token: string): Session {
  storeToken(token);
  return sessionWith(token);
}

function sessionWith(token: string): Session {
  return {
    displayName: claimsOf(token)?.email ?? 'Signed in with a key',
    token: () => Promise.resolve(token),
    end: () => {
      forgetToken();
      return Promise.resolve();
    },
  };
}

/**
 * Signs in at the local server, which accepts every email address.
 *
 * @throws Error that says why it was refused
 */
export async function signInLocally(email: string): Promise<Session> {
  const response = await fetch('/dashboard/sign-in', { method: 'POST', body: email });
  const { token, message } = (await response.json()) as { token?: string; message?: string };
  if (!token) throw new Error(message ?? 'The local server made no session.');
  return startSession(token);
}

/** Whether two tokens stand for the same person. */
export function isSamePerson(one: string, other: string): boolean {
  const subject = claimsOf(one)?.sub;
  return one === other || (subject !== undefined && subject === claimsOf(other)?.sub);
}

interface Claims {
  readonly sub?: string;
  readonly email?: string;
  readonly exp?: number;
}

/** The claims of a session token. They are only shown; the service is what verifies them. */
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
