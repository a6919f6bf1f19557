import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { postgis } from '@electric-sql/pglite-postgis';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { ThreadMessage } from './embedded.ts';
import { oneConversationAtATime } from './one-session.ts';

// The thread behind openEmbedded(): PGlite and its socket. It ends when it is told to close.

const port = parentPort;
if (!port) throw new Error('embedded-thread.ts runs as a worker thread.');

const db = await PGlite.create({ dataDir: workerData.cluster, extensions: { postgis, pg_trgm } });
const server = new PGLiteSocketServer({
  db: oneConversationAtATime(db),
  host: '127.0.0.1',
  port: 0,
  // The socket server never forgets a connection that ended with an error, so its count only says how many there were.
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
