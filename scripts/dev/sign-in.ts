import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Vars } from './dev-vars.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';
import { loadSessionKey, publicKeysOf, signSession, subjectOf } from './session-key.ts';

export const EMAIL = /^[\w.!#$%&'*+/=?^`|~-]+@[\w-]+(\.[\w-]+)+$/;

const EXPIRES = '8h';
const MAX_BYTES = 1000;

/**
 * Starts the server at which the Worker asks for sessions for the dashboard of the local service: POST with the user's email
 * address. Undefined where another identity provider is configured.
 */
export async function startSignIn(root: string, vars: Vars): Promise<LocalServer | undefined> {
  const key = await loadSessionKey(join(root, '.dev.session-key'));
  if (vars.SESSION_JWKS !== JSON.stringify(publicKeysOf(key))) return undefined;
  const party = vars.SESSION_AUTHORIZED_PARTIES?.split(',')[0]?.trim() || undefined;
  return startLocalServer('POST', async (request) => {
    const email = await emailIn(request);
    if (email === undefined) return undefined;
    if (!EMAIL.test(email)) return { status: 422, body: { message: 'This is no email address.' } };
    const session = {
      issuer: vars.SESSION_ISSUER as string,
      subject: subjectOf(email),
      email,
      party,
      expires: EXPIRES,
    };
    return { status: 200, body: { token: await signSession(key, session) } };
  });
}

async function emailIn(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? MAX_BYTES + 1) > MAX_BYTES) return undefined;
  return (await text(request)).trim();
}
