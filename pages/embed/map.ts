import type { FeatureCollection } from 'geojson';
import { createBaseMap, MAX_FIT_ZOOM } from '../explore/base-map.ts';
import type { View } from '../explore/data.ts';
import { withLabels } from '../explore/labels.ts';
import { styleOf } from '../explore/map-style.ts';
import { MARGIN } from '../explore/margins.ts';
import type { Drawing } from '../explore/own/layers.ts';
import { chooseFeatures, featuresAt, NEAR_MIDDLE, startReach } from '../explore/own/pick.ts';
import { type Box, COUNTRY } from '../explore/places.ts';
import { sceneOf } from '../explore/scene.ts';
import { createTooltip } from '../explore/tooltip.ts';
import { byId } from '../shared/dom.ts';
import type { Level } from '../shared/levels.ts';
import type { MunicityOverview, Overview } from '../shared/overview.ts';

/** An embed has no key, so its boundaries are coarse and end with cities and municipalities. */
const IS_COARSE = true;

interface MapOptions {
  /** The country at coarse resolution; undefined if it could not be read. */
  overview: Overview | undefined;
  /** The cities and municipalities of the country, and Manila's sub-municipalities; undefined if they are not shown. */
  municities?: MunicityOverview | undefined;
  /** The dataset; undefined if a place or the country alone is shown. */
  drawing: Drawing | undefined;
  /** The place to show; undefined if a dataset or the whole country is shown. */
  view?: View | undefined;
  /** The part of the world to show first; undefined for the whole country. */
  box: Box | undefined;
  /** Whether the map is dark; undefined if the reader's device decides. */
  isDark: boolean | undefined;
  /** @param feature index of the chosen feature in the dataset; undefined if none is there */
  onChoose: (feature: number | undefined, by: 'pointer' | 'key') => void;
  /** The tooltip of a feature of the dataset, by its index; empty for none. */
  hintOf: (feature: number) => string;
  /** The zoom at which a cluster splits. */
  zoomOf: (cluster: number) => Promise<number>;
  /** Called when the map is drawn. @param isSimplified whether its borders are seen to be simplified */
  onBorders: (isSimplified: boolean) => void;
}

/**
 * Creates the map of an embed: a place, the country, or a dataset over the country. A click or Enter (in the middle of the map)
 * chooses a feature.
 *
 * @returns `draw`, which replaces the dataset's drawing, and `drawn`, which resolves when the map is first drawn
 * @throws Error if the browser can't draw
 */
export function createMap(options: MapOptions): { draw(drawing: Drawing): void; drawn: Promise<unknown> } {
  const { overview, municities, drawing: first, view, box, isDark, onChoose, zoomOf, hintOf, onBorders } = options;
  const container = byId('map', HTMLElement);
  const padding = () => {
    // A small frame has no room for `MARGIN`.
    const [side, end] = [Math.min(MARGIN, container.clientWidth / 8), Math.min(MARGIN, container.clientHeight / 16)];
    return { top: end, bottom: end, left: side, right: side };
  };
  const bounds = box ?? COUNTRY;
  let drawing = first;
  const levels: [Level, FeatureCollection][] = overview ? [['region', overview.regions]] : [];
  if (overview && view) levels.push(['province', overview.provinces]);
  if (municities) levels.push(['municity', municities.municities]);
  if (municities?.submunicipalities) levels.push(['submunicipality', municities.submunicipalities]);
  const geojson = new Map(levels.map(([level, areas]) => [level, withLabels(areas)]));
  const { map, restyle, isClose } = createBaseMap({
    container,
    style: (palette) =>
      styleOf({
        palette,
        scene: sceneOf({ view, edition: undefined }, IS_COARSE),
        tiled: new Set(),
        geojson,
        capitals: overview?.capitals,
        names: undefined,
        own: drawing,
        changed: undefined,
      }),
    box: bounds,
    padding: padding(),
    isDark,
    // In a frame, scrolling must move the page and not the map.
    cooperativeGestures: window.parent !== window,
  });
  const canvas = map.getCanvas();
  canvas.setAttribute(
    'aria-label',
    'Map. Arrow keys move it, plus and minus change its scale, Enter shows what is in the middle.',
  );
  // `restyle` empties it, so that tests can wait for what is drawn.
  map.on('idle', () => {
    container.dataset.drawn = 'true';
    onBorders(overview !== undefined && isClose());
  });
  // Until somebody moves the map, it shows the same part of the world at any size of its frame.
  const cameraOf = () => `${map.getZoom()} ${map.getCenter()}`;
  let fitted = cameraOf();
  map.on('resize', () => {
    if (cameraOf() !== fitted) return;
    map.fitBounds([...bounds], { padding: padding(), maxZoom: MAX_FIT_ZOOM, animate: false });
    fitted = cameraOf();
  });

  const reach = startReach(container);
  const tooltip = createTooltip(container, byId('hover', HTMLElement));
  const choose = (found: ReturnType<typeof featuresAt>, by: 'pointer' | 'key') => {
    if (found.length > 0) chooseFeatures(map, found, { zoomOf, onFeatures: ([uppermost]) => onChoose(uppermost, by) });
    else onChoose(undefined, by);
  };
  map.on('click', ({ point }) => choose(featuresAt(map, point, reach()), 'pointer'));
  map.on('mousemove', ({ point }) => {
    const [uppermost] = featuresAt(map, point, reach());
    canvas.style.cursor = uppermost ? 'pointer' : '';
    const words = uppermost && !uppermost.properties.point_count ? hintOf(Number(uppermost.properties.feature)) : '';
    if (words) tooltip.show(words, point);
    else tooltip.hide();
  });
  canvas.addEventListener('mouseleave', tooltip.hide);
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    // Enter would otherwise also press the close button, which gets the focus.
    event.preventDefault();
    const { clientWidth, clientHeight } = container;
    choose(featuresAt(map, { x: clientWidth / 2, y: clientHeight / 2 }, NEAR_MIDDLE), 'key');
  });

  return {
    drawn: map.once('idle'),
    draw(next) {
      drawing = next;
      restyle();
    },
  };
}
