import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import type { Topology } from '../topology/arcs.ts';
import { RANKS, type Unit } from '../topology/country.ts';
import { type Ring, ringsOfAreas } from '../topology/polygons.ts';
import { BordersByResolution } from './borders.ts';
import { centreOf } from './centre.ts';
import type { PackedCountry } from './format.ts';
import { type Measures, measureUnits, touchingPairs } from './measure.ts';
import { PolygonTexts } from './texts.ts';

/** Facts of an area by the borders. */
export interface DrawnArea {
  /** Square kilometres on the ellipsoid, with five decimals. */
  readonly km2: number;
  /** Longitude and latitude in degrees, with six decimals. */
  readonly centre: readonly [number, number];
  /** West, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
  /** Bytes of its boundaries as GeoJSON texts. */
  readonly bytes: Readonly<Record<Resolution, number>>;
  /** Makes the GeoJSON text of a boundary on demand, because all together have 200 MB. */
  text(resolution: Resolution): Uint8Array;
  /**
   * Makes the rings of its detailed polygons on demand, without the last position of each: longitudes and latitudes by turns,
   * in microdegrees.
   */
  polygons(): number[][][];
}

/** The areas of a release, drawn. */
export interface DrawnCountry {
  readonly areas: ReadonlyMap<string, DrawnArea>;
  /** Areas that touch, in both directions, by level and code. */
  readonly neighbors: readonly { level: AreaLevel; code: string; neighbor: string }[];
}

type IsWanted = (level: AreaLevel, code: string) => boolean;

/** Draws the areas of releases, from the same borders. */
export class Drawing {
  readonly #country: PackedCountry;
  readonly #borders: BordersByResolution;
  readonly #measures: Measures;
  readonly #texts: PolygonTexts;

  constructor(country: PackedCountry) {
    this.#country = country;
    this.#borders = new BordersByResolution(country);
    this.#measures = measureUnits(country.detailed, country.units.length);
    this.#texts = new PolygonTexts(country.detailed);
  }

  /**
   * Draws the areas of a release: their boundaries at all resolutions, and what follows from these. Takes some four
   * seconds for all.
   *
   * @param units areas of each unit, by the codes of the release
   */
  draw(units: readonly Unit[]): DrawnCountry {
    return { areas: this.areas(units), neighbors: this.neighbors(units) };
  }

  /**
   * Draws areas of a release alone.
   *
   * @param isWanted which of them. Default: all
   */
  areas(units: readonly Unit[], isWanted: IsWanted = () => true): Map<string, DrawnArea> {
    const areas = new Map<string, DrawnArea>();
    const borders = this.#borders;
    for (const level of RANKS.toReversed()) {
      const codes = units.map(({ [level]: code }) => (code !== null && isWanted(level, code) ? code : null));
      if (codes.every((code) => code === null)) continue;
      const codeOf = (unit: number) => (unit < 0 ? null : (codes[unit] as string | null));
      const simple = () => {
        if (level === 'barangay' || level === 'submunicipality') return ringsOfAreas(borders.simple, codeOf);
        const { topology, groups } = borders.upperSimple(units);
        return ringsOfAreas(topology, (group) => (group < 0 ? null : codeOf(groups[group] as number)));
      };
      const rings: Record<Resolution, Map<string, Ring[][]>> = {
        detailed: byName(ringsOfAreas(borders.detailed, codeOf)),
        medium: byName(ringsOfAreas(borders.medium, codeOf)),
        simple: byName(simple()),
      };
      const measured = sumByCode(this.#measures, units, level);
      for (const [code, detailed] of rings.detailed) {
        const [medium, simple, sum] = [rings.medium.get(code), rings.simple.get(code), measured.get(code)];
        if (!medium || !simple || !sum) throw new Error(`${code} has no boundary at every resolution.`);
        areas.set(code, this.#areaOf({ detailed, medium, simple }, sum));
      }
    }
    return areas;
  }

  /**
   * Finds the areas of a release that touch, in both directions.
   *
   * @param isWanted for which areas. Default: for all
   */
  neighbors(units: readonly Unit[], isWanted: IsWanted = () => true): DrawnCountry['neighbors'] {
    return RANKS.toReversed().flatMap((level) => this.#neighborsOf(units, level, isWanted));
  }

  #areaOf(rings: Record<Resolution, Ring[][]>, { km2, box }: Sum): DrawnArea {
    const texts = this.#texts;
    const { detailed, medium, simple } = rings;
    const [lon, lat] = centreOf(this.#country.detailed, detailed, [medium, simple]);
    return {
      km2: Math.round(km2 * 1e5) / 1e5,
      centre: [lon / 1e6, lat / 1e6],
      box: box.map((side) => side / 1e6) as unknown as DrawnArea['box'],
      bytes: { detailed: texts.bytesOf(detailed), medium: texts.bytesOf(medium), simple: texts.bytesOf(simple) },
      text: (resolution) => texts.write(rings[resolution]),
      polygons: () => detailed.map((polygon) => polygon.map((ring) => positionsOf(this.#country.detailed, ring))),
    };
  }

  #neighborsOf(units: readonly Unit[], level: AreaLevel, isWanted: IsWanted) {
    const codes = [...new Set(units.flatMap((unit) => unit[level] ?? []))].sort();
    const wanted = codes.map((code) => isWanted(level, code));
    if (!wanted.includes(true)) return [];
    const numbers = new Map(codes.map((code, i) => [code, i]));
    const areaOf = Int32Array.from(units, (unit) => numbers.get(unit[level] ?? '') ?? -1);
    const pairs = touchingPairs(this.#country.detailed, areaOf, (area) => wanted[area] === true);
    return pairs.map(([a, b]) => ({ level, code: codes[a] as string, neighbor: codes[b] as string }));
  }
}

function positionsOf({ xs, ys }: Pick<Topology, 'xs' | 'ys'>, ring: Ring): number[] {
  const positions: number[] = [];
  for (const vertex of ring) positions.push(xs[vertex] as number, ys[vertex] as number);
  return positions;
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
