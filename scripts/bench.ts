import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getServed, measureGeography } from './bench/geography.ts';
import { startServers } from './bench/servers.ts';
import { measureUploads } from './bench/uploads.ts';
import { openEmbedded } from './database/embedded.ts';

// npm run bench: measures the Worker against a naive server over the same Postgres, in the same run. The database is
// DATABASE_URL, or the embedded one in DATA_DIR. It must have full boundaries, and nothing else may use it. With the
// argument "uploads" only uploads and datasets are measured, for which no boundaries are needed.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const given = process.env.DATABASE_URL;
const embedded = given
  ? undefined
  : await openEmbedded(join(resolve(ROOT, process.env.DATA_DIR || '.data'), 'database'));
const postgresUrl = given ?? (embedded?.url as string);

try {
  const served = process.argv[2] === 'uploads' ? undefined : await getServed(postgresUrl);
  const servers = await startServers({ postgresUrl, singleSession: embedded !== undefined });
  try {
    if (served) {
      const database = embedded ? 'embedded PostGIS' : 'PostgreSQL server';
      console.log(`Release ${served.release}, ${database}; 8 clients, 5 s each.\n`);
      await measureGeography(servers, served, postgresUrl);
    }
    await measureUploads(servers.worker, postgresUrl);
  } finally {
    await servers.close();
  }
} finally {
  await embedded?.close();
}
