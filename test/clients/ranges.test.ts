import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { flatGeobufOf } from '../../scripts/pipeline/downloads/flatgeobuf.ts';
import { hilbertOrder } from '../../scripts/pipeline/downloads/hilbert.ts';
import { type Box, boxOf, multiPolygonOf } from '../../src/layer-files/shapes.ts';

// How little of a layer a client transfers. The layers of the drawn country are so small that what clients read ahead is most
// of them. This one is as the pipeline writes it, and so large that the npm package flatgeobuf, which reads up to 256 KiB
// ahead, has to leave out most of it.

const NODE_CLIENTS = process.env.CLIENTS_NODE ?? fileURLToPath(new URL('../../.cache/clients-node', import.meta.url));

/** How many areas the layer has on a side, a tenth of a degree each, and how many positions each. */
const SIDE = 50;
const POSITIONS = 401;

let server: Server;
let layer: Buffer;
let sent = 0;

/** A circle in a cell of the grid. */
function areaAt(column: number, row: number) {
  const ring = Array.from({ length: POSITIONS }, (_, i) => {
    const angle = (2 * Math.PI * (i % (POSITIONS - 1))) / (POSITIONS - 1);
    return [116 + (column + 0.5 + 0.4 * Math.cos(angle)) / 10, 5 + (row + 0.5 + 0.4 * Math.sin(angle)) / 10];
  });
  const shape = multiPolygonOf({ type: 'Polygon', coordinates: [ring] });
  const code = `${column}-${row}`;
  return { code, shape, box: boxOf(shape) as Box, values: [code] };
}

beforeAll(async () => {
  const areas = Array.from({ length: SIDE * SIDE }, (_, i) => areaAt(i % SIDE, Math.floor(i / SIDE)));
  const ordered = hilbertOrder(areas.map(({ box }) => box)).map((i) => areas[i] as (typeof areas)[number]);
  layer = Buffer.from(flatGeobufOf(ordered, { name: 'grid', columns: [{ name: 'code', type: 'text' }] }));
  server = createServer(({ headers }, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (first === undefined || last === undefined) return response.writeHead(400).end();
    const part = layer.subarray(Number(first), Number(last) + 1);
    sent += part.length;
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${layer.length}`;
    return response.writeHead(206, { 'Content-Length': part.length, 'Content-Range': range }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server?.close();
});

it('a client that reads ahead little takes less than a fifth of a layer for a part of it', async () => {
  const program = join(NODE_CLIENTS, 'ranges.mjs');
  await writeFile(
    program,
    `import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
console.debug = () => undefined;
const codes = [];
const rect = { minX: 118.01, minY: 7.01, maxX: 118.99, maxY: 7.99 };
for await (const { properties } of deserialize(process.argv[2], { rect })) codes.push(properties.code);
console.log(codes.join());`,
  );
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/grid.fgb`;
  const { stdout } = await promisify(execFile)(process.execPath, [program, address]);
  const inBox = Array.from({ length: 100 }, (_, i) => `${20 + (i % 10)}-${20 + Math.floor(i / 10)}`);
  expect(stdout.trim().split(',').sort()).toEqual(inBox.sort());
  expect(layer.length).toBeGreaterThan(15_000_000);
  expect(sent, `of ${layer.length} bytes`).toBeLessThan(layer.length / 5);
});
