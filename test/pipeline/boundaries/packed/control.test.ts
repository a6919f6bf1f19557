import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { type Control, controlOf } from '../../../../scripts/pipeline/boundaries/packed/control.ts';
import { readControl, writeControl } from '../../../../scripts/pipeline/boundaries/packed/repository-files.ts';
import { BARANGAYS, box, country, directoryOf, feature, lines, place, polygon } from '../country.ts';

let directory: string;

afterEach(() => rm(directory, { recursive: true }));

async function controlled(files: Record<string, string>): Promise<Control[]> {
  directory = await directoryOf(files);
  return await controlOf(directory, country(), join(directory, 'scratch'));
}

it('measures the detailed polygons of files, and takes a point inside of the first barangay', async () => {
  const whole = polygon(box(120, 18, 0.2, 0.1));
  const notched = polygon(place(0), box(120.01, 18.01, 0.05, 0.08).toReversed());
  const control = await controlled({
    'municities.detailed.ndjson.gz': lines([feature('0102801000', whole)]),
    'barangays.detailed.ndjson': lines([feature(BARANGAYS[1], polygon(place(1))), feature(BARANGAYS[0], notched)]),
    'barangays.simple.ndjson': lines([feature(BARANGAYS[2], polygon(place(2)))]),
  });
  expect(control.map(({ code }) => code)).toEqual(['0102801000', '0102801001', '0102801002']);
  const [both, first, second] = control as [Control, Control, Control];
  // A tenth of a degree of longitude at 18.05° north is 10.589 km, one of latitude 11.067 km.
  expect(second.km2).toBeCloseTo(10.589 * 11.067, 0);
  expect(both.km2).toBeCloseTo(2 * second.km2, 1);
  expect(first.km2).toBeCloseTo(0.6 * second.km2, 1);
  expect([both.point, second.point]).toEqual([null, null]);
  // The widest stretch is below the hole or above it.
  expect(first.point?.lon).toBe(120.05);
  expect(Math.abs((first.point?.lat ?? 0) - 18.05)).toBeGreaterThan(0.04);
  expect(Math.abs((first.point?.lat ?? 0) - 18.05)).toBeLessThan(0.05);
});

it('is read as written, and refused with a changed byte', async () => {
  directory = await directoryOf({});
  const described = fileURLToPath(new URL('../../../../data/boundaries/source.json', import.meta.url));
  await copyFile(described, join(directory, 'source.json'));
  const control: Control[] = [
    { code: '0102801001', km2: 0.012345, point: { lon: 120.05, lat: 18.000123 } },
    { code: '0102801002', km2: 12346, point: null },
  ];
  const bytes = await writeControl(control, directory);
  const path = join(directory, 'control.csv.br');
  const packed = await readFile(path);
  expect(packed.length).toBe(bytes);
  expect(await readControl(directory)).toEqual(control);
  await writeFile(
    path,
    packed.map((byte, i) => (i === 5 ? byte ^ 1 : byte)),
  );
  await expect(readControl(directory)).rejects.toThrow('control.csv.br has other bytes than source.json says');
});
