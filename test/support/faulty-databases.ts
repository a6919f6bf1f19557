import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a database endpoint can do instead of answering. */
const FAULTS: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  stalls: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('{"fields":[');
  },
  breaks: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
    response.write('{"fields":[', () => response.destroy());
  },
  fails: (response) => response.writeHead(500).end('Internal Server Error'),
  babbles: (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>It works!</h1>'),
  'is full': (response) =>
    response
      .writeHead(400, { 'Content-Type': 'application/json' })
      .end('{"message":"sorry, too many clients already","code":"53300"}'),
  'refuses the password': (response) =>
    response
      .writeHead(400, { 'Content-Type': 'application/json' })
      .end('{"message":"password authentication failed","code":"28P01"}'),
  'shuts down': (response) =>
    response
      .writeHead(400, { 'Content-Type': 'application/json' })
      .end('{"message":"terminating connection","code":"57P01"}'),
};

/** Connection strings of databases that fail, each in the way that its name says. */
export async function startFaultyDatabases(): Promise<{ urls: Record<string, string>; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    // The driver appends parameters to the connection string.
    const { pathname } = new URL(String(request.headers['neon-connection-string']));
    FAULTS[decodeURIComponent(pathname.slice(1))]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const urls = Object.fromEntries(
    Object.keys(FAULTS).map((fault) => [
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
