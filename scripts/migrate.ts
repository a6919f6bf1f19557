import { sentenceOf } from './database/failure.ts';
import { migrate } from './database/migrate.ts';
import { requirePostgresUrl } from './database/postgres-url.ts';
import { limitStatements } from './database/statement-limit.ts';

// npm run db:migrate: applies migrations/ to the database that DATABASE_URL names, and limits the statements of its role to
// REQUEST_WAIT_MS, which is the setting of the Worker.

const { DATABASE_URL: url, REQUEST_WAIT_MS: waitMs } = process.env;
if (!url) {
  console.error('Set DATABASE_URL to the connection string of the database to migrate.');
  process.exit(1);
}
try {
  requirePostgresUrl(url);
  await migrate(url, { onWait: console.log });
  await limitStatements(url, waitMs ? Number(waitMs) : undefined);
  console.log(`Migrated ${new URL(url).host}.`);
} catch (error) {
  console.error(sentenceOf(error));
  process.exit(1);
}
