import { compareEditions, editionId } from '../../../src/areas/edition-id.ts';
import type { Area, Release } from '../psgc/area.ts';
import { placeArea } from '../psgc/areas.ts';
import { censusReader, type History, localCode, rowOf, type Span } from '../psgc/history.ts';

/** An area as used for comparing editions. */
export interface EditionArea
  extends Pick<
    Area,
    | 'level'
    | 'code'
    | 'name'
    | 'nameKey'
    | 'type'
    | 'cityClass'
    | 'regionCode'
    | 'provinceCode'
    | 'municityCode'
    | 'submunicipalityCode'
    | 'correspondence'
    | 'population'
    | 'notes'
  > {
  /** Names that its list says it had before. */
  formerNames: readonly string[];
  /** Null where no boundary measures it. */
  areaKm2: number | null;
}

export interface Edition {
  /** `2023-4q` */
  id: string;
  /** `2023-12-31`; null where the list doesn't say. */
  published: string | null;
  /** Parents before children. */
  areas: ReadonlyMap<string, EditionArea>;
  /** The first two digits of codes. */
  regions: readonly string[];
}

/** The area with the digits of a code that don't change when an area moves to another region. */
export function findLocal({ areas, regions }: Edition, code: string): EditionArea | undefined {
  const same = areas.get(code);
  if (same || code.endsWith('00000000')) return same;
  for (const region of regions) {
    const found = areas.get(region + code.slice(2));
    if (found) return found;
  }
  return undefined;
}

/** The area that an area belongs to directly: what it would have moved from or to. */
export function parentOf({
  level,
  regionCode,
  provinceCode,
  municityCode,
  submunicipalityCode,
}: EditionArea): string | null {
  if (level === 'barangay') return submunicipalityCode ?? municityCode;
  if (level === 'submunicipality') return municityCode;
  return level === 'municity' ? (provinceCode ?? regionCode) : regionCode;
}

/** @param areas parents before children */
export function makeEdition(identity: Pick<Edition, 'id' | 'published'>, areas: readonly EditionArea[]): Edition {
  const regions = areas.filter(({ level }) => level === 'region').map(({ code }) => code.slice(0, 2));
  return { ...identity, areas: new Map(areas.map((area) => [area.code, area])), regions };
}

export function editionOf({
  edition,
  publishedOn,
  areas,
  formerNames,
}: Pick<Release, 'edition' | 'publishedOn' | 'areas' | 'formerNames'>): Edition {
  const names = Map.groupBy(formerNames, ({ code }) => code);
  return makeEdition(
    { id: editionId(edition), published: publishedOn },
    areas.map((area) => ({
      ...area,
      formerNames: (names.get(area.code) ?? []).map(({ name }) => name),
      areaKm2: null,
    })),
  );
}

/** Cached results of `editionsOf` for a history without land. */
const withoutLand = new WeakMap<History, Edition[]>();

/**
 * The editions in the repository, the oldest first, each with the newest residents that are known. A barangay of which
 * nothing changed is the same object in several.
 *
 * @param drawn an edition with boundaries: its barangays have the same land in the others, which measures these
 */
export function editionsOf(history: History, drawn?: Edition): Edition[] {
  const land = new Land(drawn);
  if (land.isMeasured) return makeEditions(history, land);
  const made = withoutLand.get(history) ?? makeEditions(history, land);
  withoutLand.set(history, made);
  return made;
}

/** The land of an edition's areas, by which those of other editions are measured. */
class Land {
  readonly isMeasured: boolean;
  readonly #areas = new Map<string, EditionArea>();
  /** Barangays by their correspondence codes, which stay when an area gets another code; null where several have one. */
  readonly #barangays = new Map<string, EditionArea | null>();
  readonly #parts = new Map<string, Set<string>>();

  constructor(drawn: Edition | undefined) {
    const all = [...(drawn?.areas.values() ?? [])];
    this.isMeasured = all.some(({ areaKm2 }) => areaKm2 !== null);
    for (const area of all) {
      const { level, code, municityCode, correspondence } = area;
      this.#areas.set(localCode(code), area);
      if (level !== 'barangay') continue;
      if (correspondence !== null)
        this.#barangays.set(correspondence, this.#barangays.has(correspondence) ? null : area);
      const parts = this.#parts.get(localCode(municityCode ?? '')) ?? new Set();
      this.#parts.set(localCode(municityCode ?? ''), parts.add(localCode(code)));
    }
  }

  /** The barangay of the drawn edition that one of another edition is. */
  barangay({ code, correspondence }: Pick<EditionArea, 'code' | 'correspondence'>): EditionArea | undefined {
    const same = this.#areas.get(localCode(code));
    return same ?? (correspondence === null ? undefined : (this.#barangays.get(correspondence) ?? undefined));
  }

  /** The land of a city or municipality that has the same barangays in the drawn edition. */
  ofSameParts(code: string, barangays: readonly EditionArea[]): number | null {
    const own = this.#parts.get(localCode(code));
    const found = barangays.map((it) => localCode(this.barangay(it)?.code ?? ''));
    if (own?.size !== new Set(found).size || !found.every((it) => own.has(it))) return null;
    return this.#areas.get(localCode(code))?.areaKm2 ?? null;
  }
}

function makeEditions(history: History, land: Land): Edition[] {
  const censusesOf = censusReader(history);
  const barangays = new Map<Span, EditionArea>();
  return history.editions.map(({ id, asOf }, index) => {
    const parents = new Map<string, EditionArea>();
    const areas: EditionArea[] = [];
    // Codes are in order, so that parents come before children.
    for (const span of history.spans) {
      if (span.first > index || span.last < index) continue;
      let area = barangays.get(span);
      // The province of a barangay is that of its city, which can become independent of it.
      if (!area || area.provinceCode !== (parents.get(area.municityCode ?? '')?.provinceCode ?? null)) {
        const row = rowOf(span, censusesOf(span.code));
        const placed = placeArea(row, {
          provinces: NO_PROVINCES,
          municities: parents,
          warnings: [],
          newestCensus: null,
        });
        const areaKm2 = span.level === 'Bgy' ? (land.barangay(placed)?.areaKm2 ?? null) : 0;
        area = { ...placed, formerNames: row.formerNames, areaKm2 };
        if (span.level === 'Bgy') barangays.set(span, area);
        else parents.set(area.code, area);
      }
      areas.push(area);
    }
    measure(parents, areas, land);
    return makeEdition({ id, published: asOf }, areas);
  });
}

/**
 * Adds the land of barangays to what they lie in; null where that of one is not known, unless it has the same barangays as
 * in the drawn edition, which measures it by its own boundary.
 */
function measure(parents: ReadonlyMap<string, EditionArea>, areas: readonly EditionArea[], land: Land): void {
  const add = (code: string | null, km2: number | null) => {
    const parent = code === null ? undefined : parents.get(code);
    if (parent) parent.areaKm2 = parent.areaKm2 === null || km2 === null ? null : parent.areaKm2 + km2;
  };
  const barangays = Map.groupBy(
    areas.filter(({ level }) => level === 'barangay'),
    ({ municityCode }) => municityCode,
  );
  for (const [code, parts] of barangays) {
    for (const { municityCode, submunicipalityCode, areaKm2 } of parts)
      for (const it of [municityCode, submunicipalityCode]) add(it, areaKm2);
    const municity = code === null ? undefined : parents.get(code);
    if (!municity) continue;
    municity.areaKm2 ??= land.ofSameParts(municity.code, parts);
    for (const it of [municity.regionCode, municity.provinceCode]) add(it, municity.areaKm2);
  }
}

/** Only hosts need provinces, and editions are not compared by these. */
const NO_PROVINCES: ReadonlyMap<string, string> = new Map();

/** From this share of the country's areas on, a list is one of the country. */
export const WHOLE_COUNTRY = 0.5;

/**
 * The editions in the repository with a loaded one in place of that with the same id, or where time puts it. A list of a part of
 * the country stands alone: what it lacks is not gone.
 */
export function editionsWith(history: History, own: Edition): Edition[] {
  const newest = history.editions.at(-1);
  if (newest && own.areas.size < WHOLE_COUNTRY * newest.areas) return [own];
  return [...editionsOf(history, own).filter(({ id }) => id !== own.id), own].sort((a, b) =>
    compareEditions(a.id, b.id),
  );
}
