import type { FeatureCollection } from 'geojson';
import { requestJson } from './api.ts';
import { type Topology, unfold } from './topology.ts';

/** The country at coarse resolution, which needs no key. */
export interface Overview {
  readonly regions: FeatureCollection;
  readonly provinces: FeatureCollection;
  /** The capitals of the provinces and of the country, and large cities, as points, the largest first. */
  readonly capitals: FeatureCollection;
}

/** The cities and municipalities at coarse resolution, which need no key either. */
export interface MunicityOverview {
  readonly municities: FeatureCollection;
  /** Those of Manila, where the release has their boundaries. */
  readonly submunicipalities?: FeatureCollection;
}

/** Overviews by their URL. Each is read once. */
const known = new Map<string, Promise<unknown>>();

/**
 * The regions and provinces of an edition.
 *
 * @param edition undefined for the current one
 * @throws PsgcError, with `overview_not_found` where the release was published without
 */
export function readOverview(edition?: string): Promise<Overview> {
  return readOnce(`/v1/downloads/overview${edition === undefined ? '' : `?edition=${edition}`}`);
}

/**
 * The cities and municipalities of an edition. They are several times as large as the overview.
 *
 * @param edition undefined for the current one
 * @throws PsgcError, with `overview_not_found` where the release was published without
 */
export function readMunicities(edition?: string): Promise<MunicityOverview> {
  return readOnce(`/v1/downloads/overview?level=municity${edition === undefined ? '' : `&edition=${edition}`}`);
}

function readOnce<T>(address: string): Promise<T> {
  const read =
    (known.get(address) as Promise<T> | undefined) ??
    requestJson<Topology>(address).then((topology) => unfold(topology) as T);
  known.set(address, read);
  read.catch(() => known.delete(address));
  return read;
}
