import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../../../src/bytes.ts';
import { triangle } from '../../../support/geometries.ts';
import { geojsonOf, readInChunks } from '../read.ts';

const rows = (text: string | Uint8Array, cuts: number[] = []) => geojsonOf(readInChunks('a.csv', text, cuts));
const point = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] });

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Characters of Windows-1252 that are others in Unicode. */
const WINDOWS = new Map([...'“”–€'].map((char, i) => [char, [0x93, 0x94, 0x96, 0x80][i] as number]));

function utf16(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i += 1) view.setUint16(2 * i, text.charCodeAt(i), isLittle);
  return new Uint8Array(view.buffer);
}

describe('CSV', () => {
  it('has a feature in each record, every value as it is written', () => {
    const text = '\ufeffcode,name,Lat,LON\r\n0702200000,"Cebu ""Sugbo"", C.",10.3,123.9\r\n\r\n1,"two\r\nlines",,\r\n';
    expect(rows(text)).toEqual([
      {
        geometry: point(123.9, 10.3),
        properties: { code: '0702200000', name: 'Cebu "Sugbo", C.', Lat: '10.3', LON: '123.9' },
      },
      { geometry: null, properties: { code: '1', name: 'two\r\nlines', Lat: null, LON: null } },
    ]);
  });

  it.each([
    'a;lat;lon\nx;1,5;2',
    'a\tlat\tlon\nx\t1.5\t2',
    'a|lat|lon\nx|1.5|2',
    'a,Latitud,Longhitud\nx,1.5,2',
    '"a;,b";lat;lon\n x;1.5;2',
  ])('separates by what its first line has: %j', (text) => {
    expect(rows(text)[0]?.geometry).toEqual(point(2, 1.5));
  });

  it('may have its geometry as WKT', () => {
    const text = [
      'id,wkt',
      '1,POINT(1 2)',
      '2,"SRID=4326;MULTIPOINT ((1 2), (3 4))"',
      '3,"multipoint z (1 2 3, 4 5 6)"',
      '4,"POLYGON ((0 0, 1 0, 1 1, 0 0), (0 0, 1e0 0, 1 1, 0 0))"',
      '5,POINT EMPTY',
      '6,"GEOMETRYCOLLECTION (POINT M (1 2 9), LINESTRING M (1 2 4, 5 6 8))"',
      '7,',
    ].join('\n');
    expect(rows(text).map(({ geometry }) => geometry)).toEqual([
      point(1, 2),
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      triangle(1),
      null,
      {
        type: 'GeometryCollection',
        geometries: [
          point(1, 2),
          {
            type: 'LineString',
            coordinates: [
              [1, 2],
              [5, 6],
            ],
          },
        ],
      },
      null,
    ]);
  });

  it('may have WKT with empty parts, and of the reference system that is expected', () => {
    const geometries = (lines: string[], srid = 4326) =>
      geojsonOf(readInChunks('a.csv', `wkt\n${lines.map((line) => `"${line}"\n`).join('')}`, [], srid)).map(
        ({ geometry }) => geometry,
      );
    const line = [
      [1, 2],
      [3, 4],
    ];
    expect(
      geometries([
        'MULTIPOINT (EMPTY, 1 2, (3 4), EMPTY)',
        'multilinestring z(empty,(1 2 5,3 4 6))',
        'POLYGON ((0 0, 1 0, 1 1, 0 0), EMPTY, (0 0, 1 0, 1 1, 0 0))',
        'MULTIPOLYGON (EMPTY, ((0 0, 1 0, 1 1, 0 0)), (EMPTY))',
        'MULTIPOLYGON ((EMPTY, (5 5, 6 5, 6 6, 5 5)), ((0 0, 1 0, 1 1, 0 0), EMPTY))',
        'GEOMETRYCOLLECTION (POINT Z EMPTY, LINESTRING EMPTY, POINT (1 2), MULTIPOINT (EMPTY))',
        'MULTIPOLYGON (EMPTY, (EMPTY))',
        'POLYGON (EMPTY)',
        'POLYGON (EMPTY, (0 0, 1 0, 1 1, 0 0))',
        'POINTZM EMPTY',
        'POLYGON Z EMPTY',
      ]),
    ).toEqual([
      { type: 'MultiPoint', coordinates: line },
      { type: 'MultiLineString', coordinates: [line.map(([x, y], i) => [x, y, i + 5])] },
      triangle(1),
      { type: 'MultiPolygon', coordinates: [triangle(1).coordinates.slice(0, 1)] },
      { type: 'MultiPolygon', coordinates: [triangle(1).coordinates.slice(0, 1)] },
      { type: 'GeometryCollection', geometries: [point(1, 2)] },
      ...Array(5).fill(null),
    ]);
    expect(geometries(['SRID=32651;POINT (500000 1600000)', 'srid = 0; POINT (5 6)', 'POINT (7 8)'], 32651)).toEqual([
      point(500_000, 1_600_000),
      point(5, 6),
      point(7, 8),
    ]);
    for (const [text, srid, message] of [
      ['SRID=32651;POINT (500000 1600000)', 4326, /system 4326 \(got SRID=32651\): send srid=32651 .*\(line 2\)/],
      ['SRID=4326;POINT (121 14)', 32651, /system 32651 \(got SRID=4326\): send srid=4326 with a file/],
    ] as const) {
      expect(() => geometries([text], srid)).toThrow(message);
    }
  });

  it('is on the edge of the world where rounding has led it beyond', () => {
    expect(rows('lat,lon\n-90.00001,180.00001').map(({ geometry }) => geometry)).toEqual([point(180, -90)]);
    const wkt = geojsonOf(readInChunks('a.csv', 'wkt\n"POINT (20037508.3428 5)"', [], 3857));
    expect(wkt[0]?.geometry).toEqual(point(20037508.342789244, 5));
  });

  it('has longitudes and latitudes as properties beside WKT, however many', () => {
    const [row] = geojsonOf(readInChunks('a.csv', 'lat,latitude,wkt\n1,2,POINT (3 4)'));
    expect(row).toMatchObject({ geometry: point(3, 4), properties: { lat: '1', latitude: '2' } });
  });

  it('is read the same however it is cut', () => {
    const text = '"na""me",lat,lon\r\n"ñ,\r\n""x""",1,2\r\r\n\nplain,3,4\r\n,,\n"",5,6';
    const bytes = new TextEncoder().encode(text);
    const whole = rows(bytes);
    expect(whole).toHaveLength(4);
    for (let cut = 1; cut < bytes.length; cut += 1) expect(rows(bytes, [cut])).toEqual(whole);
    expect(
      rows(
        bytes,
        Array.from({ length: bytes.length }, (_, i) => i),
      ),
    ).toEqual(whole);
  });

  it.each([
    ['Windows-1252', (text: string) => Uint8Array.from(text, (char) => WINDOWS.get(char) ?? char.charCodeAt(0))],
    ['UTF-8 with its mark', (text: string) => bytesOf(`\ufeff${text}`)],
    ['UTF-16, least byte first', (text: string) => utf16(`\ufeff${text}`, true)],
    ['UTF-16, greatest byte first', (text: string) => utf16(`\ufeff${text}`, false)],
  ])('may be in %s, however it is cut', (_, encode) => {
    const rows = Array.from({ length: 3000 }, (_row, i) => `14.5,121,Plain ${i}\n`).join('');
    const bytes = encode(`lat,lon,name\n${rows}14.5,121,“Peñas” – €\n14.5,121,Ñ\n`);
    for (const cuts of [[], [1, 2, 3], Array.from({ length: bytes.length / 7 }, (_cut, i) => i * 7)]) {
      const names = readInChunks('a.csv', bytes, cuts).map(({ properties }) => JSON.parse(properties).name);
      expect([names.length, names[2999], ...names.slice(-2)]).toEqual([3002, 'Plain 2999', '“Peñas” – €', 'Ñ']);
    }
  });

  it('may have rows of two programs: each line is in UTF-8 or in Windows-1252, however it is cut', () => {
    const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
    const utf8 = Array.from({ length: 4 }, () => 'Las Piñas,14,121\n').join('');
    const bytes = joinBytes([
      bytesOf(`name,lat,lon\n${utf8}`),
      latin('Parañaque,14,121\n'),
      bytesOf('Dasmariñas,14,121'),
    ]);
    for (const cuts of [[], [20, 21, 22], Array.from({ length: bytes.length / 3 }, (_cut, i) => i * 3)]) {
      const names = readInChunks('a.csv', bytes, cuts).map(({ properties }) => JSON.parse(properties).name);
      expect(names).toEqual([...Array(4).fill('Las Piñas'), 'Parañaque', 'Dasmariñas']);
    }
  });

  it.each([';', ',', '\t'])('may name its separator %j in a line of its own', (separator) => {
    const text = `sep=${separator}\r\n${[
      ['lat', 'lon', 'name'],
      ['14', '121', 'a'],
    ]
      .map((row) => row.join(separator))
      .join('\r\n')}`;
    for (const mark of ['', '\ufeff']) {
      const [feature, ...others] = geojsonOf(readInChunks('a.csv', mark + text));
      expect([feature?.geometry.coordinates, feature?.properties, others]).toEqual([
        [121, 14],
        { lat: '14', lon: '121', name: 'a' },
        [],
      ]);
    }
  });

  it('returns what was written', () => {
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(100)), (values, cuts) => {
        const text = `a,lat,lon\n${values.map((item) => `${quoted(item)},1,2\n`).join('')}`;
        expect(rows(text, cuts).map(({ properties }) => properties.a)).toEqual(values.map((item) => item || null));
      }),
    );
  });

  it.each<[string | Uint8Array, RegExp]>([
    ['', /no table/],
    ['\n\n', /no table/],
    ['name,value\na,1', /columns of coordinates/],
    ['a\n1', /columns of coordinates/],
    ['lat\n1', /has the column "lat" and none of longitude/],
    ['lat,lon,latitude\n1,2,3', /one column of latitude, and has "lat" and "latitude": give/],
    ['x,LON,y\n1,2,3', /one column of longitude, and has "x" and "LON": give/],
    ['WKT,geom\n,', /one column of WKT, and has "WKT" and "geom": give/],
    ['lat,lon\n1', /must have 2 values.*got 1/],
    ['lat,lon\n1,2,3', /must have 2 values.*got 3/],
    ['lat,lon\nx,2', /lat must be a number \(got "x"\)/],
    ['lat,lon\n1,', /lon is empty/],
    ['lat,lon\nNaN,Infinity', /must be a number/],
    ['lat,lon\n0x10,1', /must be a number/],
    ['lat,lon\n91,1', /^lat must be a latitude from -90 to 90 .got 91, as if .* swapped/],
    ['lat,lon\n1e999,1', /must be a finite number/],
    ['id,wkt\n1,"POINT (EMPTY 1)"', /must be WKT/],
    ['id,wkt\n1,"LINESTRING (1 2, EMPTY, 3 4)"', /must be WKT/],
    ['id,wkt\n1,"POLYGON ((0 0, 1 0, EMPTY, 1 1, 0 0))"', /must be WKT/],
    ['id,wkt\n1,"POINT (1 2, 3 4)"', /must be WKT/],
    ['id,wkt\n1,"POINT (1 2 3 4 5)"', /must be WKT/],
    ['id,wkt\n1,"LINESTRING (1 2 3, 4)"', /must be WKT/],
    ['lat,lon\n1,200', /must be a longitude/],
    ['lat,lon,\n1,2,3', /column 3 has no name/],
    ['lat,lon,a,a\n', /more than one column/],
    ['lat,lon,"a\n1,2,3', /quote is not closed|no table/],
    ['lat,lon,a\n1,2,"x', /quote is not closed/],
    ['lat,lon,a\n1,2,"x"y', /closed before the end/],
    ['id,wkt\n1,POINT', /must be WKT/],
    ['id,wkt\n1,POINT (1)', /must be WKT/],
    ['id,wkt\n1,CIRCLE (1 2)', /must be WKT/],
    ['id,wkt\n1,POINT (1 2) x', /must be WKT/],
    ['id,wkt\n1,"MULTIPOINT ((1 2, 3 4))"', /must be WKT/],
    [`id,wkt\n1,${'GEOMETRYCOLLECTION ('.repeat(1000)}`, /must be WKT/],
    [`id,wkt\n1,POLYGON ${'('.repeat(100_000)}`, /must be WKT/],
    ['id,wkt\n1,"POLYGON ((0 0, 1 0, 1 1, 0 1))"', /must be closed/],
    [Uint8Array.of(...bytesOf('lat,lon,name\n1,2,ñ\n'.padEnd(20_000, '\n')), 0xff), /not UTF-8/],
    [`lat,lon\n1,"${'x'.repeat(9_000_000)}`, /longer than/],
    [`${'a,'.repeat(2000)}lat,lon\n`, /more than 1000 columns/],
    ['lat,lon,a\n1,2,\0', /U\+0000/],
  ])('a table like that is refused (%$): $1', (text, message) => {
    expect(() => readInChunks('a.csv', text)).toThrow(message);
  });
});

describe('KML', () => {
  const OUTER =
    '<outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs>';
  const kml = (body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="x"><Document>${body}</Document></kml>`;
  const read = (text: string | Uint8Array, cuts: number[] = []) => geojsonOf(readInChunks('a.kml', text, cuts));

  const BODY = `<name>Not a feature</name><Style><LineStyle><color>ff</color></LineStyle></Style>
    <Folder><Placemark id="p"><name>A &amp; &#x42; Ñ</name><description><![CDATA[<b>bold</b>]]></description>
      <TimeSpan><begin>2020</begin></TimeSpan>
      <ExtendedData><Data name="depth"><displayName>no</displayName><value> 12 </value></Data>
        <SchemaData><SimpleData name="kind">well</SimpleData></SchemaData></ExtendedData>
      <Point><coordinates> 121.5,14.25,3 </coordinates></Point></Placemark></Folder>
    <Placemark><LineString><coordinates>1,2
       3,4,5</coordinates></LineString></Placemark>
    <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs>
      <innerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
    <Placemark><MultiGeometry><Point><coordinates>1,1</coordinates></Point><Point><coordinates>2,2</coordinates></Point></MultiGeometry></Placemark>
    <Placemark><MultiGeometry><Point><coordinates>1,1</coordinates></Point><MultiGeometry><LineString><coordinates>1,1 2,2</coordinates></LineString></MultiGeometry></MultiGeometry></Placemark>
    <Placemark><gx:Track><when>2020</when><gx:coord>1 2 3</gx:coord><gx:coord>4 5 6</gx:coord></gx:Track></Placemark>
    <Placemark><name>nowhere</name></Placemark>`;

  it('keeps the texts of a name that a placemark has more than once', () => {
    const data = (name: string, value: string) => `<Data name="${name}"><value>${value}</value></Data>`;
    const fields = [data('name', 'code-1'), data('name', 'School A'), data('name', 'third'), data('name_2', 'own')];
    const body = `<Placemark><name>School A</name><ExtendedData>${fields.join('')}</ExtendedData></Placemark>
      <Placemark><name>School B</name></Placemark>`;
    expect(read(kml(body)).map(({ properties }) => properties)).toEqual([
      { name: 'School A', name_2: 'code-1', name_3: 'third', name_2_2: 'own' },
      { name: 'School B' },
    ]);
  });

  it('has a feature in each placemark', () => {
    expect(read(kml(BODY))).toEqual([
      {
        id: 'p',
        geometry: { type: 'Point', coordinates: [121.5, 14.25, 3] },
        properties: { name: 'A & B Ñ', description: '<b>bold</b>', begin: '2020', depth: '12', kind: 'well' },
      },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
        properties: {},
      },
      {
        geometry: triangle(1),
        properties: {},
      },
      {
        geometry: {
          type: 'MultiPoint',
          coordinates: [
            [1, 1],
            [2, 2],
          ],
        },
        properties: {},
      },
      {
        geometry: {
          type: 'GeometryCollection',
          geometries: [
            point(1, 1),
            {
              type: 'LineString',
              coordinates: [
                [1, 1],
                [2, 2],
              ],
            },
          ],
        },
        properties: {},
      },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [1, 2, 3],
            [4, 5, 6],
          ],
        },
        properties: {},
      },
      { geometry: null, properties: { name: 'nowhere' } },
    ]);
  });

  it('is read the same however it is cut', () => {
    const bytes = new TextEncoder().encode(kml(BODY));
    const whole = read(bytes);
    for (let cut = 1; cut < bytes.length; cut += 7) expect(read(bytes, [cut])).toEqual(whole);
    expect(
      read(
        bytes,
        Array.from({ length: bytes.length }, (_, i) => i),
      ),
    ).toEqual(whole);
  });

  it('leaves out shapes and heights that are not there, and nothing else', () => {
    const shape = (text: string) => read(kml(`<Placemark><name>a</name>${text}</Placemark>`));
    const of = (text: string) => `<coordinates>${text}</coordinates>`;
    const ring = (side: string, text: string) =>
      `<${side}BoundaryIs><LinearRing>${of(text)}</LinearRing></${side}BoundaryIs>`;
    for (const empty of [
      '<Point/>',
      `<Point>${of('')}</Point>`,
      `<Point>${of(' \n ')}</Point>`,
      ...[',', ',,', ',,0', '1,', ',2', 'NaN,NaN,0', '1,,0'].map((text) => `<Point>${of(text)}</Point>`),
      `<LineString>${of(', ,,0')}</LineString>`,
      '<gx:Track><gx:coord>NaN NaN 0</gx:coord><gx:coord>1 2 3</gx:coord></gx:Track>',
      '<LineString/>',
      `<LineString>${of('')}</LineString>`,
      '<Polygon/>',
      '<Polygon><outerBoundaryIs><LinearRing/></outerBoundaryIs></Polygon>',
      `<Polygon>${ring('outer', '')}</Polygon>`,
      `<Polygon>${ring('outer', '')}${ring('inner', '0,0 1,0 1,1 0,0')}</Polygon>`,
      '<MultiGeometry/>',
      '<MultiGeometry><Point/><MultiGeometry/></MultiGeometry>',
      '<gx:Track/>',
      '<gx:Track><gx:coord/><gx:coord>1 2 3</gx:coord></gx:Track>',
      '<gx:MultiTrack><gx:Track/></gx:MultiTrack>',
    ]) {
      expect([empty, ...shape(empty)]).toEqual([empty, { geometry: null, properties: { name: 'a' } }]);
    }
    const parts = `<MultiGeometry><Point/><Point>${of('1,2,3')}</Point><Point>${of('4,5,')}</Point><Point>${of('4,5,NaN')}</Point></MultiGeometry>`;
    const holed = `<Polygon>${ring('outer', '0,0,9 1,0,9 1,1,9 0,0,9')}${ring('inner', '')}${ring('inner', '0,0 1,0 1,1 0,0')}</Polygon>`;
    const track = '<gx:Track><gx:coord>1 2 3</gx:coord><gx:coord/><gx:coord>4 5</gx:coord></gx:Track>';
    const line = [
      [1, 2],
      [4, 5],
    ];
    expect([parts, holed, track].map((text) => shape(text)[0]?.geometry)).toEqual([
      { type: 'MultiPoint', coordinates: [...line, [4, 5]] },
      triangle(1),
      { type: 'LineString', coordinates: line },
    ]);
  });

  it('has no feature in a placemark that changes another file', () => {
    const placemark = '<Placemark targetId="p"><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark>';
    const update = `<Update><targetHref>a.kml</targetHref><Change>${placemark}</Change><Create><Document>${placemark}</Document></Create></Update>`;
    const control = `<NetworkLinkControl><linkName>x</linkName>${update}</NetworkLinkControl>`;
    expect(read(kml(`${control}<Placemark><name>b</name></Placemark>`))).toHaveLength(1);
    const tour = `<gx:Tour><gx:Playlist><gx:AnimatedUpdate>${update}</gx:AnimatedUpdate></gx:Playlist></gx:Tour>`;
    expect(read(kml(`${tour}${placemark}`))).toHaveLength(1);
  });

  it('has a feature in each element that a schema makes a placemark, with the fields of the schema', () => {
    const schema = (name: string, parent: string, ...fields: string[]) =>
      `<Schema parent="${parent}" name="${name}">${fields.map((field) => `<SimpleField type="wstring" name="${field}"/>`).join('')}</Schema>`;
    const point = '<Point><coordinates>121,14</coordinates></Point>';
    const schemas = schema('S_well', 'Placemark', 'DEPTH', 'description') + schema('S_folder', 'Folder', 'KIND');
    const features = read(
      kml(`${schemas}
        <S_folder><KIND>no feature</KIND><S_well><name>a</name><DEPTH> 42 </DEPTH><OTHER>x</OTHER>${point}</S_well></S_folder>
        <Placemark><name>b</name><DEPTH>7</DEPTH>${point}</Placemark>`),
    );
    expect(features.map(({ properties, geometry }) => [properties, geometry])).toEqual([
      [
        { name: 'a', DEPTH: '42' },
        { type: 'Point', coordinates: [121, 14] },
      ],
      [{ name: 'b' }, { type: 'Point', coordinates: [121, 14] }],
    ]);
  });

  it('is refused without a placemark', () => {
    expect(() => read(kml('<Folder><name>a</name></Folder>'))).toThrow(/has no Placemark, so/);
  });

  it('is refused where all of it is in files that it links to', () => {
    const link = '<NetworkLink><Link><href>https://example.org/a.kml</href></Link></NetworkLink>';
    expect(() => read(kml(link))).toThrow(/no Placemark, but links to "https:.*a.kml"/);
    expect(read(kml(`${link}<Placemark><name>a</name></Placemark>`))).toHaveLength(1);
  });

  it('may be in the encoding that it names', () => {
    const text = kml('<Placemark><name>\u00f1</name></Placemark>').replace('UTF-8', 'ISO-8859-1');
    expect(read(Uint8Array.from(text, (char) => char.charCodeAt(0)))[0]?.properties).toEqual({ name: 'ñ' });
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /is empty/],
    ['text', 'hello', /well-formed/],
    ['HTML', '<html><body></body></html>', /outermost element must be kml/],
    ['something cut off', kml(BODY).slice(0, -9), /well-formed/],
    ['tags that cross', '<kml><a><b></a></b></kml>', /well-formed/],
    ['an unknown entity', kml('<Placemark><name>&x;</name></Placemark>'), /well-formed/],
    ['entities of its own', `<!DOCTYPE kml [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><kml>&c;</kml>`, /document type/],
    ['deep nesting', `<kml>${'<Folder>'.repeat(200_000)}`, /deeper than 64/],
    ['an endless text', `<kml><name>${'x'.repeat(20_000_000)}`, /text of more than/],
    [
      'two positions of a point',
      kml('<Placemark><Point><coordinates>1,2 3,4</coordinates></Point></Placemark>'),
      /a Point must have one position \(got 2\)/,
    ],
    ['two outer rings', kml(`<Placemark><Polygon>${OUTER}${OUTER}</Polygon></Placemark>`), /one outerBoundaryIs/],
    ['no numbers', kml('<Placemark><Point><coordinates>a,b</coordinates></Point></Placemark>'), /must be numbers/],
    [
      'half a number',
      kml('<Placemark><Point><coordinates>nan,inf</coordinates></Point></Placemark>'),
      /must be numbers/,
    ],
    [
      'an open ring',
      kml(
        '<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,1</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>',
      ),
      /must be closed/,
    ],
    ['an unknown encoding', '<?xml version="1.0" encoding="x-klingon"?><kml/>', /encoding/],
  ])('%s is refused', (_, text, message) => {
    const cuts = Array.from({ length: 400 }, (_, i) => i * 65_536);
    expect(() => readInChunks('a.kml', text, cuts)).toThrow(message);
  });
});

describe('GPX', () => {
  const TEXT = `<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>no</name></metadata>
    <wpt lat="14.5" lon="121"><ele>12.5</ele><time>2020-01-01T00:00:00Z</time><name>Well</name></wpt>
    <rte><name>Way</name><rtept lat="1" lon="2"><name>no</name></rtept><rtept lat="3" lon="4"/></rte>
    <trk><trkseg><trkpt lat="1" lon="2"><ele>5</ele></trkpt><trkpt lat="3" lon="4"><ele>6</ele></trkpt></trkseg></trk>
    <trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="3" lon="4"><ele>6</ele></trkpt></trkseg><trkseg><trkpt lat="1" lon="2"/></trkseg>
      <trkseg><trkpt lat="5" lon="6"/><trkpt lat="7" lon="8"/></trkseg></trk></gpx>`;
  const read = (text: string, cuts: number[] = []) => geojsonOf(readInChunks('a.gpx', text, cuts));

  it('has all that is said of a feature as properties, also what programs add', () => {
    const text = `<gpx xmlns:ogr="http://osgeo.org/gdal"><wpt lat="14" lon="121"><name>A</name><magvar>1</magvar><link href="https://a.example"><text>no</text></link>
      <extensions><ogr:name>B</ogr:name><ogr:n>42</ogr:n><g:Inner xmlns:g="x"><g:Color>Red</g:Color></g:Inner><ogr:none/></extensions></wpt>
      <trk><extensions><n>7</n></extensions><trkseg><trkpt lat="1" lon="2"><extensions><hr>99</hr></extensions></trkpt><trkpt lat="3" lon="4"/></trkseg></trk></gpx>`;
    for (const cuts of [[], Array.from({ length: text.length / 3 }, (_, i) => i * 3)]) {
      expect(read(text, cuts).map(({ properties }) => properties)).toEqual([
        { element: 'wpt', name: 'A', magvar: '1', link: 'https://a.example', name_2: 'B', n: '42', Color: 'Red' },
        { element: 'trk', n: '7' },
      ]);
    }
    const many = `<gpx><wpt lat="1" lon="2"><extensions>${'<a>1</a><b>2</b>'.repeat(20_000)}</extensions></wpt></gpx>`;
    expect(() => read(many)).toThrow(/a wpt must not have more than 1048576 characters of properties/);
  });

  it('has a feature in each waypoint, route and track', () => {
    expect(read(TEXT)).toEqual([
      {
        geometry: { type: 'Point', coordinates: [121, 14.5, 12.5] },
        properties: { element: 'wpt', time: '2020-01-01T00:00:00Z', name: 'Well' },
      },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [2, 1],
            [4, 3],
          ],
        },
        properties: { element: 'rte', name: 'Way' },
      },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [2, 1, 5],
            [4, 3, 6],
          ],
        },
        properties: { element: 'trk' },
      },
      {
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [2, 1],
              [4, 3],
            ],
            [
              [6, 5],
              [8, 7],
            ],
          ],
        },
        properties: { element: 'trk' },
      },
    ]);
    expect(
      read(
        TEXT,
        Array.from({ length: TEXT.length }, (_, i) => i),
      ),
    ).toEqual(read(TEXT));
  });

  it('leaves out points and elevations that are not there, and nothing else', () => {
    const gpx = `<gpx><wpt><ele>5</ele><name>a</name></wpt><wpt lat="" lon=" "/><wpt lat="1" lon="2"><ele/></wpt>
      <wpt lat="1" lon="2"><ele>NaN</ele></wpt><wpt lat="1" lon="2"><ele>high</ele></wpt><wpt lat="1"/><wpt lat="1" lon=""/>
      <wpt lat="nan" lon="NaN"/><rte><rtept/></rte>
      <trk><trkseg><trkpt lat="1" lon="2"><ele>5</ele></trkpt><trkpt><ele>7</ele></trkpt><trkpt lat="3" lon="4"><ele> </ele></trkpt></trkseg></trk>
      <trk><trkseg><trkpt/></trkseg></trk></gpx>`;
    const track = [
      [2, 1],
      [4, 3],
    ];
    expect(read(gpx).map(({ geometry }) => geometry)).toEqual([
      null,
      null,
      ...Array(3).fill(point(2, 1)),
      ...Array(4).fill(null),
      { type: 'LineString', coordinates: track },
      null,
    ]);
  });

  it.each<[string, RegExp]>([
    ['<kml/>', /outermost element must be gpx/],
    ['<gpx><wpt lat="x" lon="1"/></gpx>', /lat must be a number/],
    ['<gpx><wpt lat="100" lon="1"/></gpx>', /must be a latitude/],
    ['<gpx><wpt lat="1" lon="1"/>', /well-formed/],
  ])('%s is refused', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
