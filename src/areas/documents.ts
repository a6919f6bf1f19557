import type { AppContext } from '../context.ts';
import { streamOf } from '../http/answers.ts';
import { isLeftOut, type ReadSlices, slicesOf } from './portions.ts';
import { COLLECTION, featureOf, type Item, recordOf, textOf, withGeometry } from './records.ts';
import type { Area, Level } from './store.ts';

/** The texts around and between the boundaries of a document that shows many areas, or one. */
export interface Frame {
  readonly type: 'application/json' | 'application/geo+json';
  readonly head: string;
  readonly item: (area: Area) => Item;
  readonly tail: string;
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
  { frame: { type, head, item, tail }, read }: { frame: Frame; read: ReadSlices },
): Response {
  const headers = { 'Content-Type': type };
  if (!areas.some(isLeftOut)) {
    return c.body(head + areas.map((area) => textOf(item(area), area)).join(',') + tail, 200, headers);
  }
  return c.body(streamOf(c, textsOf(areas, { head, item, tail }, read)), 200, headers);
}

async function* textsOf(
  areas: readonly Area[],
  { head, item, tail }: Omit<Frame, 'type'>,
  read: ReadSlices,
): AsyncGenerator<string> {
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
