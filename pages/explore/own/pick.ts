import type { Map as GlMap, MapGeoJSONFeature } from 'maplibre-gl';
import { CLUSTER_LAYER, OWN_LAYERS } from './layers.ts';

/**
 * The uppermost feature of a dataset, or cluster of them, at a point of the map or else near it.
 *
 * @param distances how far from the point it may be, pixels, the nearest first: a point of the map is small for a finger
 */
export function featureAt(
  map: GlMap,
  { x, y }: { x: number; y: number },
  distances: readonly number[] = [0, 4],
): MapGeoJSONFeature | undefined {
  const layers = [...OWN_LAYERS, CLUSTER_LAYER].filter((id) => map.getLayer(id));
  if (layers.length === 0) return undefined;
  for (const near of distances) {
    const around: [[number, number], [number, number]] = [
      [x - near, y - near],
      [x + near, y + near],
    ];
    const [feature] = map.queryRenderedFeatures(near === 0 ? [x, y] : around, { layers });
    if (feature) return feature;
  }
  return undefined;
}

interface Choosing {
  /** @param feature its place in the dataset */
  onFeature: (feature: number) => void;
  /** The zoom at which a cluster becomes several; undefined where there are none any more. */
  zoomOf: (cluster: number) => Promise<number | undefined>;
}

/** Chooses a feature of a dataset. A cluster is brought so near that it becomes several. */
export function chooseFeature(map: GlMap, feature: MapGeoJSONFeature, { onFeature, zoomOf }: Choosing): void {
  if (feature.layer.id === CLUSTER_LAYER) void open(map, feature, zoomOf);
  else onFeature(Number(feature.properties.feature));
}

async function open(
  map: GlMap,
  { properties, geometry }: MapGeoJSONFeature,
  zoomOf: Choosing['zoomOf'],
): Promise<void> {
  if (geometry.type !== 'Point') return;
  const [lon = 0, lat = 0] = geometry.coordinates;
  // The cluster may be gone by the time it answers, and then there is nothing to open.
  const zoom = await zoomOf(properties.cluster_id).catch(() => undefined);
  if (zoom !== undefined) map.easeTo({ center: [lon, lat], zoom });
}
