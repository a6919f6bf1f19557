import { deflateRawSync } from 'node:zlib';

// Files to upload. They are made while they are sent, so that the client that measures needs no memory for them.

const BOUNDARY = 'boundary-of-the-benchmark';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form with fields, followed by a file. */
export async function* formOf(
  fields: Record<string, string>,
  fileName: string,
  file: Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  for (const [name, value] of Object.entries(fields)) {
    yield Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  }
  yield Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  yield* file;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

/**
 * A FeatureCollection of about this many bytes. Its polygons have a thousand positions with six decimals, 20 kB each.
 */
export function* collectionOf(bytes: number): Generator<Buffer> {
  yield Buffer.from('{"type":"FeatureCollection","features":[\n');
  const shapes = Array.from({ length: 50 }, (_, i) => polygon(i));
  for (let sent = 0, i = 0; sent < bytes; i += 1) {
    const text = `${i === 0 ? '' : ',\n'}{"type":"Feature","id":${i},"geometry":${shapes[i % 50]},"properties":{"name":"Area ${i}"}}`;
    sent += text.length;
    yield Buffer.from(text);
  }
  yield Buffer.from('\n]}\n');
}

function polygon(i: number): string {
  const [lon, lat] = [118 + i / 10, 6 + i / 10];
  const ring = Array.from({ length: 1000 }, (_, k) => {
    const angle = (k / 1000) * 2 * Math.PI;
    return [lon + 0.05 * Math.cos(angle), lat + 0.05 * Math.sin(angle)].map((degrees) => degrees.toFixed(6)).join(',');
  });
  return `{"type":"Polygon","coordinates":[[[${[...ring, ring[0]].join('],[')}]]]}`;
}

/** A polygon of ten million positions. */
export function* endlessPolygon(): Generator<Buffer> {
  yield Buffer.from(
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[[',
  );
  const run = Buffer.from('[1,2],'.repeat(10_000));
  for (let i = 0; i < 1000; i += 1) yield run;
  yield Buffer.from('[1,2]]]}}]}');
}

export function* deeplyNested(): Generator<Buffer> {
  const [open, close] = ['['.repeat(200_000), ']'.repeat(200_000)];
  yield Buffer.from(`{"type":"Feature","geometry":null,"properties":${open}${close}}`);
}

/** A zip of about 408 kB whose only entry, a shapefile, inflates to 400 MB of zeros. */
export function zipBomb(): Buffer {
  const size = 400 * 1024 * 1024;
  const deflated = deflateRawSync(Buffer.alloc(size), { level: 9 });
  const name = Buffer.from('bomb.shp');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(deflated.length, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, deflated]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

/** A form of a hundred thousand fields. */
export async function* manyParts(): AsyncGenerator<Buffer> {
  const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n`;
  for (let i = 0; i < 1000; i += 1) yield Buffer.from(part.repeat(100));
  yield Buffer.from(`--${BOUNDARY}--\r\n`);
}
