import type { Map as GlMap, MapGeoJSONFeature } from 'maplibre-gl';
import { CLUSTER_LAYER, OWN_LAYERS } from './layers.ts';

/** How far from a feature a pointer may be to mean it, pixels, the nearest first. A finger covers what it touches. */
const REACHES = { pointer: [0, 4], finger: [0, 4, 10] } as const;

/** How far from the middle of the map a feature may be to be meant by Enter, pixels. */
export const NEAR_MIDDLE = [0, 8, 20, 40] as const;

/** @returns what tells how far the pointer that was used last over an element reaches */
export function startReach(container: Element): () => readonly number[] {
  let reach: readonly number[] = REACHES.pointer;
  container.addEventListener('pointerdown', (event) => {
    reach = REACHES[(event as PointerEvent).pointerType === 'touch' ? 'finger' : 'pointer'];
  });
  return () => reach;
}

/**
 * The features of a dataset, and clusters of them, at a point of the map or else near it, the uppermost first. Points come
 * before all others, because they are smaller.
 *
 * @param distances how far from the point they may be, pixels, the nearest first
 */
export function featuresAt(
  map: GlMap,
  { x, y }: { x: number; y: number },
  distances: readonly number[],
): MapGeoJSONFeature[] {
  const all = [...OWN_LAYERS, CLUSTER_LAYER].flatMap((id) => map.getLayer(id) ?? []);
  const near = (layers: typeof all) => {
    if (layers.length === 0) return [];
    const ids = layers.map(({ id }) => id);
    for (const distance of distances) {
      const around: [[number, number], [number, number]] = [
        [x - distance, y - distance],
        [x + distance, y + distance],
      ];
      const found = map.queryRenderedFeatures(around, { layers: ids });
      if (found.length > 0) return found;
    }
    return [];
  };
  return [...near(all.filter(({ type }) => type === 'circle')), ...near(all.filter(({ type }) => type !== 'circle'))];
}

interface Choosing {
  /** @param features their places in the dataset */
  onFeatures: (features: readonly number[]) => void;
  /** The zoom at which a cluster becomes several; undefined where there are none any more. */
  zoomOf: (cluster: number) => Promise<number | undefined>;
}

/** Chooses the features that `featuresAt` has found. A cluster that comes first is brought so near that it becomes several. */
export function chooseFeatures(
  map: GlMap,
  found: readonly MapGeoJSONFeature[],
  { onFeatures, zoomOf }: Choosing,
): void {
  const [first] = found;
  if (first?.layer.id === CLUSTER_LAYER) return void open(map, first, zoomOf);
  const features = found.filter(({ layer }) => layer.id !== CLUSTER_LAYER);
  // A feature is found in each tile and each layer that it is in.
  onFeatures([...new Set(features.map(({ properties }) => Number(properties.feature)))]);
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
