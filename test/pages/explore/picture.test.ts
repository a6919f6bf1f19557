import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { NAMING } from '../../../pages/explore/country-names.ts';
import { areaOf } from '../../../pages/explore/own/area.ts';
import { countPoints } from '../../../pages/explore/own/count-points.ts';
import { insideOf } from '../../../pages/explore/own/inside.ts';
import { type Frame, projectionOf, shapeOf } from '../../../pages/explore/own/paths.ts';
import {
  type PictureParts,
  paperFor,
  pictureOf,
  SHEET_SIZES,
  type SheetName,
  wrapped,
} from '../../../pages/explore/picture/picture.ts';
import { type Part, roomBeside, scaleOf } from '../../../pages/explore/picture/room.ts';
import { type Box, COUNTRY } from '../../../pages/explore/places.ts';

/** Regions whose names are wider than they are, with the points of their labels. */
const NAMED_REGIONS = [
  ['1300000000', 121.0322, 14.6063, 'National Capital Region (NCR)'],
  ['0300000000', 120.8238, 15.392, 'Region III (Central Luzon)'],
  ['0400000000', 121.539, 14.1262, 'Region IV-A (CALABARZON)'],
  ['0700000000', 123.7173, 10.3127, 'Region VII (Central Visayas)'],
  ['1800000000', 123.0054, 10.0283, 'Negros Island Region (NIR)'],
  ['1100000000', 125.9111, 7.4677, 'Region XI (Davao Region)'],
  ['1200000000', 124.8213, 6.58, 'Region XII (SOCCSKSARGEN)'],
  ['1900000000', 124.3726, 7.3657, 'Bangsamoro Autonomous Region in Muslim Mindanao (BARMM)'],
] as const;

const ring = (west: number, south: number, east: number, north: number): Position[] => [
  ...([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as Position[]),
];
const polygon = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings });

/** The area of a cell of one degree, km²: small steps along a meridian of WGS 84. */
function cellArea(south: number): number {
  const [steps, radians, square] = [10_000, Math.PI / 180, 0.00669437999014];
  let sum = 0;
  for (let step = 0; step < steps; step += 1) {
    const latitude = (south + (step + 0.5) / steps) * radians;
    const root = Math.sqrt(1 - square * Math.sin(latitude) ** 2);
    sum += ((1 - square) / root ** 3) * (1 / root) * Math.cos(latitude);
  }
  return (sum * 6378.137 ** 2 * radians * radians) / steps;
}

describe('the area of a geometry', () => {
  it('is that on the ellipsoid, without holes', () => {
    for (const south of [0, 10, -61]) {
      expect(areaOf(polygon(ring(120, south, 121, south + 1))) / cellArea(south)).toBeCloseTo(1, 7);
    }
    // That of the equator as GeographicLib has it, whose edges are the shortest and so bulge a little.
    expect(areaOf(polygon(ring(0, 0, 1, 1))) / 12_308.778).toBeCloseTo(1, 4);
    const [whole, hole] = [ring(120, 10, 121, 11), ring(120.25, 10.25, 120.75, 10.75)];
    const expected = areaOf(polygon(whole)) - areaOf(polygon(hole));
    expect(areaOf(polygon(whole, hole.toReversed()))).toBeCloseTo(expected, 6);
    expect(areaOf(polygon(whole.toReversed(), hole))).toBeCloseTo(expected, 6);
    const both: Geometry = { type: 'MultiPolygon', coordinates: [[whole], [ring(1, 1, 2, 2)]] };
    expect(areaOf(both)).toBeCloseTo(areaOf(polygon(whole)) + areaOf(polygon(ring(1, 1, 2, 2))), 6);
    expect([areaOf(null), areaOf({ type: 'Point', coordinates: [1, 2] })]).toEqual([0, 0]);
  });
});

describe('the room for a word in an area', () => {
  it('is the middle of its widest part, beside holes, and in its largest island', () => {
    const whole = insideOf(polygon(ring(120, 10, 124, 12)));
    expect(whole).toEqual({ at: [122, 11], width: 4 });
    const lake = ring(121, 10, 122, 12).toReversed();
    expect(insideOf(polygon(ring(120, 10, 124, 12), lake))).toEqual({ at: [123, 11], width: 2 });
    const islands: Geometry = { type: 'MultiPolygon', coordinates: [[ring(1, 1, 2, 2)], [ring(5, 5, 8, 6)]] };
    expect(insideOf(islands)).toEqual({ at: [6.5, 5.5], width: 3 });
    // The middle of a horseshoe lies outside of it.
    const shoe = [
      ...[
        [0, 0],
        [6, 0],
        [6, 6],
        [5, 6],
        [5, 1],
        [2, 1],
      ],
      ...[
        [2, 6],
        [0, 6],
        [0, 0],
      ],
    ] as Position[];
    expect(insideOf(polygon(shoe))).toEqual({ at: [1, 3], width: 2 });
  });

  it('is nowhere without an area', () => {
    const point: Geometry = { type: 'Point', coordinates: [1, 2] };
    expect([null, point, polygon()].map(insideOf)).toEqual([undefined, undefined, undefined]);
  });
});

describe('a picture of the world', () => {
  const frame = { box: [120, 10, 122, 12], width: 400, height: 300 } as const;

  it('has its box in the middle, whole, in Web Mercator', () => {
    const project = projectionOf(frame);
    const [west, south] = project([120, 10]);
    const [east, north] = project([122, 12]);
    expect((west + east) / 2).toBeCloseTo(200);
    expect((south + north) / 2).toBeCloseTo(150);
    expect(south - north).toBeCloseTo(300);
    // Web Mercator is conformal: a degree of longitude is one of latitude by the cosine.
    expect((south - north) / (east - west)).toBeCloseTo(1 / Math.cos((11 * Math.PI) / 180), 3);
  });

  it('has paths of areas and lines, and places of points, and leaves out what is elsewhere or too small', () => {
    expect(shapeOf(polygon(ring(120.5, 10.5, 121.5, 11.5)), frame)).toMatchObject({ isArea: true, points: [] });
    expect(shapeOf(polygon(ring(120.5, 10.5, 121.5, 11.5)), frame)?.path).toMatch(
      /^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+){4}Z$/,
    );
    expect(shapeOf(polygon(ring(0, 0, 1, 1)), frame)).toBeUndefined();
    expect(shapeOf(polygon(ring(121, 11, 121.0001, 11.0001)), frame)).toBeUndefined();
    expect(shapeOf(null, frame)).toBeUndefined();
    const line = Array.from({ length: 1000 }, (_, index): Position => [120 + index / 500, 11]);
    const { path = '', isArea } = shapeOf({ type: 'LineString', coordinates: line }, frame) ?? {};
    expect(isArea).toBe(false);
    expect(path.split('L').length).toBeLessThan(700);
    const points: Geometry = {
      type: 'MultiPoint',
      coordinates: [
        [121, 11],
        [0, 0],
      ],
    };
    expect(shapeOf(points, frame)?.points).toHaveLength(1);
  });
});

describe('room in a picture', () => {
  const frame = { box: [120, 10, 122, 12], width: 400, height: 300 } as const;
  const square = (left: number, top: number, right: number, bottom: number) => ({
    path: `M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`,
    isArea: true,
    points: [],
  });
  const overlaps = (a: Part, b: Part) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

  it('is found beside areas, lines and points, near a corner, and given once', () => {
    const shapes = [
      square(0, 0, 260, 300),
      { path: 'M380 0L380 300', isArea: false, points: [] },
      { path: '', isArea: false, points: [[320, 20]] as const },
    ];
    const room = roomBeside(shapes, frame);
    const found: Part[] = [];
    for (;;) {
      const at = room.find(60, 60);
      if (!at) break;
      found.push({ ...at, width: 60, height: 60 });
    }
    expect(found.length).toBeGreaterThan(2);
    expect(found[0]?.y).toBeGreaterThan(200);
    const [area, line] = [
      { x: 0, y: 0, width: 260, height: 300 },
      { x: 380, y: 0, width: 1, height: 300 },
    ];
    for (const [index, one] of found.entries()) {
      for (const other of [area, line, { x: 320, y: 20, width: 1, height: 1 }, ...found.slice(0, index)])
        expect([one, other, overlaps(one, other)]).toEqual([one, other, false]);
      expect([one.x >= 0, one.y >= 0, one.x + 60 <= 400, one.y + 60 <= 300]).toEqual([true, true, true, true]);
    }
  });

  it('is also in a hole, and nowhere where all is taken', () => {
    const { path } = square(100, 100, 300, 250);
    const ring = { path: `${square(0, 0, 400, 300).path}${path}`, isArea: true, points: [] };
    const at = roomBeside([ring], frame).find(80, 80);
    expect([at && at.x > 100 && at.x < 220, at && at.y > 100 && at.y < 170]).toEqual([true, true]);
    expect(roomBeside([ring], frame).find(200, 100)).toBeUndefined();
    expect(roomBeside([square(0, 0, 400, 300)], frame).find(6, 6)).toBeUndefined();
  });

  it('has a bar of scale of a round distance', () => {
    const { length, km } = scaleOf(frame, 130);
    // 2 degrees of latitude near 11° N are about 221.2 km, and 300 units high.
    expect(km).toBe(50);
    expect(length).toBeCloseTo((50 * 300) / 221.2, 0);
    for (const most of [0.5, 3, 40, 1000]) {
      const bar = scaleOf(frame, most);
      expect(bar.length).toBeLessThanOrEqual(most);
      expect(bar.length * 2.51).toBeGreaterThan(most);
    }
  });
});

describe('a printed map', () => {
  const HOSTILE = '</text><script>alert(1)</script>&\u0000\u202e"';
  const BOX = [120, 10, 122, 12] as const;
  const measure = (text: string, size: number) => text.length * size * 0.6;
  const colors = { sea: '#f7f8f8', land: '#e4e6e7', landEdge: '#cdc5b4', edge: '#98a1a6' };
  const PARTS: PictureParts = {
    ...{ title: '', subtitle: '', notes: '', source: '', credit: '' },
    ...{ legend: undefined, land: [], labelsAt: () => [], colors },
  };
  const lands = (...box: [number, number, number, number]): FeatureCollection => ({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: polygon(ring(...box)) }],
  });
  const legendOf = (words: string, count: number) => ({
    title: words,
    lines: Array.from({ length: count }, () => ({ label: words, color: '#2c7fb8', isHatched: false })),
  });
  /** Draws areas, the second of which is hatched. */
  const draw = (
    parts: Partial<PictureParts>,
    {
      areas = [polygon(ring(120.5, 10.5, 121.5, 11.5))],
      box = BOX as Box,
      size = 'landscape' as SheetName,
      onLabels = (_shown: number, _all: number): unknown => undefined,
    } = {},
  ) => {
    const shapesIn = async (frame: Frame) =>
      areas.flatMap((area, index) => {
        const shape = shapeOf(area, frame);
        return shape ? [{ ...shape, color: '#ffffcc', isHatched: index === 1, radius: 5 }] : [];
      });
    return pictureOf(
      { size: SHEET_SIZES[size], box, measure, shapesIn, onLabels: (shown, all) => void onLabels(shown, all) },
      { ...PARTS, ...parts },
    );
  };
  const elementsOf = (svg: string) => {
    const elements: { name: string; attributes: Record<string, string> }[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) =>
      elements.push({ name, attributes: attributes as Record<string, string> }),
    );
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(svg).close();
    return elements;
  };
  /** The texts of a picture, each with its lines in one. */
  const textsOf = (svg: string) =>
    [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, content = '']) =>
      content
        .replaceAll('</tspan>', ' ')
        .replaceAll(/<[^>]+>/g, '')
        .trim(),
    );
  const words = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => String(index).padEnd(length - 1, 'm')).join(' ');
  /** The part of the sheet that the map has. */
  const mapOf = (svg: string) => {
    const [, x, y] = /<g transform="translate\((\S+) (\S+)\)" clip-path/.exec(svg) ?? [];
    const [, width, height] = /<clipPath id="frame"><rect width="(\S+)" height="(\S+)"/.exec(svg) ?? [];
    return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
  };

  it('is well-formed, whatever its words are, and has none of their elements', async () => {
    const svg = await draw({
      ...{ title: HOSTILE, subtitle: HOSTILE, notes: HOSTILE, source: HOSTILE, credit: HOSTILE },
      ...{ legend: legendOf(HOSTILE, 1), land: [lands(119, 9, 123, 13)] },
      labelsAt: () => [{ text: HOSTILE, at: [121, 11] }],
    });
    const names = new Set(elementsOf(svg).map(({ name }) => name));
    expect([...names].sort()).toEqual([
      ...['clipPath', 'defs', 'g', 'path', 'pattern', 'rect', 'svg', 'text', 'title', 'tspan'],
    ]);
  });

  it('has the legend in empty sea, and else above the map, so that it covers no data', async () => {
    const legend = legendOf('Many', 5);
    const inSea = await draw({ legend });
    const map = mapOf(inSea);
    // The area is in the middle of the map, and the legend beside it.
    const patches = (svg: string) =>
      elementsOf(svg).filter(({ name, attributes }) => name === 'rect' && attributes.fill === '#2c7fb8');
    const frame = { box: [119.92, 9.92, 122.08, 12.08] as Box, width: map.width, height: map.height };
    const [[left], [right]] = [projectionOf(frame)([120.5, 11]), projectionOf(frame)([121.5, 11])];
    expect(patches(inSea)).toHaveLength(5);
    for (const { attributes } of patches(inSea)) {
      const [from, to] = [Number(attributes.x), Number(attributes.x) + 26 + measure('Many', 12.5)];
      expect([from, to <= left || from >= right]).toEqual([from, true]);
      expect(Number(attributes.y)).toBeLessThan(map.height);
    }
    const everywhere = await draw({ legend }, { areas: [polygon(ring(100, 0, 140, 30))] });
    const above = mapOf(everywhere);
    expect(above.y).toBeGreaterThan(map.y + 20);
    for (const { attributes } of patches(everywhere)) expect(Number(attributes.y)).toBeLessThan(above.y - 10);
  });

  it('says what the sizes of points stand for, also where nothing is coloured', async () => {
    const sizes = { title: 'depth', circles: [5, 9, 16].map((radius) => ({ label: `${radius} m`, radius })) };
    const everywhere = { areas: [polygon(ring(100, 0, 140, 30))] };
    for (const lines of [legendOf('Many', 2).lines, []])
      for (const svg of [
        await draw({ legend: { title: '', lines, sizes } }),
        await draw({ legend: { title: '', lines, sizes } }, everywhere),
      ]) {
        const texts = textsOf(svg).filter((text) => !text.endsWith('km') && text !== 'Many');
        expect(texts).toEqual(['depth', '5 m', '9 m', '16 m']);
        const circles = elementsOf(svg).filter(({ name }) => name === 'circle');
        expect(circles.map(({ attributes }) => attributes.r)).toEqual(['5', '9', '16']);
      }
  });

  it('has names that stand out on dark areas too, and says how many have room', async () => {
    const labels = [
      { text: 'Dark', at: [120.5, 10.5], ground: '#253494' },
      { text: 'Pale', at: [121.5, 11.5], ground: '#ffffcc' },
      { text: 'Covered', at: [121.5, 11.5], ground: '#ffffcc' },
      { text: 'Beside', at: [120.5, 11.5], isAround: true },
      { text: 'Elsewhere', at: [125, 11] },
    ] as const;
    const counted: number[][] = [];
    const svg = await draw(
      { labelsAt: () => labels, remark: 'Points are counted by coarse boundaries.' },
      { onLabels: (...counts) => counted.push(counts) },
    );
    const inkOf = (word: string) => {
      const [, markup = ''] = svg.match(new RegExp(`<text ([^>]*)>${word}<`)) ?? [];
      return ['fill', 'stroke'].map((name) => new RegExp(` ${name}="([^"]*)"`).exec(markup)?.[1]);
    };
    expect(inkOf('Dark')).toEqual(['#ffffff', '#253494']);
    expect(inkOf('Pale')).toEqual([undefined, '#ffffff']);
    expect(inkOf('Beside')[1]).toBe('#ffffff');
    expect(counted.at(-1)).toEqual([2, 3]);
    expect(textsOf(svg)).toContain('Points are counted by coarse boundaries.');
  });

  it('has a title that is that of its legend too only once', async () => {
    const titled = (title: string) => draw({ title, legend: { ...legendOf('Many', 2), title: 'Poverty' } });
    const legendIn = async (title: string) => textsOf(await titled(title)).filter((text) => !text.endsWith('km'));
    expect(await legendIn('Poverty')).toEqual(['Poverty', 'Many', 'Many']);
    expect(await legendIn('Poor provinces')).toEqual(['Poor provinces', 'Poverty', 'Many', 'Many']);
  });

  it('has the colours of the legend on the map, hatches what has no value, and draws edges that are seen', async () => {
    const areas = [polygon(ring(120.5, 10.5, 121, 11)), polygon(ring(121, 11, 121.5, 11.5))];
    const svg = await draw({ land: [lands(119, 9, 121, 11)] }, { areas });
    const drawn = elementsOf(svg).filter(
      ({ name, attributes }) => name === 'path' && attributes['stroke-width'] === '0.6',
    );
    expect(drawn.map(({ attributes }) => attributes.fill)).toEqual(['#ffffcc', 'url(#hatch)']);
    expect(drawn.map(({ attributes }) => attributes.stroke)).toEqual([colors.edge, colors.edge]);
  });

  it('has a name elsewhere in its area, or beside it over the sea, where another has its place', async () => {
    const at = [121, 11] as const;
    const cebu = { text: 'City of Cebu', at };
    const spot = (lon: number, lat: number, east: number) => ({ position: [lon, lat], side: [east, 0] as const });
    const placesOf = async (spots: ReturnType<typeof spot>[]) => {
      const svg = await draw({ labelsAt: () => [cebu, { text: 'City of Toledo', at, spots }] });
      const texts = [...svg.matchAll(/<text x="(\S+)" y="(\S+)"[^>]*middle"[^>]*>([^<]*)</g)];
      return texts.map(([, x, y, text]) => [text, Number(x), Number(y)] as const);
    };
    expect((await placesOf([])).map(([text]) => text)).toEqual(['City of Cebu']);
    const [first, second] = await placesOf([spot(120.8, 11, 0), spot(121, 10.7, 0)]);
    expect([second?.[0], second?.[1]]).toEqual(['City of Toledo', first?.[1]]);
    expect(second?.[2]).toBeGreaterThan((first?.[2] ?? 0) + 10);
    // The area reaches from 120.5 to 121.5. A name to the west of its middle would cover it.
    const beside = await placesOf([spot(121.2, 11.3, -1), spot(121.5, 11, 1)]);
    expect(beside[1]?.[1]).toBeGreaterThan(beside[0]?.[1] ?? 0);
    expect(beside[1]?.[2]).toBe(beside[0]?.[2]);
    expect(await placesOf([spot(121.2, 11.3, -1)])).toHaveLength(1);
  });

  it.each(['portrait', 'landscape', 'slide'] as const)(
    'of the country names every region, none over another: %s',
    async (size) => {
      const regions = NAMED_REGIONS.map(
        ([code, lon, lat, name], index): Feature => ({
          type: 'Feature',
          properties: { code, name, lon, lat },
          // What lies around its point is of no account here.
          geometry: polygon(ring(117 + index / 100, 5, 117.005 + index / 100, 5.005)),
        }),
      );
      const manila = { code: '1380600000', name: 'City of Manila', p_code: null };
      const capitals: Feature[] = [
        { type: 'Feature', properties: manila, geometry: { type: 'Point', coordinates: [120.98, 14.59] } },
        {
          type: 'Feature',
          properties: { ...manila, p_code: '1' },
          geometry: { type: 'Point', coordinates: [122, 17] },
        },
      ];
      const named = {
        naming: NAMING,
        regions: { type: 'FeatureCollection', features: regions } as const,
        capitals: { type: 'FeatureCollection', features: capitals } as const,
      };
      const svg = await draw({ named }, { size, areas: [], box: COUNTRY });
      const texts = [
        ...svg.matchAll(/<text font-size="(\S+)" font-weight="[56]00" text-anchor="middle"[^>]*>(.*?)<\/text>/g),
      ];
      // The capital of the country is named too, beside its dot, where there is room for both.
      const dots = elementsOf(svg).filter(({ name }) => name === 'circle').length;
      expect(texts).toHaveLength(regions.length + dots);
      expect(dots).toBe(size === 'landscape' ? 0 : 1);
      const boxes = texts.map(([, fontSize, spans = '']) => {
        const lines = [...spans.matchAll(/x="(\S+)" y="(\S+)">([^<]*)/g)];
        const half = Math.max(...lines.map(([, , , line = '']) => measure(line, Number(fontSize)))) / 2;
        const [x, ys] = [Number(lines[0]?.[1]), lines.map(([, , y]) => Number(y))];
        return {
          left: x - half,
          right: x + half,
          top: Math.min(...ys) - Number(fontSize) * 0.7,
          bottom: Math.max(...ys),
        };
      });
      for (const [index, one] of boxes.entries())
        for (const other of boxes.slice(index + 1))
          expect(
            one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
          ).toBe(true);
    },
  );

  it('has every word of the author and the credits on its page, none on another, with most of it left to the map', async () => {
    const parts = {
      ...{ title: words(12, 10), subtitle: words(20, 10) },
      ...{ notes: words(50, 10), source: words(20, 10), credit: words(30, 10) },
      legend: { ...legendOf(words(10, 6), 11), title: words(20, 12) },
    };
    for (const size of ['portrait', 'landscape', 'slide', 'screen'] as const) {
      const svg = await draw(parts, { size, areas: [polygon(ring(100, 0, 140, 30))] });
      const height = Number(elementsOf(svg)[0]?.attributes.height);
      const texts = textsOf(svg);
      for (const text of [parts.title, parts.subtitle, parts.notes, `Source: ${parts.source}`, parts.credit])
        expect([size, texts.includes(text)]).toEqual([size, true]);
      const lines = elementsOf(svg).filter(({ name }) => name === 'tspan');
      const heights = lines.map(({ attributes }) => Number(attributes.y));
      expect(Math.max(...heights)).toBeLessThanOrEqual(height - 30);
      const map = mapOf(svg);
      expect(map.height).toBeGreaterThan(0.3 * height);
      for (const y of heights) expect([y, y < map.y || y > map.y + map.height]).toEqual([y, true]);
    }
  });

  it('has of the words on the map that would cover one another only the first, and none that is cut', async () => {
    const labels = [
      { text: '1,234', at: [121, 11] },
      { text: '567', at: [121.02, 11.005] },
      { text: '89', at: [121.5, 11.5] },
      { text: 'A long name at the edge', at: [124, 11] },
    ] as const;
    const texts = textsOf(await draw({ labelsAt: () => labels }));
    expect(texts.filter((text) => text !== '' && !text.endsWith('km'))).toEqual(['1,234', '89']);
  });

  it.each(['portrait', 'landscape', 'slide', 'screen'] as const)(
    'has words on the map that can be read on an A4 page, however many words stand beside it: %s',
    async (size) => {
      const labelsAt = () => [{ text: 'Cebu', at: [121, 11] }] as const;
      for (const notes of ['', words(300, 10)]) {
        const svg = await draw({ labelsAt, notes, title: words(12, 10) }, { size });
        const [, units] = /<text [^>]*font-size="([\d.]+)"[^>]*paint-order[^>]*>Cebu</.exec(svg) ?? [];
        const onPage = 595 / Number(elementsOf(svg)[0]?.attributes.width);
        expect([notes.length, Number(units) * onPage > 6]).toEqual([notes.length, true]);
      }
    },
  );

  it('says how long a distance is, and where in the country a small part of it lies', async () => {
    const country = lands(117, 5, 119.9, 9.9);
    const svg = await draw({ land: [country] });
    expect(textsOf(svg).filter((text) => text.endsWith(' km'))).toEqual(['20 km']);
    const marks = (svg: string) => elementsOf(svg).filter(({ attributes }) => attributes.stroke === '#a8321f');
    expect(marks(svg)).toHaveLength(1);
    expect(marks(await draw({ land: [country] }, { box: [117, 4, 127, 21] }))).toEqual([]);
    // Where land is all around, it stands on land that the picture is not of.
    const inland = (areas: Geometry[]) => draw({ land: [lands(110, 0, 130, 25)] }, { areas });
    expect(marks(await inland([polygon(ring(120.8, 10.8, 121.2, 11.2))]))).toHaveLength(1);
    expect(marks(await inland([polygon(ring(119, 9, 123, 13))]))).toEqual([]);
  });

  it('has the borders of the areas around, which leave no hole in the land whichever way their rings run', async () => {
    const geometry = polygon(ring(121.6, 10, 123, 12).toReversed());
    const around = [{ type: 'Feature' as const, properties: {}, geometry }];
    const svg = await draw({ land: [lands(110, 0, 130, 25)], around });
    const grounds = elementsOf(svg).filter(({ attributes }) => attributes.fill === colors.land);
    expect(grounds.map(({ attributes }) => attributes.d?.split('M').length)).toEqual([2, 2]);
  });

  it('has the size that was chosen, and that of the map on the screen', async () => {
    const sizeOf = async (size: SheetName, box: Box = BOX) => {
      const { width, height } = elementsOf(await draw({}, { size, box }))[0]?.attributes ?? {};
      return [Number(width), Number(height)];
    };
    expect(await sizeOf('portrait')).toEqual([794, 1123]);
    expect(await sizeOf('landscape')).toEqual([1123, 794]);
    expect(await sizeOf('slide')).toEqual([1280, 720]);
    const [wide = 0, low = 0] = await sizeOf('screen', [117, 10, 127, 14]);
    expect(wide / low).toBeGreaterThan(1.8);
    expect([paperFor([117, 4, 127, 21]), paperFor([117, 10, 127, 14])]).toEqual(['portrait', 'landscape']);
  });

  it.each(Object.keys(SHEET_SIZES) as SheetName[])('shows what lies just beside its box, %s', async (size) => {
    const beside = polygon(ring(122.01, 10.5, 122.03, 11.5));
    const svg = await draw({ legend: undefined }, { size, areas: [beside] });
    const path = elementsOf(svg).find(({ attributes }) => attributes.fill === '#ffffcc')?.attributes.d ?? '';
    const right = Math.max(...[...path.matchAll(/[ML]([\d.-]+) /g)].map(([, at]) => Number(at)));
    expect(right).toBeGreaterThan(0);
    expect(right).toBeLessThan(mapOf(svg).width);
  });

  it('has its words in lines of a width, and parts only words that are longer', () => {
    const by = (text: string) => text.length;
    expect(wrapped('one two three', 7, by)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij k', 4, by)).toEqual(['abcd', 'efgh', 'ij k']);
    expect(wrapped('  ', 4, by)).toEqual([]);
  });
});

describe('points by area', () => {
  const at = (lon: number, lat: number): Geometry => ({ type: 'Point', coordinates: [lon, lat] });
  const areas = [
    polygon(ring(120, 10, 121, 11), ring(120.4, 10.4, 120.6, 10.6)),
    { type: 'MultiPolygon', coordinates: [[ring(121, 10, 122, 11)], [ring(125, 5, 126, 6)]] } satisfies Geometry,
    null,
  ];

  it('are counted where they lie, once on a border, and near a coarse coast for the nearest', () => {
    const points = [
      at(120.2, 10.2),
      at(121.5, 10.5),
      at(125.5, 5.5),
      at(121, 10.5),
      at(119.995, 10.5),
      at(122.004, 10.5),
    ];
    const { counts, outside } = countPoints(points, areas);
    expect([counts, outside]).toEqual([[2, 4, 0], 0]);
  });

  it('are outside in a hole, far from all, and nowhere where they are no points', () => {
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [120.2, 10.2],
        [120.3, 10.2],
      ],
    };
    const points = [at(120.5, 10.5), at(119.99, 10.5), at(0, 0), line, null];
    expect(countPoints(points, areas)).toEqual({ counts: [0, 0, 0], outside: 3 });
  });
});
