import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { Socket, type TcpNetConnectOpts } from 'node:net';
import { clientOf, isTrusted, type Proxies } from './addresses.ts';

interface FrontOptions {
  readonly host: string;
  readonly port: number;
  readonly proxies: Proxies;
  /** Origin of the Worker, where the runtime runs. */
  worker(): URL | undefined;
}

export interface Front {
  /** Refuses new connections, and waits until all requests are answered. */
  close(): Promise<void>;
}

/** How long an idle connection is kept, milliseconds: longer than proxies keep theirs, so that they are the ones that close it. */
const IDLE_MS = 130_000;

/** How long a request may take to arrive, milliseconds: an upload of 5 GB over 12 Mbit/s. */
const REQUEST_MS = 3_600_000;

/** How many headers a request may have. The runtime would fail where there are thousands. */
const MAX_HEADERS = 200;

/** The runtime closes connections that were idle for five seconds. */
const RUNTIME_IDLE_MS = 3000;

/** Headers that belong to a connection and not to what is sent over it (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** Headers that the platform or a proxy sets. A client's own would be believed. */
const NOT_OF_CLIENTS = /^(cf-|mf-|x-forwarded-|x-real-ip$|forwarded$)/;

/** Listens for requests, and sends each to the Worker with the address that it comes from. */
export async function startFront({ host, port, proxies, worker }: FrontOptions): Promise<Front> {
  const agent = new RuntimeAgent({ keepAlive: true, timeout: RUNTIME_IDLE_MS });
  const server = createServer(
    { requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS, maxHeaderSize: 64 * 1024 },
    (asked, answer) => forward(asked, answer),
  );
  // Node would leave out those after the first two thousand.
  server.maxHeadersCount = 0;

  function forward(asked: IncomingMessage, answer: ServerResponse): void {
    if (closing) answer.setHeader('Connection', 'close');
    const headerCount = asked.rawHeaders.length / 2;
    if (headerCount > MAX_HEADERS) {
      refuse(answer, tooMany(headerCount));
      return;
    }
    const origin = worker();
    const url = addressOf(asked, proxies);
    if (url === undefined || origin === undefined) {
      refuse(answer, url === undefined ? BAD_HOST : NOT_RUNNING);
      return;
    }
    const { hostname, port } = origin;
    const headers = headersFor(asked, proxies);
    const sent = request({ agent, hostname, port, method: asked.method, path: url, headers });
    let isAnswered = false;
    sent.on('response', (answered) => {
      isAnswered = true;
      answer.writeHead(answered.statusCode ?? 502, withoutHops(answered.headers));
      // After the head of an answer nothing but its end can say that it is not complete.
      answered.on('error', () => answer.destroy());
      answered.pipe(answer);
    });
    sent.on('error', () => {
      if (!isAnswered) refuse(answer, NOT_RUNNING);
    });
    sent.on('close', () => {
      // Where the Worker has not read all of an upload, its client reads the answer once it has sent the rest.
      asked.unpipe(sent);
      asked.resume();
    });
    // Whoever goes away waits for nothing more.
    answer.on('close', () => {
      if (!answer.writableFinished) sent.destroy();
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    asked.pipe(sent);
  }

  let closing: Promise<void> | undefined;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(() => {
          agent.destroy();
          resolve();
        });
        server.closeIdleConnections();
      });
      return closing;
    },
  };
}

const BAD_HOST = {
  status: 400,
  body: { message: 'The header Host must be the name of this service.', code: 'invalid_parameter' },
};
const NOT_RUNNING = {
  status: 503,
  body: { message: 'The service is starting again. Try again in a few seconds.', code: 'service_restarting' },
};

function tooMany(headerCount: number): typeof BAD_HOST {
  const message = `A request may have ${MAX_HEADERS} headers at most (got ${headerCount}).`;
  return { status: 431, body: { message, code: 'too_many_headers' } };
}

function refuse(answer: ServerResponse, { status, body }: typeof BAD_HOST): void {
  answer.setHeader('Content-Type', 'application/json').setHeader('Cache-Control', 'no-store');
  if (status === 503) answer.setHeader('Retry-After', '2');
  answer.writeHead(status).end(JSON.stringify(body));
}

/**
 * A connection to the runtime. The Worker may refuse an upload before it has read all of it, and the runtime then closes the
 * connection behind its answer. A write that fails must not end the connection before that is read: reading says how it ended.
 */
class PatientSocket extends Socket {
  override _write(...[chunk, encoding, done]: Parameters<Socket['_write']>): void {
    super._write(chunk, encoding, () => done());
  }

  override _writev(...[chunks, done]: Parameters<NonNullable<Socket['_writev']>>): void {
    super._writev?.(chunks, () => done());
  }
}

class RuntimeAgent extends Agent {
  override createConnection({ host, port }: TcpNetConnectOpts): Socket {
    return new PatientSocket().connect(port, host ?? '127.0.0.1');
  }
}

/** The URL that a request is for, as its client sees it; undefined where it names no host. */
function addressOf({ headers, socket, url = '' }: IncomingMessage, proxies: Proxies): string | undefined {
  const isProxied = isTrusted(socket.remoteAddress ?? '', proxies);
  const scheme = isProxied && last(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  const host = (isProxied && last(headers['x-forwarded-host'])) || headers.host;
  const address = `${scheme}://${host}${url}`;
  return host !== undefined && HOST.test(host) && url.startsWith('/') && URL.canParse(address) ? address : undefined;
}

/** A name or an address, and a port where there is one. */
const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

function headersFor(asked: IncomingMessage, proxies: Proxies): IncomingHttpHeaders {
  const kept = Object.entries(withoutHops(asked.headers)).filter(([name]) => !NOT_OF_CLIENTS.test(name));
  const forwardedFor = [asked.headers['x-forwarded-for']].flat().join(',');
  const client = clientOf(asked.socket.remoteAddress ?? '', forwardedFor, proxies);
  return { ...Object.fromEntries(kept), ...framing(asked), 'cf-connecting-ip': client };
}

/** How the end of a body is told. Without it, Node would send the body of a DELETE as if it were the next request. */
function framing({ method = 'GET', headers }: IncomingMessage): IncomingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const isEmpty = headers['content-length'] === undefined && ['POST', 'PUT', 'PATCH'].includes(method);
  return isEmpty ? { 'content-length': '0' } : {};
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name)),
  );
}

/** The last entry of a list: the one of the nearest proxy. */
function last(header: string | string[] | undefined): string | undefined {
  return [header].flat().at(-1)?.split(',').at(-1)?.trim();
}
