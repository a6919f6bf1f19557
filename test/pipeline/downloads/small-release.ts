import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeAreas, type SnapshotInput } from '../../../scripts/pipeline/snapshot/areas.ts';
import { nameKey } from '../../../src/areas/names.ts';
import { AREAS, boundariesName } from '../../../src/areas/snapshot/layout.ts';
import { type Area, RESOLUTIONS } from '../../../src/areas/store.ts';

/** Barangays stand in so many rows and columns of squares, and each square row is a city. */
export const SIDE = 40;

/** Parts of the first city. */
export const SUB_MUNICIPALITIES = ['0702241000', '0702242000'];

/** Degrees from one square to the next. */
const STEP = 0.1;

type Row = SnapshotInput['areas'][number];

const NOTHING = {
  ...{ type: null, city_class: null, r_code: null, p_code: null, host_province_code: null, m_code: null },
  ...{ sm_code: null, urban_rural: null, population: null, population_year: null, population_history: null },
  ...{ income_class: null, area_km2: null, density_km2: null, notes: null, lon: null, lat: null, bbox: null },
  ...{ province_count: 0, municity_count: 0, hosted_municity_count: 0, barangay_count: 0 },
} satisfies Partial<Row>;

/** The square of a barangay, with a hole and an islet where it is the first of its city. */
function squareOf(row: number, column: number): string {
  const [x, y] = [120 + STEP * column, 10 + STEP * row];
  const ring = (west: number, south: number, size: number) =>
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ].map((position) => position.map((degrees) => Number(degrees.toFixed(6))));
  const outer = ring(x, y, STEP);
  if (column > 0) return JSON.stringify({ type: 'Polygon', coordinates: [outer] });
  const hole = ring(x + 0.04, y + 0.04, 0.02).reverse();
  return JSON.stringify({ type: 'MultiPolygon', coordinates: [[outer, hole], [ring(x - 0.5, y, 0.01)]] });
}

function bboxOf(geojson: string): [number, number, number, number] {
  const numbers = [...geojson.matchAll(/\[(-?[\d.]+),(-?[\d.]+)\]/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const xs = numbers.map(([x]) => x as number);
  const ys = numbers.map(([, y]) => y as number);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The boundaries that the release has at every resolution, by level and code. */
export interface SmallRelease {
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Writes the objects of a drawn release's snapshot: a region, a province, forty cities, two sub-municipalities and 1600 barangays. The
 * last barangay has no boundary; nobody's population is known, and one name has all that formats must quote.
 *
 * @param boundaries false: it has none at all
 */
export async function writeSmallRelease(directory: string, { boundaries = true } = {}): Promise<SmallRelease> {
  const [region, province] = ['0700000000', '0702200000'];
  const cities = Array.from({ length: SIDE }, (_, i) => `07022${String(i + 1).padStart(2, '0')}000`);
  const rows: Row[] = [];
  const texts = new Map<string, string>();
  const add = (row: Pick<Row, 'level' | 'code' | 'name'> & Partial<Row>, text?: string) => {
    if (boundaries && text !== undefined) texts.set(`${row.level} ${row.code}`, text);
    const bbox = text === undefined ? null : bboxOf(text);
    // A release derives these from boundaries. Here the south-west corner and a constant stand for them.
    const derived = bbox && { lon: bbox[0], lat: bbox[1], area_km2: 12.5 };
    rows.push({ ...NOTHING, id: rows.length + 1, ...row, bbox, ...derived } as Row);
  };
  const parents = { r_code: region, p_code: province };
  add({ level: 'region', code: region, name: 'Region VII' }, squareOf(0, 1));
  add({ level: 'province', code: province, name: 'Cebu', r_code: region }, squareOf(0, 1));
  for (const [row, m_code] of cities.entries()) {
    add({ level: 'municity', code: m_code, name: `City ${row}`, type: 'City', ...parents }, squareOf(row, 0));
  }
  for (const [at, code] of SUB_MUNICIPALITIES.entries()) {
    const place = { level: 'submunicipality', code, name: `District ${at}`, ...parents } as const;
    add({ ...place, m_code: cities[0] as string }, squareOf(0, at));
  }
  for (const [row, m_code] of cities.entries()) {
    for (let column = 0; column < SIDE; column += 1) {
      const isFirst = row === 0 && column === 0;
      const isLast = row === SIDE - 1 && column === SIDE - 1;
      const code = `${m_code.slice(0, 7)}${String(column + 1).padStart(3, '0')}`;
      const name = isFirst ? 'Ñiño "Pob.", Old' : `Barangay ${row}-${column}`;
      const place = { level: 'barangay', code, name, m_code, ...parents } as const;
      add(place, isLast ? undefined : squareOf(row, column));
    }
  }
  const lengths = Uint32Array.from(rows, ({ level, code }) => texts.get(`${level} ${code}`)?.length ?? 0);
  const source = { name: 'x', edition: 'x', publisher: 'x', url: 'https://x.example', note: null };
  const input: SnapshotInput = {
    release: '2025-2q-1',
    version: '2025-2q-1-abc',
    edition: '2Q 2025',
    publishedOn: null,
    boundarySet: boundaries ? 'full' : 'none',
    sources: [
      { part: 'codes', licence: 'acknowledge', attribution: 'PSA', ...source },
      ...(boundaries ? [{ part: 'boundaries' as const, licence: 'CC BY-IGO', attribution: 'NAMRIA', ...source }] : []),
    ],
    areas: rows,
    lengths: { simple: lengths, medium: lengths, detailed: lengths },
    places: Uint16Array.from(rows, (_, row) => row),
    ...{ names: [], formerNames: [], aliases: [], neighbors: [] },
  };
  await writeFile(join(directory, AREAS), gzipSync(encodeAreas(input, { cells: [], key: nameKey })));
  for (const level of new Set(rows.map((row) => row.level as Area['level']))) {
    const stored = rows.filter((row) => row.level === level).map(({ code }) => texts.get(`${level} ${code}`) ?? '');
    for (const resolution of RESOLUTIONS)
      await writeFile(join(directory, boundariesName(level, resolution)), stored.join(''));
  }
  return { texts };
}
