import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for the edge's cache, as the Workers runtime speaks to it: GET finds, PUT keeps a whole HTTP response.
 * Gives its address, host and port.
 */
export async function startEdge(): Promise<{ address: string; close(): void }> {
  const kept = new Map<string, { headers: Record<string, string>; body: Buffer }>();
  const server = createServer(async (request, response) => {
    const key = `${request.headers.host}${request.url}`;
    if (request.method === 'PUT') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      kept.set(key, parse(Buffer.concat(chunks)));
      response.writeHead(204).end();
      return;
    }
    const found = request.method === 'GET' ? kept.get(key) : undefined;
    if (found) response.writeHead(200, { ...found.headers, 'CF-Cache-Status': 'HIT' }).end(found.body);
    else response.writeHead(504, { 'CF-Cache-Status': 'MISS' }).end();
  });
  // A connection that is closed just as it is used again would fail a request that is measured.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The headers and the body of a response as it stands on the wire. */
function parse(message: Buffer): { headers: Record<string, string>; body: Buffer } {
  const end = message.indexOf('\r\n\r\n');
  const [, ...lines] = message.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  // A response of unknown length is said to come in chunks; they are those of the request that it came in.
  delete headers['transfer-encoding'];
  return { headers, body: message.subarray(end + 4) };
}
