import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import { RANKS, type Unit } from '../topology/country.ts';
import { type Ring, ringsOfAreas } from '../topology/polygons.ts';
import { bordersOf } from './borders.ts';
import { centreOf } from './centre.ts';
import type { PackedCountry } from './format.ts';
import { type Measures, measureUnits, touchingPairs } from './measure.ts';
import { PolygonTexts } from './texts.ts';

/** What the borders tell of one area. */
interface DrawnArea {
  /** Square kilometres on the ellipsoid, with five decimals. */
  readonly km2: number;
  /** Longitude and latitude in degrees, with six decimals. */
  readonly centre: readonly [number, number];
  /** West, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
  /** Its boundaries as GeoJSON texts. */
  readonly texts: Readonly<Record<Resolution, Uint8Array>>;
}

/** The areas of a release, drawn. */
export interface DrawnCountry {
  readonly areas: ReadonlyMap<string, DrawnArea>;
  /** Areas that touch, in both directions, by level and code. */
  readonly neighbors: readonly { level: AreaLevel; code: string; neighbor: string }[];
}

/**
 * Draws the areas of a release: their boundaries at all resolutions, and what follows from these. Takes some five seconds.
 *
 * @param units what each unit of the country belongs to, by the codes of the release
 * @param isWanted which areas are drawn; all where it is left out. Their neighbours are told in both directions
 */
export function drawAreas(
  country: PackedCountry,
  units: readonly Unit[],
  isWanted: (level: AreaLevel, code: string) => boolean = () => true,
): DrawnCountry {
  const borders = bordersOf(country, units);
  const measures = measureUnits(country.detailed, units.length);
  const texts = new PolygonTexts(country.detailed);
  const areas = new Map<string, DrawnArea>();
  const neighbors: { level: AreaLevel; code: string; neighbor: string }[] = [];
  for (const level of RANKS.toReversed()) {
    const codeOf = (unit: number) => {
      const code = unit < 0 ? null : (units[unit] as Unit)[level];
      return code !== null && isWanted(level, code) ? code : null;
    };
    const codeOfGroup = (group: number) => (group < 0 ? null : codeOf(borders.groups[group] as number));
    const isUpper = level !== 'barangay' && level !== 'submunicipality';
    const rings: Record<Resolution, Map<string, Ring[][]>> = {
      detailed: byName(ringsOfAreas(borders.detailed, codeOf)),
      medium: byName(ringsOfAreas(borders.medium, codeOf)),
      simple: byName(isUpper ? ringsOfAreas(borders.upperSimple, codeOfGroup) : ringsOfAreas(borders.simple, codeOf)),
    };
    const measured = sumByCode(measures, units, level);
    for (const [code, detailed] of rings.detailed) {
      const [medium, simple] = [rings.medium.get(code), rings.simple.get(code)];
      const sum = measured.get(code);
      if (!medium || !simple || !sum) throw new Error(`${code} has no boundary at every resolution.`);
      const [lon, lat] = centreOf(country.detailed, detailed, [medium, simple]);
      areas.set(code, {
        km2: Math.round(sum.km2 * 1e5) / 1e5,
        centre: [lon / 1e6, lat / 1e6],
        box: sum.box.map((side) => side / 1e6) as unknown as DrawnArea['box'],
        texts: { detailed: texts.write(detailed), medium: texts.write(medium), simple: texts.write(simple) },
      });
    }
    const codes = [...measured.keys()].sort();
    const numbers = new Map(codes.map((code, i) => [code, i]));
    const areaOf = Int32Array.from(units, (unit) => numbers.get(unit[level] ?? '') ?? -1);
    const wanted = codes.map((code) => isWanted(level, code));
    if (!wanted.includes(true)) continue;
    for (const [a, b] of touchingPairs(country.detailed, areaOf, (area) => wanted[area] === true)) {
      neighbors.push({ level, code: codes[a] as string, neighbor: codes[b] as string });
    }
  }
  return { areas, neighbors };
}

function byName(drawn: Iterable<{ name: string; polygons: Ring[][] }>): Map<string, Ring[][]> {
  const found = new Map<string, Ring[][]>();
  for (const { name, polygons } of drawn) found.set(name, polygons);
  return found;
}

interface Sum {
  km2: number;
  box: [number, number, number, number];
}

function sumByCode({ km2, boxes }: Measures, units: readonly Unit[], level: AreaLevel): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const [unit, { [level]: code }] of units.entries()) {
    if (code === null) continue;
    const [west, south, east, north] = boxes.subarray(4 * unit, 4 * unit + 4) as unknown as Sum['box'];
    const sum = sums.get(code);
    if (!sum) sums.set(code, { km2: km2[unit] as number, box: [west, south, east, north] });
    else {
      sum.km2 += km2[unit] as number;
      const { box } = sum;
      box[0] = Math.min(box[0], west);
      box[1] = Math.min(box[1], south);
      box[2] = Math.max(box[2], east);
      box[3] = Math.max(box[3], north);
    }
  }
  return sums;
}
