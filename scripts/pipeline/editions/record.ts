import type pg from 'pg';
import { type Change, listChanges } from './changes.ts';
import { type Comparison, compareEditions, compose, relationsOf, reverse } from './compare.ts';
import { type Edition, listEditions, readEdition } from './edition.ts';
import { inherit } from './inherit.ts';
import type { Link } from './link.ts';
import { findOverlaps } from './overlaps.ts';

/** What the comparison of an edition with the next one found: `edition_pairs.report`. */
export interface PairReport {
  from: string;
  to: string;
  /** How many changes there are of each kind. */
  changes: Partial<Record<Change['kind'], number>>;
  /** Areas of which nothing is known to have become anything, and areas that nothing is known to have been. */
  unexplained: { gone: string[]; made: string[] };
}

/** What the comparison of editions wrote. */
export interface RecordedEditions {
  /** Of the edition of the release that is written, and those next to it. */
  pairs: PairReport[];
  /** Releases of newer editions that got codes or names by it: their snapshots are to be published again. */
  revised: string[];
}

/** Rows that one statement inserts. */
const BATCH = 4000;

/**
 * Compares all editions that are loaded, each with the next one, and every other two by way of those in between, and
 * writes what it finds in place of what was written before. The release gets the codes and names that its areas had in
 * the edition before it, and passes them on to the releases of newer editions. Works within the open transaction of the
 * client.
 *
 * @param releaseId the release that is being written, with all of its areas and boundaries
 */
export async function recordEditions(client: pg.ClientBase, releaseId: string): Promise<RecordedEditions> {
  await client.query(`select pg_advisory_xact_lock(hashtext('edition_pairs'))`);
  const identities = await listEditions(client, releaseId);
  await client.query('delete from edition_pairs');
  if (identities.length < 2) return { pairs: [], revised: [] };
  const editions: Edition[] = [];
  for (const identity of identities) editions.push(await readEdition(client, identity));
  const own = releaseId.replace(/-\d+$/, '');
  const pairs: PairReport[] = [];
  const revised: string[] = [];
  const forwards: Link[][] = [];
  const backwards: Link[][] = [];
  for (const [i, after] of editions.entries()) {
    const before = editions[i - 1];
    if (!before) continue;
    const compared = await compareEditions(before, after, {
      findOverlaps: (gone, made) => findOverlaps(client, { before, after, gone, made }),
    });
    const changes = listChanges(compared);
    const report = reportOf(compared, changes);
    const isNew = before.id === own || revised.some((id) => id.startsWith(`${before.id}-`));
    for (const release of await releasesOf(client, { edition: after.id, releaseId })) {
      if (release !== releaseId && !isNew) continue;
      const hasMore = await inherit(client, { ...compared, after: { ...after, release } });
      if (!hasMore || release === releaseId) continue;
      await client.query('update data_releases set revised_at = clock_timestamp() where id = $1', [release]);
      revised.push(release);
    }
    if ([before.id, after.id].includes(own)) pairs.push(report);
    forwards.push(compared.links);
    backwards.push(reverse(compared.links, before));
    await writePair(client, { from: before, to: after, links: compared.links, report });
    await writePair(client, { from: after, to: before, links: backwards.at(-1) as Link[], report: null });
    await writeChanges(client, { before, after, changes });
  }
  for (let i = 0; i < editions.length; i += 1) {
    let [there, back] = [forwards[i] ?? [], backwards[i] ?? []];
    for (let k = i + 2; k < editions.length; k += 1) {
      there = compose(there, forwards[k - 1] as Link[]);
      back = compose(backwards[k - 1] as Link[], back);
      const [from, to] = [editions[i] as Edition, editions[k] as Edition];
      await writePair(client, { from, to, links: there, report: null });
      await writePair(client, { from: to, to: from, links: back, report: null });
    }
  }
  await client.query('analyze edition_pairs, area_changes, edition_links');
  return { pairs, revised };
}

/** The releases of an edition that can be served, with the one that is written. */
async function releasesOf(
  client: pg.ClientBase,
  { edition, releaseId }: { edition: string; releaseId: string },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from data_releases where starts_with(id, $1 || '-') and (checked_at is not null or id = $2) order by id`,
    [edition, releaseId],
  );
  return rows.map(({ id }) => id);
}

function reportOf({ before, after, links }: Comparison, changes: readonly Change[]): PairReport {
  const counts: PairReport['changes'] = {};
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1;
  const [from, to] = [new Set(links.map((link) => link.from)), new Set(links.map((link) => link.to))];
  const without = (edition: Edition, known: ReadonlySet<string>) =>
    [...edition.areas.values()].flatMap(({ code, name }) => (known.has(code) ? [] : [`${code} ${name}`]));
  const unexplained = { gone: without(before, from), made: without(after, to) };
  return { from: before.id, to: after.id, changes: counts, unexplained };
}

async function writePair(
  client: pg.ClientBase,
  { from, to, links, report }: { from: Edition; to: Edition; links: readonly Link[]; report: PairReport | null },
): Promise<void> {
  await client.query(
    `insert into edition_pairs (from_edition, to_edition, from_release, to_release, adjacent, report)
     values ($1, $2, $3, $4, $5, $6)`,
    [from.id, to.id, from.release, to.release, report !== null, JSON.stringify(report ?? {})],
  );
  const linked = new Set(links.map((link) => link.from));
  const rows = [
    ...relationsOf(links, { from, to })
      .filter(({ relation }) => relation !== 'same')
      .map(({ link, relation }) => ({
        level: link.level,
        from_code: link.from,
        to_code: link.to,
        relation,
        weight_area: link.area,
        weight_population: link.population,
        estimated: estimatedOf(link),
        basis: link.basis,
      })),
    ...[...from.areas.values()]
      .filter(({ code }) => !linked.has(code))
      .map(({ code, level }) => ({ level, from_code: code, to_code: '', relation: 'none', basis: 'code' })),
  ];
  for (let start = 0; start < rows.length; start += BATCH) {
    await client.query(
      `insert into edition_links (from_edition, to_edition, level, from_code, to_code, relation, weight_area,
         weight_population, estimated, basis)
       select $1, $2, * from jsonb_to_recordset($3) as link (level area_level, from_code text, to_code text,
         relation text, weight_area float8, weight_population float8, estimated text, basis text)`,
      [from.id, to.id, JSON.stringify(rows.slice(start, start + BATCH))],
    );
  }
}

function estimatedOf({ areaEstimated, populationEstimated }: Link): string | null {
  if (areaEstimated && populationEstimated) return 'both';
  if (areaEstimated) return 'area';
  return populationEstimated ? 'population' : null;
}

async function writeChanges(
  client: pg.ClientBase,
  { before, after, changes }: { before: Edition; after: Edition; changes: readonly Change[] },
): Promise<void> {
  const rows = changes.map(({ kind, level, from, to, basis, note }, position) => {
    const codes = [...new Set([...from, ...to].map(({ code }) => code))];
    return { position, kind, level, from_areas: from, to_areas: to, codes, basis, note };
  });
  for (let start = 0; start < rows.length; start += BATCH) {
    await client.query(
      `insert into area_changes (from_edition, to_edition, position, kind, level, from_areas, to_areas, codes, basis, note)
       select $1, $2, position, kind, level, from_areas, to_areas,
         array(select jsonb_array_elements_text(codes)), basis, note
       from jsonb_to_recordset($3) as change (position int, kind text, level area_level, from_areas jsonb, to_areas jsonb,
         codes jsonb, basis text, note text)`,
      [before.id, after.id, JSON.stringify(rows.slice(start, start + BATCH))],
    );
  }
}
