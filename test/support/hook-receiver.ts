import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that was received. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** How requests are answered: 204 at once, unless said otherwise. */
export interface Behaviour {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly delayMs?: number;
  /** Nothing is answered until the receiver is told how to. */
  readonly isHeld?: boolean;
}

/**
 * A server that receives webhooks, for tests that run where nothing can listen. Each path is a receiver of its own: POST is
 * received, GET gives what was, and PUT says how it is answered from now on.
 */
export async function startHookReceiver(): Promise<{ url: string; close(): void }> {
  const received = new Map<string, Received[]>();
  const behaviours = new Map<string, Behaviour>();
  const held = new Map<string, ServerResponse[]>();
  const answer = (path: string, response: ServerResponse): void => {
    const { status = 204, headers = {}, body, delayMs = 0 } = behaviours.get(path) ?? {};
    setTimeout(() => response.writeHead(status, headers).end(body), delayMs);
  };
  const server = createServer(async (request, response) => {
    const { method, url: path = '/', headers } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    if (method === 'GET') return response.end(JSON.stringify(received.get(path) ?? []));
    if (method === 'PUT') {
      behaviours.set(path, JSON.parse(body));
      for (const waiting of held.get(path) ?? []) answer(path, waiting);
      held.delete(path);
      return response.end();
    }
    received.set(path, [...(received.get(path) ?? []), { headers: headers as Record<string, string>, body }]);
    if (behaviours.get(path)?.isHeld) held.set(path, [...(held.get(path) ?? []), response]);
    else answer(path, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
