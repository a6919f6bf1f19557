import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { TOTAL_MS } from '../../src/deadline.ts';
import { inTransaction } from './client.ts';

/** The role of the Worker unless it is given another name. */
export const WORKER_ROLE = 'service_worker';

/** What the Worker does with tables, and no more: it neither makes nor changes one, and empties none. */
const ON_TABLES = 'select, insert, update, delete';
const ON_SEQUENCES = 'usage, select';

interface RoleOptions {
  readonly name?: string;
  /** Whether a role that exists gets another password. */
  readonly isRenewed?: boolean;
  /** How long the service waits for a statement at most, milliseconds: the server ends it after that. */
  readonly waitMs?: number | undefined;
}

/**
 * Makes the role that the Worker connects as, or grants anew to the one that there is what it needs: reading and writing the
 * rows of all tables, also of those that later migrations make. It may not alter the schema.
 *
 * @param client of the role that owns the tables, which is that of the migrations
 * @returns the password; undefined where it stays as it was
 * @throws Error if a role of this name may alter the schema by itself
 */
export async function grantWorkerRole(
  client: pg.Client,
  { name = WORKER_ROLE, isRenewed = false, waitMs = TOTAL_MS }: RoleOptions = {},
): Promise<string | undefined> {
  await requireHarmless(client, name);
  const { rowCount: exists } = await client.query('select from pg_roles where rolname = $1', [name]);
  const password = exists && !isRenewed ? undefined : randomBytes(24).toString('base64url');
  const role = client.escapeIdentifier(name);
  const statements = [
    ...(exists ? [] : [`create role ${role} nosuperuser nocreatedb nocreaterole`]),
    ...(password === undefined ? [] : [`alter role ${role} login password ${client.escapeLiteral(password)}`]),
    // Databases of before PostgreSQL 15 let everybody make tables.
    'revoke create on schema public from public',
    `grant usage on schema public to ${role}`,
    ...(await tablesOf(client)).map((table) => `grant ${ON_TABLES} on ${table} to ${role}`),
    `grant ${ON_SEQUENCES} on all sequences in schema public to ${role}`,
    `alter default privileges in schema public grant ${ON_TABLES} on tables to ${role}`,
    `alter default privileges in schema public grant ${ON_SEQUENCES} on sequences to ${role}`,
    // `npm start` reads which migrations are applied, before it starts anything.
    `grant usage on schema drizzle to ${role}`,
    `grant select on drizzle.__drizzle_migrations to ${role}`,
    ...(await maintenance(client, role)),
    `alter role ${role} in database ${await databaseOf(client)} set statement_timeout = ${waitMs}`,
  ];
  await inTransaction(client, async () => {
    for (const statement of statements) await client.query(statement);
  });
  return password;
}

/** The same connection string for another role. */
export function connectionStringOf(postgresUrl: string, name: string, password: string): string {
  const url = new URL(postgresUrl);
  url.username = encodeURIComponent(name);
  url.password = password;
  return url.href;
}

/** @throws Error if grants would make no difference */
async function requireHarmless(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ why: string }>(
    `select case when rolsuper then 'is a superuser' when rolcreaterole then 'may create roles'
        when pg_has_role(oid, (select relowner from pg_class where oid = 'features'::regclass), 'usage')
          then 'owns the tables' end as why
      from pg_roles where rolname = $1`,
    [name],
  );
  if (rows[0]?.why) throw new Error(`The role ${name} ${rows[0].why}, so it may alter the schema. Use another --name.`);
}

/** The tables of the service, quoted; those of PostGIS are not granted. */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
      order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** From PostgreSQL 17 on ANALYZE needs a privilege. The Worker analyses one table, after an activation. */
async function maintenance(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return (rows[0]?.version ?? 0) >= 170_000 ? [`grant maintain on active_release to ${role}`] : [];
}

async function databaseOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  return (rows[0] as { name: string }).name;
}
