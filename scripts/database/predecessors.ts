import type { MigrationMeta } from 'drizzle-orm/migrator';
import type pg from 'pg';

/** A database that other migrations have made, and how it becomes one of the migrations of today. */
interface Predecessor {
  /** SHA-256 of its first migrations, in their order. */
  readonly hashes: readonly string[];
  /** Runs in a transaction. */
  upgrade(client: pg.Client, migrations: readonly MigrationMeta[]): Promise<void>;
}

/** The first migration as it was for an hour. It has other names for three columns of a function. */
const FIRST_TEXT = 'b8feabe3dd5d6ab8e505dceb11b120c9a333aa638b46985d32767a038e7f9e2e';

/** The migrations of 0.2.0. Together they make the same schema, byte for byte, as `FIRST_TEXT`. */
const OF_0_2_0 = [
  '5e5fd13dd5d737519502dc116467179c89cc06063fcf54864ee6f65520ceb887',
  'f2d03c9d55fa02743fa4f94e102c6f109b11d395ee35c116ff28d18becd91dc6',
  'b6a75eba0fc2a735dd8ad6d779cf301a1bb7ea43c2f871fdfa7961c6ea999601',
  '09676212b33ba17855423067a060e6fe153e4d67221df8086cec17990a040bbb',
  'abb303d4c3d96ec5921453f5695d0ac115b2368456c178396f2f7a9fb084f343',
  '1fefade56f0341a281872f7b235909d5bcfd6d9ad5331391230ed07cd27d2078',
  'd188e7ebc723179b689394889150d44ae21a51787b894592179166f4f52ac234',
  'f1ad393b66308cccf4f9fb4db57d48abe33439c904aef9ae8a9189941ff46e90',
  '5324eb4d460401f1a1774715016efd0b36ca1efb5f2095deb990860656e04fcb',
];

export const PREDECESSORS: readonly Predecessor[] = [
  {
    hashes: OF_0_2_0,
    upgrade: async (client, [first]) => {
      await client.query('delete from drizzle.__drizzle_migrations');
      await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
        FIRST_TEXT,
        first?.folderMillis,
      ]);
    },
  },
  {
    hashes: [FIRST_TEXT],
    upgrade: async (client, [first]) => {
      // A later migration replaces the function, which PostgreSQL refuses where its columns have other names.
      await client.query('drop function if exists lost_code(text, area_level, text)');
      await client.query('update drizzle.__drizzle_migrations set hash = $1 where hash = $2', [
        first?.hash,
        FIRST_TEXT,
      ]);
    },
  },
];
