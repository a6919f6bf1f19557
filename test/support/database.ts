import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { copyDirectory } from './cached-directory.ts';
import type { PostgresServer } from './postgres-server.ts';
import { fillSeeded, seededOnce } from './seeded.ts';

export interface TestDatabase {
  /** Connection string, for `pg`. */
  url: string;
  /** All connections are one session, as PGlite has it. */
  singleSession: boolean;
  /** Closes and removes it. */
  close(): Promise<void>;
}

/** The key of an advisory lock that nothing else uses. */
const LOCK = 7_071_964;

/**
 * A new database with every migration, the built-in PSGC edition and drawn boundaries: on the server where
 * one is given, else embedded.
 */
export async function seededDatabase(server?: PostgresServer): Promise<TestDatabase> {
  if (server) return copyOnServer(server);
  return embeddedCopy(await seededOnce());
}

/** A new embedded database that is a copy of a data directory. */
export async function embeddedCopy(of: string): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-database-'));
  await copyDirectory(of, directory);
  return embeddedIn(directory);
}

async function embeddedIn(directory: string): Promise<TestDatabase> {
  const { url, close } = await openEmbedded(directory);
  return {
    url,
    singleSession: true,
    close: async () => {
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A new database without anything in it: on the server where one is given, else embedded. */
export async function emptyDatabase(server?: PostgresServer): Promise<TestDatabase> {
  if (server) return copyOnServer(server, 'template0');
  return embeddedIn(await mkdtemp(join(tmpdir(), 'pgds-database-')));
}

async function copyOnServer(server: PostgresServer, template = server.template): Promise<TestDatabase> {
  const name = `${server.template}_${randomBytes(4).toString('hex')}`;
  await onServer(server, (client) => client.query(`create database ${name} template ${template}`));
  return {
    url: urlOf(server, name),
    singleSession: false,
    close: () => onServer(server, (client) => dropDatabase(client, name)),
  };
}

/** Creates the database that others are copied from, unless it exists. */
export async function makeTemplate(server: PostgresServer): Promise<void> {
  await onServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [server.template]);
    if (rowCount) return;
    await client.query(`create database ${server.template} encoding 'UTF8' template template0`);
    try {
      await fillSeeded(urlOf(server, server.template));
    } catch (error) {
      await dropDatabase(client, server.template);
      throw error;
    }
  });
}

export async function dropTemplate(server: PostgresServer): Promise<void> {
  await onServer(server, (client) => dropDatabase(client, server.template));
}

async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
}

async function onServer<T>({ url }: PostgresServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf({ url }: PostgresServer, database: string): string {
  const there = new URL(url);
  there.pathname = `/${database}`;
  return there.href;
}
