import { Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { DumpedSequence, DumpedTable } from './manifest.ts';
import { spooled } from './spool.ts';
import type { FileToPut } from './store.ts';

/**
 * Pages of a table in one part of its dump: 8 MB, and what is stored out of line. Rows that did not move since the last backup give
 * the same part, which is not stored twice.
 */
const PAGES_PER_PART = 1024;

/** Whether the migrations made a table or sequence, and not PostGIS. `c` is its row in pg_class. */
export const IS_OURS = `c.relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

interface Options {
  /** A directory for temporary files. */
  readonly scratch: string;
  /** Stores a part. */
  readonly add: (file: FileToPut) => Promise<unknown>;
  /** Called with 0 to 1 and what is being done. */
  readonly onProgress: (fraction: number, label: string) => void;
}

/** With these settings the text that COPY writes does not depend on those of the server. */
const TEXT_SETTINGS = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO'",
  "set local intervalstyle = 'postgres'",
  'set local extra_float_digits = 1',
  "set local bytea_output = 'hex'",
];

/**
 * Writes all rows of all tables as the current transaction sees them, in parts of bounded size.
 *
 * @param client in a repeatable-read transaction
 */
export async function dumpTables(
  client: pg.Client,
  { scratch, add, onProgress }: Options,
): Promise<{ tables: DumpedTable[]; sequences: DumpedSequence[] }> {
  for (const setting of TEXT_SETTINGS) await client.query(setting);
  const tables = await listTables(client);
  const allPages = tables.reduce((sum, { pages }) => sum + pages, 0) || 1;
  const dumped: DumpedTable[] = [];
  let done = 0;
  for (const { name, columns, pages } of tables) {
    const parts: DumpedTable['parts'] = [];
    let rows = 0;
    for (let from = 0; from < pages; from += PAGES_PER_PART) {
      onProgress((done + from) / allPages, `Reading ${name}`);
      // All rows that the transaction sees are on pages that were there when it began. Neither quotes nor commas need care here.
      const below = from + PAGES_PER_PART < pages ? `and ctid < '(${from + PAGES_PER_PART},0)'` : '';
      const selected = columns.map((column) => `"${column}"`).join(', ');
      const copy = `copy (select ${selected} from only "${name}" where ctid >= '(${from},0)' ${below}) to stdout`;
      const count = countingRows();
      const open = async () => [client.query(copyTo(copy)), count.stream, createGzip({ level: 6 })] as const;
      const part = await spooled(scratch, open, async (file) => {
        if (count.rows > 0) await add(file);
        return { sha256: file.sha256, bytes: file.bytes };
      });
      if (count.rows > 0) parts.push(part);
      rows += count.rows;
    }
    dumped.push({ name, columns, rows, parts });
    done += pages;
  }
  return { tables: dumped, sequences: await listSequences(client) };
}

/** A stream that counts rows, which are lines: COPY writes a newline inside a value as `\n`. */
function countingRows(): { stream: Transform; readonly rows: number } {
  let rows = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
      done(null, chunk);
    },
  });
  return {
    stream,
    get rows() {
      return rows;
    },
  };
}

/** Tables in an order in which foreign keys name earlier tables only, with their columns and their size in pages. */
async function listTables(client: pg.Client): Promise<{ name: string; columns: string[]; pages: number }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; pages: number; needs: string[] }>(`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages,
      array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
    from pg_class c where c.relkind = 'r' and ${IS_OURS} order by c.relname`);
  const ordered: typeof rows = [];
  while (ordered.length < rows.length) {
    const next = rows.filter(
      (table) => !ordered.includes(table) && table.needs.every((need) => ordered.some(({ name }) => name === need)),
    );
    if (next.length === 0) throw new Error('Tables refer to each other in a circle, which a restore could not load.');
    ordered.push(...next);
  }
  return ordered;
}

async function listSequences(client: pg.Client): Promise<DumpedSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'S' and ${IS_OURS} order by c.relname`,
  );
  const sequences: DumpedSequence[] = [];
  // Sequences have their current values, so they are ahead of all rows of the transaction.
  for (const { name } of rows) {
    const read = await client.query<DumpedSequence>(
      `select $1 as name, last_value::text as last_value, is_called from "${name}"`,
      [name],
    );
    sequences.push(...read.rows);
  }
  return sequences;
}
