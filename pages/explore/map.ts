import type { FeatureCollection, Position } from 'geojson';
import { ScaleControl, type VectorTileSource } from 'maplibre-gl';
import { PsgcError, unanswered } from '../shared/api.ts';
import { byId } from '../shared/dom.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { createBaseMap, MAX_FIT_ZOOM } from './base-map.ts';
import { CHANGED_LAYERS, type ChangedAreas, readChangedAreas } from './changed-areas.ts';
import { explainClusters } from './clusters.ts';
import { countryNames } from './country-names.ts';
import { showCredit } from './credit.ts';
import { startCross } from './cross.ts';
import { readEditions } from './editions.ts';
import { showLegend, showOwnLegend } from './legend.ts';
import type { Palette } from './map-colors.ts';
import { type LevelGeoJson, type StyleState, styleOf } from './map-style.ts';
import { type Margins, marginsOfView } from './margins.ts';
import { measureText } from './measure-text.ts';
import { namePoints } from './name-layers.ts';
import { CLUSTER_LAYER, type Drawing, OWN_SOURCE } from './own/layers.ts';
import { NEAR_MIDDLE } from './own/pick.ts';
import { tellValues } from './own/values-shown.ts';
import { type Box, COUNTRY, ofEdition, type Place } from './places.ts';
import { startPointer } from './pointer.ts';
import { isCountry, type Scene, sceneOf, withFound } from './scene.ts';
import { type Coarse, readCoarse, readLevel, withMunicities } from './shapes.ts';
import { boxOf, type Shown } from './shown.ts';
import { circleOf, type FoundAreas, keepSketches } from './sketch.ts';
import { createSketcher } from './sketcher.ts';
import { type TileSession, tileJsonOf } from './tile-session.ts';
import { keepView } from './view-box.ts';

const NO_LEVELS: ReadonlySet<Level> = new Set();
const NO_GEOJSON: ReadonlyMap<Level, LevelGeoJson> = new Map();
const NO_PROVINCES: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** Zooms that differ less have the same names. */
const SAME_ZOOM = 0.05;

interface MapOptions {
  /** What is shown first. */
  shown: Shown;
  margins: () => Margins;
  /** @param edition the edition of the place; undefined for the current one */
  onChoose: (place: Place, edition: string | undefined) => void;
  /** @param features the places in the dataset of the features that lie where a person clicked, the uppermost first */
  onFeatures: (features: readonly number[]) => void;
  onFailure: (error: unknown) => void;
  /** Called when a person is to draw on the map, so that nothing stands over it. */
  onSketch: () => void;
  /** Called when the map is drawn. @param isSimplified whether its borders are seen to be simplified */
  onBorders: (isSimplified: boolean) => void;
}

export interface PlaceMap {
  /** Shows a place, or a dataset or changes over the country. Resolves when all shapes are read that have no tiles. */
  show(shown: Shown): Promise<void>;
  /**
   * Draws boundaries of all levels, with the tiles that a key opens. Without them it draws the coarse maps
   * that are for everybody. Resolves as `show` does.
   */
  detail(tiles: TileSession | undefined): Promise<void>;
  /**
   * Draws the features of the dataset in another way.
   *
   * @param box what to bring into sight
   */
  draw(drawing: Drawing, box?: Box): void;
  /** Whether there is nothing to draw without a key. */
  isEmpty(): boolean;
  /** Reads again what could not be read. */
  retry(): Promise<void>;
}

/** An error event of MapLibre. */
interface MapFailure {
  /** A failed request has a status, which is 0 if there was no answer, and a URL. */
  error: Error & { status?: number; url?: string };
  sourceId?: string;
  tile?: { tileID: { canonical: TileAt } };
}

interface TileAt {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** @throws Error if the browser can't draw */
export function createMap(options: MapOptions): PlaceMap {
  const { shown: first, margins, onChoose, onFeatures, onFailure, onSketch, onBorders } = options;
  const container = byId('map', HTMLElement);
  let shown = first;
  let tiles: TileSession | undefined;
  let scene: Scene = sceneOf(first, true);
  /** The areas that are marked, until something else is shown. */
  let found: FoundAreas | undefined;
  const sceneNow = () => withFound(sceneOf(shown, !tiles), found);
  let geojson = new Map<Level, LevelGeoJson>();
  let coarse: Coarse | undefined;
  let changed: ChangedAreas | undefined;
  let drawing = first.own?.drawing;
  /** The names on a map of the country, as they were placed for the zoom. */
  let names: { readonly points: FeatureCollection; readonly zoom: number } | undefined;
  /** Whether shapes are being read. Until then the map is not drawn. */
  let isReading = false;

  /** The levels that are drawn from tiles. All of these are of the current edition. */
  const tiled = () => (scene.edition === undefined && tiles ? tiles.levels : NO_LEVELS);
  /** The edition whose overview is read. With a key only its capitals are drawn, which hardly change. */
  const coarseEdition = () => (tiles ? undefined : scene.edition);
  const coarseNow = () => (coarse?.edition === coarseEdition() ? coarse : undefined);
  const geojsonNow = () => (tiles ? geojson : (coarseNow()?.levels ?? NO_GEOJSON));
  /** Whether there is no coarse map, or it could not be read, so that finer land must do. */
  let lacksCoarse = false;
  const coarseLand = () => (shown.isOnCoarseLand && !lacksCoarse ? (coarseNow()?.levels ?? NO_GEOJSON) : undefined);
  const state = (palette: Palette): StyleState => ({
    palette,
    scene,
    tiled: coarseLand() ? NO_LEVELS : tiled(),
    geojson: coarseLand() ?? geojsonNow(),
    capitals: coarseNow()?.capitals,
    names: names?.points,
    own: drawing,
    changed,
    sketch: sketcher?.shape(),
  });
  let sketcher: ReturnType<typeof createSketcher> | undefined;
  const { map, restyle, isClose } = createBaseMap({
    container,
    style: (palette) => styleOf(state(palette)),
    box: boxOf(first),
    padding: margins(),
    transformRequest: (url) => ({ url: tiles?.withSession(url) ?? url }),
  });
  map.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-right');
  map
    .getCanvas()
    .setAttribute(
      'aria-label',
      'Map. Arrow keys move it, plus and minus change its scale, Enter chooses what is in its middle.',
    );

  const widthOf = measureText();
  /** Finds places for the names on a map of the country. They stay the same wherever it is moved. */
  function placeNames() {
    const levels = coarseNow()?.levels;
    const regions = (tiled().has('region') ? levels : geojsonNow())?.get('region')?.areas;
    const provinces = levels?.get('province')?.areas ?? NO_PROVINCES;
    const capitals = coarseNow()?.capitals;
    const zoom = map.getZoom();
    const at = ([lon = 0, lat = 0]: Position) => {
      const { x, y } = map.project([lon, lat]);
      return [x, y] as const;
    };
    names = regions &&
      capitals && { points: namePoints(countryNames({ regions, capitals, provinces }, { zoom, at, widthOf })), zoom };
  }
  map.on('moveend', () => {
    if (!names || !isCountry(scene) || Math.abs(map.getZoom() - names.zoom) < SAME_ZOOM) return;
    placeNames();
    restyle();
  });

  keepView(() => {
    const { top, right, bottom, left } = marginsOfView(margins());
    const { clientWidth, clientHeight } = container;
    const southWest = map.unproject([left, Math.max(top + 1, clientHeight - bottom)]);
    const northEast = map.unproject([Math.max(left + 1, clientWidth - right), top]);
    return [southWest.lng, southWest.lat, northEast.lng, northEast.lat];
  });

  function moveTo([west, south, east, north]: Box) {
    const options = { padding: margins(), maxZoom: MAX_FIT_ZOOM, duration: 900, linear: true };
    map.fitBounds([west, south, east, north], options);
  }

  const hasClusters = () =>
    map.getLayer(CLUSTER_LAYER) !== undefined && map.queryRenderedFeatures({ layers: [CLUSTER_LAYER] }).length > 0;
  map.on('idle', () => {
    const what = shown.dataset?.id ?? (shown.changes && 'changes') ?? shown.view?.place.code ?? 'all';
    container.dataset.drawn = isReading ? '' : ofEdition(what, shown.edition);
    container.dataset.detail = tiles ? 'full' : 'coarse';
    if (!isReading) byId('first-map', HTMLElement).replaceChildren();
    explainClusters(hasClusters());
    tellValues(map, drawing);
    // With a key only the land under coarse areas of a dataset is that of the coarse map.
    const isCoarse = (!tiles || coarseLand() !== undefined) && (coarseNow()?.levels.size ?? 0) > 0;
    onBorders(isCoarse && isClose());
  });

  sketcher = createSketcher(map, restyle);
  const pointer = startPointer(map, {
    sketcher,
    layers: () => [...(scene.isLandOnly ? [] : scene.shown.map(({ level }) => `${level}-fill`)), ...CHANGED_LAYERS],
    onChoose: (place, edition = shown.edition) => onChoose(place, edition),
    own: {
      onFeatures,
      zoomOf: async (cluster) => shown.own?.zoomOf(cluster),
      hintOf: (feature) => shown.own?.hintOf(feature),
    },
  });
  keepSketches({
    start(options) {
      onSketch();
      sketcher.start(options);
    },
    mark(areas) {
      const ring = circleOf(areas);
      sketcher.showRing(ring);
      found = areas;
      scene = sceneNow();
      pointer.clear();
      const [lons, lats] = [0, 1].map((axis) => ring.map((position) => position[axis] ?? 0)) as [number[], number[]];
      moveTo([Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]);
      readShapes().catch(onFailure);
    },
  });
  startCross(map, {
    margins,
    nameAt: (point) => pointer.nameAt(point, NEAR_MIDDLE),
    choose: (point) => pointer.choose(point, NEAR_MIDDLE),
  });

  /** The tiles that could not be read, by their source. */
  const failed = new Map<string, TileAt[]>();
  /**
   * Reads tiles of a level again. If its TileJSON could not be read, that is read first. Only tiles that failed are
   * named: if a named tile is reloaded with its source too, MapLibre waits for it for ever.
   */
  const rereadTiles = (level: Level, which: readonly TileAt[]) => {
    const { plural } = LEVELS[level];
    const source = map.getSource<VectorTileSource>(plural);
    if (!source) return;
    if (!source.tiles) source.setUrl(tileJsonOf(level));
    else map.refreshTiles(plural, [...which]);
  };
  map.on('error', (event) => {
    const { error, sourceId, tile } = event as unknown as MapFailure;
    const { status, url = '' } = error;
    if (status === 401 && tiles?.hasSession(url)) {
      const refused = tiles;
      // The session has expired, for example while the computer slept. The key that created it may still be valid.
      const level = LEVEL_NAMES.find((name) => LEVELS[name].plural === sourceId);
      const replaceAndReread = async () => {
        await refused.replace(url);
        if (level) rereadTiles(level, tile ? [tile.tileID.canonical] : []);
      };
      replaceAndReread().catch(onFailure);
      return;
    }
    if (sourceId && tile) failed.set(sourceId, [...(failed.get(sourceId) ?? []), tile.tileID.canonical]);
    if (status === undefined) onFailure(error);
    else if (status === 0) onFailure(unanswered());
    else
      onFailure(new PsgcError({ code: 'unexpected_answer', message: 'A part of the map could not be read.', status }));
  });

  let latestRead = 0;
  /** Reads the shapes that have no tiles. An earlier call that is still reading draws nothing. */
  async function readShapes() {
    latestRead += 1;
    const read = latestRead;
    const untiled = tiles ? scene.shown.filter(({ level, list }) => list && !tiled().has(level)) : [];
    const changes = tiles && shown.changes;
    const isSmall = !tiles && scene.shown.some(({ level }) => level === 'municity');
    isReading = !coarseNow() || isSmall || untiled.length > 0 || changes !== undefined;
    if (!isReading) {
      placeNames();
      restyle();
      return;
    }
    try {
      const [overview, levels, areas] = await Promise.all([
        readCoarse(coarseEdition(), { isNeeded: !tiles }).then((known) =>
          isSmall && known ? withMunicities(known) : known,
        ),
        Promise.all(untiled.map(async ({ level, list }) => [level, await readLevel(list ?? '')] as const)),
        changes && readEditions().then((editions) => readChangedAreas(changes, editions)),
      ]);
      if (read !== latestRead) return;
      coarse = overview;
      lacksCoarse = !overview?.levels.size;
      geojson = new Map([...geojson, ...levels]);
      changed = areas;
    } finally {
      if (read === latestRead) isReading = false;
    }
    placeNames();
    restyle();
    if (!changed) return;
    showLegend(changed.kinds, changed.left);
    moveTo(changed.box ?? COUNTRY);
  }

  /** Shows what the colours of the features stand for. Those of changes follow when their areas are read. */
  function showLegends() {
    showCredit({ isOnlyOfAreas: shown.dataset !== undefined });
    if (shown.own) showOwnLegend(drawing, shown.dataset?.name ?? '');
    else showLegend(new Set());
  }
  showLegends();

  /** Reads the tiles of features again. A style that has just changed holds its sources back until the map is painted. */
  function rereadFeatures() {
    if (map.getSource(OWN_SOURCE)) map.refreshTiles(OWN_SOURCE);
  }

  return {
    draw(next, box) {
      const isOther = next.revision !== drawing?.revision;
      drawing = next;
      showLegends();
      restyle();
      if (isOther) map.once('render', rereadFeatures);
      if (box) moveTo(box);
    },
    async show(next) {
      // A new map is where its first place is. Every movement would draw it many times.
      const isThere = next === shown;
      const { edition } = scene;
      shown = next;
      if (!isThere) {
        sketcher.clear();
        found = undefined;
      }
      scene = sceneNow();
      if (scene.edition !== edition) geojson = new Map();
      changed = undefined;
      drawing = next.own?.drawing;
      showLegends();
      pointer.clear();
      restyle();
      if (!next.changes && !isThere) moveTo(boxOf(next));
      await readShapes();
    },
    async detail(next) {
      if (next === tiles) return;
      tiles = next;
      scene = sceneNow();
      changed = undefined;
      showLegends();
      pointer.clear();
      restyle();
      await readShapes();
    },
    isEmpty: () => !tiles && coarseNow()?.levels.size === 0,
    async retry() {
      const again = new Map(failed);
      failed.clear();
      for (const level of tiles?.levels ?? []) rereadTiles(level, again.get(LEVELS[level].plural) ?? []);
      await readShapes();
    },
  };
}
