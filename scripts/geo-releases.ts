import type pg from 'pg';
import { runCommand } from './command/command.ts';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';

const USAGE = `Lists the releases that are loaded, the newest first, and marks the one that is served.

  npm run geo:releases

${WHICH_DATABASE}`;

interface Row {
  id: string;
  edition: string;
  boundary_set: string;
  created_at: Date;
  checked: boolean;
  active: boolean;
}

await runCommand({ usage: USAGE }, async () => {
  const releases = await withDatabase({}, listReleases);
  console.log(releases.length === 0 ? 'No release is loaded.' : tableOf(releases));
});

async function listReleases(client: pg.ClientBase): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select id, edition, boundary_set, created_at, checked_at is not null as checked, release_id is not null as active
     from data_releases left join active_release on release_id = id
     order by created_at desc, id desc`,
  );
  return rows;
}

/** A table of the releases, with columns as wide as their longest cell. */
function tableOf(releases: Row[]): string {
  const lines = [
    ['release', 'edition', 'boundaries', 'loaded (UTC)', ''],
    ...releases.map(({ id, edition, boundary_set, created_at, checked, active }) => [
      id,
      edition,
      boundary_set,
      created_at.toISOString().slice(0, 16).replace('T', ' '),
      active ? 'active' : checked ? '' : 'not checked',
    ]),
  ];
  const width = (column: number) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  return lines
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(width(i) + 2))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
