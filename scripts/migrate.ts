import { migrate } from './database/migrate.ts';
import { requirePostgresUrl } from './database/postgres-url.ts';

// npm run db:migrate: applies migrations/ to the database that DATABASE_URL names.

const url = process.env.DATABASE_URL;
if (!url) {
  console.error('Set DATABASE_URL to the connection string of the database to migrate.');
  process.exit(1);
}
try {
  requirePostgresUrl(url);
  await migrate(url, { onWait: console.log });
  console.log(`Migrated ${new URL(url).host}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
