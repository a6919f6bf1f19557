import type pg from 'pg';
import { editionId } from '../../../src/areas/edition-id.ts';
import type { AreaLevel } from '../psgc/area.ts';

/** An area as editions are compared by it. */
export interface EditionArea {
  level: AreaLevel;
  code: string;
  name: string;
  /** `nameKey` of the name. */
  nameKey: string;
  type: string | null;
  cityClass: string | null;
  rCode: string | null;
  pCode: string | null;
  mCode: string | null;
  smCode: string | null;
  correspondence: string | null;
  population: number | null;
  areaKm2: number | null;
  notes: string[];
}

/** One edition, by the release of it that is compared. */
export interface Edition {
  /** `2023-4q` */
  id: string;
  release: string;
  /** Whether points can be looked up in its boundaries, so that land can be compared. */
  isDrawn: boolean;
  areas: ReadonlyMap<string, EditionArea>;
  /** Areas by the digits that stay when an area moves to another region; regions by their whole code. */
  byLocal: ReadonlyMap<string, EditionArea>;
}

/** The digits of a code that don't change when an area moves to another region. */
export function localOf({ level, code }: Pick<EditionArea, 'level' | 'code'>): string {
  return level === 'region' ? code : code.slice(2);
}

/** The area that an area belongs to directly: what it would have moved from or to. */
export function parentOf({ level, rCode, pCode, mCode, smCode }: EditionArea): string | null {
  if (level === 'barangay') return smCode ?? mCode;
  if (level === 'submunicipality') return mCode;
  return level === 'municity' ? (pCode ?? rCode) : rCode;
}

export function makeEdition(
  identity: Pick<Edition, 'id' | 'release' | 'isDrawn'>,
  areas: readonly EditionArea[],
): Edition {
  return {
    ...identity,
    areas: new Map(areas.map((area) => [area.code, area])),
    byLocal: new Map(areas.map((area) => [localOf(area), area])),
  };
}

/**
 * The releases that editions are compared by, one of each edition, the oldest edition first: of those with the best
 * boundaries the active one, else the newest one.
 *
 * @param beside a release that is being written
 */
export async function listEditions(
  client: pg.ClientBase,
  beside?: string,
): Promise<{ id: string; release: string; isDrawn: boolean }[]> {
  const { rows } = await client.query<{ edition: string; release: string; isDrawn: boolean }>(
    `select distinct on (edition) edition, id as release, boundary_set = 'full' as "isDrawn"
     from data_releases left join active_release on release_id = id
     where checked_at is not null or id = $1
     order by edition, boundary_set desc, release_id is not null desc, created_at desc, id desc`,
    [beside ?? null],
  );
  return rows
    .map(({ edition, ...rest }) => ({ id: editionId(edition), ...rest }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Reads the areas of an edition. */
export async function readEdition(
  client: pg.ClientBase,
  identity: { id: string; release: string; isDrawn: boolean },
): Promise<Edition> {
  const { rows } = await client.query<EditionArea>(
    `select level, code, name, name_key as "nameKey", type, city_class as "cityClass", r_code as "rCode",
       p_code as "pCode", m_code as "mCode", sm_code as "smCode", correspondence, population,
       area_km2 as "areaKm2", coalesce(notes, '[]') as notes
     from areas where release_id = $1 order by level, code`,
    [identity.release],
  );
  return makeEdition(identity, rows);
}
