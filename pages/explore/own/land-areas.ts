import { codeOf } from '../../shared/values.ts';
import type { Area } from '../places.ts';
import { type Ask, areasIn, codeColumn, isProvince, isRegion } from './populations.ts';
import type { Column, Row } from './rows.ts';

/** The areas of features, with what a reader of a rate should know of them. */
export interface LandAreas {
  /** A number for each row, km²; 0 where it is no area on the map. */
  readonly km2: Float64Array;
  readonly remark: string;
}

interface LandOptions {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  /** The areas of the shapes on the map, km². */
  readonly drawn: Float64Array;
  /** Whether the numbers are of all that is drawn of a province, as counts of points are, with its highly urbanised cities. */
  readonly isOfWhole: boolean;
  readonly ask: Ask;
}

/**
 * By how much the area of most shapes may differ from those of the places whose codes they have, as a share. Else they are something
 * within these places, such as zones. A few small islands, drawn coarsely, differ more.
 */
const COARSE = 0.2;

function mostAre(all: readonly boolean[]): boolean {
  return all.filter((one) => one).length > all.length / 2;
}

/**
 * The areas by which numbers are divided. Features that are places have the area that the page of the place has: provinces are
 * without highly urbanised cities, as their residents are. All others have that of their shape.
 *
 * @throws PsgcError if the areas of places can't be read
 */
export async function landAreasOf({ rows, columns, drawn, isOfWhole, ask }: LandOptions): Promise<LandAreas> {
  const coded = codeColumn(rows, columns);
  const codes = rows.map(({ properties }) => (coded && codeOf(properties[coded.name])) ?? '');
  const areas = new Map<string, Area>();
  const read = async (level: string) => {
    for (const area of await areasIn<Area>(level, ask)) areas.set(area.code, area);
  };
  if (codes.some(isRegion)) await read('region');
  if (codes.some(isProvince)) await read('province');
  if (codes.some((code) => isMunicity(code) && !areas.has(code))) await read('municity');
  const placeAt = (index: number) => (drawn[index] ? areas.get(codes[index] ?? '') : undefined);
  const arePlaces = mostAre(
    codes.flatMap((_, index) => {
      const whole = placeAt(index)?.area_km2;
      return whole ? Math.abs((drawn[index] ?? 0) / whole - 1) <= COARSE : [];
    }),
  );
  let [hasOwn, hasShapes] = [false, false];
  const km2 = drawn.map((ofShape, index) => {
    const area = arePlaces ? placeAt(index) : undefined;
    const whole = area?.area_km2;
    if (!area || !whole) {
      hasShapes ||= ofShape > 0;
      return ofShape;
    }
    const own = isOfWhole ? whole : ownLandOf(area, whole);
    hasOwn ||= own < whole;
    return own;
  });
  const remark = [
    ...(hasOwn ? ['Areas of provinces are without highly urbanised cities, as their residents are.'] : []),
    ...(hasShapes ? [`Areas ${hasOwn ? 'of others ' : ''}are those of the shapes on the map.`] : []),
  ];
  return { km2, remark: remark.join(' ') };
}

/** How much of the area of a place may be lost in the rounding of its density, as a share. */
const ROUNDING = 0.001;

/** The land on which the residents of a place were counted, km²: that by which its density is computed. */
function ownLandOf({ population, density_km2: density }: Area, whole: number): number {
  const own = population && density ? population / density : whole;
  return own < whole * (1 - ROUNDING) ? own : whole;
}

const isMunicity = (code: string) => code.endsWith('000') && !isRegion(code);
