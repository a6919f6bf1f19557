import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { seededDatabase } from './database.ts';
import type { PostgresServer } from './postgres-server.ts';

/**
 * A seeded database for a single test file whose changes would disturb all others. It is created on the first request
 * to `url`, which answers with its connection string for Neon's driver.
 */
export async function offerSpareDatabase(server?: PostgresServer): Promise<{ url: string; close(): Promise<void> }> {
  let made: ReturnType<typeof makeDatabase> | undefined;
  const offer = createServer((_, response) => {
    made ??= makeDatabase(server);
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
      await (await made)?.close();
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
