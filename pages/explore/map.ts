import type { Feature } from 'geojson';
import {
  type GeoJSONSource,
  Map as GlMap,
  type MapGeoJSONFeature,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
  type VectorTileSource,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';
import { Refusal } from '../shared/api.ts';
import { heldToken } from '../shared/credentials.ts';
import { byId } from '../shared/dom.ts';
import { readBoundaries, type View } from './atlas.ts';
import { DATASET_SOURCE, type Dataset, featuresOf, isOfDataset } from './dataset.ts';
import { type Drawn, type StyleState, styleOf } from './map-style.ts';
import { paletteFor } from './palette.ts';
import { type Box, LEVEL_NAMES, LEVELS, type Level, type Place } from './places.ts';
import { type Scene, sceneOf } from './scene.ts';
import { type Tiles, tileJsonOf } from './tiles.ts';

const COUNTRY: Box = [116.7, 4.4, 126.8, 21.2];
const MAX_ZOOM = 15;

/** A place is shown no nearer than this. */
const NEAR = 14;

/** Pixels between a place and the edges of what is seen of the map. */
const MARGIN = 36;

interface MapOptions {
  tiles: Tiles;
  /** What to show first. */
  view: View | undefined;
  dataset: Dataset | undefined;
  /** Pixels at the top and the bottom of the map that something else covers. */
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

/** What went wrong with a part of the map, as MapLibre tells it. */
interface MapFailure {
  /** Of a request: its status, 0 where nothing answered, and its address. */
  error: Error & { status?: number; url?: string };
  sourceId?: string;
  tile?: { tileID: { canonical: { z: number; x: number; y: number } } };
}

/** @throws Error where the browser can't draw */
export function createMap({
  tiles,
  view: first,
  dataset: firstDataset,
  covered,
  onChoose,
  onFailure,
}: MapOptions): PlaceMap {
  setWorkerUrl(workerUrl);
  const container = byId('map', HTMLElement);
  const hover = byId('hover', HTMLElement);
  const darkness = matchMedia('(prefers-color-scheme: dark)');
  let scene: Scene = sceneOf(first);
  let drawn = new Map<Level, Drawn>();
  let dataset = firstDataset;

  const state = (): StyleState => ({
    palette: paletteFor(darkness.matches),
    scene,
    tiled: tiles.levels,
    drawn,
    dataset,
  });
  const map = new GlMap({
    container,
    style: styleOf(state()),
    bounds: [...(firstDataset?.bbox ?? boxOf(first))],
    fitBoundsOptions: { padding: paddings(), maxZoom: NEAR },
    maxZoom: MAX_ZOOM,
    minZoom: 3,
    renderWorldCopies: false,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    transformRequest: (url) =>
      isOfDataset(url) ? { url, headers: { Authorization: `Bearer ${heldToken()}` } } : { url: tiles.addressed(url) },
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

  function restyle() {
    container.dataset.drawn = '';
    map.setStyle(styleOf(state()), { diff: true });
  }
  darkness.addEventListener('change', restyle);

  map.on('idle', () => {
    container.dataset.drawn = dataset?.id ?? scene.chosen?.code ?? 'all';
  });
  let removed = false;
  /** Reads a level's tiles again, or those that failed; where it is not known where they are, that first. */
  const reread = (level: Level, tile?: MapFailure['tile']) => {
    const { plural } = LEVELS[level];
    const source = map.getSource<VectorTileSource>(plural);
    if (!source) return;
    if (!source.tiles) source.setUrl(tileJsonOf(level));
    else map.refreshTiles(plural, tile && [tile.tileID.canonical]);
  };
  map.on('error', (event) => {
    const { error, sourceId, tile } = event as unknown as MapFailure;
    const { status, url = '' } = error;
    if (status === 401 && tiles.has(url)) {
      // The session has ended, as it does in a tab that slept. The key that it was asked for with may be good.
      const level = LEVEL_NAMES.find((name) => LEVELS[name].plural === sourceId);
      const again = async () => {
        await tiles.replace(url);
        if (!removed && level) reread(level, tile);
      };
      again().catch((reason) => {
        if (!removed) onFailure(reason);
      });
      return;
    }
    if (status === undefined) onFailure(error);
    else if (status === 0) onFailure(new Refusal(0, { message: 'The service can’t be reached.' }));
    else onFailure(new Refusal(status, { message: 'A part of the map could not be read.' }));
  });

  /** The uppermost area at a point. Labels count as the area they name. */
  const at = (point: { x: number; y: number }): { place: Place; feature: MapGeoJSONFeature } | undefined => {
    const layers = scene.shown.map(({ level }) => `${level}-fill`).filter((id) => map.getLayer(id));
    const [feature] = map.queryRenderedFeatures([point.x, point.y], { layers });
    const level = (feature?.layer.metadata as { level?: Level } | undefined)?.level;
    const code = feature?.properties.code;
    return feature && level && typeof code === 'string' ? { place: { level, code }, feature } : undefined;
  };

  let under: MapGeoJSONFeature | undefined;
  const point = (feature: MapGeoJSONFeature | undefined) => {
    if (under && map.getSource(under.source)) map.removeFeatureState(stateKey(under), 'hover');
    under = feature;
    if (feature) map.setFeatureState(stateKey(feature), { hover: true });
    map.getCanvas().style.cursor = feature ? 'pointer' : '';
    hover.hidden = !feature;
  };
  map.on('mousemove', ({ point: { x, y } }) => {
    const feature = at({ x, y })?.feature;
    if (feature?.id !== under?.id || feature?.source !== under?.source) point(feature);
    if (!feature) return;
    hover.textContent = String(feature.properties.name);
    const left = x > container.clientWidth / 2;
    hover.style.transform = `translate(${x}px, ${y}px) translate(${left ? 'calc(-100% - 12px)' : '14px'}, 14px)`;
  });
  map.getCanvas().addEventListener('mouseleave', () => point(undefined));
  map.on('click', (event) => {
    const found = at(event.point);
    if (found) onChoose(found.place);
  });

  let asked = 0;
  /** Reads the boundaries of the scene that are in no tiles. */
  async function drawLists() {
    asked += 1;
    const mine = asked;
    const lists = scene.shown.filter(({ level, list }) => list && !tiles.levels.has(level));
    const read = await Promise.all(lists.map(async ({ level, list }) => [level, await draw(list ?? '')] as const));
    if (mine !== asked || read.length === 0) return;
    drawn = new Map([...drawn, ...read]);
    restyle();
  }
  drawLists().catch(onFailure);

  return {
    async show(view) {
      dataset = undefined;
      scene = sceneOf(view);
      point(undefined);
      restyle();
      const [west, south, east, north] = boxOf(view);
      map.fitBounds([west, south, east, north], { padding: paddings(), maxZoom: NEAR, duration: 900, linear: true });
      await drawLists();
    },
    showDataset(shown) {
      dataset = shown;
      scene = sceneOf(undefined);
      point(undefined);
      restyle();
      const [west, south, east, north] = shown.bbox ?? COUNTRY;
      map.fitBounds([west, south, east, north], { padding: paddings(), maxZoom: NEAR, duration: 900, linear: true });
    },
    async retry() {
      for (const level of tiles.levels) reread(level);
      if (dataset) map.getSource<GeoJSONSource>(DATASET_SOURCE)?.setData(featuresOf(dataset.id));
      await drawLists();
    },
    remove: () => {
      removed = true;
      darkness.removeEventListener('change', restyle);
      map.remove();
    },
  };
}

/** What is to be seen of a place; where it has no boundary, what is around it. */
function boxOf(view: View | undefined): Box {
  return view?.area.bbox ?? view?.around ?? COUNTRY;
}

function stateKey({ source, sourceLayer, id }: MapGeoJSONFeature) {
  return { source, id: id as string, ...(sourceLayer ? { sourceLayer } : {}) };
}

const drawings = new Map<string, Drawn>();

/** Boundaries of a list, with the points that labels stand at. The same object each time, which the map compares by. */
async function draw(list: string): Promise<Drawn> {
  const known = drawings.get(list);
  if (known) return known;
  const { features } = await readBoundaries(list);
  const labels = features.flatMap(({ properties, geometry }): Feature[] =>
    geometry && Array.isArray(properties?.centroid)
      ? [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates: properties.centroid } }]
      : [],
  );
  const made: Drawn = {
    areas: { type: 'FeatureCollection', features: features.filter(({ geometry }) => geometry) },
    labels: { type: 'FeatureCollection', features: labels },
  };
  drawings.set(list, made);
  return made;
}
