import type { FeatureCollection } from 'geojson';
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { TINT_OF_REGION } from '../shared/country-drawing.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { CAPITALS, capitalLayers, nationalCapitalLayer } from './capitals.ts';
import { type ChangedAreas, changedLayers, changedSource } from './changed-areas.ts';
import { DETAIL_ZOOM } from './country-names.ts';
import { PLAIN, STRONG } from './fonts.ts';
import { GRATICULE } from './graticule.ts';
import { greyOf, type Palette } from './map-colors.ts';
import { MARK, markLayers, markSource } from './mark.ts';
import { NAMES_SOURCE, nameLayers } from './name-layers.ts';
import { type Drawing, ownFills, ownLayers, ownSources } from './own/layers.ts';
import { LONG_NAME } from './places.ts';
import { isCountry, type Scene, type ShownLevel } from './scene.ts';
import { SKETCH, sketchLayers, sketchSource } from './sketcher.ts';
import { tileJsonOf } from './tile-session.ts';

/** Boundaries of a level that has no tiles. They are drawn from GeoJSON. */
export interface LevelGeoJson {
  readonly areas: FeatureCollection;
  readonly labels: FeatureCollection;
}

/** The input of the style. Equal input gives an equal style, so the map changes only what differs. */
export interface StyleState {
  readonly palette: Palette;
  readonly scene: Scene;
  /** Levels that have tiles. */
  readonly tiled: ReadonlySet<Level>;
  readonly geojson: ReadonlyMap<Level, LevelGeoJson>;
  /** Points of the capitals. */
  readonly capitals: FeatureCollection | undefined;
  /** The names on a map of the country. Without them, or in a place, MapLibre finds room for names. */
  readonly names: FeatureCollection | undefined;
  /** The features of a dataset, shown over the places. */
  readonly own: Drawing | undefined;
  /** Shown over the regions. */
  readonly changed: ChangedAreas | undefined;
  /** What a person draws on the map. */
  readonly sketch?: FeatureCollection | undefined;
}

const CODE: ExpressionSpecification = ['get', 'code'];

/** Levels whose areas together are the whole country. */
const COVERING: ReadonlySet<Level> = new Set(['region', 'municity', 'barangay']);

export function styleOf(given: StyleState): StyleSpecification {
  const { scene, tiled, own, changed } = given;
  // Only what the legend explains, and the areas of a dataset, have colours.
  const isGrey = own?.legend !== undefined || own?.isOfAreas === true;
  const palette = isGrey ? greyOf(given.palette) : given.palette;
  const state = { ...given, palette };
  // The names of the areas of a dataset are what its map names. Other names would cover its colours. Names of today are not
  // those of another edition.
  const isNamed = (own?.labels.length ?? 0) > 0 || scene.isLandOnly === true;
  const capitals = isNamed ? undefined : state.capitals;
  const names = isCountry(scene) && !isNamed ? state.names : undefined;
  const quiet = isGrey ? { ...palette, label: palette.faintLabel } : palette;
  const sources: Record<string, SourceSpecification> = { grid: { type: 'geojson', data: GRATICULE } };
  for (const level of LEVEL_NAMES) Object.assign(sources, sourcesOf(level, state));
  if (capitals) sources[CAPITALS] = { type: 'geojson', data: capitals };
  if (names) sources[NAMES_SOURCE] = { type: 'geojson', data: names };
  if (own) Object.assign(sources, ownSources(own));
  if (changed) Object.assign(sources, changedSource(changed));
  if (state.sketch) sources[SKETCH] = sketchSource(state.sketch);
  const known = scene.shown.filter(({ level }) => sources[LEVELS[level].plural]);
  // The finest level that covers the country is the land. Coarser levels are left out, because their coasts would be
  // seen beside it.
  const land = known.findLast(({ level, role }) => role === 'around' && COVERING.has(level) && tiled.has(level));
  const shown = land ? known.slice(known.indexOf(land)) : known;
  // A place whose level is not drawn, or not without a key, is marked by a point.
  const mark = scene.chosen && !shown.some(({ level }) => level === scene.chosen?.level) ? scene.mark : undefined;
  if (mark) sources[MARK] = markSource(mark);
  const all = <Layer>(make: (one: ShownLevel) => Layer): Layer[] => shown.map(make);
  const layers: LayerSpecification[] = [
    { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
    { id: 'grid', type: 'line', source: 'grid', paint: { 'line-color': palette.grid, 'line-width': 0.75 } },
    ...shown.slice(0, 1).map((one) => coast(one, palette, tiled)),
    ...all((one) => fill(one, state)),
    ...(scene.isLandOnly ? [] : all((one) => edge(one, state))),
    ...(names ? provinceEdges(sources, state) : []),
    ...chosenEdges(state, shown),
    ...(changed ? changedLayers(palette) : []),
    ...(own ? ownFills(own, palette) : []),
    ...(names
      ? nameLayers(quiet)
      : [
          ...(capitals ? capitalLayers({ ...state, palette: quiet }, shown) : []),
          ...(isNamed ? [] : all((one) => labels(one, { ...state, palette: quiet }))),
          ...(capitals ? [nationalCapitalLayer({ ...state, palette: quiet }, shown)] : []),
        ]),
    ...(own ? ownLayers(own, palette) : []),
    ...(mark ? markLayers(palette) : []),
    ...(state.sketch ? sketchLayers(palette) : []),
  ];
  return { version: 8, sources, layers };
}

function sourcesOf(level: Level, { tiled, geojson }: StyleState): Record<string, SourceSpecification> {
  const { plural } = LEVELS[level];
  if (tiled.has(level)) return { [plural]: { type: 'vector', url: tileJsonOf(level), promoteId: 'code' } };
  const known = geojson.get(level);
  if (!known) return {};
  return {
    [plural]: { type: 'geojson', data: known.areas, promoteId: 'code', tolerance: 0.2 },
    [`${plural}-labels`]: { type: 'geojson', data: known.labels },
  };
}

/** The source of a level's areas, or of their labels. */
function from(level: Level, tiled: ReadonlySet<Level>, what: 'areas' | 'labels' = 'areas') {
  const { plural } = LEVELS[level];
  if (!tiled.has(level)) return { source: what === 'areas' ? plural : `${plural}-labels` };
  return { source: plural, 'source-layer': what === 'areas' ? plural : 'labels' };
}

function filtered({ filter }: ShownLevel): { filter?: FilterSpecification } {
  return filter ? { filter } : {};
}

/** Shallow water around the land. */
function coast({ level }: ShownLevel, { shallows }: Palette, tiled: ReadonlySet<Level>): LayerSpecification {
  const width: ExpressionSpecification = ['interpolate', ['exponential', 1.6], ['zoom'], 4, 7, 8, 18, 12, 40];
  return {
    id: 'coast',
    type: 'line',
    ...from(level, tiled),
    layout: { 'line-join': 'round' },
    paint: { 'line-color': shallows, 'line-width': width, 'line-blur': 6 },
  };
}

function fill(shown: ShownLevel, { palette, scene, tiled }: StyleState): LayerSpecification {
  const { level, role, hasChosen } = shown;
  const isChosen: ExpressionSpecification = ['==', CODE, scene.chosen?.code ?? ''];
  const hovered: ExpressionSpecification = ['boolean', ['feature-state', 'hover'], false];
  const tint: ExpressionSpecification = [
    'match',
    ['slice', CODE, 0, 2],
    ...Object.entries(TINT_OF_REGION).flatMap(([region, index]) => [region, palette.tints[index] as string]),
    palette.tints[0],
  ] as unknown as ExpressionSpecification;
  const color: ExpressionSpecification =
    role === 'inside'
      ? ['case', hovered, palette.hover, tint]
      : ['case', hovered, palette.hover, isChosen, tint, palette.land];
  return {
    id: `${level}-fill`,
    type: 'fill',
    ...from(level, tiled),
    ...filtered(shown),
    metadata: { level },
    paint: {
      'fill-color': color,
      'fill-antialias': false,
      ...(hasChosen && { 'fill-opacity': ['case', isChosen, 1, 0.4] }),
    },
  };
}

const WIDTHS: Readonly<Record<Level, readonly [far: number, near: number]>> = {
  region: [0.8, 2],
  province: [0.6, 1.6],
  municity: [0.5, 1.2],
  submunicipality: [0.5, 1.1],
  barangay: [0.4, 0.9],
};

function edge(shown: ShownLevel, { palette, tiled }: StyleState): LayerSpecification {
  const { level, role } = shown;
  const [far, near] = WIDTHS[level];
  const inside = role === 'inside';
  return {
    id: `${level}-edge`,
    type: 'line',
    ...from(level, tiled),
    ...filtered(shown),
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': inside ? palette.edge : palette.landEdge,
      'line-opacity': inside ? 0.75 : 0.9,
      'line-width': ['interpolate', ['linear'], ['zoom'], 5, far, 12, near],
    },
  };
}

/** The borders of provinces on a map of the country, where it is so large that it names them. */
function provinceEdges(
  sources: Readonly<Record<string, SourceSpecification>>,
  state: StyleState,
): LayerSpecification[] {
  if (!sources[LEVELS.province.plural]) return [];
  return [{ ...edge({ level: 'province', role: 'inside' }, state), minzoom: DETAIL_ZOOM } as LayerSpecification];
}

function chosenEdges({ palette, scene, tiled }: StyleState, shown: readonly ShownLevel[]): LayerSpecification[] {
  const { chosen } = scene;
  if (!chosen || !shown.some(({ level }) => level === chosen.level)) return [];
  const line = (id: string, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    ...from(chosen.level, tiled),
    filter: ['==', CODE, chosen.code],
    layout: { 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width },
  });
  return [line('chosen-halo', palette.chosenHalo, 4), line('chosen-edge', palette.chosen, 1.75)];
}

/** The label of an area: the short name of a region, as `shortName` gives it, and the published name of any other. */
function labelOf(level: Level): ExpressionSpecification {
  const name: ExpressionSpecification = ['get', 'name'];
  if (level !== 'region') return name;
  const at: ExpressionSpecification = ['var', 'at'];
  return [
    'let',
    'at',
    ['index-of', ' (', name],
    [
      'case',
      ['==', at, -1],
      name,
      ['any', ['==', ['slice', name, 0, 7], 'Region '], ['>', at, LONG_NAME]],
      ['slice', name, ['+', at, 2], ['-', ['length', name], 1]],
      ['slice', name, 0, at],
    ],
  ];
}

function labels(shown: ShownLevel, { palette, scene, tiled, capitals }: StyleState): LayerSpecification {
  const { level, role } = shown;
  // Where there is not room for all, capitals are named before others.
  const first = level === 'municity' ? (capitals?.features ?? []).map(({ properties }) => properties?.code) : [];
  const inside = role === 'inside';
  const chosen = scene.chosen?.code ?? '';
  const region = level === 'region';
  return {
    id: `${level}-labels`,
    type: 'symbol',
    ...from(level, tiled, 'labels'),
    filter: ['all', shown.filter ?? true, ['any', inside, ['!=', CODE, chosen]]] as FilterSpecification,
    layout: {
      'text-field': labelOf(level),
      'text-font': inside ? STRONG : PLAIN,
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        4,
        region ? 10.5 : 10,
        7,
        inside ? 12.5 : 11,
        12,
        inside ? 14 : 12,
      ],
      'text-max-width': region ? 7 : 8,
      'text-line-height': 1.15,
      'text-letter-spacing': region ? 0.03 : 0.01,
      'text-padding': 3,
      'symbol-sort-key': ['case', ['==', CODE, chosen], 0, ['in', CODE, ['literal', first]], 1, 2],
      'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
    },
    paint: {
      'text-color': ['case', ['==', CODE, chosen], palette.chosen, inside ? palette.label : palette.faintLabel],
      'text-halo-color': palette.halo,
      'text-halo-width': 1.6,
      'text-halo-blur': 0.4,
    },
  };
}
