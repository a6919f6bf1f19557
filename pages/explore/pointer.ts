import type { Map as GlMap, MapGeoJSONFeature } from 'maplibre-gl';
import { byId } from '../shared/dom.ts';
import type { Level } from '../shared/levels.ts';
import { chooseFeatures, featuresAt, startReach } from './own/pick.ts';
import type { Place } from './places.ts';

interface PointerOptions {
  /** Ids of the layers whose areas can be pointed at. The map may not have all of them yet. */
  layers: () => string[];
  /** @param edition the edition of the area, if it says one */
  onChoose: (place: Place, edition?: string) => void;
  /** The features of a dataset, which lie over the areas. */
  own: Parameters<typeof chooseFeatures>[2];
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

  const reach = startReach(container);
  let hovered: MapGeoJSONFeature | undefined;
  const highlight = (feature: MapGeoJSONFeature | undefined) => {
    if (hovered && map.getSource(hovered.source)) map.removeFeatureState(stateKey(hovered), 'hover');
    hovered = feature;
    if (feature) map.setFeatureState(stateKey(feature), { hover: true });
    map.getCanvas().style.cursor = feature ? 'pointer' : '';
    tooltip.hidden = !feature;
  };
  map.on('mousemove', ({ point }) => {
    if (featuresAt(map, point, reach()).length > 0) {
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
    const features = featuresAt(map, point, reach());
    if (features.length > 0) return chooseFeatures(map, features, own);
    const found = areaAt(point);
    if (found) onChoose(found.place, found.feature.properties.edition);
  });
  return { clear: () => highlight(undefined) };
}

function stateKey({ source, sourceLayer, id }: MapGeoJSONFeature) {
  return { source, id: id as string, ...(sourceLayer ? { sourceLayer } : {}) };
}
