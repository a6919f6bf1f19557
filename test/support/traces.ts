import { runInDurableObject } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { bucket } from './bucket.ts';
import { meterOf } from './limits.ts';
import { database } from './sql.ts';

/**
 * The columns of all tables that can hold a text, by table. The catalogue names them, so that no later table is forgotten.
 * Tables with a release_id hold what is published: no request writes to them, and they take seconds to search.
 */
async function textColumns(): Promise<Map<string, string[]>> {
  const { rows } = await database.execute<{ table: string; column: string }>(
    sql`select c.relname as table, a.attname as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
        left join pg_type e on e.oid = t.typelem
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
        and not exists (select from pg_attribute r where r.attrelid = c.oid and r.attname = 'release_id')
        and (t.typcategory in ('S', 'U', 'C') or e.typcategory = 'S') and t.typname not in ('geometry', 'uuid', 'box')`,
  );
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return new Map([...byTable].map(([table, columns]) => [table, columns.map(({ column }) => column)]));
}

/** Tables that have one of some texts anywhere, in any case. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await textColumns();
  const patterns = sql.param(texts.map((text) => `%${text}%`));
  const parts = [...tables].map(([table, columns]) => {
    const all = columns.map((column) => sql`${sql.identifier(column)}::text`);
    return sql`select ${table} as name where exists (
      select from ${sql.identifier(table)} where concat_ws(' ', ${sql.join(all, sql`, `)}) ilike any (${patterns}::text[]))`;
  });
  const { rows } = await database.execute<{ name: string }>(sql.join(parts, sql` union all `));
  return rows.map(({ name }) => name).sort();
}

/** Keys of objects of the bucket that have one of some texts in their key, their metadata or their bytes, in any case. */
async function objectsWith(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page: R2Objects = await bucket.list({
      ...(cursor && { cursor }),
      include: ['customMetadata', 'httpMetadata'],
    });
    for (const { key, customMetadata, httpMetadata } of page.objects) {
      const bytes = await (await bucket.get(key))?.arrayBuffer();
      const all = `${key} ${JSON.stringify({ customMetadata, httpMetadata })} ${new TextDecoder().decode(bytes)}`;
      if (texts.some((text) => all.toLowerCase().includes(text.toLowerCase()))) found.push(key);
    }
    more = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return found;
}

/** Names of counters whose storage has one of some texts. */
async function countersWith(counters: readonly string[], texts: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    counters.map(async (name) => {
      const stored = await runInDurableObject(meterOf(name), (_, { storage }) =>
        JSON.stringify([...storage.kv.list()]),
      );
      return texts.some((text) => stored.includes(text)) ? [name] : [];
    }),
  );
  return found.flat();
}

/** Where anything of some texts is stored: tables, objects of the bucket, and those counters that are named. */
export async function tracesOf(texts: readonly string[], counters: readonly string[]): Promise<string[]> {
  return [...(await tablesWith(texts)), ...(await objectsWith(texts)), ...(await countersWith(counters, texts))];
}
