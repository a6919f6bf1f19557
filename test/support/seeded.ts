import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../scripts/pipeline/psgc/history.ts';
import { loadRelease } from '../../scripts/pipeline/release/load.ts';
import { cachedDirectory, copyDirectory } from './cached-directory.ts';
import { drawSchematicCountry } from './schematic-country.ts';

/** What a seeded database depends on. */
const SOURCES = [
  'migrations',
  'data/psgc',
  'scripts/pipeline/psgc',
  'scripts/pipeline/boundaries',
  'scripts/pipeline/editions',
  'scripts/pipeline/release',
  'scripts/database',
  'src/areas/edition-id.ts',
  'src/areas/names.ts',
  'src/editions/link.ts',
  'test/support/schematic-country.ts',
];
const PACKAGES = ['@electric-sql/pglite', '@electric-sql/pglite-postgis'];

/**
 * A temporary data directory for `openEmbedded` that holds every migration, the built-in PSGC edition and drawn boundaries,
 * as a copy of the cached one. The caller removes it.
 */
export async function seededCopy(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'pgds-database-'));
  await copyDirectory(await seededOnce(), copy);
  return copy;
}

/** Creates the data directory that others are copied from, unless it is cached. Returns its path. */
export function seededOnce(): Promise<string> {
  return cachedDirectory('database', { sources: SOURCES, packages: PACKAGES }, async (directory) => {
    const database = await openEmbedded(directory);
    try {
      await fillSeeded(database.url);
    } finally {
      await database.close();
    }
  });
}

/** Migrates, and loads the built-in PSGC edition with the boundaries of the drawn country. */
export async function fillSeeded(postgresUrl: string): Promise<void> {
  await migrate(postgresUrl);
  const drawings = await mkdtemp(join(tmpdir(), 'pgds-country-'));
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await drawSchematicCountry(toRelease(await readBuiltin()).areas, drawings);
    await loadRelease({ client, psgc: 'builtin', boundaries: drawings, activate: true });
  } finally {
    await client.end();
    await rm(drawings, { recursive: true, force: true });
  }
}
