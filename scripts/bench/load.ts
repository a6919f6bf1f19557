import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

/** The requests of a load test. */
export interface Work {
  /** URLs of one server, asked in turn. */
  urls: readonly string[];
  /** Header fields of every request, or a list of them that are sent in turn. */
  headers?: Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[];
  /** JSON text that is sent with POST. */
  body?: string;
}

/** How a server performed under load. */
export interface Load {
  requests: number;
  seconds: number;
  /** Bytes of all bodies, as they were sent. */
  bytes: number;
}

/** Connections that are used at a time. */
const CONNECTIONS = 8;

/**
 * Sends requests on several connections for some time, one after the other on each, and reads every body to its end. It
 * speaks HTTP/1.1 by itself, because the clients of Node take as long for a request as the fastest Worker for its answer.
 *
 * @throws Error when a status is not 200
 */
export async function measureLoad(work: Work, seconds: number): Promise<Load> {
  const requests = requestsOf(work);
  const { hostname, port } = new URL(work.urls[0] as string);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(hostname, Number(port))));
  let next = 0;
  let answered = 0;
  let bytes = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const client = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      const ask = () => {
        socket.write(requests[next % requests.length] as Buffer);
        next += 1;
      };
      const reader = new ResponseReader((status, length) => {
        if (status !== 200) return reject(new Error(`${work.urls} answered ${status}`));
        answered += 1;
        bytes += length;
        if (performance.now() < until) ask();
        else resolve();
      });
      socket.on('data', (chunk) => reader.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`${work.urls} closed the connection`)));
      ask();
    });
  try {
    await Promise.all(sockets.map(client));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { requests: answered, seconds: (performance.now() - started) / 1000, bytes };
}

/** The bytes of the requests, so that nothing is made while it is measured. */
function requestsOf({ urls, headers = {}, body }: Work): Buffer[] {
  const variants = [headers].flat();
  // Every URL comes with every variant of the header fields.
  return variants.flatMap((fields) =>
    urls.map((url) => {
      const { host, pathname, search } = new URL(url);
      const lines = [`${body === undefined ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
      for (const [name, value] of Object.entries(fields)) lines.push(`${name}: ${value}`);
      if (body !== undefined) {
        lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
      }
      return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
    }),
  );
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}
