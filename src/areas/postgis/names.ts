import { sql } from 'drizzle-orm';
import { CachedValue } from '../../cached-value.ts';
import { steadyTime } from '../../clock.ts';
import type { Database } from '../../db/client.ts';
import { RELEASE_VERSION } from '../../db/releases.ts';
import { areas, codeAliases, dataReleases, formerNames } from '../../db/schema/geography.ts';
import { buildIndex } from '../../names/build.ts';
import { type NamedArea, type NameLevel, sourceOf } from '../../names/source.ts';
import type { AreaNames, AreaStore } from '../store.ts';
import { releaseTables } from './fragments.ts';
import { noRelease, read } from './rows.ts';

/** The names that this instance has read last: each such answer has some megabytes. A version has the same names in every database. */
const cached = new CachedValue<{ readonly version: string; readonly names: AreaNames }>({
  ttl: Number.POSITIVE_INFINITY,
  abandonAfter: 3000,
});

/** When they were last used, by `steadyTime`. */
let usedAt = 0;

/** How long names stay cached while nobody asks for them, because a snapshot has them, milliseconds. */
const MAX_IDLE_MS = 60_000;

/** Drops names that were not used lately: a snapshot has them. */
export function forgetNames(): void {
  if (cached.value && steadyTime() - usedAt > MAX_IDLE_MS) cached.forget();
}

/** The names of the active release. */
export function names(db: Database, pinned?: string): Pick<AreaStore, 'names'> {
  return {
    names: async () => {
      const statement = sql`with ${releaseTables([], pinned)}
        select release.id as release, release.version, release.known from release`;
      const active = await read(db, statement, () => undefined);
      return { ...active, value: await namesOfVersion(db, active.version) };
    },
  };
}

/**
 * The names of one load of a release, read in one statement unless the instance has them.
 *
 * @throws DomainError `data_not_loaded` where it was deleted meanwhile, and as `Database.rows`
 */
export async function namesOfVersion(db: Database, version: string): Promise<AreaNames> {
  usedAt = steadyTime();
  const { names } = await cached.get({
    deadline: db.deadline,
    load: async () => ({ version, names: await readNames(db, version) }),
    isWanted: (value) => value.version === version,
  });
  return names;
}

interface NamesRow {
  areas: string | null;
  former_names: string | null;
  former_codes: string | null;
}

async function readNames(db: Database, version: string): Promise<AreaNames> {
  // Lines of ready text are a third of what rows in JSON would be. Absent parents are empty.
  const statement = sql`select
      (select string_agg(concat_ws(E'\t', a.level, a.code, coalesce(a.r_code, ''), coalesce(a.p_code, ''),
          coalesce(a.host_province_code, ''), coalesce(a.m_code, ''), coalesce(a.sm_code, ''),
          coalesce(a.population::text, ''), coalesce(a.type, ''), a.name), E'\n')
        from ${areas} a where a.release_id = r.id) as areas,
      (select string_agg(concat_ws(E'\t', f.code, f.name, coalesce(f.until, ''), coalesce(f.since, '')), E'\n' order by f.code, f.name)
        from ${formerNames} f where f.release_id = r.id) as former_names,
      (select string_agg(concat_ws(E'\t', c.level, c.alias, c.code), E'\n' order by c.code)
        from ${codeAliases} c where c.release_id = r.id and c.code <> '') as former_codes
    from ${dataReleases} r where ${RELEASE_VERSION} = ${version}`;
  const [row] = await db.rows<NamesRow>(statement);
  if (!row) throw noRelease();
  return namesIn(row);
}

function namesIn({ areas, former_names, former_codes }: NamesRow): AreaNames {
  const types = new Map<string, string>();
  const found = fieldsOf(areas).map(
    ([level = '', code = '', r = '', p = '', host = '', m = '', sm = '', population = '', type = '', name = '']) => {
      if (type !== '') types.set(code, type);
      return {
        level: level as NameLevel,
        code,
        name,
        regionCode: r || null,
        provinceCode: p || null,
        hostProvinceCode: host || null,
        municityCode: m || null,
        submunicipalityCode: sm || null,
        population: population === '' ? null : Number(population),
      } satisfies NamedArea;
    },
  );
  const source = sourceOf(found, {
    names: fieldsOf(former_names).map(([code = '', name = '', until = '', since = '']) => ({
      code,
      name,
      until,
      since,
    })),
    codes: fieldsOf(former_codes).map(([level = '', alias = '', code = '']) => ({
      level: level as NameLevel,
      alias,
      code,
    })),
  });
  const index = buildIndex(source);
  return { index, source, typeOf: (row) => types.get(index.codeOf(row)) ?? null };
}

/** The fields of each line of a text. */
function fieldsOf(text: string | null): string[][] {
  return text === null ? [] : text.split('\n').map((line) => line.split('\t'));
}
