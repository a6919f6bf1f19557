import { FLAG, runCommand, TEXT, WrongUse } from './command/command.ts';
import { withClient } from './database/client.ts';
import { requirePostgresUrl } from './database/postgres-url.ts';
import { connectionStringOf, grantWorkerRole, WORKER_ROLE } from './database/worker-role.ts';

// npm run db:role: makes the role of the database that the Worker connects as, which may not alter the schema. Prints the
// connection string of the role, and nothing else, to standard output: it goes into `wrangler secret put`.

const USAGE = `Makes the role that the Worker connects as, and prints its connection string. If the role exists, it is granted what it needs
anew, and its password stays.

  DATABASE_URL=postgresql://… npm run --silent db:role -- [--name ${WORKER_ROLE}] [--new-password]

  --name          the role
  --new-password  gives a role that exists another password; the old one is refused from then on
  DATABASE_URL    the database, as the role of the migrations
  REQUEST_WAIT_MS the setting of the Worker, after which the server ends a statement of the role`;

await runCommand({ usage: USAGE, options: { name: TEXT, 'new-password': FLAG } }, async ({ values }) => {
  const { name = WORKER_ROLE, 'new-password': isRenewed = false } = values;
  const { DATABASE_URL: url, REQUEST_WAIT_MS: waitMs } = process.env;
  if (!url) throw new WrongUse('Set DATABASE_URL to the connection string of the database.');
  requirePostgresUrl(url);
  const wanted = { name, isRenewed, waitMs: waitMs ? Number(waitMs) : undefined };
  const password = await withClient(url, (client) => grantWorkerRole(client, wanted));
  console.error(`The role ${name} of ${new URL(url).host} may read and write rows, and may not alter the schema.`);
  if (password === undefined) console.error('It existed, and its password stays: --new-password replaces it.');
  else console.log(connectionStringOf(url, name, password));
});
