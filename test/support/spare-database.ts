import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { seededDatabase } from './database.ts';
import type { PostgresServer } from './postgres-server.ts';

/**
 * Seeded databases for single test files whose changes would disturb all others: one for each path below `url`. Each is
 * created on the first request to its path, which answers with its connection string for Neon's driver.
 */
export async function offerSpareDatabase(server?: PostgresServer): Promise<{ url: string; close(): Promise<void> }> {
  const databases = new Map<string | undefined, ReturnType<typeof makeDatabase>>();
  const offer = createServer(({ url: path }, response) => {
    const made = databases.get(path) ?? makeDatabase(server);
    databases.set(path, made);
    made.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => offer.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(offer.address() as AddressInfo).port}/`,
    close: async () => {
      offer.closeAllConnections();
      offer.close();
      for (const made of databases.values()) await (await made).close();
    },
  };
}

async function makeDatabase(server?: PostgresServer): Promise<{ url: string; close(): Promise<void> }> {
  const { url: postgresUrl, singleSession, close } = await seededDatabase(server);
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  return {
    url: endpoint.url,
    close: async () => {
      await endpoint.close();
      await close();
    },
  };
}
