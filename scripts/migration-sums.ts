import { migrationFaults, recordMigrations } from './database/migration-sums.ts';

// npm run db:sums: records the hashes of new migrations in migrations/SHA256SUMS, after which they are not changed any more.

for (const file of await recordMigrations()) console.log(`migrations/${file} is recorded.`);
const faults = await migrationFaults();
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
