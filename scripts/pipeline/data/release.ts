import type { DataSource } from '../../../src/db/columns.ts';
import { countInWords } from '../../../src/db/release-loss.ts';
import { Drawing, type DrawnCountry } from '../boundaries/packed/draw.ts';
import { landIn } from '../boundaries/packed/land.ts';
import { type Borders, readBorders } from '../boundaries/packed/repository-files.ts';
import type { Unit } from '../boundaries/topology/country.ts';
import { completed } from '../editions/release.ts';
import type { Area, Release } from '../psgc/area.ts';
import { toRelease } from '../psgc/areas.ts';
import { checkRelease, LoadRefused } from '../psgc/checks.ts';
import { CODE_CHANGES } from '../psgc/code-changes.ts';
import { publicationOf, readHistory } from '../psgc/history.ts';
import type { Publication } from '../psgc/publication.ts';

/** A release that the borders in the repository draw. */
export interface DataRelease {
  readonly release: Release;
  readonly drawn: DrawnCountry;
  readonly sources: readonly DataSource[];
  /** SHA-256 of the borders. */
  readonly borders: string;
}

interface Options {
  /** The list; without it the newest edition in the repository. */
  publication?: Publication | undefined;
  /** Called, before anything is drawn, with the areas and what each unit of the borders belongs to, by their codes. */
  onUnits?: (units: readonly Unit[], areas: readonly Area[]) => void;
  /** Called with 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Makes a release of a list and of the borders in the repository, in some eight seconds, without a database.
 *
 * @throws LoadRefused if the list fails the checks
 */
export async function makeDataRelease({ publication, onUnits, onProgress }: Options = {}): Promise<DataRelease> {
  const history = await readHistory();
  const publicationAt = (id: string) => publicationOf(history, id);
  const plain = toRelease(publication ?? publicationAt(history.editions.at(-1)?.id ?? ''));
  const { problems } = checkRelease(plain);
  if (problems.length > 0) throw new LoadRefused(problems);
  onProgress?.(0.1);
  const borders = await readBorders();
  const units = landIn(borders.country.units, toRelease(publicationAt(borders.psgcEdition)), plain);
  onUnits?.(units, plain.areas);
  onProgress?.(0.2);
  const drawn = new Drawing(borders.country).draw(units);
  onProgress?.(0.8);
  const { release } = completed(plain, history);
  onProgress?.(1);
  const source = bordersSource(borders, release.areas, (code) => drawn.areas.has(code));
  return { release, drawn, sources: [...release.sources, source], borders: borders.sha256 };
}

/** The source of the borders, with what they lack of a release. */
export function bordersSource(
  { source }: Borders,
  areas: readonly Area[],
  isDrawn: (code: string) => boolean,
): DataSource {
  const missing = Map.groupBy(
    areas.filter(({ code }) => !isDrawn(code)),
    ({ level }) => level,
  );
  if (missing.size === 0) return source;
  const counts = [...missing].map(([level, without]) => countInWords(without.length, level));
  return { ...source, note: `${source.note}. Without a boundary: ${counts.join(', ')}` };
}

/** Max relative difference between an area's residents and the sum of its barangays, if both are of the same land. */
export const MAX_DIFFERENCE = 0.02;

/**
 * Residents for each square kilometre, with two decimals, where both are known. A province is drawn with the cities of its
 * region that it hosts. The residents of highly urbanised ones are not counted as its own: for its density their land is
 * taken off. An area has none whose residents were counted before it lost or won land: its barangays add up to another
 * number, or `code-changes.json` says so of a barangay.
 */
export function densitiesOf(
  areas: readonly Area[],
  km2Of: (code: string) => number | null | undefined,
): ReadonlyMap<string, number> {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const municities = areas.filter(({ level }) => level === 'municity');
  const hostOf = ({ hostProvinceCode, regionCode }: Area) =>
    hostProvinceCode !== null && byCode.get(hostProvinceCode)?.regionCode === regionCode ? hostProvinceCode : null;
  const hosted = new Map<string, number>();
  const add = (sums: Map<string, number>, code: string | null, count: number) =>
    code !== null && sums.set(code, (sums.get(code) ?? 0) + count);
  for (const city of municities) if (city.cityClass === 'HUC') add(hosted, hostOf(city), km2Of(city.code) ?? 0);
  const inParts = new Map<string, number>();
  const unknown = new Set<string | null>();
  for (const { level, municityCode, population } of areas) {
    if (level !== 'barangay') continue;
    add(inParts, municityCode, population ?? 0);
    if (population === null) unknown.add(municityCode);
  }
  for (const municity of municities) {
    const { code, cityClass, provinceCode, regionCode, population } = municity;
    const counted = inParts.get(code) ?? 0;
    // What is not known of a barangay is left out of the sum.
    if (unknown.has(code) || counted === 0) inParts.set(code, Math.max(counted, population ?? 0));
    const count = inParts.get(code) ?? 0;
    add(inParts, provinceCode ?? (cityClass === 'HUC' ? null : hostOf(municity)), count);
    add(inParts, regionCode, count);
  }
  const isGone = (code: string) => !byCode.has(code);
  const grown = CODE_CHANGES.filter(({ from, to }) => from.some((code) => !to.includes(code) && isGone(code)));
  const countedBefore = new Set(grown.flatMap((it) => it.countedBefore ?? []));
  const isOfOtherLand = (code: string, population: number) => {
    if (countedBefore.has(code)) return true;
    const parts = inParts.get(code) ?? 0;
    return parts > 0 && Math.abs(parts - population) > MAX_DIFFERENCE * population;
  };
  return new Map(
    areas.flatMap(({ code, population }) => {
      const land = (km2Of(code) ?? 0) - (hosted.get(code) ?? 0);
      if (population === null || land <= 0 || isOfOtherLand(code, population)) return [];
      return [[code, Math.round((100 * population) / land) / 100]];
    }),
  );
}
