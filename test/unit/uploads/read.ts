import type { NewFeature } from '../../../src/features/feature.ts';
import type { RandomAccess } from '../../../src/uploads/formats/format.ts';
import { formatOf } from '../../../src/uploads/formats/registry.ts';

const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** What is read of a file that arrives in chunks, cut at some places. */
export function readInChunks(
  fileName: string,
  content: string | Uint8Array,
  cuts: readonly number[] = [],
  degrees = true,
): NewFeature[] {
  const format = formatOf(fileName);
  if (format?.kind !== 'stream') throw new Error(`${fileName} is not read as a stream`);
  const bytes = bytesOf(content);
  const reader = format.reader({ degrees });
  const found: NewFeature[] = [];
  let start = 0;
  for (const end of [...cuts.filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b), bytes.length]) {
    // A copy, that is overwritten: what a reader keeps of a chunk must be its own.
    const chunk = bytes.slice(start, end);
    found.push(...reader.push(chunk));
    chunk.fill(0x2a);
    start = end;
  }
  found.push(...reader.end());
  return found;
}

/** The same as plain GeoJSON. */
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

/** What is read of a file that has to be stored first. */
export async function readStored(fileName: string, bytes: Uint8Array, degrees = true) {
  const format = formatOf(fileName);
  if (format?.kind !== 'file') throw new Error(`${fileName} is read as a stream`);
  const file = await format.open(inMemory(bytes));
  const found: NewFeature[] = [];
  for await (const feature of file.features({ degrees })) found.push(feature);
  return { srid: file.srid(), features: geojsonOf(found) };
}
