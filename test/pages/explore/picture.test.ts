import type { FeatureCollection, Geometry, Position } from 'geojson';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { areaOf } from '../../../pages/explore/own/area.ts';
import { countPoints } from '../../../pages/explore/own/count-points.ts';
import { insideOf } from '../../../pages/explore/own/inside.ts';
import { projectionOf, shapeOf } from '../../../pages/explore/own/paths.ts';
import { pictureOf, sheetFor, wrapped } from '../../../pages/explore/picture/picture.ts';

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

describe('a printed map', () => {
  const HOSTILE = '</text><script>alert(1)</script>&\u0000\u202e"';
  const land: FeatureCollection = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: polygon(ring(119, 9, 123, 13)) }],
  };
  const measure = (text: string, size: number) => text.length * size * 0.6;
  const colors = { sea: '#f7f8f8', land: '#e4e6e7', landEdge: '#cdc5b4', edge: '#98a1a6' };
  const pictureWith = (words: string, lines = 1) => {
    const sheet = sheetFor([120, 10, 122, 12]);
    const shape = shapeOf(polygon(ring(120.5, 10.5, 121.5, 11.5)), sheet.frame);
    if (!shape) throw new Error('There is no shape.');
    const shapes = [
      { ...shape, color: '#2c7fb8', isHatched: false, radius: 5 },
      { ...shape, color: '#d3d6d8', isHatched: true, radius: 5 },
    ];
    const legend = {
      title: words,
      lines: Array.from({ length: lines }, () => ({ label: words, color: '#2c7fb8', isHatched: false })),
    };
    return pictureOf(
      { sheet, shapes, measure },
      {
        title: words,
        legend,
        notes: words,
        source: words,
        credit: words,
        land: [land],
        labels: [{ text: words, at: [121, 11] }],
        colors,
      },
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

  it('is well-formed, whatever its words are, and has none of their elements', () => {
    const names = new Set(elementsOf(pictureWith(HOSTILE)).map(({ name }) => name));
    expect([...names].sort()).toEqual([
      ...['clipPath', 'defs', 'g', 'path', 'pattern', 'rect', 'svg', 'text', 'title', 'tspan'],
    ]);
  });

  it('has the colours of the legend on the map, hatches what has no value, and covers no data with words', () => {
    const elements = elementsOf(pictureWith('A long word of the author that needs several lines in its column', 12));
    const fills = elements.filter(({ name }) => name === 'path').map(({ attributes }) => attributes.fill);
    expect(fills).toEqual(['#e4e6e7', '#2c7fb8', 'url(#hatch)']);
    const { frame, width } = sheetFor([120, 10, 122, 12]);
    const clip = elements.find(({ name, attributes }) => name === 'rect' && attributes.width === String(frame.width));
    expect(clip?.attributes.height).toBe(String(frame.height));
    const words = elements.filter(({ name }) => name === 'tspan');
    const beside = words.filter(({ attributes }) => Number(attributes.x) >= 36 + frame.width);
    // All but the title stand in the column beside the map.
    expect(words.length - beside.length).toBe(1);
    expect(Number(words[0]?.attributes.y)).toBeLessThan(76);
    for (const { attributes } of beside) expect(Number(attributes.x)).toBeLessThan(width);
  });

  it('has the credits, and every word of the author, on its page however long they are', () => {
    const words = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => String(index).padEnd(length - 1, 'm')).join(' ');
    const legend = {
      title: words(20, 12),
      lines: Array.from({ length: 11 }, () => ({ label: words(10, 6), color: '#2c7fb8', isHatched: false })),
    };
    const [notes, source, credit] = [words(50, 10), words(20, 10), words(30, 10)];
    for (const box of [
      [120, 10, 122, 12],
      [117, 4, 127, 21],
    ] as const) {
      const sheet = sheetFor(box);
      const parts = { title: words(12, 10), legend, notes, source, credit, land: [], labels: [], colors };
      const elements = elementsOf(pictureOf({ sheet, shapes: [], measure }, parts));
      const column = elements.filter(
        ({ name, attributes }) => name === 'tspan' && Number(attributes.x) >= 36 + sheet.frame.width,
      );
      const heights = column.map(({ attributes }) => Number(attributes.y));
      expect(Math.max(...heights)).toBeLessThanOrEqual(sheet.height - 36);
      // None stands on another.
      expect(heights).toEqual([...heights].sort((a, b) => a - b));
      const texts = textsOf(pictureOf({ sheet, shapes: [], measure }, parts));
      for (const text of [parts.title, notes, `Source: ${source}`, credit]) expect(texts).toContain(text);
      // What has no room at all ends with a sign.
      expect(texts.some((text) => text.startsWith('0m') && text.endsWith('…'))).toBe(true);
    }
  });

  it('has of the words on the map that would cover one another only the first', () => {
    const sheet = sheetFor([120, 10, 122, 12]);
    const labels = [
      { text: '1,234', at: [121, 11] },
      { text: '567', at: [121.02, 11.005] },
      { text: '89', at: [121.5, 11.5] },
    ] as const;
    const parts = { title: '', legend: undefined, notes: '', source: '', credit: '', land: [], labels, colors };
    const texts = textsOf(pictureOf({ sheet, shapes: [], measure }, parts));
    expect(texts.filter((text) => text !== '')).toEqual(['1,234', '89']);
  });

  it('has all of the width without a legend, with the credit below, and edges that are seen beside pale areas', () => {
    const sheet = sheetFor([117, 4, 127, 21], { hasLegend: false });
    expect(sheet.frame.width).toBe(sheet.width - 72);
    const shape = shapeOf(polygon(ring(120, 10, 121, 11)), sheet.frame);
    if (!shape) throw new Error('There is no shape.');
    const parts = {
      title: '',
      legend: undefined,
      notes: '',
      source: '',
      credit: 'The authority',
      land: [],
      labels: [],
    };
    const shapes = [{ ...shape, color: '#ffffcc', isHatched: false, radius: 0 }];
    const elements = elementsOf(pictureOf({ sheet, shapes, measure }, { ...parts, colors }));
    const area = elements.find(({ attributes }) => attributes.fill === '#ffffcc');
    expect(area?.attributes.stroke).toBe(colors.edge);
    const credit = elements.findLast(({ name }) => name === 'tspan');
    const bottom = sheet.height - 36;
    expect([credit?.attributes.x, Number(credit?.attributes.y)]).toEqual(['36', bottom]);
    // The map ends above two lines of it.
    expect(58 + 18 + sheet.frame.height).toBeLessThan(bottom - 20);
  });

  it('stands upright where its part of the world is high', () => {
    expect(sheetFor([117, 4, 127, 21])).toMatchObject({ width: 794, height: 1123 });
    expect(sheetFor([117, 10, 127, 14])).toMatchObject({ width: 1123, height: 794 });
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
      at(119.97, 10.5),
      at(122.02, 10.5),
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
    const points = [at(120.5, 10.5), at(119.9, 10.5), at(0, 0), line, null];
    expect(countPoints(points, areas)).toEqual({ counts: [0, 0, 0], outside: 3 });
  });
});
