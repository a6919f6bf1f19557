import { crc32 as platform } from 'node:zlib';
import { expect, it } from 'vitest';
import { crc32 } from '../../src/crc32.ts';

const BYTES = crypto.getRandomValues(new Uint8Array(5000));

it('agrees with the platform', () => {
  expect(crc32(new Uint8Array())).toBe(0);
  expect(crc32(BYTES)).toBe(platform(BYTES));
});

it('goes on from the checksum of the bytes before', () => {
  expect(crc32(BYTES.subarray(2000), crc32(BYTES.subarray(0, 2000)))).toBe(platform(BYTES));
});
