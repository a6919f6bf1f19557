import { describe, expect, it } from 'vitest';
import { readInChunks } from './read.ts';

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
