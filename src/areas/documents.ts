import type { AppContext } from '../context.ts';
import { streamOf } from '../http/answers.ts';
import { inTurns } from '../turn.ts';
import { boundariesOf, isLeftOut, type ReadSlices, slicesOf } from './portions.ts';
import { COLLECTION, featureOf, type Item, recordOf, textOf, withGeometry } from './records.ts';
import type { Area, Level } from './store.ts';

/** The texts around and between the boundaries of a document that shows many areas, or one. Without areas it is head and tail. */
export interface Frame {
  readonly type: 'application/json' | 'application/geo+json';
  readonly head: string;
  readonly item: (area: Area) => Item;
  readonly tail: string;
  /** Gives a part of a boundary, of whole positions, as the document has it, where that is not the text that is stored. */
  readonly transform?: ((boundary: string) => string) | undefined;
}

/** A FeatureCollection of areas of a level. */
export function collectionFrame(level: Level, record = (area: Area) => recordOf(level, area)): Frame {
  return { type: 'application/geo+json', ...COLLECTION, item: (area) => featureOf(area, record(area)) };
}

/** Records of areas of a level, each with its geometry, between two texts. */
export function recordFrame(
  level: Level,
  { head, tail }: { head: string; tail: string },
  record = (area: Area) => recordOf(level, area),
): Frame {
  return { type: 'application/json', head, item: (area) => withGeometry(record(area)), tail };
}

/**
 * A document that shows the boundaries of areas: in one piece where all are in memory, else as a stream that reads the
 * others on the way, always from the same release. Large texts are passed on as they are, because joining them would
 * copy them.
 */
export function documentOf(
  c: AppContext,
  areas: readonly Area[],
  { frame, read }: { frame: Frame; read: ReadSlices },
): Response {
  const { type, head, item, tail, transform } = frame;
  const headers = { 'Content-Type': type };
  if (transform) return c.body(streamOf(c, transformedTexts(areas, frame, read)), 200, headers);
  if (!areas.some(isLeftOut)) {
    return c.body(head + areas.map((area) => textOf(item(area), area)).join(',') + tail, 200, headers);
  }
  return c.body(streamOf(c, textsOf(areas, frame, read)), 200, headers);
}

/** The texts of a document whose boundaries are transformed, each of which is in memory as a whole. */
async function* transformedTexts(
  areas: readonly Area[],
  { head, item, tail, transform = (text) => text }: Frame,
  read: ReadSlices,
): AsyncGenerator<string> {
  const boundaries = boundariesOf(areas, read);
  let separator = head;
  for (const area of areas) {
    const { before, after } = item(area);
    const hasBoundary = area.boundaryBytes > 0 || area.boundary !== null;
    const { value } = hasBoundary ? await boundaries.next() : { value: undefined };
    yield separator + before;
    if (!value) yield 'null';
    else {
      // The boundary of a region takes half a second, in which nobody else would be answered.
      for await (const part of inTurns(boundaryParts(value.text, PART_LENGTH))) yield transform(part);
    }
    yield after;
    separator = ',';
  }
  yield (separator === head ? head : '') + tail;
}

/** About how much of a boundary is transformed at once, characters. */
const PART_LENGTH = 128 * 1024;

/** A boundary, as GeoJSON, in parts of about a length. Each has whole positions. */
export function* boundaryParts(boundary: string, length: number): Generator<string> {
  let start = 0;
  while (boundary.length - start > length) {
    const end = boundary.indexOf('],[', start + length);
    if (end < 0) break;
    yield boundary.slice(start, end + 2);
    start = end + 2;
  }
  yield boundary.slice(start);
}

async function* textsOf(areas: readonly Area[], { head, item, tail }: Frame, read: ReadSlices): AsyncGenerator<string> {
  const slices = slicesOf(areas, read);
  let separator = head;
  for (const area of areas) {
    const { before, after } = item(area);
    yield separator + before;
    if (!isLeftOut(area)) yield area.boundary ?? 'null';
    else {
      for (let rest = area.boundaryBytes; rest > 0; ) {
        const { value, done } = await slices.next();
        if (done) throw new Error(`The boundary of ${area.code} ended early`);
        yield value;
        rest -= value.length;
      }
    }
    separator = `${after},`;
  }
  yield separator.slice(0, -1) + tail;
}

/** An answer of ready JSON text. */
export function jsonText(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}

/** An answer of ready GeoJSON text. */
export function geojsonText(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/geo+json' });
}
