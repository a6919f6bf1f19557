import type pg from 'pg';
import { createKeyToken, hashOf } from '../../src/auth/key-token.ts';

/** How many keys there are. Each has a counter of its own, whose window grows with the requests. */
const KEYS = 4;

/** More requests a minute than anybody makes. */
const PER_MINUTE = 1_000_000_000;

/** Inserts API keys of a temporary user for the duration of some work. */
export async function withKeys<T>(client: pg.ClientBase, work: (keys: string[]) => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ id: string }>('insert into profiles (subject) values ($1) returning id', [
    `bench_${crypto.randomUUID()}`,
  ]);
  const owner = rows[0]?.id;
  try {
    const keys: string[] = [];
    for (let i = 0; i < KEYS; i += 1) {
      const { token, prefix } = createKeyToken('test');
      await client.query(
        `insert into api_keys (user_id, name, environment, prefix, hash, rate_limit_rpm)
         values ($1, 'bench', 'test', $2, $3, $4)`,
        [owner, prefix, await hashOf(token), PER_MINUTE],
      );
      keys.push(token);
    }
    return await work(keys);
  } finally {
    await client.query('delete from api_keys where user_id = $1', [owner]);
    await client.query('delete from profiles where id = $1', [owner]);
  }
}
