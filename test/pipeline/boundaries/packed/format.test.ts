import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ranksOf } from '../../../../scripts/pipeline/boundaries/packed/borders.ts';
import { Drawing } from '../../../../scripts/pipeline/boundaries/packed/draw.ts';
import {
  type PackedCountry,
  packCountry,
  unpackCountry,
} from '../../../../scripts/pipeline/boundaries/packed/format.ts';
import {
  readBorders,
  writeBorders,
  writeInputs,
} from '../../../../scripts/pipeline/boundaries/packed/repository-files.ts';
import { type CountryShape, drawCountry } from '../../../../scripts/pipeline/boundaries/topology/country.ts';
import { RESOLUTIONS } from '../../../../src/areas/store.ts';
import { COUNTRY, country as release } from '../country.ts';

const SIDE = 100_000;

/** The six barangays of the small country in a row from west to east, each with a coast that goes to and fro. */
function smallCountry(): PackedCountry {
  const { areas } = release(COUNTRY);
  const barangays = areas.filter(({ level }) => level === 'barangay');
  const shapes = barangays.map((area, i): CountryShape => {
    const west = 120_000_000 + i * SIDE;
    const coast = Array.from({ length: 99 }, (_, k) => [west + (k + 1) * 1000, 18_000_000 - 50 * (k % 2)]).flat();
    const [x, y] = [west + SIDE, 18_000_000 + SIDE];
    const ring = [west, 18_000_000, ...coast, x, 18_000_000, x, y, west, y, west, 18_000_000];
    const unit = {
      barangay: area.code,
      submunicipality: null,
      municity: area.municityCode,
      province: area.provinceCode,
      region: area.regionCode,
    };
    return { level: 'barangay', code: area.code, unit, rings: [Int32Array.from(ring)] };
  });
  const { units, topologies } = drawCountry(shapes);
  return { units, detailed: topologies.detailed, ranks: ranksOf(topologies) };
}

/** What a country draws, with all texts. */
function drawn(country: PackedCountry) {
  const { areas, neighbors } = new Drawing(country).draw(country.units);
  const written = [...areas].map(([code, { text, polygons, ...area }]) => {
    const texts = RESOLUTIONS.map((resolution) => Buffer.from(text(resolution)).toString());
    expect(RESOLUTIONS.map((resolution) => area.bytes[resolution])).toEqual(texts.map(({ length }) => length));
    return [code, area, texts, polygons()];
  });
  return { written, neighbors };
}

describe('a packed country', () => {
  it('unpacks to what was packed', () => {
    const country = smallCountry();
    const packed = packCountry(country);
    const unpacked = unpackCountry(packed);
    expect(unpacked.units).toEqual(country.units);
    // Vertices may have other numbers, so what is compared is what they draw.
    expect(drawn(unpacked)).toEqual(drawn(country));
    expect(packCountry(unpacked)).toEqual(packed);
  });

  it('is drawn at three resolutions, with fewer vertices in coarser ones, and says which areas touch', () => {
    const country = smallCountry();
    const { areas, neighbors } = new Drawing(country).draw(country.units);
    expect(areas.size).toBe(COUNTRY.length);
    for (const { bytes } of areas.values()) {
      expect(bytes.medium).toBeLessThan(bytes.detailed);
      expect(bytes.simple).toBeLessThanOrEqual(bytes.medium);
    }
    const ofProvinces = neighbors.filter(({ level }) => level === 'province');
    expect(ofProvinces).toEqual([
      { level: 'province', code: '0102800000', neighbor: '0201500000' },
      { level: 'province', code: '0201500000', neighbor: '0102800000' },
    ]);
  });
});

describe('the file of the borders', () => {
  const repository = fileURLToPath(new URL('../../../../data/boundaries', import.meta.url));
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pgds-borders-'));
    await copyFile(join(repository, 'source.json'), join(directory, 'source.json'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is read as it was written, with its source', async () => {
    const country = smallCountry();
    const bytes = await writeBorders(country, directory);
    const borders = await readBorders(directory);
    expect(bytes).toBe((await readFile(join(directory, 'country.topology'))).length);
    expect(borders.country.units).toEqual(country.units);
    expect(borders.source).toMatchObject({ part: 'boundaries', licence: expect.any(String), url: expect.any(String) });
  });

  it('records its inputs beside its hashes', async () => {
    const before = JSON.parse(await readFile(join(directory, 'source.json'), 'utf8'));
    const inputs = [{ file: 'regions.detailed.ndjson.gz', sha256: 'f'.repeat(64) }];
    await writeInputs(inputs, directory);
    expect(JSON.parse(await readFile(join(directory, 'source.json'), 'utf8'))).toEqual({ ...before, inputs });
  });

  it('is refused with a changed, a missing or an added byte', async () => {
    await writeBorders(smallCountry(), directory);
    const path = join(directory, 'country.topology');
    const whole = await readFile(path);
    const middle = whole.length >> 1;
    const turned = Uint8Array.from(whole, (byte, i) => (i === middle ? byte ^ 1 : byte));
    for (const bytes of [turned, whole.subarray(1), Buffer.concat([whole, Buffer.of(0)])]) {
      await writeFile(path, bytes);
      await expect(readBorders(directory)).rejects.toThrow('country.topology has other bytes than source.json says');
    }
  });
});
