import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withClient } from '../../scripts/database/client.ts';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { connectionStringOf, grantWorkerRole } from '../../scripts/database/worker-role.ts';
import { seededDatabase } from './database.ts';
import type { PostgresServer } from './postgres-server.ts';

/** The path of the database whose statements are those of the role of the Worker. */
const AS_WORKER = '/as-worker';

/**
 * Seeded databases for single test files whose changes would disturb all others: one for each path below `url`. Each is
 * created on the first request to its path, which answers with its connection string for Neon's driver.
 */
export async function offerSpareDatabase(server?: PostgresServer): Promise<{ url: string; close(): Promise<void> }> {
  const databases = new Map<string | undefined, ReturnType<typeof makeDatabase>>();
  const offer = createServer(({ url: path }, response) => {
    const made = databases.get(path) ?? makeDatabase(server, path === AS_WORKER);
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

async function makeDatabase(
  server: PostgresServer | undefined,
  isAsWorker: boolean,
): Promise<{ url: string; close(): Promise<void> }> {
  const { url: postgresUrl, singleSession, close } = await seededDatabase(server);
  const name = `worker_${randomBytes(4).toString('hex')}`;
  const own = isAsWorker ? await asWorker(postgresUrl, { name, singleSession }) : postgresUrl;
  const endpoint = await startNeonEndpoint({ postgresUrl: own, singleSession });
  return {
    url: endpoint.url,
    close: async () => {
      await endpoint.close();
      await close();
      // Roles are those of the whole server.
      if (server && isAsWorker) await withClient(server.url, (client) => client.query(`drop role ${name}`));
    },
  };
}

/** The connection string of a new role of the Worker. A single session is that of its owner, and takes the role on. */
function asWorker(url: string, { name, singleSession }: { name: string; singleSession: boolean }): Promise<string> {
  return withClient(url, async (client) => {
    const password = (await grantWorkerRole(client, { name })) as string;
    if (!singleSession) return connectionStringOf(url, name, password);
    await client.query(`set session authorization ${name}`);
    return url;
  });
}
