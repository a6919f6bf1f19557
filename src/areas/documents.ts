import type { AppContext } from '../context.ts';
import { PacedTransform } from '../geojson/parts.ts';
import { streamOf } from '../http/answers.ts';
import { boundariesOf, isLeftOut, leftOutTexts, type ReadSlices, slicesOf } from './portions.ts';
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

/** How much text of one boundary is sent at once, characters. */
const LARGE_TEXT = 64 * 1024;

/** The texts of a document whose boundaries are transformed, each of which is in memory as a whole. */
async function* transformedTexts(
  areas: readonly Area[],
  { head, item, tail, transform = (text) => text }: Frame,
  read: ReadSlices,
): AsyncGenerator<string> {
  const boundaries = boundariesOf(areas, read);
  const paced = new PacedTransform(transform);
  let separator = head;
  for (const area of areas) {
    const { before, after } = item(area);
    const hasBoundary = area.boundaryBytes > 0 || area.boundary !== null;
    const { value } = hasBoundary ? await boundaries.next() : { value: undefined };
    let text = separator + before;
    if (!value) text += 'null';
    else {
      for await (const part of paced.of(value.text)) {
        text += part;
        if (text.length < LARGE_TEXT) continue;
        yield text;
        text = '';
      }
    }
    yield text + after;
    separator = ',';
  }
  yield (separator === head ? head : '') + tail;
}

async function* textsOf(areas: readonly Area[], { head, item, tail }: Frame, read: ReadSlices): AsyncGenerator<string> {
  const texts = leftOutTexts(areas, read);
  let separator = head;
  for (const area of areas) {
    const { before, after } = item(area);
    yield separator + before;
    if (isLeftOut(area)) yield* slicesOf(area, texts);
    else yield area.boundary ?? 'null';
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
