import type { FeatureCollection } from 'geojson';
import {
  addProtocol,
  type GeoJSONSource,
  Map as GlMap,
  type MapOptions,
  NavigationControl,
  type PaddingOptions,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { el } from '../shared/dom.ts';
import { type Palette, paletteFor } from './map-colors.ts';
import { EDGES, EDGES_LAYER, edgePoints, edgeSquares, edgesSource, NO_EDGES, NO_INK } from './map-edges.ts';
import { WORKER_URL } from './map-worker.ts';
import { hatching } from './own/hatching.ts';
import { HATCH_IMAGES } from './own/layers.ts';
import { readFeatureTile, TILE_PROTOCOL } from './own/open-features.ts';
import type { Box } from './places.ts';

const MAX_ZOOM = 15;

/** Max zoom when the map is fitted to a box. People may zoom further, to `MAX_ZOOM`. */
export const MAX_FIT_ZOOM = 14;

/** From this zoom on it is seen that simplified borders cut corners: their sides are some five pixels long, and longer. */
const CLOSE_ZOOM = 9;

interface BaseMapOptions extends Pick<MapOptions, 'cooperativeGestures' | 'transformRequest'> {
  container: HTMLElement;
  /** Makes the style of what the map shows now. `restyle` calls it again. */
  style: (palette: Palette) => StyleSpecification;
  /** The bounds shown first, and the margin around them, pixels. */
  box: Box;
  padding: number | PaddingOptions;
  /** Whether the map is dark. Default: as the device of the reader. */
  isDark?: boolean | undefined;
}

/** A map without rotation and pitch, in the light or dark colours of the device, or of `isDark`. */
interface BaseMap {
  readonly map: GlMap;
  /** Draws the current style. Empties `data-drawn` of the container; the caller fills it on the map's `idle` event. */
  restyle(): void;
  /** Whether it is so large that simplified borders are seen to be simplified. */
  isClose(): boolean;
}

/** @throws Error if the browser can't draw */
export function createBaseMap({ container, style, box, padding, isDark, ...others }: BaseMapOptions): BaseMap {
  setWorkerUrl(WORKER_URL);
  addProtocol(TILE_PROTOCOL, readFeatureTile);
  let edges = NO_EDGES;
  const darkness = matchMedia('(prefers-color-scheme: dark)');
  const styleNow = () => {
    const palette = paletteFor(isDark ?? darkness.matches);
    // The legend has the colours of the map, on paper too, where a browser calls every page light.
    document.documentElement.dataset.map = palette.isDark ? 'dark' : 'light';
    const { sources, layers, ...others } = style(palette);
    return { ...others, sources: { ...sources, ...edgesSource(edges) }, layers: [...layers, EDGES_LAYER] };
  };
  const map = new GlMap({
    container,
    style: styleNow(),
    bounds: [...box],
    fitBoundsOptions: { padding, maxZoom: MAX_FIT_ZOOM },
    maxZoom: MAX_ZOOM,
    minZoom: 2,
    renderWorldCopies: false,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    ...others,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  // The only pictures that a style names.
  map.setMissingStyleImageResolver((id) => {
    if (id === NO_INK && !map.hasImage(id)) map.addImage(id, { width: 1, height: 1, data: new Uint8Array(4) });
    const isKnown = id === HATCH_IMAGES.color || id === HATCH_IMAGES.dark;
    if (isKnown && !map.hasImage(id)) map.addImage(id, hatching(id === HATCH_IMAGES.dark), { pixelRatio: 2 });
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');

  drawForPaper(map);
  const showEdges = (next: FeatureCollection) => {
    edges = next;
    map.getSource<GeoJSONSource>(EDGES)?.setData(edges);
  };
  const edgesNow = () => {
    const { clientWidth, clientHeight } = container;
    return edgePoints(edgeSquares(clientWidth, clientHeight), (point) => {
      const { lng, lat } = map.unproject([...point]);
      return [lng, lat];
    });
  };
  // Names move with the map, and find other places when it stands still.
  map.on('movestart', () => showEdges(NO_EDGES));
  map.on('moveend', () => showEdges(edgesNow()));

  let isLoaded = false;
  const restyle = () => {
    container.dataset.drawn = '';
    if (!isLoaded) return;
    map.setStyle(styleNow(), { diff: true });
    // If the style has not changed, only a repaint makes maplibre fire `idle`.
    map.triggerRepaint();
  };
  map.once('style.load', () => {
    isLoaded = true;
    edges = edgesNow();
    restyle();
  });
  darkness.addEventListener('change', restyle);
  return { map, restyle, isClose: () => map.getZoom() >= CLOSE_ZOOM };
}

/** Puts an image of the map into the page while it is printed, because browsers can print a WebGL canvas empty. */
function drawForPaper(map: GlMap): void {
  let still: HTMLCanvasElement | undefined;
  addEventListener('beforeprint', () => {
    map.redraw();
    const canvas = map.getCanvas();
    still = el('canvas', { class: 'map-on-paper', width: String(canvas.width), height: String(canvas.height) });
    still.getContext('2d')?.drawImage(canvas, 0, 0);
    map.getContainer().append(still);
  });
  addEventListener('afterprint', () => still?.remove());
}
