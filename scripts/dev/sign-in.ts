import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Vars } from './dev-vars.ts';
import { loadSessionKey, publicKeysOf, signSession, subjectOf } from './session-key.ts';

export const EMAIL = /^[\w.!#$%&'*+/=?^`|~-]+@[\w-]+(\.[\w-]+)+$/;

const EXPIRES = '8h';
const MAX_BYTES = 1000;

export interface SignIn {
  /** The URL at which the Worker asks for a session: POST with the user's email address. Only the Worker knows it. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a server that makes sessions for the dashboard of the local service. Only the Worker can reach it. Undefined
 * where another identity provider is configured.
 */
export async function startSignIn(root: string, vars: Vars): Promise<SignIn | undefined> {
  const key = await loadSessionKey(join(root, '.dev.session-key'));
  if (vars.SESSION_JWKS !== JSON.stringify(publicKeysOf(key))) return undefined;
  const party = vars.SESSION_AUTHORIZED_PARTIES?.split(',')[0]?.trim() || undefined;
  const path = `/${randomBytes(16).toString('base64url')}`;
  const server = createServer(async (request, response) => {
    // A page whose name was made to lead to this machine (DNS rebinding) sends that name.
    const isAsked = request.headers.host === host && request.url === path && request.method === 'POST';
    const email = isAsked ? await emailIn(request) : undefined;
    if (email === undefined) {
      response.writeHead(404).end('{"message":"Nothing is here."}');
      return;
    }
    if (!EMAIL.test(email)) {
      response.writeHead(422).end('{"message":"This is no email address."}');
      return;
    }
    const session = {
      issuer: vars.SESSION_ISSUER as string,
      subject: subjectOf(email),
      email,
      party,
      expires: EXPIRES,
    };
    response.writeHead(200).end(JSON.stringify({ token: await signSession(key, session) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${path}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function emailIn(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? MAX_BYTES + 1) > MAX_BYTES) return undefined;
  return (await text(request)).trim();
}
