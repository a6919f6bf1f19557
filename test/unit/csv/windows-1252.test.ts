import { afterEach, expect, it, vi } from 'vitest';

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** The decoder of Node 20. */
class Older {
  decode(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it.each([
  ['of this runtime', TextDecoder],
  ['of Node 20, which knows ISO 8859-1 alone', Older],
])('Windows-1252 is decoded as the standard says with the decoder %s', async (_, decoder) => {
  const expected = new TextDecoder('windows-1252').decode(ALL);
  expect(expected.slice(0x80, 0xa0)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');
  vi.stubGlobal('TextDecoder', decoder);
  const { windows1252 } = await import('../../../src/csv/windows-1252.ts');
  expect(windows1252(ALL)).toBe(expected);
});
