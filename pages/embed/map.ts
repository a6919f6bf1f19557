import { addProtocol, Map as GlMap, type MapGeoJSONFeature, NavigationControl, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';
import { withLabels } from '../explore/labels.ts';
import { styleOf } from '../explore/map-style.ts';
import { readFeatureTile, TILE_PROTOCOL } from '../explore/own/features.ts';
import { CLUSTER_LAYER, type Drawing, OWN_LAYERS } from '../explore/own/layers.ts';
import { paletteFor } from '../explore/palette.ts';
import { type Box, COUNTRY } from '../explore/places.ts';
import { sceneOf } from '../explore/scene.ts';
import { byId } from '../shared/dom.ts';
import type { Overview } from '../shared/overview.ts';

const MAX_ZOOM = 15;

/** The highest zoom at which the dataset is shown first. */
const MAX_FIRST_ZOOM = 14;

/** How far from a point a feature may be to be meant, pixels: with a pointer, and in the middle of the map. */
const NEAR = [0, 4] as const;
const NEAR_MIDDLE = [0, 8, 20, 40] as const;

interface MapOptions {
  /** The country at coarse resolution; undefined where it could not be read. */
  overview: Overview | undefined;
  drawing: Drawing;
  box: Box | undefined;
  /** @param feature the place in the dataset of the feature that was chosen; undefined where there is none */
  onChoose: (feature: number | undefined, by: 'pointer' | 'key') => void;
  /** The zoom at which a cluster becomes several. */
  zoomOf: (cluster: number) => Promise<number>;
}

/**
 * Draws a dataset over the country. A click chooses a feature, and so does Enter in the middle of the map.
 *
 * @throws Error if the browser can't draw
 */
export function createMap(options: MapOptions): { draw(drawing: Drawing): void } {
  const { overview, drawing: first, box, onChoose, zoomOf } = options;
  setWorkerUrl(workerUrl);
  addProtocol(TILE_PROTOCOL, readFeatureTile);
  const container = byId('map', HTMLElement);
  const darkness = matchMedia('(prefers-color-scheme: dark)');
  let drawing = first;
  const style = () =>
    styleOf({
      palette: paletteFor(darkness.matches),
      scene: sceneOf({ edition: undefined }, true),
      tiled: new Set(),
      geojson,
      capitals: overview?.capitals,
      own: drawing,
      changed: undefined,
    });
  const geojson = new Map(overview ? [['region', withLabels(overview.regions)] as const] : []);
  const margin = Math.min(36, container.clientWidth / 10, container.clientHeight / 6);
  const map = new GlMap({
    container,
    style: style(),
    bounds: [...(box ?? COUNTRY)],
    fitBoundsOptions: { padding: margin, maxZoom: MAX_FIRST_ZOOM },
    maxZoom: MAX_ZOOM,
    minZoom: 3,
    renderWorldCopies: false,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Whoever scrolls through the page around the map passes over it.
    cooperativeGestures: window.parent !== window,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  const canvas = map.getCanvas();
  canvas.setAttribute(
    'aria-label',
    'Map. Arrow keys move it, plus and minus change its scale, Enter shows the feature in the middle.',
  );
  map.on('idle', () => {
    container.dataset.drawn = 'true';
  });
  const restyle = () => {
    container.dataset.drawn = '';
    map.setStyle(style(), { diff: true });
    // Without a difference nothing would say that all is drawn.
    map.triggerRepaint();
  };
  darkness.addEventListener('change', restyle);

  /** The uppermost feature or cluster at a point, or else near it. */
  const featureAt = ({ x, y }: { x: number; y: number }, distances: readonly number[]) => {
    const layers = [...OWN_LAYERS, CLUSTER_LAYER].filter((id) => map.getLayer(id));
    for (const near of distances) {
      const around: [[number, number], [number, number]] = [
        [x - near, y - near],
        [x + near, y + near],
      ];
      const [feature] = map.queryRenderedFeatures(around, { layers });
      if (feature) return feature;
    }
    return undefined;
  };
  const choose = (feature: MapGeoJSONFeature | undefined, by: 'pointer' | 'key') => {
    if (feature?.layer.id === CLUSTER_LAYER) void open(feature);
    else onChoose(feature && Number(feature.properties.feature), by);
  };
  /** Brings a cluster so near that it becomes several. */
  const open = async ({ properties, geometry }: MapGeoJSONFeature) => {
    if (geometry.type !== 'Point') return;
    const [lon = 0, lat = 0] = geometry.coordinates;
    map.easeTo({ center: [lon, lat], zoom: await zoomOf(properties.cluster_id) });
  };
  map.on('click', ({ point }) => choose(featureAt(point, NEAR), 'pointer'));
  map.on('mousemove', ({ point }) => {
    canvas.style.cursor = featureAt(point, NEAR) ? 'pointer' : '';
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    // Otherwise the button that gets the focus would be pressed by the same key.
    event.preventDefault();
    const { clientWidth, clientHeight } = container;
    choose(featureAt({ x: clientWidth / 2, y: clientHeight / 2 }, NEAR_MIDDLE), 'key');
  });

  return {
    draw(next) {
      drawing = next;
      restyle();
    },
  };
}
