import type { FeatureCollection } from 'geojson';
import { PsgcError } from '../shared/api.ts';
import type { Level } from '../shared/levels.ts';
import { readMunicities, readOverview } from '../shared/overview.ts';
import { readBoundaries } from './data.ts';
import { withLabels } from './labels.ts';
import type { LevelGeoJson } from './map-style.ts';

/** What the map draws without a key. */
export interface Coarse {
  /** undefined for the current one */
  readonly edition: string | undefined;
  /** Regions and provinces, and the smaller areas that were read; none if the release was published without an overview. */
  readonly levels: ReadonlyMap<Level, LevelGeoJson>;
  readonly capitals: FeatureCollection | undefined;
}

const coarseByEdition = new Map<string | undefined, Coarse>();

/**
 * Reads the overview of an edition. It always gives the same object for one, as `readLevel` does.
 *
 * @param options `isNeeded`: nothing else is drawn, so an overview that can't be read is an error
 * @throws PsgcError
 */
export async function readCoarse(
  edition: string | undefined,
  { isNeeded }: { isNeeded: boolean },
): Promise<Coarse | undefined> {
  const known = coarseByEdition.get(edition);
  if (known) return known;
  try {
    const { regions, provinces, capitals } = await readOverview(edition);
    const levels = new Map<Level, LevelGeoJson>([
      ['region', withLabels(regions)],
      ['province', withLabels(provinces)],
    ]);
    return keep({ edition, levels, capitals });
  } catch (error) {
    if (isWithout(error)) return keep({ edition, levels: new Map(), capitals: undefined });
    if (isNeeded) throw error;
    return undefined;
  }
}

/** Editions without a map of cities and municipalities. */
const withoutMunicities = new Set<string | undefined>();

/**
 * Reads the cities, municipalities and sub-municipalities of an edition, if it has a map of them.
 *
 * @param coarse what is known of the edition
 * @returns it with these levels. Known levels stay the same objects.
 * @throws PsgcError
 */
export async function withMunicities(coarse: Coarse): Promise<Coarse> {
  const { edition, levels } = coarse;
  if (levels.has('municity') || withoutMunicities.has(edition)) return coarse;
  try {
    const { municities, submunicipalities } = await readMunicities(edition);
    const more = new Map(levels).set('municity', withLabels(municities));
    if (submunicipalities) more.set('submunicipality', withLabels(submunicipalities));
    return keep({ ...coarse, levels: more });
  } catch (error) {
    if (!isWithout(error)) throw error;
    withoutMunicities.add(edition);
    return coarse;
  }
}

/** Whether a release was published without such a map. An edition that is not published has no files at all. */
function isWithout(error: unknown): boolean {
  return error instanceof PsgcError && /^(overview|edition)_not_found$/.test(error.code);
}

function keep(coarse: Coarse): Coarse {
  coarseByEdition.set(coarse.edition, coarse);
  return coarse;
}

const levelsByList = new Map<string, LevelGeoJson>();

/**
 * Reads the boundaries of a list, with the points of their labels. A list always gives the same object, because the map
 * compares objects to see what has changed.
 */
export async function readLevel(list: string): Promise<LevelGeoJson> {
  const known = levelsByList.get(list);
  if (known) return known;
  const level = withLabels(await readBoundaries(list));
  levelsByList.set(list, level);
  return level;
}
