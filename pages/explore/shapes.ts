import type { FeatureCollection } from 'geojson';
import { PsgcError } from '../shared/api.ts';
import type { Level } from '../shared/levels.ts';
import { readOverview } from '../shared/overview.ts';
import { readBoundaries } from './data.ts';
import { withLabels } from './labels.ts';
import type { LevelGeoJson } from './map-style.ts';

/** What the map draws without a key. */
export interface Coarse {
  /** undefined for the current one */
  readonly edition: string | undefined;
  /** Regions and provinces; none if the release was published without an overview. */
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
    // An edition that is not published has no files at all.
    const isMissing = error instanceof PsgcError && /^(overview|edition)_not_found$/.test(error.code);
    if (isMissing) return keep({ edition, levels: new Map(), capitals: undefined });
    if (isNeeded) throw error;
    return undefined;
  }
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
