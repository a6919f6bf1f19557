import type { Map as GlMap, MapGeoJSONFeature } from 'maplibre-gl';
import { byId } from '../shared/dom.ts';
import type { Level } from '../shared/levels.ts';
import type { Place } from './places.ts';

interface PointerOptions {
  /** Ids of the layers whose areas can be pointed at. The map may not have all of them yet. */
  layers: () => string[];
  /** @param edition the edition of the area, if it says one */
  onChoose: (place: Place, edition?: string) => void;
  /** The features of a dataset, which lie over the areas. */
  own: {
    layers: readonly string[];
    cluster: string;
    onFeature: (feature: number) => void;
    /** The zoom at which a cluster becomes several; undefined where there are none any more. */
    zoomOf: (cluster: number) => Promise<number | undefined>;
  };
}

/** Highlights and names the area under the pointer, and chooses it by a click. `clear` ends the highlight. */
export function startPointer(map: GlMap, { layers, onChoose, own }: PointerOptions): { clear(): void } {
  const container = map.getContainer();
  const tooltip = byId('hover', HTMLElement);

  /** The uppermost area at a point. */
  const areaAt = ({ x, y }: { x: number; y: number }): { place: Place; feature: MapGeoJSONFeature } | undefined => {
    const present = layers().filter((id) => map.getLayer(id));
    const [feature] = map.queryRenderedFeatures([x, y], { layers: present });
    const level = (feature?.layer.metadata as { level?: Level } | undefined)?.level;
    const code = feature?.properties.code;
    return feature && level && typeof code === 'string' ? { place: { level, code }, feature } : undefined;
  };

  /** The uppermost feature of a dataset, or cluster of them, near a point. A point of the map is small for a finger. */
  const ownAt = ({ x, y }: { x: number; y: number }) => {
    const present = [...own.layers, own.cluster].filter((id) => map.getLayer(id));
    if (present.length === 0) return undefined;
    const near = 4;
    const around: [[number, number], [number, number]] = [
      [x - near, y - near],
      [x + near, y + near],
    ];
    const at = (where: [number, number] | typeof around) => map.queryRenderedFeatures(where, { layers: present })[0];
    return at([x, y]) ?? at(around);
  };
  /** Brings a cluster so near that it becomes several. */
  const open = async ({ properties, geometry }: MapGeoJSONFeature) => {
    if (geometry.type !== 'Point') return;
    const [lon = 0, lat = 0] = geometry.coordinates;
    const zoom = await own.zoomOf(properties.cluster_id);
    if (zoom !== undefined) map.easeTo({ center: [lon, lat], zoom });
  };

  let hovered: MapGeoJSONFeature | undefined;
  const highlight = (feature: MapGeoJSONFeature | undefined) => {
    if (hovered && map.getSource(hovered.source)) map.removeFeatureState(stateKey(hovered), 'hover');
    hovered = feature;
    if (feature) map.setFeatureState(stateKey(feature), { hover: true });
    map.getCanvas().style.cursor = feature ? 'pointer' : '';
    tooltip.hidden = !feature;
  };
  map.on('mousemove', ({ point }) => {
    if (ownAt(point)) {
      highlight(undefined);
      map.getCanvas().style.cursor = 'pointer';
      return;
    }
    if (!hovered) map.getCanvas().style.cursor = '';
    const feature = areaAt(point)?.feature;
    if (feature?.id !== hovered?.id || feature?.source !== hovered?.source) highlight(feature);
    if (!feature) return;
    tooltip.textContent = String(feature.properties.hint ?? feature.properties.name);
    const isRight = point.x > container.clientWidth / 2;
    const offset = `translate(${isRight ? 'calc(-100% - 12px)' : '14px'}, 14px)`;
    tooltip.style.transform = `translate(${point.x}px, ${point.y}px) ${offset}`;
  });
  map.getCanvas().addEventListener('mouseleave', () => highlight(undefined));
  map.on('click', ({ point }) => {
    const feature = ownAt(point);
    if (feature?.layer.id === own.cluster) {
      // The cluster may be gone by the time it answers, and then there is nothing to open.
      open(feature).catch(() => undefined);
      return;
    }
    if (feature) return own.onFeature(Number(feature.properties.feature));
    const found = areaAt(point);
    if (found) onChoose(found.place, found.feature.properties.edition);
  });
  return { clear: () => highlight(undefined) };
}

function stateKey({ source, sourceLayer, id }: MapGeoJSONFeature) {
  return { source, id: id as string, ...(sourceLayer ? { sourceLayer } : {}) };
}
