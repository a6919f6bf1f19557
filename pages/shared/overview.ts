import type { FeatureCollection } from 'geojson';
import { requestJson } from './api.ts';
import { type Topology, unfold } from './topology.ts';

/** The country at coarse resolution, which needs no key. */
export interface Overview {
  readonly regions: FeatureCollection;
  readonly provinces: FeatureCollection;
  /** The capitals of the provinces, and of the country, as points. */
  readonly capitals: FeatureCollection;
}

/** Overviews by their address. Each is read once. */
const known = new Map<string, Promise<Overview>>();

/**
 * The regions and provinces of an edition.
 *
 * @param edition undefined for the current one
 * @throws PsgcError, with `overview_not_found` where the release was published without
 */
export function readOverview(edition?: string): Promise<Overview> {
  const address = `/v1/downloads/overview${edition === undefined ? '' : `?edition=${edition}`}`;
  const read = known.get(address) ?? requestJson<Topology>(address).then((topology) => unfold(topology) as never);
  known.set(address, read);
  read.catch(() => known.delete(address));
  return read;
}
