import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geojsonOf, readInChunks, readUntilRefused } from '../read.ts';

const point = { type: 'Point', coordinates: [121, 14] };
const feature = (members: object = {}) => ({ type: 'Feature', geometry: point, properties: null, ...members });
const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });

const GOOD = [
  JSON.stringify(
    {
      type: 'FeatureCollection',
      name: 'x "features": [',
      crs: null,
      bbox: [1, 2, 3, 4],
      features: [
        feature({ id: 7, properties: { a: '}"],{[\\', 'Ñ🇵🇭': ['é', { b: [[]] }] } }),
        feature({
          id: 'é',
          geometry: {
            type: 'LineString',
            coordinates: [
              [1, 2],
              [3, 4],
            ],
            bbox: [1, 2, 3, 4],
          },
        }),
        feature({ geometry: null, properties: {} }),
      ],
      more: { features: [1, 2] },
    },
    null,
    2,
  ),
  `\ufeff \n{"features" : [ ${JSON.stringify(feature())} , ${JSON.stringify(feature({ id: 1 }))}\t] ,"type":"FeatureCollection"}\r\n`,
  collection(),
  JSON.stringify(feature({ properties: { features: [1] } })),
  JSON.stringify({ type: 'GeometryCollection', geometries: [point, { type: 'MultiPoint', coordinates: [[1, 2]] }] }),
];

describe('GeoJSON that arrives in chunks', () => {
  it.each(GOOD.map((text, i) => [i, text]))('is read as JSON.parse reads it (%i)', (_, text) => {
    const value = JSON.parse(String(text).replace('\ufeff', ''));
    const features = value.features ?? [value.type === 'Feature' ? value : feature({ geometry: value })];
    const expected = features.map(
      ({ type: _, geometry, ...others }: { type: string; geometry: { bbox?: unknown } }) => {
        const { bbox: __, ...bare } = geometry ?? {};
        return { ...others, geometry: geometry && bare };
      },
    );
    expect(geojsonOf(readInChunks('a.geojson', String(text)))).toEqual(expected);
  });

  it('is read the same however it is cut', () => {
    for (const [name, texts] of [
      ['a.geojson', GOOD],
      [
        'a.ndjson',
        [`${JSON.stringify(feature({ properties: { a: 'ñ"{' } }))}\n\r\n\u001e${JSON.stringify(feature())}`],
      ],
    ] as const) {
      for (const text of texts) {
        const bytes = new TextEncoder().encode(text);
        const whole = readInChunks(name, bytes);
        for (let cut = 1; cut < bytes.length; cut += 1) expect(readInChunks(name, bytes, [cut])).toEqual(whole);
        fc.assert(
          fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
            expect(readInChunks(name, bytes, cuts)).toEqual(whole);
          }),
          { numRuns: 100 },
        );
        const every = Array.from({ length: bytes.length }, (_, i) => i);
        expect(readInChunks(name, bytes, every)).toEqual(whole);
      }
    }
  });

  it('of any JSON is either read as it is or refused, however it is cut', () => {
    const outcome = (bytes: Uint8Array, cuts: number[]) => {
      try {
        return geojsonOf(readInChunks('a.geojson', bytes, cuts));
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(200), { maxLength: 10 }), (json, cuts) => {
        const bytes = new TextEncoder().encode(
          `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{"a":${json}}}]}`,
        );
        const read = outcome(bytes, cuts);
        expect(read).toEqual(outcome(bytes, []));
        if (typeof read !== 'string') expect(read[0]?.properties).toEqual({ a: JSON.parse(json) });
      }),
    );
  });

  it('is refused or read, never anything else, when bytes of it change', () => {
    const bytes = new TextEncoder().encode(GOOD[0]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = bytes.slice();
        changed[at] = byte;
        try {
          readInChunks('a.geojson', changed, [at]);
        } catch (error) {
          expect(['FileFault', 'GeometryFault']).toContain((error as Error).name);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it('keeps properties under names with escapes as written', () => {
  const properties = '{"big":12345678901234567890,"a":"a\\"a\\":","huge":1e308,"b":{"a":"\\\\"}}';
  const text = `{"type":"Feature","n\\u0061me":1,"geometry":null,"prop\\u0065rties":${properties}}`;
  expect(readInChunks('a.geojson', text)[0]?.properties).toBe(properties);
});

it.each<[string, string, string | undefined]>([
  ['a Feature', '{"type":"Feature","geometry":null,"properties":{"ñ":tru}}', 'byte 53'],
  ['a geometry', '{"type":"Point",\n "coordinates":[1,2,]}', 'byte 37'],
  ['a collection', '{"type":"FeatureCollection","name":Ñ,"features":[]}', 'byte 35'],
  ['a feature of one', '{"features":[{"type":"Feature","geometry":null,"properties":{"a":01}}]}', 'byte 66'],
  ['a Feature whose properties are a list', '{"type":"Feature","geometry":null,"properties":[]}', 'from byte 0'],
  ['a geometry behind blank lines', '\n\n\n{"type":"Point","coordinates":[1,]}', 'byte 36'],
  ['a collection, behind its features', `{"features":[${JSON.stringify(feature({}))}],"name":tru}`, 'byte 109'],
  ['a crs before the features', ' {"crs":{"type":name},"features":[]}', 'byte 16'],
  ['a collection that is too deep', ` {"name":${'['.repeat(65)}`, 'from byte 1'],
])('says the byte of a fault in %s, wherever chunks end', (_, text, location) => {
  expect(readUntilRefused('a.geojson', [text]).location).toBe(location);
  expect(readUntilRefused('a.geojson', text).location).toBe(location);
});

it('has null for properties that are left out', () => {
  const bare = { type: 'Feature', geometry: point };
  for (const text of [JSON.stringify(bare), collection(bare)]) {
    const [read] = readInChunks('a.geojson', text);
    expect(read).toMatchObject({ properties: 'null', names: [] });
  }
});

it('has no geometry without coordinates, alone and in a collection (RFC 7946, 3.1)', () => {
  const empty = { type: 'Polygon', coordinates: [] };
  const both = { type: 'GeometryCollection', geometries: [empty, point] };
  const geometries = (text: string) => geojsonOf(readInChunks('a.geojson', text)).map(({ geometry }) => geometry);
  expect(geometries(JSON.stringify(empty))).toEqual([null]);
  expect(geometries(collection(feature({ geometry: empty }), feature({ geometry: both })))).toEqual([
    null,
    { type: 'GeometryCollection', geometries: [point] },
  ]);
});

it('leaves out empty parts as WKT does, and keeps collections without parts', () => {
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const written = (type: string, coordinates: unknown) =>
    collection(feature({ geometry: { type, coordinates } }), feature({ geometry: point }));
  for (const [type, coordinates, left] of [
    ['MultiPoint', [[], [1, 2]], [[1, 2]]],
    ['MultiLineString', [[], ring], [ring]],
    ['Polygon', [ring, [], ring], [ring, ring]],
    ['MultiPolygon', [[], [ring, []], [[], ring]], [[ring]]],
  ] as const) {
    const [first] = geojsonOf(readInChunks('a.geojson', written(type, coordinates)));
    expect(first?.geometry).toEqual({ type, coordinates: left });
  }
  const none = { type: 'GeometryCollection', geometries: [] };
  const geometries = [{ type: 'Point', coordinates: [] }];
  for (const [name, text] of [
    ['a.geojson', collection(feature({ geometry: none }), feature({ geometry: { ...none, geometries } }))],
    ['a.csv', 'wkt\nGEOMETRYCOLLECTION EMPTY\nGEOMETRYCOLLECTION (POINT EMPTY)\n'],
  ] as const) {
    expect(geojsonOf(readInChunks(name, text)).map(({ geometry }) => geometry)).toEqual([none, none]);
  }
});

it('has positions on the edge of the world where rounding has led them beyond', () => {
  const moved = '{"type":"LineString","coordinates":[[120.10,14],[-180.00001,90.000001]]}';
  const text = `{"type":"Feature","properties":null,"geometry":${moved}}`;
  expect(readInChunks('a.ndjson', text)[0]?.geometry).toBe(
    '{"type":"LineString","coordinates":[[120.1,14],[-180,90]]}',
  );
});

describe('what is refused', () => {
  const f = JSON.stringify(feature());
  it.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /is empty/],
    ['white space', ' \n', /white space/],
    ['an array', `[${f}]`, /does not begin/],
    ['text', 'hello', /does not begin/],
    ['a PNG', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), /does not begin/],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0), /does not begin/],
    ['an empty object', '{}', /must be a GeoJSON Feature/],
    ['a cut collection', collection(feature()).slice(0, -1), /cut off.*after 1 features/],
    ['a cut feature', collection(feature()).slice(0, -20), /cut off/],
    ['something behind', `${collection()}x`, /goes on behind/],
    ['two collections', collection() + collection(), /goes on behind/],
    ['a comma too many', `{"type":"FeatureCollection","features":[${f},]}`, /must be an object/],
    ['a comma at the beginning', `{"type":"FeatureCollection","features":[,${f}]}`, /must be an object/],
    ['no comma', `{"type":"FeatureCollection","features":[${f}${f}]}`, /comma/],
    ['a feature that is null', collection(null), /must be an object/],
    ['a feature that is an array', collection([]), /must be an object/],
    ['features that are an object', '{"type":"FeatureCollection","features":{}}', /as an array/],
    ['features twice', `{"type":"FeatureCollection","features":[],"features":[${f}]}`, /more than once/],
    [
      'features twice, once as null',
      `{"type":"FeatureCollection","features":[${f}],"features":null}`,
      /once, as an array/,
    ],
    ['features with an escape', `{"type":"FeatureCollection","f\\u0065atures":[${f}]}`, /./],
    ['no type', `{"features":[${f}]}`, /FeatureCollection/],
    ['another type', `{"type":"Topology","features":[${f}]}`, /FeatureCollection/],
    ['TopoJSON', '{"type":"Topology","objects":{}}', /Topology/],
    ['JavaScript', "{type:'FeatureCollection',features:[]}", /no valid JSON|must be/],
    ['a comment', `{"type":"FeatureCollection",/* x */"features":[]}`, /no valid JSON/],
    ['NaN', '{"type":"Point","coordinates":[NaN,1]}', /no valid JSON/],
    [
      'a crs',
      `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32651"}},"features":[]}`,
      /srid=32651/,
    ],
    [
      'a crs before coordinates in it',
      `{"type":"FeatureCollection","name":"x","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"features":[${JSON.stringify(feature({ geometry: { type: 'Point', coordinates: [13467850, 1640000] } }))}]}`,
      /^crs: is not WGS 84.*srid=3857/,
    ],
    [
      'a crs that is no JSON',
      `{"type":"FeatureCollection","crs":{"type":name},"features":[${f}]}`,
      /the collection: is no valid JSON/,
    ],
    [
      'a crs on a feature',
      collection(feature({ crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::32651' } } })),
      /features\[0\].*srid=32651/,
    ],
    ['a geometry among the features', collection(point), /features\[0\]: must be a GeoJSON Feature \(its type/],
    [
      'geometries twice',
      '{"type":"GeometryCollection","geometries":[],"geometries":[{"type":"Point","coordinates":[1,2]}]}',
      /two members of the same name/,
    ],
    [
      'coordinates twice, once with an escape',
      '{"type":"Point","coordinates":[1,2],"coordin\\u0061tes":[3,4]}',
      /two members|more than once/,
    ],
    [
      'coordinates twice in a feature, once with an escape',
      collection().replace(
        '[]',
        '[{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2],"coordin\\u0061tes":[3,4]}}]',
      ),
      /two members/,
    ],
    [
      'a property twice',
      collection(feature()).replace('null', '{"a":"\\\\","b":{"c":"\\"c\\":","c":[]}}'),
      /two members/,
    ],
    [
      'properties twice, once with an escape',
      '{"type":"Feature","geometry":null,"properties":{},"prop\\u0065rties":{}}',
      /more than once/,
    ],
    [
      'features twice, once with an escape',
      `{"type":"FeatureCollection","features":[${f}],"f\\u0065atures":[]}`,
      /once, as an array/,
    ],
    ['a number without an end', collection(feature()).replace('null', '{"a":[{"b":-1e400}]}'), /beyond 1\.797/],
    [
      'a number of very many digits',
      collection(feature()).replace('null', `{"a":${'9'.repeat(400)}}`),
      /properties must not have numbers beyond/,
    ],
    ['an id without an end', collection(feature({ id: 7 })).replace('7', '1e400'), /id must not be beyond 1\.797/],
    ['an endless name', collection(feature({ properties: { ['x'.repeat(257)]: 1 } })), /names of at most 256/],
    ['too many objects', `{"a":[${'{},'.repeat(200_000)}`, /100000 objects/],
    ['too many strings', `{"a":[${'"",'.repeat(600_000)}`, /500000 strings/],
    ['a box of a collection that is none', collection().replace('[]', '[],"bbox":[1,2,3]'), /must be a box/],
    [
      'a box of a feature beyond the world',
      collection(feature({ bbox: [500, -200, 600, 300] })),
      /must be a longitude from -180 to 180 .got 500/,
    ],
    [
      'a box of a collection beyond the world',
      collection().replace('[]', '[],"bbox":[0,0,9,91]'),
      /must be a latitude from -90 to 90 .got 91/,
    ],
    ['a box of a feature that is none', collection(feature({ bbox: [1, 4, 3, 2] })), /must be a box.*got an array/],
    ['a box of a geometry that is none', collection(feature({ geometry: { ...point, bbox: 'x' } })), /must be a box/],
    ['a crs without a name', `{"type":"FeatureCollection","crs":{"type":"link"},"features":[]}`, /srid/],
    ['a member twice', `{"type":"Feature","geometry":null,"properties":null,"geometry":null}`, /more than once/],
    ['type missing', collection({ geometry: null, properties: null }), /its type is none/],
    ['geometry missing', collection({ type: 'Feature', properties: null }), /must be there/],
    ['properties that are an array', collection(feature({ properties: [] })), /must be an object or null/],
    ['an id that is an object', collection(feature({ id: {} })), /string or a number/],
    ['an id that is endless', collection(feature({ id: 'x'.repeat(2000) })), /at most 1024/],
    ['NUL', collection(feature({ properties: { a: '\0' } })), /U\+0000/],
    ['a raw NUL', collection(feature({ properties: { a: 'x' } })).replace('"x"', '"\0"'), /no valid JSON/],
    ['a lone surrogate', collection(feature({ properties: { a: '\ud800' } })), /lone surrogates/],
    ['a lone surrogate as a name', collection(feature({ properties: { '\udfff': 1 } })), /lone surrogates/],
    ['a lone surrogate as an id', collection(feature({ id: '\ud800' })), /lone surrogates/],
    ['bytes that are no UTF-8', bytesWith(collection(feature({ properties: { a: 'x' } })), 0xff), /not UTF-8/],
    ['Latin-1', bytesWith(collection(feature({ properties: { a: 'x' } })), 0xf1), /not UTF-8/],
    [
      'a feature collection in a feature',
      collection(JSON.parse(collection(feature()))),
      /its type is "FeatureCollection"/,
    ],
    ['deep nesting', `{"type":"Feature","geometry":null,"properties":${'['.repeat(200_000)}`, /deeper than 64/],
    ['deep nesting outside', '['.repeat(1000), /does not begin/],
    ['deep nesting beside', `{"x":${'{"a":'.repeat(200_000)}`, /deeper than 64/],
    ['a huge feature', `{"type":"FeatureCollection","features":[{"a":"${'x'.repeat(9_000_000)}`, /larger than/],
    ['a huge member', `{"a":"${'x'.repeat(9_000_000)}`, /larger than/],
    [
      'endless positions',
      `{"type":"FeatureCollection","features":[{"geometry":[${'[0,0],'.repeat(1_200_000)}`,
      /positions|larger/,
    ],
    ['members without end', `{${'"type":"Feature",'.repeat(100)}"id":1}`, /same name/],
  ])('%s', (_, content, message) => {
    const chunks = Array.from({ length: 200 }, (_, i) => i * 65_536);
    expect(() => readInChunks('a.geojson', content, chunks)).toThrow(message);
  });

  it.each<[string, RegExp]>([
    ['', /is empty/],
    [`${f}\n{"type":"Feature"`, /cut off/],
    [`${f}\nnull`, /begins with/],
    [`[${f}]`, /begins with/],
    [`${f},\n${f}`, /begins with/],
    [`${f}\n${f.replace('"Point"', '"Dot"')}`, /must be one of/],
  ])('lines: %j', (content, message) => {
    expect(() => readInChunks('a.ndjson', content)).toThrow(message);
  });

  it('is reported with the line', () => {
    const wrong = `${f}\n\n${f}\n{"type":"Feature","geometry":{},"properties":{}}\n`;
    expect(() => readInChunks('a.ndjson', wrong)).toThrow(/line 4/);
    try {
      readInChunks('a.ndjson', `${f}\nx`);
    } catch (error) {
      expect((error as { location?: string }).location).toBe('line 2');
    }
  });

  it.each([
    ['a geometry that is none', JSON.stringify({ type: 'Feature', geometry: {}, properties: {} }, null, 2)],
    ['a member that is there twice', '{\n"type":\n"Feature",\n"type":\n"Feature"}'],
    ['an end that is missing', '{\n"type":\n"Feature"'],
  ])('is reported with the line where its feature begins, wherever chunks end: %s', (_, wrong) => {
    const content = `${f}\n${wrong}`;
    for (let cut = f.length; cut < content.length; cut += 1) {
      const refused = readUntilRefused('a.ndjson', [content.slice(0, cut), content.slice(cut)]);
      expect(JSON.stringify(refused)).toContain('line 2');
    }
  });
});

function bytesWith(text: string, byte: number): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  bytes[bytes.indexOf('x'.charCodeAt(0))] = byte;
  return bytes;
}
