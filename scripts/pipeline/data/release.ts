import type { DataSource } from '../../../src/db/columns.ts';
import { countInWords } from '../../../src/db/release-loss.ts';
import { Drawing, type DrawnCountry } from '../boundaries/packed/draw.ts';
import { type Borders, readBorders } from '../boundaries/packed/file.ts';
import { landIn } from '../boundaries/packed/land.ts';
import type { Unit } from '../boundaries/topology/country.ts';
import { completed } from '../editions/release.ts';
import type { Area, Release } from '../psgc/area.ts';
import { toRelease } from '../psgc/areas.ts';
import { checkRelease, LoadRefused } from '../psgc/checks.ts';
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
 * @throws LoadRefused where the list fails the checks
 */
export async function makeDataRelease({ publication, onUnits, onProgress }: Options = {}): Promise<DataRelease> {
  const history = await readHistory();
  const publicationAt = (id: string) => publicationOf(history, id);
  const plain = toRelease(publication ?? publicationAt(history.editions.at(-1)?.id ?? ''));
  const { problems } = checkRelease(plain);
  if (problems.length > 0) throw new LoadRefused(problems);
  onProgress?.(0.1);
  const borders = await readBorders();
  const units = landIn(borders.country.units, toRelease(publicationAt(borders.edition)), plain);
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

/** Max relative difference between a region's residents and the sum of its parts, if both are of the same land. */
export const MAX_DIFFERENCE = 0.02;

/**
 * Residents for each square kilometre, with two decimals, where both are known. A province is drawn with the cities of its
 * region that it hosts. The residents of highly urbanised ones are not counted as its own: for its density their land is
 * taken off. A region whose residents were counted before it lost or won provinces has none.
 */
export function densitiesOf(
  areas: readonly Area[],
  km2Of: (code: string) => number | null | undefined,
): ReadonlyMap<string, number> {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const hosted = new Map<string, number>();
  for (const { cityClass, code, hostProvinceCode, rCode } of areas) {
    if (cityClass !== 'HUC' || hostProvinceCode === null || byCode.get(hostProvinceCode)?.rCode !== rCode) continue;
    hosted.set(hostProvinceCode, (hosted.get(hostProvinceCode) ?? 0) + (km2Of(code) ?? 0));
  }
  const inParts = new Map<string, number>();
  for (const { level, rCode, population } of areas) {
    if (level === 'municity' && rCode !== null) inParts.set(rCode, (inParts.get(rCode) ?? 0) + (population ?? 0));
  }
  // A region that was counted before it lost or won provinces has residents of other land.
  const isOfOtherLand = ({ level, code, population }: Area) => {
    const parts = level === 'region' ? (inParts.get(code) ?? 0) : 0;
    return parts > 0 && Math.abs(parts / (population ?? 0) - 1) > MAX_DIFFERENCE;
  };
  return new Map(
    areas.flatMap((area) => {
      const { code, population } = area;
      const land = (km2Of(code) ?? 0) - (hosted.get(code) ?? 0);
      if (population === null || land <= 0 || isOfOtherLand(area)) return [];
      return [[code, Math.round((100 * population) / land) / 100]];
    }),
  );
}
