import type { Map as GlMap, MapGeoJSONFeature } from 'maplibre-gl';
import { byId } from '../shared/dom.ts';
import type { Level } from '../shared/levels.ts';
import { chooseFeatures, featuresAt, startReach } from './own/pick.ts';
import type { Place } from './places.ts';
import type { createSketcher } from './sketcher.ts';
import { createTooltip } from './tooltip.ts';

interface PointerOptions {
  /** Ids of the layers whose areas can be pointed at. The map may not have all of them yet. */
  layers: () => string[];
  /** @param edition the edition of the area, if it says one */
  onChoose: (place: Place, edition?: string) => void;
  /** The features of a dataset, which lie over the areas. */
  own: Parameters<typeof chooseFeatures>[2] & {
    /** The words for a feature, by its place in the dataset. */
    hintOf: (feature: number) => string | undefined;
  };
  /** Takes points while something is drawn on the map. */
  sketcher: Pick<ReturnType<typeof createSketcher>, 'take' | 'nameAt' | 'isDrawing'>;
}

interface Pointer {
  /** Ends the highlight. */
  clear(): void;
  /** What lies at a point of the map. @param distances how far features of a dataset may be from it, pixels */
  nameAt(point: Point, distances: readonly number[]): string | undefined;
  /** Chooses what lies at a point. */
  choose(point: Point, distances: readonly number[]): void;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Highlights and names the area under the pointer, and chooses it by a click. */
export function startPointer(map: GlMap, { layers, onChoose, own, sketcher }: PointerOptions): Pointer {
  const container = map.getContainer();
  const tooltip = createTooltip(container, byId('hover', HTMLElement));

  /** The uppermost area at a point. */
  const areaAt = ({ x, y }: Point): { place: Place; feature: MapGeoJSONFeature } | undefined => {
    const present = layers().filter((id) => map.getLayer(id));
    const [feature] = map.queryRenderedFeatures([x, y], { layers: present });
    const level = (feature?.layer.metadata as { level?: Level } | undefined)?.level;
    const code = feature?.properties.code;
    return feature && level && typeof code === 'string' ? { place: { level, code }, feature } : undefined;
  };

  /** What a feature of the dataset is, or how many points are a cluster. */
  const wordsOf = ({ properties: { point_count: points, feature } }: MapGeoJSONFeature): string =>
    points ? `${points} points` : own.hintOf(Number(feature)) || 'A place without a name';

  const reach = startReach(container);
  let hovered: MapGeoJSONFeature | undefined;
  const highlight = (feature: MapGeoJSONFeature | undefined) => {
    if (hovered && map.getSource(hovered.source)) map.removeFeatureState(stateKey(hovered), 'hover');
    hovered = feature;
    if (feature) map.setFeatureState(stateKey(feature), { hover: true });
    map.getCanvas().style.cursor = feature ? 'pointer' : '';
    if (!feature) tooltip.hide();
  };
  map.on('mousemove', ({ point }) => {
    if (sketcher.isDrawing()) return hovered && highlight(undefined);
    const [uppermost] = featuresAt(map, point, reach());
    if (uppermost) {
      highlight(undefined);
      map.getCanvas().style.cursor = 'pointer';
      return tooltip.show(wordsOf(uppermost), point);
    }
    if (!hovered) map.getCanvas().style.cursor = '';
    const feature = areaAt(point)?.feature;
    if (feature?.id !== hovered?.id || feature?.source !== hovered?.source) highlight(feature);
    if (!feature) return tooltip.hide();
    tooltip.show(nameOf(feature), point);
  });
  map.getCanvas().addEventListener('mouseleave', () => highlight(undefined));
  const choose: Pointer['choose'] = (point, distances) => {
    if (sketcher.take(point)) return;
    const features = featuresAt(map, point, distances);
    if (features.length > 0) return chooseFeatures(map, features, own);
    const found = areaAt(point);
    if (found) onChoose(found.place, found.feature.properties.edition);
  };
  map.on('click', ({ point }) => choose(point, reach()));
  return {
    clear: () => highlight(undefined),
    nameAt: (point, distances) => {
      if (sketcher.isDrawing()) return sketcher.nameAt(point);
      const [first] = featuresAt(map, point, distances);
      if (first) return wordsOf(first);
      const found = areaAt(point);
      return found && nameOf(found.feature);
    },
    choose,
  };
}

function nameOf({ properties: { hint, name } }: MapGeoJSONFeature): string {
  return String(hint ?? name);
}

function stateKey({ source, sourceLayer, id }: MapGeoJSONFeature) {
  return { source, id: id as string, ...(sourceLayer ? { sourceLayer } : {}) };
}
