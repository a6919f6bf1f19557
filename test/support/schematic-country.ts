import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Area } from '../../scripts/pipeline/psgc/area.ts';

/** west, south, east, north */
type Box = [number, number, number, number];

/** Regions whose barangays are drawn; the others end at cities and municipalities, which keeps tests quick. */
const WITH_BARANGAYS = new Set(['07', '09', '13', '19']);

/** A barangay of Candijay that nobody draws, so that its land is that of the municipality alone. */
export const UNDRAWN = '0701211001';

/**
 * Positions on every border between provinces of a region, all in a straight line. So detailed provinces are together
 * more than one statement brings along, and quickly divided, and coarser ones are small.
 */
const FINE = 1200;

/** Microdegrees: the length of bays in western coasts, and of the land between them. */
const BAY = 30_000;

/**
 * Depth of bays as a share of the width of the city or municipality at the coast. Bays take a tenth of it: `medium` must
 * not fill all of them, `simple` may.
 */
const DEPTH = 0.2;

/** The coast of a province: land and bays by turns, from south to north. Microdegrees. */
interface Coast {
  west: number;
  south: number;
  north: number;
  /** How far a bay reaches into the land. */
  depth: number;
  /** Number of the northernmost land, which is even and takes what remains. */
  last: number;
}

/** What the rectangles of a region have on their edges. */
interface Edges {
  /** From south to north. */
  coasts: Coast[];
  /** Microdegrees: the latitudes of the borders between provinces, and the longitudes of the positions on them. */
  borders: Set<number>;
  positions: number[];
}

/** The rectangles of areas by code, and the edges of each region. */
interface Drawing {
  boxes: Map<string, Box>;
  edges: Map<string, Edges>;
}

/**
 * A country of rectangles: every area is a rectangle within that of its parent, without gaps or overlaps,
 * and regions are columns with half a column of sea between them. What lies where is thus known from arithmetic.
 * Cities and municipalities that belong to no province of their region share one strip of it, outside any province.
 * Western coasts have bays, which coarser resolutions leave out: the westernmost areas differ by resolution.
 */
function drawingOf(areas: readonly Area[]): Drawing {
  const edges = new Map<string, Edges>();
  const boxes = new Map<string, Box>();
  const at = (level: Area['level']) => areas.filter((area) => area.level === level);
  const byCode = (list: Area[]) => list.sort((a, b) => (a.code < b.code ? -1 : 1));
  const split = (list: Area[], box: Box, axis: 'lon' | 'lat') => {
    const [from, to] = axis === 'lon' ? [0, 2] : [1, 3];
    const step = ((box[to] as number) - (box[from] as number)) / list.length;
    for (const [i, area] of byCode(list).entries()) {
      const part: Box = [...box];
      part[from] = round((box[from] as number) + i * step);
      part[to] = round((box[from] as number) + (i + 1) * step);
      boxes.set(area.code, part);
    }
  };
  for (const [i, region] of byCode(at('region')).entries()) {
    const box: Box = [round(117 + i * 0.5), 6, round(117.25 + i * 0.5), 18];
    boxes.set(region.code, box);
    const provinces = at('province').filter(({ regionCode }) => regionCode === region.code);
    const within = (municity: Area) => municity.provinceCode ?? municity.hostProvinceCode;
    const mine = at('municity').filter(({ regionCode }) => regionCode === region.code);
    const outside = mine.filter((municity) => !provinces.some(({ code }) => code === within(municity)));
    const strip = { ...region, code: `${region.code}-outside` };
    split(outside.length > 0 ? [...provinces, strip] : provinces, box, 'lat');
    const columns = provinces.map(({ code }) => ({ code, inside: mine.filter((it) => within(it) === code) }));
    if (outside.length > 0) columns.push({ code: strip.code, inside: outside });
    const coasts = columns.map(({ code, inside }) => {
      const column = boxes.get(code) as Box;
      split(inside, column, 'lon');
      return coastOf(column, inside.length);
    });
    coasts.sort((a, b) => a.south - b.south);
    edges.set(region.code, {
      coasts,
      borders: new Set(coasts.slice(1).map(({ south }) => south)),
      positions: Array.from({ length: FINE }, (_, k) => micro(box[0] + ((k + 1) * (box[2] - box[0])) / (FINE + 1))),
    });
    boxes.delete(strip.code);
  }
  const barangays = Map.groupBy(at('barangay'), ({ municityCode }) => municityCode);
  for (const municity of at('municity')) {
    if (!WITH_BARANGAYS.has(municity.code.slice(0, 2))) continue;
    split(barangays.get(municity.code) ?? [], boxes.get(municity.code) as Box, 'lat');
  }
  boxes.delete(UNDRAWN);
  return { boxes, edges };
}

function coastOf([west, south, east, north]: Box, municities: number): Coast {
  return {
    west: micro(west),
    south: micro(south),
    north: micro(north),
    depth: Math.round((DEPTH * micro(east - west)) / municities),
    last: 2 * Math.floor((micro(north - south) / BAY - 1) / 2),
  };
}

/** The western edge of a rectangle, from north to south: along coasts where it lies at one. */
function westernEdge([boxWest, boxSouth, , boxNorth]: Box, coasts: readonly Coast[]): [number, number][] {
  const edge: [number, number][] = [];
  const add = (x: number, y: number) => {
    const last = edge.at(-1);
    if (last?.[0] !== x / 1e6 || last[1] !== y / 1e6) edge.push([x / 1e6, y / 1e6]);
  };
  for (const coast of coasts.toReversed()) {
    const [south, north] = [Math.max(micro(boxSouth), coast.south), Math.min(micro(boxNorth), coast.north)];
    if (micro(boxWest) !== coast.west || south >= north) continue;
    const at = (y: number) => Math.min(Math.floor((y - coast.south) / BAY), coast.last);
    const x = (i: number) => coast.west + (i % 2) * coast.depth;
    const last = at(south);
    add(x(at(north - 1)), north);
    for (let i = at(north - 1); i > last; i -= 1) {
      add(x(i), coast.south + i * BAY);
      add(x(i - 1), coast.south + i * BAY);
    }
    add(x(last), south);
  }
  return edge.length > 0
    ? edge
    : [
        [boxWest, boxNorth],
        [boxWest, boxSouth],
      ];
}

/** Draws the country into files as `geo:load` reads them, one per level. */
export async function drawSchematicCountry(areas: readonly Area[], directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const { boxes, edges } = drawingOf(areas);
  const plurals = { region: 'regions', province: 'provinces', municity: 'municities', barangay: 'barangays' } as const;
  for (const [level, plural] of Object.entries(plurals)) {
    const lines = areas.flatMap((area) => {
      const box = boxes.get(area.code);
      return area.level === level && box ? [feature(area, box, edges.get(area.regionCode ?? area.code) as Edges)] : [];
    });
    await writeFile(join(directory, `${plural}.detailed.ndjson`), lines.join('\n'));
  }
  const gaps = areas.flatMap(({ level, code }) =>
    level === 'municity' && !WITH_BARANGAYS.has(code.slice(0, 2)) ? [code] : [],
  );
  await writeFile(join(directory, 'source.json'), JSON.stringify({ gaps: [...gaps, UNDRAWN] }));
}

function feature({ code, name }: Area, box: Box, edges: Edges): string {
  const [, south, east, north] = box;
  const western = westernEdge(box, edges.coasts);
  const at = (lat: number) => positionsOn(lat, box, edges);
  const ring = [western.at(-1), ...at(south), [east, south], [east, north], ...at(north).toReversed(), ...western];
  return JSON.stringify({
    type: 'Feature',
    properties: { psgc: code, name },
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
}

/** The positions on the northern or southern edge of a rectangle, from west to east. */
function positionsOn(lat: number, [west, , east]: Box, { borders, positions }: Edges): [number, number][] {
  if (!borders.has(micro(lat))) return [];
  return positions.filter((lon) => micro(west) < lon && lon < micro(east)).map((lon) => [lon / 1e6, lat]);
}

function micro(degrees: number): number {
  return Math.round(degrees * 1e6);
}

function round(degrees: number): number {
  return micro(degrees) / 1e6;
}
