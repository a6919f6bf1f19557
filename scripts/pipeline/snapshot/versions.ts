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

/** An area as an edition has it. */
export interface EditionMember {
  readonly area: SnapshotArea;
  /** Says which land it has; undefined where it has no boundary. */
  readonly land: string | undefined;
  /** The row of the area of the release with the same land, `NO_ROW` for none. */
  readonly drawnBy: number;
  /** Its boundary, where no area of the release has it. */
  readonly drawn: DrawnArea | undefined;
}

interface Version extends EditionMember {
  readonly first: number;
  readonly last: number;
  /** What of the area is the same in all of its editions. */
  readonly same: string;
}

/** What makes a version another one. Residents do not: those of a census are counted for areas of any edition. */
function sameOf({ area, land }: EditionMember): string {
  const { name, type, city_class, income_class, urban_rural } = area;
  const { r_code, p_code, host_province_code, m_code, sm_code } = area;
  const parents = [r_code, p_code, host_province_code, m_code, sm_code];
  return JSON.stringify([name, type, city_class, income_class, urban_rural, ...parents, land]);
}

/** Every version of every area: consecutive editions in which nothing of the area changed. Editions are added by time. */
export class Versions {
  readonly #editions: NonNullable<SnapshotFacts['editions']>[number][] = [];
  readonly #versions = new Map<string, Version[]>();

  add(edition: { readonly id: string; readonly day: string }, members: Iterable<EditionMember>): void {
    const at = this.#editions.push(edition) - 1;
    for (const member of members) {
      const key = `${ROW_LEVELS.indexOf(member.area.level)} ${member.area.code}`;
      const versions = this.#versions.get(key) ?? [];
      this.#versions.set(key, versions);
      const same = sameOf(member);
      const before = versions.at(-1);
      const isSame = before?.last === at - 1 && before.same === same;
      if (isSame) versions.pop();
      // Only the areas of its own edition may have a boundary: the version has it.
      const isDrawn = member.drawn !== undefined || member.drawnBy !== NO_ROW;
      const shown = isSame && !isDrawn ? before : member;
      versions.push({ ...shown, same, first: isSame ? before.first : at, last: at });
    }
  }

  /**
   * Encodes them as the areas of an edition that the snapshot of a release includes.
   *
   * @param facts those of the release, whose version the versions complete by what they are
   */
  encode({ version, ...facts }: Facts): { areas: Uint8Array; boundaries: Uint8Array } {
    const inOrder = this.#fitting();
    const areas = inOrder.map(({ area }, row): SnapshotArea => ({ ...area, ...NOT_OF_VERSIONS, id: row + 1 }));
    const none = new Uint32Array(areas.length);
    const bytes = (drawn: DrawnArea | undefined) => drawn?.bytes[THROUGH_TIME_RESOLUTION] ?? 0;
    const lengths = { simple: none, medium: none, detailed: none };
    const hash = createHash('sha256').update(JSON.stringify(this.#editions));
    for (const { area, same, first, last } of inOrder) hash.update(`${area.code} ${first} ${last} ${same}`);
    const input: SnapshotInput = {
      ...facts,
      version: `${version}-${THROUGH_TIME}-${hash.digest('hex').slice(0, 8)}`,
      areas,
      lengths: { ...lengths, [THROUGH_TIME_RESOLUTION]: Uint32Array.from(inOrder, ({ drawn }) => bytes(drawn)) },
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

  /** As many as rows can be numbered, in the order of their rows. Those that ended first are left out. */
  #fitting(): Version[] {
    let fitting = [...this.#versions].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, versions]) => versions);
    for (let at = 0; fitting.length >= NO_ROW && at < this.#editions.length - 1; at += 1) {
      fitting = fitting.filter(({ last }) => last > at);
    }
    return fitting;
  }
}

type Facts = Pick<SnapshotInput, 'release' | 'version' | 'edition' | 'publishedOn' | 'boundarySet' | 'sources'>;

const NOT_OF_VERSIONS = {
  population: null,
  population_year: null,
  population_history: null,
  density_km2: null,
  notes: null,
} satisfies Partial<SnapshotArea>;
