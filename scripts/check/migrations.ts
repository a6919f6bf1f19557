import { readdir, readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { generateDrizzleJson } from 'drizzle-kit/api';
import { migrationFaults } from '../database/migration-sums.ts';

// Fails when a migration is not what it was when it landed, or src/db/schema differs from the snapshot of the newest one.
// Snapshots are compared, and no migration is generated, because drizzle-kit asks questions when it thinks that something
// was renamed.

const faults = await migrationFaults();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

const META = new URL('../../migrations/meta/', import.meta.url);
const SCHEMA = new URL('../../src/db/schema/', import.meta.url);

interface Journal {
  entries: { idx: number; tag: string }[];
}

const { entries } = JSON.parse(await readFile(new URL('_journal.json', META), 'utf8')) as Journal;
const last = entries.at(-1);
if (!last) throw new Error('migrations/meta/_journal.json lists no migration.');
const file = `${String(last.idx).padStart(4, '0')}_snapshot.json`;
const recorded = JSON.parse(await readFile(new URL(file, META), 'utf8'));
const files = await readdir(SCHEMA);
const tables = await Promise.all(files.map((name) => import(new URL(name, SCHEMA).href)));
// JSON leaves out members that are undefined, as the file does.
const current = JSON.parse(JSON.stringify(generateDrizzleJson(Object.assign({}, ...tables))));

const differing = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !isDeepStrictEqual(a[key], b[key]));

const sections = differing(recorded, current).filter((key) => key !== 'id' && key !== 'prevId');
if (sections.length > 0) {
  // A section is an object of tables and the like by name, or a text such as the version of the snapshot.
  const names = sections.flatMap((key) =>
    typeof current[key] === 'object' ? differing(recorded[key] ?? {}, current[key]) : [key],
  );
  console.error(`src/db/schema differs from migrations/meta/${file} in: ${names.join(', ')}`);
  console.error('Run npm run db:generate and complete the migration by hand.');
  process.exit(1);
}
