import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { inTransaction } from '../database/client.ts';
import { applyFirst } from '../database/migrate.ts';
import { IS_OURS } from './dump.ts';
import type { Blob, DumpedSequence, DumpedTable, Manifest } from './manifest.ts';

/** The most that one statement inserts. */
const MAX_ROWS = 1000;
const MAX_BYTES = 2_000_000;

/** A query of statements that drop what the schema has, apart from PostGIS. */
const DROPS = `
  select format('drop %s if exists %s cascade', case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' else 'table' end, c.oid::regclass) as drop
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'a', 'i'))
  union all
  select format('drop routine if exists %s cascade', p.oid::regprocedure)
    from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select format('drop type if exists %s cascade', t.oid::regtype)
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')
      and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')`;

/** A table that has rows; undefined if none has. Tables of extensions don't count. */
export async function findFilledTable(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c where c.relkind in ('r', 'p') and ${IS_OURS}`);
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from "${name.replaceAll('"', '""')}" limit 1`);
    if (rowCount) return name;
  }
  return undefined;
}

interface Options {
  /** The bytes of a part, which end with an error if they differ from the dumped ones. */
  readonly open: (part: Blob) => Promise<Readable>;
  /** Called with 0 to 1 and what is being done. */
  readonly onProgress: (fraction: number, label: string) => void;
}

/**
 * Replaces everything in the database with the schema and rows of a backup, in one transaction: the database is unchanged if anything
 * fails. Foreign keys are checked. Rows are inserted and not copied in, because the embedded database has no COPY FROM STDIN over a
 * socket.
 */
export async function loadTables(
  client: pg.Client,
  { migrations, tables, sequences }: Pick<Manifest, 'migrations' | 'tables' | 'sequences'>,
  { open, onProgress }: Options,
): Promise<void> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0) || 1;
  let loaded = 0;
  await inTransaction(client, async () => {
    // The connection is idle while a part is fetched.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await makeEmptySchema(client, migrations);
    for (const table of tables) {
      const insert = await inserterOf(client, table);
      let rows = 0;
      for (const part of table.parts) {
        await pipeline(await open(part), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
          for await (const batch of batchesOf(chunks)) {
            await insert(batch);
            rows += batch.length;
            onProgress((loaded + rows) / total, `Writing ${table.name}`);
          }
        });
      }
      if (rows !== table.rows)
        throw new Error(`${table.name} has ${rows} rows in the backup, which should be ${table.rows}.`);
      loaded += rows;
    }
    await endLoad(client, tables, sequences);
  });
}

/** Makes the schema of the first migrations, with triggers that are still off. */
async function makeEmptySchema(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(DROPS);
  for (const { drop } of rows) await client.query(drop);
  await client.query('drop schema if exists drizzle cascade');
  await applyFirst(client, migrations.length);
  const { rows: owned } = await client.query<{ name: string; self: string | null }>(`
    select c.relname as name, k.conname as self from pg_class c
      left join pg_constraint k on k.conrelid = c.oid and k.confrelid = c.oid and k.contype = 'f'
    where c.relkind = 'r' and ${IS_OURS}`);
  for (const { name, self } of owned) {
    // The backup has the rows that triggers write.
    await client.query(`alter table "${name}" disable trigger user`);
    // A row may refer to one of a later statement.
    if (self) await client.query(`alter table "${name}" alter constraint "${self}" deferrable initially deferred`);
  }
}

async function endLoad(
  client: pg.Client,
  tables: readonly DumpedTable[],
  sequences: readonly DumpedSequence[],
): Promise<void> {
  await client.query('set constraints all immediate');
  const { rows } = await client.query<{ name: string; self: string }>(`
    select conrelid::regclass::text as name, conname as self from pg_constraint
      where contype = 'f' and conrelid = confrelid and connamespace = 'public'::regnamespace`);
  for (const { name, self } of rows)
    await client.query(`alter table ${name} alter constraint "${self}" not deferrable`);
  for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`);
  for (const { name, last_value, is_called } of sequences) {
    await client.query("select setval(format('%I', $1::text)::regclass, $2, $3)", [name, last_value, is_called]);
  }
}

type Row = readonly (string | null)[];

/** A function that inserts rows, each value as the text that COPY wrote. */
async function inserterOf(
  client: pg.Client,
  { name, columns }: DumpedTable,
): Promise<(rows: readonly Row[]) => Promise<void>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = format('%I', $1::text)::regclass and attnum > 0 and not attisdropped`,
    [name],
  );
  const typeOf = (column: string) => {
    const found = rows.find((row) => row.name === column);
    if (!found) throw new Error(`The backup has a column ${column} in ${name}, which its migrations do not make.`);
    return found.type;
  };
  const values = columns.map((column, i) => `r.c${i}::${typeOf(column)}`).join(', ');
  const params = columns.map((_, i) => `$${i + 1}::text[]`).join(', ');
  const text = `insert into "${name}" (${columns.map((it) => `"${it}"`).join(', ')}) overriding system value
    select ${values} from unnest(${params}) as r(${columns.map((_, i) => `c${i}`).join(', ')})`;
  return async (batch) => {
    await client.query(
      text,
      columns.map((_, i) => batch.map((row) => row[i] ?? null)),
    );
  };
}

/** The rows of COPY's text, in batches for one statement each. */
async function* batchesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const line of linesOf(chunks)) {
    batch.push(line.split('\t').map(readField));
    bytes += line.length;
    if (batch.length < MAX_ROWS && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const begun: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      begun.push(chunk.subarray(from, at));
      yield Buffer.concat(begun.splice(0)).toString('utf8');
      from = at + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) throw new Error('A part of the backup ends in the middle of a row.');
}

/** The letters behind a backslash in COPY's text: https://www.postgresql.org/docs/current/sql-copy.html */
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function readField(field: string): string | null {
  if (field === String.raw`\N`) return null;
  return field.includes('\\') ? field.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter) : field;
}
