import type { Feature } from 'geojson';
import {
  type GeoJSONSource,
  Map as GlMap,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
  type VectorTileSource,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';
import { ApiError } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { byId } from '../shared/dom.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { readBoundaries, type View } from './data.ts';
import { DATASET_SOURCE, type Dataset, featuresOf, isOfDataset } from './dataset.ts';
import { type LevelGeoJson, type StyleState, styleOf } from './map-style.ts';
import { paletteFor } from './palette.ts';
import type { Box, Place } from './places.ts';
import { startPointer } from './pointer.ts';
import { type Scene, sceneOf } from './scene.ts';
import { type TileSession, tileJsonOf } from './tile-session.ts';

const COUNTRY: Box = [116.7, 4.4, 126.8, 21.2];
const MAX_ZOOM = 15;

/** The highest zoom at which a place is shown. */
const MAX_PLACE_ZOOM = 14;

/** Pixels between a place and the edges of the visible part of the map. */
const MARGIN = 36;

interface MapOptions {
  tiles: TileSession;
  /** The place that is shown first. */
  view: View | undefined;
  dataset: Dataset | undefined;
  /** Pixels at the top and the bottom of the map that other elements cover. */
  covered: () => { top: number; bottom: number };
  onChoose: (place: Place) => void;
  onFailure: (error: unknown) => void;
}

export interface PlaceMap {
  /** Shows a place, or the whole country. */
  show(view: View | undefined): Promise<void>;
  /** Shows a dataset over the country. */
  showDataset(dataset: Dataset): void;
  /** Reads again what could not be read. */
  retry(): Promise<void>;
  remove(): void;
}

/** An error event of MapLibre. */
interface MapFailure {
  /** A failed request has a status, which is 0 if there was no answer, and an address. */
  error: Error & { status?: number; url?: string };
  sourceId?: string;
  tile?: { tileID: { canonical: { z: number; x: number; y: number } } };
}

/** @throws Error if the browser can't draw */
export function createMap({
  tiles,
  view: firstView,
  dataset: firstDataset,
  covered,
  onChoose,
  onFailure,
}: MapOptions): PlaceMap {
  setWorkerUrl(workerUrl);
  const container = byId('map', HTMLElement);
  const darkness = matchMedia('(prefers-color-scheme: dark)');
  let scene: Scene = sceneOf(firstView);
  let geojson = new Map<Level, LevelGeoJson>();
  let dataset = firstDataset;

  const state = (): StyleState => ({
    palette: paletteFor(darkness.matches),
    scene,
    tiled: tiles.levels,
    geojson,
    dataset,
  });
  const map = new GlMap({
    container,
    style: styleOf(state()),
    bounds: [...(firstDataset?.bbox ?? boxOf(firstView))],
    fitBoundsOptions: { padding: paddings(), maxZoom: MAX_PLACE_ZOOM },
    maxZoom: MAX_ZOOM,
    minZoom: 3,
    renderWorldCopies: false,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    transformRequest: (url) =>
      isOfDataset(url)
        ? { url, headers: { Authorization: `Bearer ${currentToken()}` } }
        : { url: tiles.withSession(url) },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-right');
  map.getCanvas().setAttribute('aria-label', 'Map. Arrow keys move it, plus and minus change its scale.');

  function paddings() {
    const { top, bottom } = covered();
    const margin = container.clientWidth < 600 ? MARGIN / 2 : MARGIN;
    return { top: margin + top, left: margin, right: margin, bottom: margin + bottom };
  }

  function moveTo([west, south, east, north]: Box) {
    const options = { padding: paddings(), maxZoom: MAX_PLACE_ZOOM, duration: 900, linear: true };
    map.fitBounds([west, south, east, north], options);
  }

  function restyle() {
    container.dataset.drawn = '';
    map.setStyle(styleOf(state()), { diff: true });
  }
  darkness.addEventListener('change', restyle);

  map.on('idle', () => {
    container.dataset.drawn = dataset?.id ?? scene.chosen?.code ?? 'all';
  });

  const pointer = startPointer(map, {
    layers: () => scene.shown.map(({ level }) => `${level}-fill`),
    onChoose,
  });

  let removed = false;
  /**
   * Reads the tiles of a level again. If its TileJSON could not be read, that is read first.
   *
   * @param tile reads this one only
   */
  const rereadTiles = (level: Level, tile?: MapFailure['tile']) => {
    const { plural } = LEVELS[level];
    const source = map.getSource<VectorTileSource>(plural);
    if (!source) return;
    if (!source.tiles) source.setUrl(tileJsonOf(level));
    else map.refreshTiles(plural, tile && [tile.tileID.canonical]);
  };
  map.on('error', (event) => {
    const { error, sourceId, tile } = event as unknown as MapFailure;
    const { status, url = '' } = error;
    if (status === 401 && tiles.hasSession(url)) {
      // The session has expired, for example while the computer slept. The key that created it may still be valid.
      const level = LEVEL_NAMES.find((name) => LEVELS[name].plural === sourceId);
      const replaceAndReread = async () => {
        await tiles.replace(url);
        if (!removed && level) rereadTiles(level, tile);
      };
      replaceAndReread().catch((reason) => {
        if (!removed) onFailure(reason);
      });
      return;
    }
    if (status === undefined) onFailure(error);
    else if (status === 0) onFailure(new ApiError(0, { message: 'The service can’t be reached.' }));
    else onFailure(new ApiError(status, { message: 'A part of the map could not be read.' }));
  });

  let latestRead = 0;
  /** Reads the boundaries of the scene that have no tiles. An earlier call that is still reading draws nothing. */
  async function drawWithoutTiles() {
    latestRead += 1;
    const read = latestRead;
    const untiled = scene.shown.filter(({ level, list }) => list && !tiles.levels.has(level));
    const levels = await Promise.all(
      untiled.map(async ({ level, list }) => [level, await readLevel(list ?? '')] as const),
    );
    if (read !== latestRead || levels.length === 0) return;
    geojson = new Map([...geojson, ...levels]);
    restyle();
  }
  drawWithoutTiles().catch(onFailure);

  return {
    async show(view) {
      dataset = undefined;
      scene = sceneOf(view);
      pointer.clear();
      restyle();
      moveTo(boxOf(view));
      await drawWithoutTiles();
    },
    showDataset(shown) {
      dataset = shown;
      scene = sceneOf(undefined);
      pointer.clear();
      restyle();
      moveTo(shown.bbox ?? COUNTRY);
    },
    async retry() {
      for (const level of tiles.levels) rereadTiles(level);
      if (dataset) map.getSource<GeoJSONSource>(DATASET_SOURCE)?.setData(featuresOf(dataset.id));
      await drawWithoutTiles();
    },
    remove: () => {
      removed = true;
      darkness.removeEventListener('change', restyle);
      map.remove();
    },
  };
}

/** The part of the map to show for a place. If the place has no boundary, it is the part around it. */
function boxOf(view: View | undefined): Box {
  return view?.area.bbox ?? view?.around ?? COUNTRY;
}

const levelsByList = new Map<string, LevelGeoJson>();

/**
 * Reads the boundaries of a list, with the points of their labels. A list always gives the same object, because the map
 * compares objects to see what has changed.
 */
async function readLevel(list: string): Promise<LevelGeoJson> {
  const known = levelsByList.get(list);
  if (known) return known;
  const { features } = await readBoundaries(list);
  const labels = features.flatMap(({ properties, geometry }): Feature[] =>
    geometry && Array.isArray(properties?.centroid)
      ? [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates: properties.centroid } }]
      : [],
  );
  const level: LevelGeoJson = {
    areas: { type: 'FeatureCollection', features: features.filter(({ geometry }) => geometry) },
    labels: { type: 'FeatureCollection', features: labels },
  };
  levelsByList.set(list, level);
  return level;
}
