import type { Geometry } from 'geojson';
import type { Whereabouts } from '../../shared/far-away.ts';
import type { Counts } from './count-points.ts';
import type { FeatureStyle } from './feature-tiles.ts';
import type { Features } from './features.ts';
import workerUrl from './features-worker.ts?worker';
import type { Inside } from './inside.ts';
import type { Shape } from './paths.ts';
import { type Row, rowOf } from './rows.ts';
import type { Reply, Task } from './tasks.ts';

/** URLs of tiles that web workers make begin with this. */
export const TILE_PROTOCOL = 'own-features';

/** Makes tiles of open features, by the number in the URL. */
const open = new Map<string, (z: number, x: number, y: number) => Promise<ArrayBuffer | undefined>>();
let opened = 0;

/**
 * Reads the features of an answer of the service.
 *
 * @param bytes a FeatureCollection. They are handed to the web worker and are empty afterwards.
 */
export async function openFeatures(bytes: ArrayBuffer): Promise<Features> {
  const worker = new Worker(workerUrl, { type: 'module' });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const rows: Row[] = [];
  let latest = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if ('features' in data) {
      for (const feature of data.features) rows.push(rowOf(feature, rows.length));
      return;
    }
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) asked?.reject(new Error(data.failure));
    else asked?.resolve(data.result);
  });
  worker.addEventListener('error', () => {
    const failure = new Error('The part of this page that reads features could not be loaded. Load the page again.');
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  });
  const ask = <T>(task: Task, transfer: Transferable[] = []) => {
    latest += 1;
    const asked = Promise.withResolvers<unknown>();
    waiting.set(latest, asked);
    worker.postMessage({ id: latest, task }, transfer);
    return asked.promise as Promise<T>;
  };

  opened += 1;
  const name = String(opened);
  const close = () => {
    open.delete(name);
    worker.terminate();
    // Whoever still waits gets what there is without features.
    for (const { resolve } of waiting.values()) resolve(undefined);
    waiting.clear();
  };
  let coordinates: readonly string[];
  try {
    coordinates = await ask<string[]>({ name: 'read', bytes }, [bytes]);
  } catch (error) {
    close();
    throw error;
  }
  open.set(name, (z, x, y) => ask({ name: 'tile', z, x, y }));
  let shown: Partial<FeatureStyle> = {};
  let areas: Promise<Float64Array> | undefined;
  let insides: Promise<readonly (Inside | undefined)[]> | undefined;
  return {
    rows,
    coordinates,
    tiles: `${TILE_PROTOCOL}://${name}/{z}/{x}/{y}`,
    show: async (style) => {
      const before = shown;
      shown = style;
      const isFirst = !('listed' in before);
      const changed = Object.entries(style).filter(
        ([part, value]) => isFirst || value !== before[part as keyof FeatureStyle],
      );
      if (changed.length === 0) return;
      await ask({ name: 'show', style: Object.fromEntries(changed) });
      // Tools of browsers, and tests, see here when tiles are made anew.
      performance.mark('own-features-shown');
    },
    geometryOf: async ({ index }) =>
      (await ask<Geometry | null | undefined>({ name: 'geometry', feature: index })) ?? null,
    zoomOf: (cluster) => ask({ name: 'zoom', cluster }),
    areas: async () => {
      areas ??= ask<Float64Array | undefined>({ name: 'areas' }).then((all) => all ?? new Float64Array(rows.length));
      return areas;
    },
    insides: async () => {
      insides ??= ask<(Inside | undefined)[] | undefined>({ name: 'insides' }).then((all) => all ?? []);
      return insides;
    },
    whereabouts: async () =>
      (await ask<Whereabouts | undefined>({ name: 'whereabouts' })) ?? { main: undefined, far: 0 },
    countIn: async (areas) =>
      (await ask<Counts | undefined>({ name: 'count', areas })) ?? { counts: areas.map(() => 0), outside: 0 },
    shapesOf: async (listed, frame) =>
      (await ask<(Shape & { feature: number })[] | undefined>({
        name: 'shapes',
        features: listed.map(({ index }) => index),
        frame,
      })) ?? [],
    close,
  };
}

/** The tile of a URL, as a protocol of the map: empty where nothing lies, and where the features are closed. */
export async function readFeatureTile({ url }: { url: string }): Promise<{ data: ArrayBuffer }> {
  const [name = '', ...numbers] = url.slice(`${TILE_PROTOCOL}://`.length).split('/');
  const [z = 0, x = 0, y = 0] = numbers.map(Number);
  return { data: (await open.get(name)?.(z, x, y)) ?? new ArrayBuffer(0) };
}
