import type { NewFeature } from '../../../src/features/feature.ts';
import type { OpenOptions, PlaceRow, RandomAccess } from '../../../src/uploads/formats/format.ts';
import { formatOf } from '../../../src/uploads/formats/registry.ts';

const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** Returns the features read, without rows that name places: these need the names of all places. */
function featuresIn(items: Iterable<NewFeature | PlaceRow>): NewFeature[] {
  return [...items].filter((item): item is NewFeature => !('place' in item));
}

/** Reads a file that arrives in chunks, which end at the given bytes. */
export function readInChunks(
  fileName: string,
  content: string | Uint8Array,
  cuts: readonly number[] = [],
  srid = 4326,
): NewFeature[] {
  const format = formatOf(fileName);
  if (format?.kind !== 'stream') throw new Error(`${fileName} is not read as a stream`);
  const bytes = bytesOf(content);
  const reader = format.reader({ srid });
  const found: NewFeature[] = [];
  let start = 0;
  for (const end of [...cuts.filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b), bytes.length]) {
    // The chunk is a copy that is overwritten afterwards: a reader must copy what it keeps of a chunk.
    const chunk = bytes.slice(start, end);
    found.push(...featuresIn(reader.push(chunk)));
    chunk.fill(0x2a);
    start = end;
  }
  found.push(...featuresIn(reader.end()));
  return found;
}

/** How many bytes of a file are read before it is refused, and why. Its features are counted and not kept. */
export function readUntilRefused(fileName: string, chunks: Iterable<string>, srid = 4326) {
  const format = formatOf(fileName);
  if (format?.kind !== 'stream') throw new Error(`${fileName} is not read as a stream`);
  const reader = format.reader({ srid });
  let [bytes, features] = [0, 0];
  try {
    for (const chunk of chunks) {
      bytes += chunk.length;
      for (const _ of reader.push(bytesOf(chunk))) features += 1;
    }
    for (const _ of reader.end()) features += 1;
  } catch (error) {
    const { name, message, location } = error as Error & { location?: string };
    return { bytes, features, name, message, location };
  }
  return { bytes, features };
}

/** A text, and then another one repeated without end in chunks of about 64 KiB; both in ASCII. */
export function* endless(head: string, unit: string, bytes = 100_000_000): Generator<string> {
  const chunk = unit.repeat(Math.ceil(65_536 / unit.length));
  yield head;
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}

/** Converts features to GeoJSON objects. */
export function geojsonOf(features: readonly NewFeature[]) {
  return features.map(({ id, geometry, properties }) => ({
    ...(id === null ? {} : { id: JSON.parse(id) }),
    geometry: geometry === null ? null : JSON.parse(geometry),
    properties: JSON.parse(properties),
  }));
}

/** A stored file that is in memory. */
function inMemory(bytes: Uint8Array): RandomAccess {
  return {
    bytes: bytes.length,
    read: async (start, length) => bytes.slice(start, start + length),
    stream: async (start, length) => {
      const content = bytes.slice(start, start + length);
      return new ReadableStream({
        start(controller) {
          for (let at = 0; at < content.length; at += 1000) controller.enqueue(content.slice(at, at + 1000));
          controller.close();
        },
      });
    },
  };
}

/** Reads a file that has to be stored first. */
export async function readStored(fileName: string, bytes: Uint8Array, srid = 4326, options: OpenOptions = {}) {
  const format = formatOf(fileName);
  if (format?.kind !== 'file') throw new Error(`${fileName} is read as a stream`);
  const file = await format.open(inMemory(bytes), options);
  const found: NewFeature[] = [];
  for await (const item of file.features({ srid })) found.push(...featuresIn([item]));
  return { srid: file.srid(), features: geojsonOf(found) };
}
