import type pg from 'pg';
import { searchKeys } from '../../../src/areas/names.ts';
import { formerCode } from '../psgc/former-codes.ts';
import type { Comparison } from './compare.ts';
import { localOf } from './edition.ts';
import { byCode, type Link } from './link.ts';

/** Where a former code leads of which nothing is known but that it is gone. */
const NOWHERE = '';

/**
 * Gives the areas of a release the codes and names that they had in the edition before it, with the former codes and
 * names that they had there: whoever has an old list finds them.
 *
 * @returns whether there was one that the release did not have
 */
export async function inherit(client: pg.ClientBase, { before, after, links, heirs }: Comparison): Promise<boolean> {
  const targets = byCode(links, 'from');
  const aliases = new Map<string, { level: string; alias: string; code: string; change: string }>();
  const add = (level: string, alias: string, code: string, change: string) => {
    aliases.set(`${level} ${alias} ${code}`, { level, alias, code, change });
  };
  /** Where a code leads that was one of the edition before. */
  const follow = (code: string) => {
    const heir = heirs.get(code);
    const others = (targets.get(code) ?? []).map(({ to }) => to);
    if (heir) return { codes: [heir.code], change: 'renumbered' };
    return { codes: others.length > 0 ? others : [NOWHERE], change: 'abolished' };
  };
  for (const area of before.areas.values()) {
    // The last eight digits lead there by themselves, and a code that is in use names what it is.
    if (after.byLocal.get(localOf(area))?.level === area.level) continue;
    const { codes, change } = follow(area.code);
    // Of nine digits it was found in its own edition by those that stay, which lead nowhere now.
    for (const alias of [area.code, area.correspondence ?? formerCode(area.code)]) {
      if (alias !== null) for (const code of codes) add(area.level, alias, code, change);
    }
  }
  const { rows } = await client.query<{ level: string; alias: string; code: string; change: string }>(
    'select level, alias, code, change from code_aliases where release_id = $1',
    [before.release],
  );
  for (const { level, alias, code, change } of rows) {
    const found = follow(code);
    for (const to of found.codes) add(level, alias, to, change === 'abolished' ? change : found.change);
  }
  // What an edition in between tells goes before that nothing was known.
  await client.query(
    `delete from code_aliases known using jsonb_to_recordset($2) as former (level area_level, alias text, code text)
     where known.release_id = $1 and known.level = former.level and known.alias = former.alias
       and known.code = '${NOWHERE}' and former.code <> '${NOWHERE}'`,
    [after.release, JSON.stringify([...aliases.values()])],
  );
  // Another release of the edition can lack areas of the one that was compared.
  // What the list itself says goes before what an older one said, and codes that are in use are no former ones.
  const { rowCount } = await client.query(
    `insert into code_aliases (release_id, level, alias, code, change)
     select $1, level, alias, code, change
     from jsonb_to_recordset($2) as former (level area_level, alias text, code text, change code_change)
     where (former.code = '${NOWHERE}' or exists (select from areas where release_id = $1 and areas.code = former.code))
       and not exists (select from code_aliases known
         where known.release_id = $1 and known.level = former.level and known.alias = former.alias)
       and not exists (select from areas where release_id = $1 and areas.code = former.alias
         and (level = former.level or former.code = '${NOWHERE}'))
     on conflict do nothing`,
    [after.release, JSON.stringify([...aliases.values()])],
  );
  const hasNames = await inheritNames(client, { before, after, targets, heirs });
  return hasNames || (rowCount ?? 0) > 0;
}

/** An area whose name was given up is found by it in all that it became. */
async function inheritNames(
  client: pg.ClientBase,
  { before, after, targets, heirs }: Pick<Comparison, 'before' | 'after' | 'heirs'> & { targets: Map<string, Link[]> },
): Promise<boolean> {
  const { rows } = await client.query<{ code: string; name: string }>(
    'select code, name from former_names where release_id = $1',
    [before.release],
  );
  const names = [...before.areas.values(), ...rows].flatMap(({ code, name }) => {
    const heir = heirs.get(code);
    const areas = heir ? [heir] : (targets.get(code) ?? []).flatMap(({ to }) => after.areas.get(to) ?? []);
    return areas.filter((area) => area.name !== name).map((area) => ({ level: area.level, code: area.code, name }));
  });
  const keys = names.flatMap(({ level, code, name }) => searchKeys(name).map((key) => ({ level, code, key })));
  const { rowCount } = await client.query(
    `insert into former_names (release_id, code, name)
     select $1, code, name from jsonb_to_recordset($2) as former (code text, name text)
     where exists (select from areas where release_id = $1 and areas.code = former.code) on conflict do nothing`,
    [after.release, JSON.stringify(names)],
  );
  await client.query(
    `insert into area_names (release_id, level, code, key, former)
     select $1, level, code, key, true from jsonb_to_recordset($2) as former (level area_level, code text, key text)
     where exists (select from areas where release_id = $1 and areas.code = former.code) on conflict do nothing`,
    [after.release, JSON.stringify(keys)],
  );
  return (rowCount ?? 0) > 0;
}
