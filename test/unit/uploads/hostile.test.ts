import { describe, expect, it } from 'vitest';
import { endless, readInChunks, readUntilRefused } from './read.ts';

const KB64 = Array.from({ length: 400 }, (_, i) => i * 65_536);

describe('a file whose parts could be tried in all combinations', () => {
  // Where work grows with the square of a text these take half a minute and more, and so time out.
  const digits = '1'.repeat(80_000);
  it.each<[string, string, string, RegExp]>([
    ['digits in CSV', 'a.csv', `lat,lon\n${digits}x,2\n`, /lat must be a number/],
    ['digits that are a number', 'a.csv', `lat,lon\n1.${digits},2\n`, /lat must be a number/],
    ['digits in WKT', 'a.csv', `id,wkt\n1,"POINT (${digits}x 2)"\n`, /must be WKT/],
    [
      'digits in KML',
      'a.kml',
      `<kml><Placemark><Point><coordinates>${digits}x,1</coordinates></Point></Placemark></kml>`,
      /coordinates must be numbers/,
    ],
    ['digits in GPX', 'a.gpx', `<gpx><wpt lat="${digits}x" lon="1"/></gpx>`, /lat must be a number/],
    ['white space in GPX', 'a.gpx', `<gpx><wpt lat="1${' '.repeat(80_000)}x" lon="1"/></gpx>`, /lat must be a number/],
    ['arrays behind a value', 'a.geojson', `{"features":1${'[]'.repeat(200_000)}}`, /no valid JSON/],
  ])('is refused at once: %s', (_, name, text, message) => {
    expect(() => readInChunks(name, text, KB64)).toThrow(message);
  });

  it('is read at once: white space before a line end', () => {
    const space = ' '.repeat(400_000);
    const text = `{"type":"Feature","geometry":null,"properties":{${space}"a":1${space}\n${space}}}`;
    expect(readInChunks('a.geojson', text)[0]?.properties).toBe(`{${space}"a":1${space} }`);
  });

  it('is read at once: a first line in thousands of pieces', () => {
    const name = `"${'x\n'.repeat(60_000)}"`;
    const cuts = Array.from({ length: 60_000 }, (_, i) => i * 2);
    expect(() => readInChunks('a.csv', `${name},lat,lon\n`, cuts)).toThrow(/column 1 must have a name of at most 256/);
  });
});

describe('a document that grows without an element ending', () => {
  const mb = 1_000_000;
  it.each<[string, string, string, string, number, RegExp]>([
    ['coordinates', 'a.kml', '<kml><Placemark><LineString><coordinates>', '1,2 ', 8.6 * mb, /more than 8388608/],
    ['points', 'a.kml', '<kml><Placemark><MultiGeometry>', '<Point/>', 1.2 * mb, /500000 positions/],
    ['rings', 'a.kml', '<kml><Placemark><Polygon><innerBoundaryIs>', '<LinearRing/>', 1.8 * mb, /500000 positions/],
    ['places', 'a.kml', '<kml><Placemark><Track>', '<coord>1 2</coord>', 9.2 * mb, /500000 positions/],
    ['attributes', 'a.kml', '<kml ', Array.from({ length: 300 }, (_, i) => `a${i}=""`).join(' '), mb, /256 attributes/],
    ['a text in pieces', 'a.kml', '<kml><Placemark><description>', 'xxxx<b/>', 2.4 * mb, /more than 1048576 char/],
    ['data', 'a.kml', '<kml><Placemark>', '<Data name="a"><value>x</value></Data>', 1.4 * mb, /of properties/],
    ['a comment', 'a.kml', '<kml><!--', 'x', 2.4 * mb, /more than 2097152/],
    ['a track', 'a.gpx', '<gpx><trk><trkseg>', '<trkpt lat="1" lon="2"/>', 12.2 * mb, /500000 points/],
    ['segments', 'a.gpx', '<gpx><trk>', '<trkseg/>', 1.3 * mb, /500000 points/],
  ])(
    'is refused while it is read: %s',
    (_, name, head, unit, most, message) => {
      const refused = readUntilRefused(name, endless(head, unit));
      expect(refused.message).toMatch(message);
      expect(refused.place).toMatch(/^line \d+, column \d+$/);
      expect(refused.bytes).toBeLessThan(most);
    },
    60_000,
  );

  it('tells where the fault of an element is', () => {
    const wrong = '<kml><Placemark><Point>\n<coordinates>1,x</coordinates></Point></Placemark></kml>';
    expect(readUntilRefused('a.kml', [wrong])).toMatchObject({ place: expect.stringMatching(/^line 2, column 3\d$/) });
    const gpx = '<gpx>\n\n<wpt lat="1"/></gpx>';
    expect(readUntilRefused('a.gpx', [gpx]).place).toMatch(/^line 3, column 1\d$/);
  });
});
