import {
  addProtocol,
  Map as GlMap,
  type MapOptions,
  NavigationControl,
  type PaddingOptions,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { el } from '../shared/dom.ts';
import { type Palette, paletteFor } from './map-colors.ts';
import { WORKER_URL } from './map-worker.ts';
import { readFeatureTile, TILE_PROTOCOL } from './own/features.ts';
import { hatching } from './own/hatching.ts';
import { HATCH_IMAGES } from './own/layers.ts';
import type { Box } from './places.ts';

const MAX_ZOOM = 15;

/** The highest zoom at which something is brought into sight. */
export const MAX_FIT_ZOOM = 14;

interface BaseMapOptions extends Pick<MapOptions, 'cooperativeGestures' | 'transformRequest'> {
  container: HTMLElement;
  /** What is to be drawn at the moment. */
  style: (palette: Palette) => StyleSpecification;
  /** What is shown first, and the room around it. */
  box: Box;
  padding: number | PaddingOptions;
  /** Whether it is dark; undefined where the device of the reader decides. */
  isDark?: boolean | undefined;
}

/** A map that is only moved and scaled, in the light or dark of the reader. */
interface BaseMap {
  readonly map: GlMap;
  /** Draws what is to be drawn now. Until all of it is, `data-drawn` of the container is empty. */
  restyle(): void;
}

/** @throws Error if the browser can't draw */
export function createBaseMap({ container, style, box, padding, isDark, ...others }: BaseMapOptions): BaseMap {
  setWorkerUrl(WORKER_URL);
  addProtocol(TILE_PROTOCOL, readFeatureTile);
  const darkness = matchMedia('(prefers-color-scheme: dark)');
  const styleNow = () => {
    const palette = paletteFor(isDark ?? darkness.matches);
    // The legend has the colours of the map, on paper too, where a browser calls every page light.
    document.documentElement.dataset.map = palette.isDark ? 'dark' : 'light';
    return style(palette);
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
    const isKnown = id === HATCH_IMAGES.color || id === HATCH_IMAGES.dark;
    if (isKnown && !map.hasImage(id)) map.addImage(id, hatching(id === HATCH_IMAGES.dark), { pixelRatio: 2 });
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');

  drawForPaper(map);

  let isLoaded = false;
  const restyle = () => {
    container.dataset.drawn = '';
    if (!isLoaded) return;
    map.setStyle(styleNow(), { diff: true });
    // Without a difference nothing would say that all is drawn.
    map.triggerRepaint();
  };
  map.once('style.load', () => {
    isLoaded = true;
    restyle();
  });
  darkness.addEventListener('change', restyle);
  return { map, restyle };
}

/** Puts a still picture of the map into the page while it is printed: a canvas of WebGL keeps none. */
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
