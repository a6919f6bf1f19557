import type { Feature, FeatureCollection, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { type CountryName, countryNames, LINE_HEIGHT, WEIGHTS } from '../../../pages/explore/country-names.ts';

/** The regions with the points of their labels. */
const REGIONS = `
0100000000 120.4885 16.9116 Region I (Ilocos Region)
0200000000 121.7337 17.1329 Region II (Cagayan Valley)
0300000000 120.8238 15.392 Region III (Central Luzon)
0400000000 121.539 14.1262 Region IV-A (CALABARZON)
0500000000 123.3362 13.5396 Region V (Bicol Region)
0600000000 122.4417 11.191 Region VI (Western Visayas)
0700000000 123.7173 10.3127 Region VII (Central Visayas)
0800000000 125.0528 11.9366 Region VIII (Eastern Visayas)
0900000000 122.8636 7.8535 Region IX (Zamboanga Peninsula)
1000000000 124.7933 8.1551 Region X (Northern Mindanao)
1100000000 125.9111 7.4677 Region XI (Davao Region)
1200000000 124.8213 6.58 Region XII (SOCCSKSARGEN)
1300000000 121.0322 14.6063 National Capital Region (NCR)
1400000000 121.0389 17.3557 Cordillera Administrative Region (CAR)
1600000000 125.7954 8.697 Region XIII (Caraga)
1700000000 118.5586 9.7307 MIMAROPA Region
1800000000 123.0054 10.0283 Negros Island Region (NIR)
1900000000 124.3726 7.3657 Bangsamoro Autonomous Region in Muslim Mindanao (BARMM)`
  .trim()
  .split('\n')
  .map((line) => {
    const [code = '', lon, lat, ...name] = line.split(' ');
    return point({ code, name: name.join(' '), lon: Number(lon), lat: Number(lat) });
  });

const MANILA = point({ code: '1380600000', name: 'City of Manila', p_code: null, lon: 120.98, lat: 14.59 });
const ILOILO = point({ code: '0631000000', name: 'City of Iloilo', p_code: '0603000000', lon: 122.56, lat: 10.72 });
const BASCO = point({ code: '0200902000', name: 'Basco', p_code: '0200900000', lon: 121.97, lat: 20.45 });

function point({ lon, lat, ...properties }: { lon: number; lat: number } & Record<string, unknown>): Feature {
  return {
    type: 'Feature',
    properties: { ...properties, lon, lat },
    geometry: { type: 'Point', coordinates: [lon, lat] },
  };
}

/** Letters as wide as those of a broad font. */
const widthOf = (line: string, { size, weight }: { size: number; weight: number }) =>
  line.length * size * (weight === WEIGHTS.region ? 0.68 : 0.6);

function namesAt(
  zoom: number,
  capitals: readonly Feature[] = [MANILA, ILOILO, BASCO],
  regions = REGIONS,
  provinces: readonly Feature[] = [],
): CountryName[] {
  const perDegree = (512 * 2 ** zoom) / 360;
  // Close enough to Mercator's projection in these latitudes.
  const at = ([lon = 0, lat = 0]: Position) => [lon * perDegree, -lat * perDegree * 1.02] as const;
  const collection = (features: readonly Feature[]): FeatureCollection => ({
    type: 'FeatureCollection',
    features: [...features],
  });
  const named = { regions: collection(regions), capitals: collection(capitals), provinces: collection(provinces) };
  return countryNames(named, { zoom, at, widthOf });
}

function boxOf({ kind, lines, size, point: [x, y], offset: [dx, dy] }: CountryName) {
  const wide = Math.max(...lines.map((line) => widthOf(line, { size, weight: WEIGHTS[kind] }))) / 2;
  const tall = (lines.length * size * LINE_HEIGHT) / 2;
  return { left: x + dx - wide, right: x + dx + wide, top: y + dy - tall, bottom: y + dy + tall };
}

describe('names on a map of the country', () => {
  it.each([
    ['a phone', 3.07],
    ['1280 pixels', 4.55],
  ])('are those of all regions at the scale of %s, and lie over no other', (_, zoom) => {
    const names = namesAt(zoom);
    expect(names.filter(({ kind }) => kind === 'region').map(({ code }) => code)).toHaveLength(REGIONS.length);
    const boxes = names.map(boxOf);
    for (const [index, one] of boxes.entries()) {
      const over = boxes.filter(
        (other, at) =>
          at !== index &&
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      );
      expect([names[index]?.lines, over]).toEqual([names[index]?.lines, []]);
    }
  });

  it.each([3.07, 3.4, 4, 4.3, 4.55, 5, 6])(
    'are also that of the capital of the country, beside its dot, which is seen: %s',
    (zoom) => {
      const names = namesAt(zoom);
      expect(names.filter(({ kind }) => kind === 'region')).toHaveLength(REGIONS.length);
      expect(names.filter(({ code }) => code === '1380600000').map(({ lines }) => lines)).toEqual([['Manila']]);
      const manila = names.find(({ code }) => code === '1380600000') as CountryName;
      const [x, y] = manila.point;
      const own = boxOf(manila);
      const gap = Math.hypot(Math.max(own.left - x, 0, x - own.right), Math.max(own.top - y, 0, y - own.bottom));
      expect([gap > 1, gap < manila.size]).toEqual([true, true]);
      const isOver = ({ left, right, top, bottom }: ReturnType<typeof boxOf>) =>
        left < x + 1 && x - 1 < right && top < y + 1 && y - 1 < bottom;
      expect(names.filter((name) => isOver(boxOf(name))).map(({ lines }) => lines)).toEqual([]);
      // No region gives way by much, and small capitals give way to it.
      const without = new Map(namesAt(zoom, [ILOILO, BASCO]).map(({ code, offset }) => [code, Math.hypot(...offset)]));
      for (const { kind, code, offset, size } of names) {
        const far = Math.max(without.get(code) ?? 0, 3 * size);
        expect([code, kind !== 'region' || Math.hypot(...offset) <= far + 0.01]).toEqual([code, true]);
      }
      const balanga = { code: '0300803000', name: 'City of Balanga', p_code: '0300800000', lon: 120.54, lat: 14.68 };
      const codes = namesAt(zoom, [...Array.from({ length: 4 }, () => ILOILO), point(balanga), MANILA]).map(
        ({ code }) => code,
      );
      expect(codes).toContain('1380600000');
    },
  );

  it('stand on the land of a region where there is room, before they stand beside it', () => {
    const code = '1200000000';
    const [west, south, east, north] = [123.9, 5.5, 125.4, 6.7];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    // The names of its neighbours take the room around its point.
    const davao = { ...REGIONS.find((region) => region.properties?.code === '1100000000')?.properties };
    const onLand = REGIONS.map((region): Feature => {
      if (region.properties?.code === '1100000000') return point({ ...davao, lon: 125.3, lat: 6.75 });
      const isIt = region.properties?.code === code;
      return isIt ? { ...region, geometry: { type: 'Polygon', coordinates: [ring] } } : region;
    });
    for (const zoom of [4.8, 5, 5.2]) {
      const name = namesAt(zoom, [MANILA], onLand).find((one) => one.code === code);
      const perDegree = (512 * 2 ** zoom) / 360;
      const [x, y] = [0, 1].map((axis) => (name?.point[axis] ?? 0) + (name?.offset[axis] ?? 0)) as [number, number];
      const [lon, lat] = [x / perDegree, -y / perDegree / 1.02];
      expect(name?.lines, String(zoom)).toEqual(['SOCCSKSARGEN']);
      expect(west <= lon && lon <= east && south <= lat && lat <= north, String(zoom)).toBe(true);
    }
  });

  it('are as long as there is room for', () => {
    const textOf = (names: readonly CountryName[], code: string) =>
      names.find((name) => name.code === code)?.lines.join(' ');
    expect(textOf(namesAt(3.07), '1300000000')).toBe('NCR');
    for (let zoom = 3; zoom < 7; zoom += 0.1)
      expect(['NCR', 'National Capital Region']).toContain(textOf(namesAt(zoom), '1300000000'));
    expect(textOf(namesAt(7), '1300000000')).toBe('National Capital Region');
    expect(textOf(namesAt(7), '0300000000')).toBe('Central Luzon');
    expect(textOf(namesAt(7), '0400000000')).toBe('CALABARZON');
    expect(textOf(namesAt(7), '1900000000')).toBe('BARMM');
  });

  it('are words, or the numbers of all regions that have one', () => {
    const numbered = (zoom: number) =>
      namesAt(zoom).filter(({ kind, lines }) => kind === 'region' && /^(Region )?[IVX]+(-A)?$/.test(lines.join(' ')));
    // 13 regions have a number.
    expect(numbered(3.07).map(({ lines }) => lines)).toHaveLength(13);
    expect(numbered(7)).toEqual([]);
    expect(numbered(4.55).length).toBeLessThanOrEqual(2);
  });

  it('are those of the first cities where there is not room for all', () => {
    const [davao, beside] = ['Davao City', 'Digos'].map((name, i) =>
      point({ code: String(i), name, p_code: '1102400000', lon: 119.2, lat: 14.5 }),
    ) as [Feature, Feature];
    const near = Array.from({ length: 8 }, () => beside);
    const cities = (all: readonly Feature[]) => namesAt(4.55, all).filter(({ kind }) => kind === 'capital');
    expect(cities([davao, ...near])[0]?.lines).toEqual(['Davao City']);
    expect(cities([...near, davao]).flatMap(({ lines }) => lines)).not.toContain('Davao City');
  });

  it('are those of the largest cities before regions get long names, but not where these then have none', () => {
    const davao = point({ code: '1130700000', name: 'City of Davao', p_code: '1102400000', lon: 125.49, lat: 7.2 });
    const linesOf = (zoom: number) => namesAt(zoom, [MANILA, davao]).map(({ lines }) => lines.join(' '));
    expect(linesOf(4.85)).toEqual(expect.arrayContaining(['Davao', 'Davao Region']));
    expect(linesOf(3.07)).not.toContain('Davao');
  });

  it('leave out a capital where a region has its name, and write the others beside their dots', () => {
    const capitals = namesAt(4.55).filter(({ kind }) => kind === 'capital');
    expect(capitals.map(({ lines }) => lines)).toContainEqual(['Basco']);
    const above: Feature = point({
      code: '0603022000',
      name: 'Over the name',
      p_code: '0',
      lon: 122.4417,
      lat: 11.191,
    });
    expect(namesAt(4.55, [above]).filter(({ kind }) => kind === 'region')).toHaveLength(REGIONS.length);
    for (const { point: at, offset, size } of capitals) {
      expect(Math.hypot(...offset), String(at)).toBeGreaterThan(size / 2);
    }
  });

  it('are placed alike wherever the map is moved, and left out for a region without a boundary', () => {
    const offsets = (names: readonly CountryName[]) => names.map(({ code, lines, offset }) => [code, lines, offset]);
    expect(offsets(namesAt(4.6))).toEqual(offsets(namesAt(4.6)));
    const without = point({ code: '1900000000', name: 'Nowhere', lon: 0, lat: 0 });
    const regions = [
      ...REGIONS.slice(0, 3),
      { ...without, properties: { code: '1900000000', name: 'Nowhere', lon: null } },
    ];
    expect(namesAt(4.6, [], regions)).toHaveLength(3);
  });
});

describe('names of provinces on a map of the country', () => {
  const province = (code: string, name: string, rings: readonly Position[][]): Feature => ({
    type: 'Feature',
    properties: { code, name },
    geometry: { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) },
  });
  const box = (west: number, south: number, east: number, north: number): Position[] => [
    ...[
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
  const CEBU = province('0702200000', 'Cebu', [box(123.6, 9.4, 123.9, 11.3)]);
  const NEGROS = province('1804500000', 'Negros Occidental', [box(122.4, 9.4, 123.5, 11)]);
  const BOHOL = province('0701200000', 'Bohol', [box(124, 9.6, 124.6, 10.2)]);
  const PALAWAN = province('1705300000', 'Palawan', [box(117.2, 8.3, 117.6, 11.4), box(114.3, 11, 114.31, 11.01)]);
  const all = [CEBU, NEGROS, BOHOL, PALAWAN];
  const provincesAt = (zoom: number, provinces: readonly Feature[] = all) =>
    namesAt(zoom, [], [], provinces).filter(({ kind }) => kind === 'province');
  const linesAt = (zoom: number, provinces?: readonly Feature[]) =>
    provincesAt(zoom, provinces).map(({ lines }) => lines.join(' '));

  it.each([5, 5.5, 6, 7])('are found along narrow ones too, at zoom %s', (zoom) => {
    expect(linesAt(zoom)).toEqual(expect.arrayContaining(['CEBU', 'PALAWAN', 'BOHOL']));
  });

  it('cover no other province, not even a small island of one, and no other name', () => {
    for (const zoom of [5, 5.5, 6]) {
      const perDegree = (512 * 2 ** zoom) / 360;
      const names = provincesAt(zoom);
      for (const name of names) {
        const { left, right, top, bottom } = boxOf(name);
        for (const other of all.filter(({ properties }) => properties?.code !== name.code)) {
          const rings = other.geometry.type === 'MultiPolygon' ? other.geometry.coordinates.flat() : [];
          for (const [[west = 0, south = 0] = [], , [east = 0, north = 0] = []] of rings) {
            const isClear =
              right <= west * perDegree ||
              left >= east * perDegree ||
              bottom <= -north * perDegree * 1.02 ||
              top >= -south * perDegree * 1.02;
            expect(isClear, `${zoom}: ${name.lines} over ${other.properties?.name}`).toBe(true);
          }
        }
      }
    }
    // There is room for the long name to the west of Negros only as long as no island is there.
    const [free] = provincesAt(5, [NEGROS, CEBU]).filter(({ code }) => code === '1804500000');
    expect(free).toBeDefined();
    const { left, right, top, bottom } = boxOf(free as CountryName);
    const perDegree = (512 * 2 ** 5) / 360;
    const [lon, lat] = [(left + right) / 2 / perDegree, -(0.7 * top + 0.3 * bottom) / perDegree / 1.02];
    const islet = province('0', 'Islet', [box(lon - 0.01, lat - 0.01, lon + 0.01, lat + 0.01)]);
    const [moved] = provincesAt(5, [NEGROS, CEBU, islet]).filter(({ code }) => code === '1804500000');
    expect(moved && boxOf(moved)).not.toEqual(boxOf(free as CountryName));
  });

  it('are shorter where the whole name has no room', () => {
    const between = [
      NEGROS,
      province('1', 'West', [box(120, 9, 122.4, 12)]),
      province('2', 'East', [box(123.5, 9, 126, 12)]),
    ];
    expect(linesAt(7, between)).toContain('NEGROS OCCIDENTAL');
    expect(linesAt(5, between)).toContain('NEGROS OCC.');
  });

  it('are left out where the map is one of regions, as are small cities', () => {
    expect(linesAt(4.9)).toEqual([]);
    const cities = [...Array.from({ length: 30 }, () => ILOILO), BASCO];
    const codesAt = (zoom: number) => namesAt(zoom, cities).map(({ code }) => code);
    expect(codesAt(4.9)).not.toContain('0200902000');
    expect(codesAt(5)).toContain('0200902000');
  });

  it('give way to the names of regions and of capitals', () => {
    const without = namesAt(5);
    expect(namesAt(5, undefined, undefined, all).slice(0, without.length)).toEqual(without);
  });
});
