import type { Feature, FeatureCollection } from 'geojson';
import { csvCell, inertText } from '../../../src/csv/cells.ts';
import { sentenceFor } from '../../shared/api.ts';
import { TINT_OF_REGION } from '../../shared/country-drawing.ts';
import { currentToken } from '../../shared/credentials.ts';
import { button, el, saveFile } from '../../shared/dom.ts';
import type { Level } from '../../shared/levels.ts';
import { readMunicities, readOverview } from '../../shared/overview.ts';
import type { Naming } from '../country-names.ts';
import type { Country, View } from '../data.ts';
import { downloadSection } from '../download.ts';
import { type Palette, paletteFor } from '../map-colors.ts';
import { type Frame, shapeOf } from '../own/paths.ts';
import { type Area, type Box, COUNTRY, ofEdition, shortName } from '../places.ts';
import { type ShownLevel, sceneOf } from '../scene.ts';
import { readLevel } from '../shapes.ts';
import { openPicture } from './dialog.ts';
import type { Label } from './labels.ts';

// Pictures and files of a place: the areas in it, or the place itself where it has none.

/** Opens the sheet with the map of the whole country and the names of its regions. */
export async function openPictureOfCountry(edition: string | undefined, naming: Naming): Promise<void> {
  const overview = await readOverview(edition);
  const land = await landOf(overview.regions, edition);
  const palette = paletteFor(false);
  openPicture({
    box: COUNTRY,
    fields: ['title', 'subtitle', 'notes'],
    parts: {
      ...{ title: 'Philippines', subtitle: 'Regions', legend: undefined, notes: '', source: '' },
      ...{ land: [land], around: [], labelsAt: () => [], named: { ...overview, naming }, colors: palette },
    },
    shapesIn: async (frame) => shapesOf(land.features, { frame, palette }),
  });
}

/** Opens the sheet with the map of a place, the names of its areas, and those around it. */
export async function openPictureOfPlace(view: View, naming: Naming): Promise<void> {
  const { area, edition } = view;
  const [parts, overview] = await Promise.all([partsOf(view), readOverview(edition).catch(() => undefined)]);
  const land = overview && (await landOf(overview.regions, edition));
  const features = await boundariesOf(view, parts);
  const around = await neighboursOf(view, features).catch(() => []);
  const palette = paletteFor(false);
  const drawn = new Set(features.map(({ properties }) => properties?.code));
  const isAlone = drawn.has(area.code);
  const labels = labelsOf(isAlone ? [area] : parts.filter(({ code }) => drawn.has(code)), features, naming);
  for (const { properties } of around)
    labels.push({ text: shortName(properties?.name), at: [properties?.lon, properties?.lat], isAround: true });
  const box = area.bbox ?? view.around ?? COUNTRY;
  openPicture({
    box: isAlone ? widened(box) : box,
    fields: ['title', 'subtitle', 'notes'],
    parts: {
      title: area.name,
      subtitle: subtitleOf(view),
      legend: undefined,
      notes: '',
      source: '',
      land: land ? [land] : [],
      around,
      labelsAt: () => labels,
      colors: palette,
    },
    shapesIn: async (frame) => shapesOf(features, { frame, palette }),
  });
}

/**
 * The regions as land of one resolution with the other boundaries of a picture: with a key the one that these have, without
 * one or where an edition has none that of the coarse map.
 */
async function landOf(coarse: FeatureCollection, edition: string | undefined): Promise<FeatureCollection> {
  if (currentToken() === undefined) return coarse;
  const { areas } = await readLevel(ofEdition(LAND, edition)).catch(() => ({ areas: coarse }));
  const isDrawn = new Set(areas.features.map(({ properties }) => properties?.code));
  return {
    ...areas,
    features: [...areas.features, ...coarse.features.filter(({ properties }) => !isDrawn.has(properties?.code))],
  };
}

const LAND = '/v1/regions?format=geojson&geometry=medium';

/** The names of areas, those of more people first: if there is no room for all names, the first ones are shown. */
function labelsOf(areas: readonly Area[], features: readonly Feature[], { spotsAlong }: Naming): Label[] {
  const geometries = new Map(features.map(({ properties, geometry }) => [properties?.code, geometry]));
  return areas
    .toSorted((a, b) => (b.population ?? 0) - (a.population ?? 0))
    .flatMap(({ name, code, centroid }) => {
      const geometry = geometries.get(code);
      return centroid ? [{ text: shortName(name), at: centroid, spots: geometry ? spotsAlong(geometry) : [] }] : [];
    });
}

/** The shapes of areas in the tints of their regions. */
function shapesOf(features: readonly Feature[], { frame, palette }: { frame: Frame; palette: Palette }) {
  return features.flatMap(({ geometry, properties }) => {
    const shape = shapeOf(geometry, frame);
    const color = palette.tints[TINT_OF_REGION[String(properties?.code).slice(0, 2)] ?? 0] ?? palette.area;
    return shape ? [{ ...shape, color, isHatched: false, radius: 0 }] : [];
  });
}

/** A box with more around it: an area that is drawn alone, without the areas in it, is recognised by what lies beside it. */
function widened([west, south, east, north]: Box): Box {
  const [wide, high] = [(east - west) * BESIDE, (north - south) * BESIDE];
  return [west - wide, south - high, east + wide, north + high];
}

/** How much is added on each side, as a share of the width or the height of the box. */
const BESIDE = 0.6;

/** Where a place lies: the names of what it belongs to, from the nearest. */
function subtitleOf({ ancestors }: View): string {
  return ancestors
    .map(({ name }) => shortName(name))
    .reverse()
    .join(', ');
}

/** All areas in a place, or the place itself. */
async function partsOf({ area, children }: View): Promise<readonly Area[]> {
  const groups = await Promise.all(
    children.map(async (group) => {
      let all = group;
      while (all.more) all = await all.more();
      return all.areas;
    }),
  );
  const parts = groups.flat();
  return parts.length > 0 ? parts : [area];
}

/**
 * The boundaries of some areas in a place, or of the place itself if they have none. With a key they are those of their levels, without
 * one those of the coarse map, which has no barangays.
 *
 * @throws Error if there are none
 */
async function boundariesOf(view: View, parts: readonly Area[]): Promise<readonly Feature[]> {
  const { edition, place } = view;
  const levels = currentToken() === undefined ? await coarseLevels(edition) : await levelsOf(view);
  const all = levels.flatMap(({ features }) => features);
  const among = (codes: ReadonlySet<string>) => all.filter(({ properties }) => codes.has(properties?.code));
  const found = among(new Set(parts.map(({ code }) => code)));
  const drawn = found.length > 0 ? found : among(new Set([place.code]));
  if (drawn.length === 0) throw new Error('The boundaries of this place are not known.');
  return drawn;
}

/**
 * The boundaries of the levels that the map shows for a place, and that need a key. Regions are left out: the picture has them as land.
 *
 * @param roles which of the levels, by where their areas lie
 */
async function levelsOf(view: View, roles: readonly ShownLevel['role'][] = ['inside']): Promise<FeatureCollection[]> {
  const { shown } = sceneOf({ view, edition: view.edition });
  const lists = shown.flatMap(({ level, role, list }) =>
    level !== 'region' && roles.includes(role) && list ? [list] : [],
  );
  return (await Promise.all(lists.map(readLevel))).map(({ areas }) => areas);
}

/**
 * The areas around a place: those of its level that the map shows, with a key also those of the levels above it. The place, what it
 * lies in and what is drawn already are left out.
 *
 * @param drawn the features that the picture is of
 */
async function neighboursOf(view: View, drawn: readonly Feature[]): Promise<readonly Feature[]> {
  const { place, ancestors, edition } = view;
  const levels =
    currentToken() === undefined
      ? await coarseLevels(edition, place.level)
      : await levelsOf(view, ['around', 'inside']);
  const own = new Set([
    ...[place.code, ...ancestors.map((ancestor) => ancestor.place?.code)],
    ...drawn.map(({ properties }) => properties?.code),
  ]);
  return levels.flatMap(({ features }) => features.filter(({ properties }) => !own.has(properties?.code)));
}

/**
 * The boundaries of the coarse map of the whole country, one collection for each of its levels.
 *
 * @param only the level that is wanted; without it all of them
 */
async function coarseLevels(edition: string | undefined, only?: Level): Promise<FeatureCollection[]> {
  const [{ regions, provinces }, { municities, submunicipalities }] = await Promise.all([
    readOverview(edition),
    readMunicities(edition),
  ]);
  const levels = { region: regions, province: provinces, municity: municities, submunicipality: submunicipalities };
  return Object.entries(levels).flatMap(([level, areas]) => (areas && (!only || only === level) ? [areas] : []));
}

const COLUMNS = [
  ...(['code', 'name', 'type', 'city_class', 'income_class', 'urban_rural', 'population', 'population_year'] as const),
  ...(['area_km2', 'density_km2', 'r_code', 'p_code', 'm_code'] as const),
] as const;
const HEADINGS = [...COLUMNS, 'lon', 'lat'];

/** Buttons that save the regions of the country. */
export function dataPartsOfCountry({ regions }: Country, edition: string | undefined, onKeyNeeded: () => void) {
  return savingParts({
    name: inEdition('regions', edition),
    what: 'The regions',
    read: async () => regions,
    boundaries: async () =>
      (await readLevel(sceneOf({ view: undefined, edition }).shown[0]?.list ?? '')).areas.features,
    downloads: `/downloads?${new URLSearchParams({ level: 'region', boundaries: 'medium', ...(edition && { edition }) })}`,
    onKeyNeeded,
  });
}

/** A name of files, with the edition that is in them unless it is the current one. */
function inEdition(name: string, edition: string | undefined): string {
  return edition === undefined ? name : `${name}-${edition}`;
}

/** Buttons that save the areas in a place with their boundaries, or the place itself if it has none. */
export function dataParts(view: View, onKeyNeeded: () => void): HTMLElement[] {
  const { place, area, children, edition } = view;
  return [
    ...savingParts({
      name: inEdition(`${area.code}-areas`, edition),
      what: children.length > 0 ? 'The areas in it' : 'This area',
      read: () => partsOf(view),
      boundaries: (parts) => boundariesOf(view, parts),
      downloads: downloadsOf(view),
      onKeyNeeded,
    }),
    downloadSection({ place, edition, onKeyNeeded }),
  ];
}

interface Saved {
  /** Name of the files, without their ending. */
  readonly name: string;
  /** What is saved, as the beginning of a sentence. */
  readonly what: string;
  readonly read: () => Promise<readonly Area[]>;
  readonly boundaries: (areas: readonly Area[]) => Promise<readonly Feature[]>;
  /** The page with other formats. */
  readonly downloads: string;
  readonly onKeyNeeded: () => void;
}

function savingParts({ name, what, read, boundaries, downloads, onKeyNeeded }: Saved): HTMLElement[] {
  const status = el('p', { class: 'quiet', role: 'status' });
  const save = (ending: string, about: string, write: (parts: readonly Area[]) => Promise<Blob>) => {
    const run = async () => {
      status.textContent = 'Reading…';
      try {
        saveFile(await write(await read()), `${name}.${ending}`);
        status.textContent = '';
      } catch (error) {
        status.textContent = sentenceFor(error, 'The download failed.');
      }
    };
    const needsKey = ending === 'geojson';
    return button(
      NAMES[ending] ?? ending,
      () => (needsKey && currentToken() === undefined ? onKeyNeeded() : void run()),
      {
        title: about,
      },
    );
  };
  const cellsOf = (area: Area) => [
    ...COLUMNS.map((column) => area[column] ?? null),
    ...[area.centroid?.[0] ?? null, area.centroid?.[1] ?? null],
  ];
  const csv = async (parts: readonly Area[]) => {
    const lines = [HEADINGS, ...parts.map(cellsOf)].map((cells) =>
      cells.map((cell) => csvCell(typeof cell === 'string' ? inertText(cell) : String(cell ?? ''))).join(','),
    );
    return new Blob([`\ufeff${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
  };
  const xlsx = async (parts: readonly Area[]) => {
    const { workbookOf } = await import('../../match/workbook.ts');
    return workbookOf([HEADINGS, ...parts.map(cellsOf)]);
  };
  const geojson = async (parts: readonly Area[]) => {
    const features = await boundaries(parts);
    return new Blob([JSON.stringify({ type: 'FeatureCollection', features })], { type: 'application/geo+json' });
  };
  return [
    el('p', { class: 'quiet' }, `${what}, with codes, residents, sizes and the middle of each.`),
    el(
      'p',
      { class: 'own-exports' },
      save('csv', 'for spreadsheets', csv),
      save('xlsx', 'for Excel and other spreadsheets', xlsx),
      save('geojson', 'with boundaries, for maps and GIS programs', geojson),
    ),
    el(
      'p',
      { class: 'quiet' },
      'GeoPackage, Shapefile and others are in the ',
      el('a', { href: downloads }, 'downloads'),
      '.',
    ),
    status,
  ];
}

/** The downloads of what is in a place, with the boundaries that maps are made of. */
function downloadsOf({ place, children, edition }: View): string {
  if (place.level === 'barangay' || place.level === 'submunicipality') return '/downloads';
  const level = children[0]?.level ?? place.level;
  return `/downloads?${new URLSearchParams({ area: place.code, level, boundaries: 'medium', ...(edition && { edition }) })}`;
}

const NAMES: Readonly<Record<string, string>> = { csv: 'CSV', xlsx: 'Excel', geojson: 'GeoJSON' };
