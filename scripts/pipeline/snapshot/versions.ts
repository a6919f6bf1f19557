import { createHash } from 'node:crypto';
import { nameKey } from '../../../src/areas/names.ts';
import {
  NO_ROW,
  ROW_LEVELS,
  type SnapshotFacts,
  THROUGH_TIME,
  THROUGH_TIME_RESOLUTION,
} from '../../../src/areas/snapshot/layout.ts';
import type { DrawnArea } from '../boundaries/packed/draw.ts';
import { encodeAreas, placesOf, type SnapshotArea, type SnapshotInput } from './areas.ts';

/** An area of an edition. */
export interface EditionMember {
  readonly area: SnapshotArea;
  /** Identifies the land of the area (`signatures` in `editions.ts`); undefined where it has no boundary. */
  readonly land: string | undefined;
  /** The row of the release's area with the same land, whose boundary the area has; `NO_ROW` if there is none. */
  readonly drawnBy: number;
  /** The boundary of the area, if no area of the release has it. */
  readonly drawn: DrawnArea | undefined;
}

/** An area in consecutive editions in which nothing of it changed. Its members are those of one of these editions. */
interface AreaVersion extends EditionMember {
  /** The indexes of the first and the last of these editions. */
  readonly first: number;
  readonly last: number;
  /** The text by which editions of the area are compared. */
  readonly compared: string;
}

/** The text of an area that begins a new version when it changes. It is without residents: a census counts them in areas of any edition. */
function comparedOf({ area, land }: EditionMember): string {
  const { name, type, city_class, income_class, urban_rural } = area;
  const { r_code, p_code, host_province_code, m_code, sm_code } = area;
  const parents = [r_code, p_code, host_province_code, m_code, sm_code];
  return JSON.stringify([name, type, city_class, income_class, urban_rural, ...parents, land]);
}

/** Every version of every area in all editions. */
export class AreaVersions {
  readonly #editions: NonNullable<SnapshotFacts['editions']>[number][] = [];
  readonly #versions = new Map<string, AreaVersion[]>();

  /** Adds the areas of an edition. The oldest edition is added first. */
  add(edition: { readonly id: string; readonly day: string }, members: Iterable<EditionMember>): void {
    const at = this.#editions.push(edition) - 1;
    for (const member of members) {
      const key = `${ROW_LEVELS.indexOf(member.area.level)} ${member.area.code}`;
      const versions = this.#versions.get(key) ?? [];
      this.#versions.set(key, versions);
      const compared = comparedOf(member);
      const before = versions.at(-1);
      const isSame = before?.last === at - 1 && before.compared === compared;
      if (isSame) versions.pop();
      // Some editions may have no boundary of the area. The version has the newest one that there is.
      const isDrawn = member.drawn !== undefined || member.drawnBy !== NO_ROW;
      const shown = isSame && !isDrawn ? before : member;
      versions.push({ ...shown, compared, first: isSame ? before.first : at, last: at });
    }
  }

  /**
   * Encodes the versions of areas as the objects of one more edition in the snapshot of a release.
   *
   * @param facts those of the release. Its version gets a suffix with a hash of the versions of areas, which tells their answers apart
   */
  encode({ version, ...facts }: Facts): { areas: Uint8Array; boundaries: Uint8Array } {
    const inOrder = this.#fitting();
    const areas = inOrder.map(({ area }, row): SnapshotArea => ({ ...area, ...ONLY_OF_EDITIONS, id: row + 1 }));
    const none = new Uint32Array(areas.length);
    const hash = createHash('sha256').update(JSON.stringify(this.#editions));
    for (const { area, compared, first, last } of inOrder) hash.update(`${area.code} ${first} ${last} ${compared}`);
    const input: SnapshotInput = {
      ...facts,
      version: `${version}-${THROUGH_TIME}-${hash.digest('hex').slice(0, 8)}`,
      areas,
      lengths: {
        ...{ simple: none, medium: none, detailed: none },
        [THROUGH_TIME_RESOLUTION]: Uint32Array.from(inOrder, ({ drawn }) => drawn?.bytes[THROUGH_TIME_RESOLUTION] ?? 0),
      },
      places: placesOf(areas),
      names: [],
      formerNames: [],
      aliases: [],
      neighbors: [],
    };
    const validity = {
      editions: this.#editions,
      firsts: inOrder.map(({ first }) => first),
      lasts: inOrder.map(({ last }) => last),
    };
    const drawnBy = Uint16Array.from(inOrder, (one) => one.drawnBy);
    return {
      areas: encodeAreas(input, { cells: [], drawnBy, validity, key: nameKey }),
      boundaries: Buffer.concat(inOrder.flatMap(({ drawn }) => drawn?.text(THROUGH_TIME_RESOLUTION) ?? [])),
    };
  }

  /** The versions of areas in the order of their rows. If there are more than row numbers, those that ended first are left out. */
  #fitting(): AreaVersion[] {
    let fitting = [...this.#versions].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, versions]) => versions);
    for (let at = 0; fitting.length >= NO_ROW && at < this.#editions.length - 1; at += 1) {
      fitting = fitting.filter(({ last }) => last > at);
    }
    return fitting;
  }
}

type Facts = Pick<SnapshotInput, 'release' | 'version' | 'edition' | 'publishedOn' | 'boundarySet' | 'sources'>;

/** Columns that areas of editions have, and versions of areas have not. */
const ONLY_OF_EDITIONS = {
  population: null,
  population_year: null,
  population_history: null,
  density_km2: null,
  notes: null,
} satisfies Partial<SnapshotArea>;
