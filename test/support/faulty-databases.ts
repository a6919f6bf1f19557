import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How late each answer of a slow database is, milliseconds. */
const LATE_MS = 1500;

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** An answer of a database that refuses a statement. */
const refusal = (code: string, message: string) => (response: ServerResponse) =>
  response.writeHead(400, JSON_TYPE).end(JSON.stringify({ message, code }));

const json = (body: object) => (response: ServerResponse) =>
  response.writeHead(200, JSON_TYPE).end(JSON.stringify(body));

/** What a database endpoint can do instead of answering. */
const FAULTS: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  stalls: (response) => {
    response.writeHead(200, JSON_TYPE);
    response.write('{"fields":[');
  },
  breaks: (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'Content-Length': '1000' });
    response.write('{"fields":[', () => response.destroy());
  },
  fails: (response) => response.writeHead(500).end('Internal Server Error'),
  babbles: (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>It works!</h1>'),
  'answers without rows': json({ ok: true }),
  'answers with other columns': json({
    command: 'SELECT',
    rowCount: 1,
    fields: [{ name: 'other', dataTypeID: 25 }],
    rows: [['PostgreSQL']],
  }),
  'is full': refusal('53300', 'sorry, too many clients already'),
  'refuses the password': refusal('28P01', 'password authentication failed'),
  'is starting': refusal('57P03', 'The database is starting up'),
  'shuts down': refusal('57P01', 'terminating connection'),
  'can not serialize': refusal('40001', 'could not serialize access due to concurrent update'),
  'is deadlocked': refusal('40P01', 'deadlock detected'),
  'is locked': refusal('55P03', 'canceling statement due to lock timeout'),
};

type Real = (headers: Record<string, string>, body: string) => Promise<{ status: number; text: string }>;

/** What a database endpoint can do with the answers of a real one. */
const ALTERATIONS: Record<string, (real: Real, body: string) => ReturnType<Real>> = {
  'is late': async (real, body) => {
    await sleep(LATE_MS);
    return real({}, body);
  },
  'is read-only': async (real, body) => {
    const given = JSON.parse(body);
    const queries = given.queries ?? [given];
    const { status, text } = await real({ 'Neon-Batch-Read-Only': 'true' }, JSON.stringify({ queries }));
    return { status, text: status === 200 && !given.queries ? JSON.stringify(JSON.parse(text).results[0]) : text };
  },
};

/** The real database, asked with the headers that Neon's driver sends. */
function realAt(url: string): Real {
  const { hostname, port } = new URL(url);
  const common = { 'Neon-Connection-String': url, 'Neon-Raw-Text-Output': 'true', 'Neon-Array-Mode': 'true' };
  return async (headers, body) => {
    const response = await fetch(`http://${hostname}:${port}/sql`, {
      method: 'POST',
      headers: { ...common, ...headers },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/**
 * Connection strings of databases that fail, each in the way that its name says.
 *
 * @param url of the endpoint of a real database, whose answers come late or to a transaction that may only read
 */
export async function startFaultyDatabases(url: string): Promise<{ urls: Record<string, string>; close(): void }> {
  const real = realAt(url);
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    // The driver appends parameters to the connection string.
    const { pathname } = new URL(String(request.headers['neon-connection-string']));
    const fault = decodeURIComponent(pathname.slice(1));
    FAULTS[fault]?.(response);
    const altered = await ALTERATIONS[fault]?.(real, body);
    if (altered) response.writeHead(altered.status, JSON_TYPE).end(altered.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const urls = Object.fromEntries(
    [...Object.keys(FAULTS), ...Object.keys(ALTERATIONS)].map((fault) => [
      fault,
      `postgresql://user:secret-password@127.0.0.1:${port}/${encodeURIComponent(fault)}`,
    ]),
  );
  // Port 9 (discard) has no listener.
  urls['is not there'] = 'postgresql://user:secret-password@127.0.0.1:9/none';
  return {
    urls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
