import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { shapefile } from '../../../src/uploads/formats/shapefile.ts';
import { partsOf } from '../../../src/uploads/multipart.ts';
import { CLEARLY_BELOW_SQUARE, growthPerDoubling } from '../../support/growth.ts';
import { endless, readInChunks, readUntilRefused } from './read.ts';

const KB64 = Array.from({ length: 400 }, (_, i) => i * 65_536);

describe('a file whose parts could be tried in all combinations', () => {
  const digits = (count: number) => '1'.repeat(count);
  it.each<[string, string, (size: number) => string, RegExp]>([
    ['digits in CSV', 'a.csv', (size) => `lat,lon\n${digits(size)}x,2\n`, /lat must be a number/],
    ['digits that are a number', 'a.csv', (size) => `lat,lon\n1.${digits(size)},2\n`, /lat must be a number/],
    ['digits in WKT', 'a.csv', (size) => `id,wkt\n1,"POINT (${digits(size)}x 2)"\n`, /must be WKT/],
    [
      'digits in KML',
      'a.kml',
      (size) => `<kml><Placemark><Point><coordinates>${digits(size)}x,1</coordinates></Point></Placemark></kml>`,
      /coordinates must be numbers/,
    ],
    ['digits in GPX', 'a.gpx', (size) => `<gpx><wpt lat="${digits(size)}x" lon="1"/></gpx>`, /lat must be a number/],
    [
      'white space in GPX',
      'a.gpx',
      (size) => `<gpx><wpt lat="1${' '.repeat(size)}x" lon="1"/></gpx>`,
      /lat must be a number/,
    ],
    ['arrays behind a value', 'a.geojson', (size) => `{"features":1${'[]'.repeat(size / 2)}}`, /no valid JSON/],
  ])('is refused in time that grows no faster than the file: %s', (_, name, textOf, message) => {
    const refusal = (size: number) => {
      const text = textOf(size);
      return () => expect(() => readInChunks(name, text, KB64)).toThrow(message);
    };
    expect(growthPerDoubling(refusal)).toBeLessThan(CLEARLY_BELOW_SQUARE);
  });

  it('is read in time that grows no faster than the file: white space before a line end', () => {
    const reading = (size: number) => {
      const space = ' '.repeat(size);
      const text = `{"type":"Feature","geometry":null,"properties":{${space}"a":1${space}\n${space}}}`;
      return () => expect(readInChunks('a.geojson', text, KB64)[0]?.properties).toBe(`{${space}"a":1${space} }`);
    };
    expect(growthPerDoubling(reading)).toBeLessThan(CLEARLY_BELOW_SQUARE);
  });

  it.each([
    ['a text', 'x'],
    ['a geometry', '1 2,'],
    ['quotes', '""'],
  ])('is refused while it is read: a record of CSV that does not end (%s)', (_, unit) => {
    const refused = readUntilRefused('a.csv', endless('wkt,name\n"LINESTRING (', unit));
    expect(refused.message).toMatch(/a record is longer than 8388608 characters/);
    expect(refused.bytes).toBeLessThan(17 * 1024 * 1024);
  });

  it('is refused in time that grows no faster than the file: a first line in thousands of pieces', () => {
    const refusal = (pieces: number) => {
      const text = `"${'x\n'.repeat(pieces)}",lat,lon\n`;
      const cuts = Array.from({ length: pieces }, (_, i) => i * 2);
      return () => expect(() => readInChunks('a.csv', text, cuts)).toThrow(/column 1 must have a name of at most 256/);
    };
    expect(growthPerDoubling(refusal, 64_000)).toBeLessThan(CLEARLY_BELOW_SQUARE);
  });
});

describe('a geometry that grows within a record', () => {
  it.each<[string, string, string, number]>([
    ['positions', 'MULTIPOINT (', '0 0,', 760_000],
    ['rings', 'POLYGON (', '(0 0,1 1),', 260_000],
    ['shapes', 'GEOMETRYCOLLECTION (', 'POINT (0 0),', 380_000],
  ])('is refused before its end is read: %s', (_, head, unit, count) => {
    // At the end it is no WKT.
    const text = `wkt\n"${head}${unit.repeat(count)}x"\n`;
    expect(() => readInChunks('a.csv', text)).toThrow(/must not have more than 500000 positions/);
  });

  it('may have as many lines as its positions make', () => {
    const lines = (count: number) => `wkt\n"MULTILINESTRING (${Array(count).fill('(1 2,3 4)').join(',')})"\n`;
    expect(readInChunks('a.csv', lines(250_000))).toHaveLength(1);
    expect(() => readInChunks('a.csv', lines(250_001))).toThrow(/500000 positions/);
  });

  it('may have as many positions as any, in brackets of their own', () => {
    const points = (count: number) => `wkt\n"MULTIPOINT (${'(1 2),'.repeat(count - 1)}(1 2))"\n`;
    const [feature] = readInChunks('a.csv', points(500_000));
    expect(feature?.geometry).toHaveLength('{"type":"MultiPoint","coordinates":[]}'.length + 500_000 * 6 - 1);
    expect(() => readInChunks('a.csv', points(500_001))).toThrow(/at most 500000 positions/);
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
  ])('is refused while it is read: %s', (_, name, head, unit, most, message) => {
    const refused = readUntilRefused(name, endless(head, unit));
    expect(refused.message).toMatch(message);
    expect(refused.location).toMatch(/^line \d+, column \d+$/);
    expect(refused.bytes).toBeLessThan(most);
  });

  it('is refused with the location of the element that is wrong', () => {
    const wrong = '<kml><Placemark><Point>\n<coordinates>1,x</coordinates></Point></Placemark></kml>';
    expect(readUntilRefused('a.kml', [wrong])).toMatchObject({
      location: expect.stringMatching(/^line 2, column 3\d$/),
    });
    const gpx = '<gpx>\n\n<wpt lat="x" lon="1"/></gpx>';
    expect(readUntilRefused('a.gpx', [gpx]).location).toMatch(/^line 3, column 2\d$/);
  });
});

describe('a bomb', () => {
  const head = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{';

  it('of ten million positions is refused after a feature may have ended', () => {
    const positions = endless(`${head}"type":"Polygon","coordinates":[[`, '[0,0],', 60_000_000);
    const { bytes, message } = readUntilRefused('a.geojson', positions);
    expect(message).toMatch(/500000 positions/);
    expect(bytes).toBeLessThan(4_700_000);
    const long = endless(`${head}"type":"Polygon","coordinates":[[`, '[121.123456,14.123456],', 230_000_000);
    const refused = readUntilRefused('a.geojson', long);
    expect(refused.message).toMatch(/larger than/);
    expect(refused.bytes).toBeLessThan(8_600_000);
  });

  it('of nested arrays is refused with the first chunk', () => {
    for (const unit of ['[', '{"a":']) {
      const { bytes, message } = readUntilRefused('a.geojson', endless(`{"type":"Feature","properties":`, unit));
      expect(message).toMatch(/deeper than 64/);
      expect(bytes).toBeLessThan(70_000);
    }
  });

  it('of a zip is refused by its directory, without anything being unpacked', async () => {
    const { read, streamed, refused } = await opened(zipOf(408_000, 400_000_000));
    expect(refused).toMatch(/more than 200 times/);
    expect([read <= 70_000, streamed]).toEqual([true, 0]);
  });

  it('of a zip whose directory lies is refused when more comes than it says', async () => {
    const zip = zipSync({ 'a.shp': new Uint8Array(20_000_000) });
    // A few bytes more than it claims are enough: the archive says 100,000.
    const directory = zip.findLastIndex((_, i) => zip[i] === 0x50 && zip[i + 1] === 0x4b && zip[i + 2] === 1);
    new DataView(zip.buffer, zip.byteOffset).setUint32(directory + 24, 100_000, true);
    const { streamed, refused } = await opened(zip);
    expect(refused).toMatch(/damaged/);
    expect(streamed).toBeLessThanOrEqual(8192);
  });

  it('of a hundred thousand parts is refused after 32', async () => {
    const part = new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n');
    let [pulled, seen] = [0, 0];
    const body = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        pulled += 1;
        if (pulled <= 100_000) controller.enqueue(part.slice());
        else controller.close();
      },
    });
    const reading = (async () => {
      for await (const _ of partsOf(body, 'b')) seen += 1;
    })();
    await expect(reading).rejects.toThrow(/more than 32 parts/);
    expect([seen, pulled < 40]).toEqual([32, true]);
  });
});

/** An archive of one entry whose directory says how large it is, packed and unpacked. */
function zipOf(packed: number, bytes: number): Uint8Array {
  const zip = zipSync({ 'a.shp': crypto.getRandomValues(new Uint8Array(60_000)) }, { level: 0 });
  const whole = new Uint8Array(zip.length + packed);
  whole.set(zip, packed);
  const view = new DataView(whole.buffer);
  const directory = whole.findLastIndex((_, i) => whole[i] === 0x50 && whole[i + 1] === 0x4b && whole[i + 2] === 1);
  view.setUint32(directory + 20, packed, true);
  view.setUint32(directory + 24, bytes, true);
  view.setUint32(whole.length - 6, view.getUint32(whole.length - 6, true) + packed, true);
  return whole;
}

/** Reads a zipped shapefile; how much of the file was read at once and as a stream, and why it was refused. */
async function opened(bytes: Uint8Array): Promise<{ read: number; streamed: number; refused: string }> {
  let [read, streamed] = [0, 0];
  try {
    const file = await shapefileFormat().open({
      bytes: bytes.length,
      read: async (start, length) => {
        read += length;
        return bytes.slice(start, start + length);
      },
      stream: async (start, length) => {
        let at = start;
        return new ReadableStream(
          {
            pull(controller) {
              if (at >= start + length) return controller.close();
              const chunk = bytes.slice(at, Math.min(at + 4096, start + length));
              at += chunk.length;
              streamed += chunk.length;
              controller.enqueue(chunk);
            },
          },
          { highWaterMark: 0 },
        );
      },
    });
    for await (const _ of file.features({ srid: 4326 }));
  } catch (error) {
    return { read, streamed, refused: (error as Error).message };
  }
  return { read, streamed, refused: '' };
}

function shapefileFormat() {
  if (shapefile.kind !== 'file') throw new Error('Shapefiles are read as a stream');
  return shapefile;
}
