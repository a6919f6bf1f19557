// Names of the regions, the capitals and the provinces on a map of the country. The drawing of the page and the map after it
// place them alike, so that no name moves when the one gives way to the other: every region has a name, and capitals and
// large cities, which are called capitals here, have the room that is left, the largest first, and then provinces, where the
// scale is large enough. All numbers are pixels, unless something else is said.

import type { Feature, FeatureCollection, Position } from 'geojson';
import { type Box, CITY_OF, COUNTRY, shortName } from './places.ts';
import { extentOf, reachesInto, spotsAlong } from './spots.ts';

/** Sizes of the letters by the zoom of the map. Between and beyond them it is as MapLibre interpolates. */
export const SIZES = {
  region: [3, 9, 4, 10.5, 7, 12.5, 12, 14],
  capital: [3, 8.5, 4, 9.5, 9, 12],
  province: [3, 8, 4, 8.5, 9, 12],
} as const;

/** The radius of a capital's dot, by the zoom. */
export const DOT_RADIUS = [3, 0.75, 4, 1.25, 9, 3] as const;

type Kind = keyof typeof SIZES;

/** In units of the size. */
export const LINE_HEIGHT = 1.15;

/** The longest line, in units of the size. */
const LONGEST = { region: 7, capital: 8, province: 6 } as const;

export const WEIGHTS = { region: 600, capital: 500, province: 500 } as const;

/** How far a name that stands beside its point is from it, in units of the size. */
const DISTANCE = 0.45;

/** How far from its middle a dot is kept clear of names. */
const DOT = 2.5;

/** What is left free around each name. */
const PADDING = 1.5;

/** How far names may be from the extent of the country. */
const MARGIN = 16;

/** Where a name may stand: over its point, or beside it to the east (1), the west (-1), the south (1) or the north (-1). */
const SIDES: Readonly<Record<Kind, Sides>> = {
  region: [
    [0, 0],
    [0, -1],
    [0, 1],
    [1, 0],
    [-1, 0],
    [1, -1],
    [-1, -1],
    [1, 1],
    [-1, 1],
  ],
  capital: [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ],
  province: [[0, 0]],
};

/** Where the short name of a region may stand too: a little away, where regions are smaller than their names. */
const AWAY = [
  [2, 0],
  [-2, 0],
] as const;

/** Where the capital of the country stands best: over the sea to the west of it. */
const BESIDE_DOT: Sides = [
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 0],
];

/** What the names are of. */
export interface Named {
  readonly regions: FeatureCollection;
  readonly capitals: FeatureCollection;
  readonly provinces: FeatureCollection;
}

/** Where the names are placed. */
export interface Room {
  readonly zoom: number;
  /** The point of a position. */
  readonly at: (position: Position) => readonly [x: number, y: number];
  readonly widthOf: WidthOf;
}

/** The width of a line of text. */
export type WidthOf = (line: string, style: { readonly size: number; readonly weight: number }) => number;

type Sides = readonly (readonly [east: number, south: number])[];

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];

/** A name with the place that was found for it. */
export interface CountryName {
  readonly kind: Kind;
  readonly code: string;
  readonly lines: readonly string[];
  readonly size: number;
  /** What it belongs to. */
  readonly position: Position;
  readonly point: readonly [x: number, y: number];
  /** From the point to the middle of the name. */
  readonly offset: readonly [x: number, y: number];
}

/** A name for which a place is looked for. */
interface Wanted extends Omit<CountryName, 'lines' | 'offset'> {
  /** The best first. */
  readonly texts: readonly string[];
  /** Other points over which it may stand, before it stands beside its own: those on the land of a region. */
  readonly spots?: readonly (readonly [x: number, y: number])[];
}

interface Placed {
  readonly name: CountryName;
  readonly covers: Rectangle;
}

/** How many of the largest cities are named before regions have long names, where these still have words. */
const MAX_FIRST = 3;

/** Below this zoom the map is one of regions: it names no province and no small city, however much room there is. */
export const DETAIL_ZOOM = 5;

/** How many of the largest cities may be named below that. */
const MAX_CITIES = 30;

/** How far the name of a region may give way to the dot of a city, in units of its size. */
const MOVED = 3;

/** How many regions may have their number for a name while others have words. */
const MAX_NUMBERS = 2;

/**
 * Names of the regions, short where there is little room, and of the capitals and provinces for which there is room then.
 * No name covers another, and that of a province no other province. Where many regions have no room for a word, all that
 * have a number are called by it.
 */
export function countryNames({ regions, capitals, provinces }: Named, room: Room): CountryName[] {
  const wanted = (kind: Kind, feature: Feature, texts: readonly string[]): Wanted => {
    const position = positionOf(feature);
    const code = String(feature.properties?.code);
    return { kind, code, position, point: room.at(position), size: sizeAt(SIZES[kind], room.zoom), texts };
  };
  const labelled = regions.features.filter(({ properties }) => typeof properties?.lon === 'number');
  const ofRegions = labelled.map((region) => {
    const { words, numbers } = regionNames(String(region.properties?.name));
    const spots = spotsAlong(region.geometry).flatMap(({ side: [east, south], position }) =>
      east === 0 && south === 0 ? [room.at(position)] : [],
    );
    return { ...wanted('region', region, [...words, ...numbers]), spots, numbers };
  });
  const ofCapitals = capitals.features.map((capital) => {
    const name = String(capital.properties?.name);
    return wanted('capital', capital, [name.startsWith(CITY_OF) ? name.slice(CITY_OF.length) : name]);
  });
  // The capital of the country is that of no province.
  const isNational = ({ code }: Wanted) =>
    capitals.features.some(({ properties }) => properties?.code === code && properties.p_code === null);
  const national = ofCapitals.filter(isNational);
  const others = ofCapitals.filter((capital) => !isNational(capital));

  const isNumber = ({ name }: Placed) =>
    ofRegions.some(({ code, numbers }) => code === name.code && numbers.includes(name.lines.join(' ')));
  const hasWords = (names: readonly Placed[]) => names.filter(isNumber).length <= MAX_NUMBERS;
  const short = ofRegions.map(({ numbers, texts, ...region }) => {
    return { ...region, texts: numbers.length > 0 ? numbers.slice(-1) : texts };
  });
  /** @param fixed names that have their places before those of regions */
  const regionsBeside = (fixed: readonly Placed[]) => {
    const found = placeRegions(ofRegions, [...national, ...others.slice(0, MAX_FIRST)], room, fixed);
    if (hasWords(found)) return found;
    const withFewer = placeRegions(ofRegions, national, room, fixed);
    return hasWords(withFewer) ? withFewer : placeRegions(short, national, room, fixed);
  };
  const plain = regionsBeside([]);
  const regionsIn = (names: readonly Placed[]) => names.filter(({ name }) => name.kind === 'region');
  const farOf = (names: readonly Placed[], region: string) =>
    Math.hypot(...(names.find(({ name }) => name.code === region)?.name.offset ?? []));
  const isAsGood = (names: readonly Placed[]) =>
    regionsIn(names).length >= regionsIn(plain).length &&
    regionsIn(names).filter(isNumber).length <= regionsIn(plain).filter(isNumber).length &&
    ofRegions.every(({ code, size }) => farOf(names, code) <= Math.max(farOf(plain, code), MOVED * size));
  // The dots of the capital of the country and of the largest cities are seen beside their names, where that leaves no region
  // without one.
  let placed = plain;
  const fixed: Placed[] = [];
  for (const [index, city] of [...national, ...others.slice(0, MAX_FIRST)].entries()) {
    const sides = index < national.length ? BESIDE_DOT : SIDES.capital;
    for (const place of placesOf(city, room, { sides }).filter(isFree(fixed))) {
      const beside = regionsBeside([...fixed, place]);
      if (!isAsGood(beside)) continue;
      placed = beside;
      fixed.push(place);
      break;
    }
  }
  const isLeft = ({ code }: Wanted) => !placed.some(({ name }) => name.code === code);
  placeAll([...national, ...others.slice(0, MAX_FIRST)].filter(isLeft), placed, room);
  const isDetailed = room.zoom >= DETAIL_ZOOM;
  placeAll(ofCapitals.slice(0, isDetailed ? undefined : MAX_CITIES).filter(isLeft), placed, room);
  if (isDetailed) placeProvinces(provinces.features, placed, room);
  return placed.map(({ name }) => name);
}

/** Places the names of regions, each as long as the others let it be. The names of `first` come before long ones. */
function placeRegions(
  regions: readonly Wanted[],
  first: readonly Wanted[],
  room: Room,
  fixed: readonly Placed[] = [],
): Placed[] {
  const placed = [...fixed];
  // The shortest names take their places first, the widest of them before the others, so that no region is left without.
  const shortest = ({ texts }: Wanted) => texts.slice(-1);
  const byWidth = regions.toSorted((a, b) => String(shortest(b)).length - String(shortest(a)).length);
  for (const region of byWidth) {
    const places = placesOf(region, room, { texts: shortest(region), sides: [...SIDES.region, ...AWAY] });
    const free = places.find(isFree(placed));
    if (free) placed.push(free);
  }
  placeAll(
    first.filter(({ code }) => !fixed.some(({ name }) => name.code === code)),
    placed,
    room,
  );
  for (const region of regions) {
    const index = placed.findIndex(({ name }) => name.code === region.code);
    const others = placed.filter((_, other) => other !== index);
    const longer = placesOf(region, room).find(isFree(others));
    if (longer && index >= 0) placed[index] = longer;
  }
  return placed;
}

/** Adds the names for which there is room. */
function placeAll(names: readonly Wanted[], placed: Placed[], { sides, ...room }: Room & { sides?: Sides }): void {
  for (const name of names) {
    const free = placesOf(name, room, sides && { sides }).find(isFree(placed));
    if (free) placed.push(free);
  }
}

/** Adds the names of provinces for which there is room along their shapes, in them or beside them over the sea. */
function placeProvinces(provinces: readonly Feature[], placed: Placed[], room: Room): void {
  const size = sizeAt(SIZES.province, room.zoom);
  const shapes = provinces.map(({ properties, geometry }) => {
    return { code: String(properties?.code), name: String(properties?.name), geometry, extent: extentOf(geometry) };
  });
  for (const { code, name, geometry } of shapes) {
    const texts = provinceNames(name);
    const coversOther = (place: Placed) => {
      const box = boxOf(place, room);
      return shapes.some((other) => other.code !== code && meet(other.extent, box) && reachesInto(other.geometry, box));
    };
    const free = spotsAlong(geometry)
      .flatMap(({ position, side }) => {
        const wanted = { kind: 'province', code, position, point: room.at(position), size, texts } as const;
        return placesOf(wanted, room, { sides: [side] });
      })
      .find((place) => isFree(placed)(place) && !coversOther(place));
    if (free) placed.push(free);
  }
}

/** What a name covers, in degrees. It is so small that a degree is of one size in it. */
function boxOf({ name, covers: [left, top, right, bottom] }: Placed, { at }: Room): Box {
  const { position, point } = name;
  const [lon = 0, lat = 0] = position;
  const [east, south] = at([lon + 1, lat - 1]);
  const lonOf = (x: number) => lon + (x - point[0]) / (east - point[0]);
  const latOf = (y: number) => lat - (y - point[1]) / (south - point[1]);
  return [lonOf(left), latOf(bottom), lonOf(right), latOf(top)];
}

/** The names of a province, the best first: `Occidental Mindoro` and `Occ. Mindoro`. Capital letters tell them from cities. */
function provinceNames(name: string): string[] {
  const long = name.toUpperCase();
  const short = long.replace(/\b(OCC|OR)ID?ENTAL\b/, '$1.').replace(/^([NEWS])\w+ERN /, '$1. ');
  return [...new Set([long, short])];
}

/** The position of a point, or of the label of an area. */
function positionOf({ geometry, properties }: Feature): Position {
  return geometry.type === 'Point' ? geometry.coordinates : [properties?.lon, properties?.lat];
}

/** The names of a region, the best first: the words `Western Visayas` and `W. Visayas`, and the numbers `Region VI` and `VI`. */
function regionNames(name: string): { words: string[]; numbers: string[] } {
  const long = shortName(name);
  const short = long.replace(/ Region$/, '');
  const [, outside = '', inside = ''] = /^(.+?) \((.+)\)$/.exec(name) ?? [];
  const numbers = outside.startsWith('Region ') ? [outside, outside.slice('Region '.length)] : [];
  const cut = short.replace(/^([NEW])\w+ern /, '$1. ');
  // Nobody calls the National Capital Region the National Capital: it has letters for a short name.
  const words = numbers.length === 0 && inside ? [long, inside] : [long, short, cut];
  return { words: [...new Set(words)], numbers };
}

/** The size of letters at a zoom, by the stops in `SIZES`. They are interpolated as MapLibre does it. */
export function sizeAt([...stops]: readonly number[], zoom: number): number {
  let [from = 0, size = 0] = stops;
  for (let i = 2; i < stops.length; i += 2) {
    const [to = 0, next = 0] = stops.slice(i);
    if (zoom <= from) return size;
    if (zoom < to) return size + ((next - size) * (zoom - from)) / (to - from);
    [from, size] = [to, next];
  }
  return size;
}

/** Where a name may stand, the best first. */
function placesOf(
  wanted: Wanted,
  { at, widthOf }: Room,
  { texts = wanted.texts, sides = SIDES[wanted.kind] }: Partial<Pick<Wanted, 'texts'> & { sides: Sides }> = {},
): Placed[] {
  const { kind, size, point, spots = [] } = wanted;
  const [west, south, east, north] = COUNTRY;
  const [[left, top], [right, bottom]] = [at([west, north]), at([east, south])];
  return texts.flatMap((text) => {
    const style = { size, weight: WEIGHTS[kind] };
    const lines = linesOf(text, (line) => widthOf(line, style) <= LONGEST[kind] * size);
    const halfWidth = Math.max(...lines.map((line) => widthOf(line, style))) / 2;
    const halfHeight = (lines.length * size * LINE_HEIGHT) / 2;
    const offsets = sides.map(
      ([toEast, toSouth]) =>
        [toEast * (DISTANCE * size + halfWidth), toSouth * (DISTANCE * size + halfHeight)] as const,
    );
    const onLand = spots.map(([x, y]) => [x - point[0], y - point[1]] as const);
    return [...offsets.slice(0, 1), ...onLand, ...offsets.slice(1)].flatMap((offset): Placed[] => {
      const [x, y] = [point[0] + offset[0], point[1] + offset[1]];
      const [wide, tall] = [halfWidth + PADDING, halfHeight + PADDING];
      const covers = withDot([x - wide, y - tall, x + wide, y + tall], wanted, offset);
      const isWithin =
        x - wide > left - MARGIN && y - tall > top - MARGIN && x + wide < right + MARGIN && y + tall < bottom + MARGIN;
      const { texts: _, spots: __, ...name } = wanted;
      return isWithin ? [{ name: { ...name, lines, offset }, covers }] : [];
    });
  });
}

/** What a name beside a dot covers: the dot too, so that no other name lies over it. */
function withDot(
  [left, top, right, bottom]: Rectangle,
  { kind, point: [x, y], size }: Wanted,
  offset: readonly number[],
): Rectangle {
  const isBeside = kind === 'capital' && left - x < size && x - right < size && Math.abs(offset[1] ?? 0) < 3 * size;
  if (!isBeside) return [left, top, right, bottom];
  return [Math.min(left, x - DOT), Math.min(top, y - DOT), Math.max(right, x + DOT), Math.max(bottom, y + DOT)];
}

function isFree(taken: readonly Placed[]): (one: Placed) => boolean {
  return ({ covers }) => !taken.some((other) => meet(covers, other.covers));
}

function meet([left, top, right, bottom]: Rectangle, [l, t, r, b]: Rectangle): boolean {
  return left < r && l < right && top < b && t < bottom;
}

/** Breaks a text between its words. A word that is too long has a line of its own. */
function linesOf(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * What the code of pictures uses of names. The page hands it over, because code that both import would be in files of its own,
 * which the page would have to wait for.
 */
export const NAMING = { countryNames, sizeAt, spotsAlong, SIZES, DOT_RADIUS, LINE_HEIGHT, WEIGHTS };

export type Naming = typeof NAMING;
