import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** URLs of the files that clients read a part of. */
const LAYER = /\.(?:fgb|parquet)\b/;

/** A server in front of the service that counts what clients are sent, and cuts answers off. */
export interface CountingProxy {
  readonly address: string;
  /** Bytes of bodies since the last call. */
  take(): number;
  /** How long before the body of a whole layer its headers are sent, milliseconds. */
  headersAheadMs: number;
  /** Ends the connection of the next answer after so many bytes of its body. */
  cutNext(bytes: number): void;
  close(): void;
}

export async function startProxy(target: string): Promise<CountingProxy> {
  let sent = 0;
  let cut: number | undefined;
  const server = createServer((request, response) => {
    const { method, headers } = request;
    const { host: _, ...others } = headers;
    // Bytes are passed on as they are, packed or not.
    const outgoing = ask(target + request.url, { method, headers: others }, async (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const closed = once(response, 'close');
      // As over a network: a client that wants to see the headers only closes the connection before more is on its way. On a
      // busy machine that takes it a while. HEAD must not wait: its client has all of the answer and sends its next request on
      // the same connection, whose headers would then come too late.
      if (method === 'GET' && answer.statusCode === 200 && LAYER.test(request.url ?? '')) {
        response.flushHeaders();
        await Promise.race([closed, sleep(proxy.headersAheadMs)]);
        if (response.destroyed) return;
      }
      let rest = cut ?? Number.POSITIVE_INFINITY;
      cut = undefined;
      for await (const chunk of answer) {
        const part = (chunk as Buffer).subarray(0, rest);
        rest -= part.length;
        sent += part.length;
        // A client that has seen enough takes no more.
        const written = new Promise<void>((resolve) => void response.write(part, () => resolve()));
        await Promise.race([closed, written]);
        if (response.destroyed) return;
        if (rest === 0) {
          response.socket?.destroySoon();
          return;
        }
      }
      response.end();
    });
    outgoing.on('error', () => response.destroy());
    request.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const proxy: CountingProxy = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = sent;
      sent = 0;
      return taken;
    },
    cutNext: (bytes) => {
      cut = bytes;
    },
    headersAheadMs: 0,
    close: () => void server.close(),
  };
  return proxy;
}
