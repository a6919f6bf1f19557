import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BadRequest, openStatements, type Statement, type Statements, type TransactionOptions } from './statements.ts';

// Neon's SQL over HTTP as @neondatabase/serverless 1.2.0 sends it: POST /sql with one statement or a batch.

/** Bytes. Neon's limit on a request, and on an answer. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export interface NeonEndpoint {
  /** Connection string of this endpoint, which the Worker gets as DATABASE_URL. It contains a secret. */
  url: string;
  /** Stops listening and disconnects from the database. Calling it again is harmless. */
  close(): Promise<void>;
}

export interface NeonEndpointOptions {
  /** Connection string of the Postgres to which statements go. Until it is known, statements are answered with `57P03`. */
  postgresUrl: string | Promise<string>;
  /** Port on 127.0.0.1; a free one is chosen when absent. */
  port?: number;
  /** Whether it is the embedded Postgres, which has a single session, so that no statement can be cancelled. */
  singleSession?: boolean;
  /** Max open connections to it, by default ten. */
  connections?: number;
}

/**
 * Starts an HTTP server on 127.0.0.1 through which Neon's driver reaches any Postgres. Requests must have the returned
 * connection string in a header. A web page can't guess it, and can't read answers, because there is no CORS.
 *
 * The error of a statement is answered with HTTP 400 and Postgres' fields, as the driver expects, and so is every statement
 * before the database is known (`57P03`). Other failures are JSON `{ message, code }` too: 401 `28000`, 413 and 507 `54000`,
 * 500 `08006` when the database can't be reached.
 *
 * @throws Error when the port is in use (`EADDRINUSE`)
 */
export async function startNeonEndpoint(options: NeonEndpointOptions): Promise<NeonEndpoint> {
  const { postgresUrl, port = 0, singleSession = false, connections } = options;
  const open = (url: string) => openStatements(url, { singleSession, connections });
  const isResolved = typeof postgresUrl === 'string';
  let statements = isResolved ? open(postgresUrl) : undefined;
  const database = (isResolved && new URL(postgresUrl).pathname.slice(1)) || 'postgres';
  let isClosed = false;
  // A failure is handled by the opener of the database.
  Promise.resolve(postgresUrl).then(
    (url) => {
      if (!isClosed) statements ??= open(url);
    },
    () => undefined,
  );
  let url = '';

  const server = createServer((request, response) => {
    answer(request, response, url, statements).catch((error) => {
      if (!response.headersSent) respond(response, 500, { message: String(error), code: 'XX000' });
    });
  });
  // workerd keeps connections open, and would send a request into one that was closed because it was idle.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  url = `postgresql://local:${randomBytes(32).toString('base64url')}@127.0.0.1:${bound}/${database}`;

  let closing: Promise<void> | undefined;
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    isClosed = true;
    await statements?.close();
  };
  return {
    url,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  statements: Statements | undefined,
) {
  if (request.url?.split('?', 1)[0] !== '/sql') return respond(response, 404, { message: 'Not found: use POST /sql' });
  if (request.method !== 'POST') return respond(response, 405, { message: 'Method not allowed: use POST' });
  if (!opens(header(request, 'neon-connection-string'), url)) {
    request.resume();
    return respond(response, 401, { message: 'The connection string is not the one of this endpoint', code: '28000' });
  }

  if (!statements) {
    request.resume();
    return respond(response, 400, { message: 'The database is starting up', code: '57P03' });
  }

  const body = await read(request);
  if (body === 'too-large') {
    const message = `request is too large (max is ${MAX_BODY_BYTES} bytes)`;
    return respond(response, 413, { message, code: '54000' });
  }

  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableEnded) gone.abort();
  });
  try {
    const arrayMode = header(request, 'neon-array-mode') === 'true';
    if (header(request, 'neon-raw-text-output') !== 'true') throw new BadRequest('Neon-Raw-Text-Output must be true');
    const payload = JSON.parse(body) as Partial<Statement> & { queries?: Statement[] };
    const result = Array.isArray(payload.queries)
      ? { results: await statements.batch(payload.queries, { arrayMode, ...transactionOptions(request) }, gone.signal) }
      : await statements.run(payload as Statement, arrayMode, gone.signal);
    respond(response, 200, result);
  } catch (error) {
    const { status, ...fields } = statements.describe(error);
    respond(response, status, fields);
  }
}

function transactionOptions(request: IncomingMessage): TransactionOptions {
  return {
    isolationLevel: header(request, 'neon-batch-isolation-level'),
    readOnly: header(request, 'neon-batch-read-only') === 'true',
    deferrable: header(request, 'neon-batch-deferrable') === 'true',
  };
}

/**
 * Whether a connection string has the address and the secret of this endpoint. Parameters, which the driver adds, are
 * ignored.
 */
function opens(given: string | undefined, url: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given?.split('?', 1)[0] ?? ''), digest(url));
}

/**
 * Reads the body as text. A body that is too large is read to its end and discarded, so that the client gets the
 * answer.
 */
async function read(request: IncomingMessage): Promise<string | 'too-large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > MAX_BODY_BYTES ? 'too-large' : Buffer.concat(chunks).toString('utf8');
}

function respond(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  if (bytes.length > MAX_BODY_BYTES) {
    const message = `response is too large (max is ${MAX_BODY_BYTES} bytes)`;
    respond(response, 507, { message, code: '54000' });
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
