import type { FeatureCollection, Geometry } from 'geojson';
import { whereabouts } from '../../shared/far-away.ts';
import { areaOf } from './area.ts';
import { repeatedCoordinates } from './coordinates.ts';
import { countPoints } from './count-points.ts';
import { extentOf } from './extent.ts';
import { FeatureTiles } from './feature-tiles.ts';
import { insideOf } from './inside.ts';
import { shapeOf } from './paths.ts';
import type { ReadFeature, Reply, Task } from './tasks.ts';
import { unwrapped } from './unwrapped.ts';

// The script of a web worker that reads the features of a dataset, keeps their geometry and makes tiles of it.

/** How many features are handed to the page at a time. It stays smooth while it takes them. */
const AT_ONCE = 1000;

let geometries: (Geometry | null)[] = [];
let tiles = new FeatureTiles(geometries);

addEventListener('message', ({ data: { id, task } }: MessageEvent<{ id: number; task: Task }>) => {
  try {
    const result = done(task);
    postMessage({ id, result } satisfies Reply, { transfer: result instanceof ArrayBuffer ? [result] : [] });
  } catch (error) {
    postMessage({ id, failure: String(error) } satisfies Reply);
  }
});

function done(task: Task): unknown {
  switch (task.name) {
    case 'read':
      return read(task.bytes);
    case 'show':
      return tiles.show(task.style);
    case 'tile':
      return tiles.tile(task.z, task.x, task.y);
    case 'geometry':
      return geometries[task.feature] ?? null;
    case 'zoom':
      return tiles.zoomOf(task.cluster);
    case 'areas':
      return Float64Array.from(geometries, areaOf);
    case 'insides':
      return geometries.map(insideOf);
    case 'whereabouts':
      return whereabouts(
        geometries.flatMap((geometry) => [extentOf(geometry)].filter((extent) => extent !== undefined)),
      );
    case 'count':
      return countPoints(geometries, task.areas);
    case 'shapes':
      return tiles.inDrawOrder(task.features).flatMap((feature) => {
        const shape = shapeOf(geometries[feature] ?? null, task.frame);
        return shape ? { ...shape, feature } : [];
      });
  }
}

/** Reads a FeatureCollection. Returns the properties that only repeat the coordinates of its points. */
function read(bytes: ArrayBuffer): string[] {
  const { features } = JSON.parse(new TextDecoder().decode(bytes)) as FeatureCollection;
  geometries = features.map(({ geometry }) => geometry && unwrapped(geometry));
  tiles = new FeatureTiles(geometries);
  for (let from = 0; from < features.length; from += AT_ONCE) {
    const some = features.slice(from, from + AT_ONCE).map(
      ({ id, properties, geometry }, index): ReadFeature => ({
        id: String(id ?? from + index),
        properties: properties ?? {},
        type: geometry?.type,
      }),
    );
    postMessage({ features: some } satisfies Reply);
  }
  return repeatedCoordinates(features);
}
