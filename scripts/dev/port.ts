import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a port of this machine on which nothing listens at the moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

/**
 * The port that a value of the variable PORT names; 8787 if it is missing or empty.
 *
 * @throws Error if it is no port
 */
export function portFrom(given: string | undefined): number {
  const port = /^\d*$/.test(given ?? '') ? Number(given || 8787) : Number.NaN;
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`PORT must be a number from 1 to 65535, not ${given}.`);
}

/**
 * Checks that a server can listen on a port, by listening there for a moment.
 *
 * @param host address to listen on
 * @param command what the message says to run with another port
 * @throws Error with the reason if no server can
 */
export async function requireFreePort(
  port: number,
  { host = '127.0.0.1', command = 'npm run dev' } = {},
): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw new Error(`PORT ${port} can't be used: ${message}.`);
    const other = port === 8788 ? 8789 : 8788;
    throw new Error(`Port ${port} is in use; stop what listens there or choose another with PORT=${other} ${command}.`);
  }
  server.close();
  await once(server, 'close');
}
