import { nameKey } from '../../../src/areas/names.ts';
import { NO_ROW, ROW_LEVELS, type SnapshotFacts } from '../../../src/areas/snapshot/layout.ts';
import { RESOLUTIONS, type Resolution } from '../../../src/areas/store.ts';
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
      versions.push({ ...member, same, first: isSame ? before.first : at, last: at });
    }
  }

  /** Encodes them as the areas of an edition that a release carries. */
  encode(facts: Pick<SnapshotInput, 'release' | 'version' | 'edition' | 'publishedOn' | 'boundarySet' | 'sources'>): {
    areas: Uint8Array;
    boundaries: Uint8Array;
  } {
    const inOrder = [...this.#versions].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, versions]) => versions);
    const areas = inOrder.map(({ area }, row): SnapshotArea => ({ ...area, ...NOT_OF_VERSIONS, id: row + 1 }));
    const lengthsAt = (resolution: Resolution) =>
      Uint32Array.from(inOrder, ({ drawn }) => drawn?.bytes[resolution] ?? 0);
    const input: SnapshotInput = {
      ...facts,
      areas,
      lengths: Object.fromEntries(RESOLUTIONS.map((it) => [it, lengthsAt(it)])) as SnapshotInput['lengths'],
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
    const drawnBy = Uint16Array.from(inOrder, (version) => version.drawnBy ?? NO_ROW);
    return {
      areas: encodeAreas(input, { cells: [], drawnBy, validity, key: nameKey }),
      boundaries: Buffer.concat(
        RESOLUTIONS.flatMap((resolution) => inOrder.flatMap(({ drawn }) => drawn?.text(resolution) ?? [])),
      ),
    };
  }
}

const NOT_OF_VERSIONS = {
  population: null,
  population_year: null,
  population_history: null,
  density_km2: null,
  notes: null,
} satisfies Partial<SnapshotArea>;
