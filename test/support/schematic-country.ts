import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Area } from '../../scripts/pipeline/psgc/area.ts';

/** west, south, east, north */
type Box = [number, number, number, number];

/** Regions whose barangays are drawn; the others end at cities and municipalities, which keeps tests quick. */
const WITH_BARANGAYS = new Set(['07', '09', '13', '19']);

/** Positions on the western coast of every province: all provinces together are more than one statement brings along. */
const FINE = 2000;

/**
 * Depth of the bays in the coast, as a share of the width of the city or municipality that has it. Without the bays
 * some 10 % of it would be land, or none: too much for \`medium\`, little enough for \`simple\`.
 */
const DEPTH = 0.2;

/** The rectangles of areas by code, and the coasts of those that have a western one. */
interface Drawing {
  boxes: Map<string, Box>;
  coasts: Map<string, Coast>;
}

/** Bays of equal length, with as much land between them. Each reaches some degrees into the land. */
interface Coast {
  length: number;
  depth: number;
}

/**
 * A country of rectangles: every area is a rectangle within that of its parent, without gaps or overlaps,
 * and regions are columns with half a column of sea between them. What lies where is thus known from arithmetic.
 * Cities and municipalities that belong to no province of their region share one strip of it, outside any province.
 */
function schematicBoxes(areas: readonly Area[]): Map<string, Box> {
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
    const provinces = at('province').filter(({ rCode }) => rCode === region.code);
    const within = (municity: Area) => municity.pCode ?? municity.hostProvinceCode;
    const mine = at('municity').filter(({ rCode }) => rCode === region.code);
    const outside = mine.filter((municity) => !provinces.some(({ code }) => code === within(municity)));
    const strip = { ...region, code: `${region.code}-outside` };
    split(outside.length > 0 ? [...provinces, strip] : provinces, box, 'lat');
    for (const province of provinces) {
      split(
        mine.filter((municity) => within(municity) === province.code),
        boxes.get(province.code) as Box,
        'lon',
      );
    }
    if (outside.length > 0) split(outside, boxes.get(strip.code) as Box, 'lon');
    boxes.delete(strip.code);
  }
  const barangays = Map.groupBy(at('barangay'), ({ mCode }) => mCode);
  for (const municity of at('municity')) {
    if (!WITH_BARANGAYS.has(municity.code.slice(0, 2))) continue;
    split(barangays.get(municity.code) ?? [], boxes.get(municity.code) as Box, 'lat');
  }
  return boxes;
}

/** Draws the country into files as `geo:load` reads them, one per level and resolution. */
export async function drawSchematicCountry(areas: readonly Area[], directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const boxes = schematicBoxes(areas);
  const plurals = { region: 'regions', province: 'provinces', municity: 'municities', barangay: 'barangays' } as const;
  for (const [level, plural] of Object.entries(plurals)) {
    for (const resolution of Object.keys(EXTRA) as Resolution[]) {
      const extra = level === 'province' && resolution === 'detailed' ? FINE : EXTRA[resolution];
      const lines = areas.flatMap((area) => {
        const box = boxes.get(area.code);
        return area.level === level && box ? [feature(area, box, extra)] : [];
      });
      await writeFile(join(directory, `${plural}.${resolution}.ndjson`), lines.join('\n'));
    }
  }
  const gaps = areas.flatMap(({ level, code }) =>
    level === 'municity' && !WITH_BARANGAYS.has(code.slice(0, 2)) ? [code] : [],
  );
  await writeFile(join(directory, 'source.json'), JSON.stringify({ gaps }));
}

function feature({ code, name }: Area, [west, south, east, north]: Box, extra: number): string {
  const edge = Array.from({ length: extra }, (_, i) => [round(east - ((i + 1) * (east - west)) / (extra + 1)), north]);
  const ring = [[west, south], [east, south], [east, north], ...edge, [west, north], [west, south]];
  return JSON.stringify({
    type: 'Feature',
    properties: { psgc: code, name },
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
