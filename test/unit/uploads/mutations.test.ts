import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { COLUMNS, TYPES } from '../../../src/layer-files/flatgeobuf-schema.ts';
import { flatGeobufOf, sized, valuesOf } from '../../support/flatgeobufs.ts';
import { addLayer, addRow, addTables, binaryOf, databaseOf, pointWkb, polygonWkb } from '../../support/geopackages.ts';
import { writeSheets } from '../../support/workbooks.ts';
import { readInChunks, readStored } from './read.ts';

// Files of which some bytes are other ones are read, or refused with what is wrong in them. The changes are the same each
// time: a failure names its seed.

const MUTATIONS = 400;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Values that formats count with: what is more than there is, and what is less than nothing. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff];

/** The file with one to four bytes that are others, one in eight times cut besides. */
function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const copy = bytes.slice();
  for (let left = 1 + below(4); left > 0; left -= 1) {
    copy[below(copy.length)] = below(2) === 0 ? below(256) : (EDGES[below(EDGES.length)] as number);
  }
  return below(8) === 0 ? copy.slice(0, below(copy.length)) : copy;
}

const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];

/** The parts of an archive, to be stored as they are, so that changes reach what they say. */
const storedParts = (archive: Uint8Array): Zippable =>
  Object.fromEntries(Object.entries(unzipSync(archive)).map(([name, part]) => [name, [part, { level: 0 }]]));

const SEEDS: readonly (readonly [name: string, bytes: () => Uint8Array])[] = [
  [
    'a.fgb',
    () =>
      flatGeobufOf({
        nodeSize: 16,
        crs: { org: 'EPSG', code: 4326 },
        columns: [
          ['name', COLUMNS.string],
          ['count', COLUMNS.long],
          ['more', COLUMNS.json],
        ],
        features: [
          {
            geometry: { type: TYPES.Polygon, xy: ring.flat(), ends: [4] },
            properties: valuesOf([
              [0, sized('Ñ')],
              [1, new Uint8Array(8)],
              [2, sized('{"a":[1]}')],
            ]),
          },
          {
            geometry: {
              type: TYPES.GeometryCollection,
              parts: [
                { type: TYPES.Point, xy: [1, 2], z: [3] },
                { type: TYPES.MultiPolygon, parts: [{ xy: ring.flat() }] },
              ],
            },
          },
          {},
        ],
      }),
  ],
  [
    'a.gpkg',
    () =>
      databaseOf((database) => {
        database.exec('pragma page_size = 512');
        addTables(database);
        addLayer(database, 'wells', { columns: 'text TEXT, number DOUBLE' });
        addRow(database, 'wells', [1, binaryOf(pointWkb(1, 2)), 'Ñ', 1.5]);
        addRow(database, 'wells', [2, binaryOf(polygonWkb(ring)), 'x'.repeat(900), null]);
      }),
  ],
  [
    'a.kmz',
    () => {
      const document = `<kml><Document><NetworkLink><Link><href>b.kml</href></Link></NetworkLink><Placemark><name>Ñ</name>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 4,0 4,4 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>
        </Placemark></Document></kml>`;
      const linked = '<kml><Placemark><Point><coordinates>1,2,3</coordinates></Point></Placemark></kml>';
      return zipSync({ 'doc.kml': [strToU8(document), { level: 0 }], 'b.kml': strToU8(linked) });
    },
  ],
  [
    'a.xlsx',
    () =>
      zipSync(
        storedParts(
          writeSheets({
            A: [
              ['lon', 'lat', 'ñ'],
              [1, 2, new Date(0)],
              [3, 4, 'x'],
            ],
          }),
        ),
      ),
  ],
  [
    'a.topojson',
    () =>
      strToU8(
        JSON.stringify({
          type: 'Topology',
          transform: { scale: [0.5, 0.5], translate: [100, 10] },
          arcs: [
            [
              [0, 0],
              [4, 0],
              [0, 4],
              [-4, -4],
            ],
          ],
          objects: {
            wells: {
              type: 'GeometryCollection',
              geometries: [
                { type: 'Polygon', arcs: [[0]], id: 'Ñ', properties: { a: 1.5, b: ['\u00d1'] } },
                { type: 'MultiLineString', arcs: [[-1], [0]] },
                { type: 'Point', coordinates: [1, 2] },
              ],
            },
          },
        }),
      ),
  ],
];

/** What happened to a file: it was read, or refused in one of the two ways there are. */
async function outcomeOf(name: string, bytes: Uint8Array): Promise<string> {
  try {
    if (name.endsWith('.topojson')) readInChunks(name, bytes, [100]);
    else await readStored(name, bytes);
    return 'read';
  } catch (error) {
    const { name: kind, stack } = error as Error;
    return kind === 'FileFault' || kind === 'GeometryFault' ? kind : String(stack);
  }
}

describe('a file of wrong bytes', () => {
  it.each(SEEDS)('is read or refused: %s', async (name, make) => {
    const bytes = make();
    expect(await outcomeOf(name, bytes)).toBe('read');
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= MUTATIONS; seed += 1) {
      const outcome = await outcomeOf(name, mutated(bytes, seed));
      if (!/^(read|FileFault|GeometryFault)$/.test(outcome)) expect.fail(`seed ${seed}: ${outcome}`);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Most of the changes are within what is looked at.
    expect(outcomes.get('FileFault') ?? 0).toBeGreaterThan(MUTATIONS / 10);
  });
});
