import type pg from 'pg';
import { searchKeys } from '../../../src/areas/names.ts';
import type { Comparison } from './compare.ts';
import { localOf } from './edition.ts';
import { byCode } from './link.ts';

/**
 * Gives the areas of a release the codes and names that they had in the edition before it, with the former codes and
 * names that they had there: whoever has an old list finds them.
 */
export async function inherit(client: pg.ClientBase, { before, after, links, heirs }: Comparison): Promise<void> {
  const targets = byCode(links, 'from');
  const aliases = new Map<string, { level: string; alias: string; code: string; change: string }>();
  const add = (level: string, alias: string, code: string, change: string) => {
    aliases.set(`${level} ${alias} ${code}`, { level, alias, code, change });
  };
  /** Where a code leads that was one of the edition before. */
  const follow = (code: string) => {
    const heir = heirs.get(code);
    const others = (targets.get(code) ?? []).map(({ to }) => to);
    return heir ? { codes: [heir.code], change: 'renumbered' } : { codes: others, change: 'abolished' };
  };
  for (const area of before.areas.values()) {
    // The last eight digits lead there by themselves, and a code that is in use names what it is.
    if (after.byLocal.get(localOf(area))?.level === area.level) continue;
    const { codes, change } = follow(area.code);
    for (const code of codes) add(area.level, area.code, code, change);
  }
  const { rows } = await client.query<{ level: string; alias: string; code: string; change: string }>(
    'select level, alias, code, change from code_aliases where release_id = $1',
    [before.release],
  );
  for (const { level, alias, code, change } of rows) {
    const found = follow(code);
    for (const to of found.codes) add(level, alias, to, change === 'abolished' ? change : found.change);
  }
  // What the list itself says goes before what an older one said, and codes that are in use are no former ones.
  await client.query(
    `insert into code_aliases (release_id, level, alias, code, change)
     select $1, level, alias, code, change
     from jsonb_to_recordset($2) as former (level area_level, alias text, code text, change code_change)
     where not exists (select from code_aliases known
         where known.release_id = $1 and known.level = former.level and known.alias = former.alias)
       and not exists (select from areas where release_id = $1 and level = former.level and areas.code = former.alias)
     on conflict do nothing`,
    [after.release, JSON.stringify([...aliases.values()])],
  );
  await inheritNames(client, { before, after, heirs });
}

async function inheritNames(
  client: pg.ClientBase,
  { before, after, heirs }: Pick<Comparison, 'before' | 'after' | 'heirs'>,
): Promise<void> {
  const { rows } = await client.query<{ code: string; name: string }>(
    'select code, name from former_names where release_id = $1',
    [before.release],
  );
  const names = [...before.areas.values(), ...rows].flatMap(({ code, name }) => {
    const heir = heirs.get(code);
    return heir && heir.name !== name ? [{ level: heir.level, code: heir.code, name }] : [];
  });
  const keys = names.flatMap(({ level, code, name }) => searchKeys(name).map((key) => ({ level, code, key })));
  await client.query(
    `insert into former_names (release_id, code, name)
     select $1, code, name from jsonb_to_recordset($2) as former (code text, name text) on conflict do nothing`,
    [after.release, JSON.stringify(names)],
  );
  await client.query(
    `insert into area_names (release_id, level, code, key, former)
     select $1, level, code, key, true from jsonb_to_recordset($2) as former (level area_level, code text, key text)
     on conflict do nothing`,
    [after.release, JSON.stringify(keys)],
  );
}
