import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { postgis } from '@electric-sql/pglite-postgis';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { ThreadMessage } from './embedded.ts';
import { createMended } from './mended-pglite.ts';
import { shareOneSession } from './one-session.ts';
import { takeWholeMessages } from './whole-messages.ts';

// The thread that openEmbedded() starts: PGlite and its socket. It ends when it gets a message.

const port = parentPort;
if (!port) throw new Error('embedded-thread.ts runs as a worker thread.');

const db = await createMended({
  dataDir: workerData.cluster,
  extensions: { postgis, pg_trgm },
  // Size of the log that a checkpoint recycles. The default is up to a gigabyte.
  startParams: [...PGlite.defaultStartParams, '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
});
takeWholeMessages();
const server = new PGLiteSocketServer({
  db: shareOneSession(db),
  host: '127.0.0.1',
  port: 0,
  // The socket server keeps counting connections that ended with an error, so a limit would be reached some day.
  maxConnections: 1_000_000,
});
await server.start();
const report = (message: ThreadMessage) => port.postMessage(message);
report({ port: Number(server.getServerConn().split(':').at(-1)) });

port.once('message', async () => {
  await server.stop();
  await db.close();
  report({ closed: true });
  port.close();
});
