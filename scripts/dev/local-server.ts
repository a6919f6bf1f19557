import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of one address that only the Worker knows. */
export interface LocalServer {
  url: string;
  close(): Promise<void>;
}

interface LocalAnswer {
  status: number;
  /** Sent as JSON. */
  body: unknown;
}

/**
 * Starts a server on 127.0.0.1 with an address that cannot be guessed.
 *
 * @param answer undefined where nothing is there
 */
export async function startLocalServer(
  method: 'GET' | 'POST',
  answer: (request: IncomingMessage) => LocalAnswer | Promise<LocalAnswer | undefined>,
): Promise<LocalServer> {
  const path = `/${randomBytes(16).toString('base64url')}`;
  const server = createServer(async (request, response) => {
    // A page whose name was made to lead to this machine (DNS rebinding) sends that name.
    const isAsked = request.headers.host === host && request.url === path && request.method === method;
    const { status, body } = (isAsked ? await answer(request) : undefined) ?? {
      status: 404,
      body: { message: 'Nothing is here.' },
    };
    response.writeHead(status).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${path}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
