import pg from 'pg';
import { openEmbedded } from '../../scripts/database/embedded.ts';

// The process that embedded.test.ts kills.

const { url } = await openEmbedded(process.argv[2] ?? '');
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query('CREATE TABLE kept (a int); INSERT INTO kept VALUES (1), (2), (3); CREATE TABLE lost (a text)');
await client.query('BEGIN');
await client.query(`INSERT INTO lost SELECT repeat(x::text, 100) FROM generate_series(1, 20000) x`);
process.send?.('loading');
for (;;) await client.query(`INSERT INTO lost SELECT repeat(x::text, 100) FROM generate_series(1, 20000) x`);
