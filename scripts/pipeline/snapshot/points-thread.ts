import { parentPort } from 'node:worker_threads';
import { readBorders } from '../boundaries/packed/repository-files.ts';
import { type Ring, ringsOfAreas } from '../boundaries/topology/polygons.ts';
import { buildPoints, type PointRing } from './points.ts';
import type { PointsRequest } from './points-in-thread.ts';

// The worker thread of `PointsThread`.

const port = parentPort;
if (!port) throw new Error('This file is run as a thread.');

const reading = readBorders();
port.once('message', async ({ levels }: PointsRequest) => {
  const { detailed } = (await reading).country;
  const { xs, ys } = detailed;
  const flat = (ring: Ring): PointRing => {
    const numbers: number[] = [];
    for (const vertex of [...ring, ring[0] as number]) numbers.push(xs[vertex] as number, ys[vertex] as number);
    return numbers;
  };
  function* areas() {
    for (const { level, rows } of levels) {
      const rowOf = (unit: number) => (unit < 0 || (rows[unit] as number) < 0 ? null : (rows[unit] as number));
      const drawn = [...ringsOfAreas(detailed, rowOf)].sort((a, b) => a.name - b.name);
      for (const { name: row, polygons } of drawn) yield { row, level, rings: polygons.flat().map(flat) };
    }
  }
  const { cells, bytes } = await buildPoints(areas());
  port.postMessage({ cells, bytes });
});
