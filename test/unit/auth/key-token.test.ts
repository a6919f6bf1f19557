import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyToken, hashOf, prefixOf } from '../../../src/auth/key-token.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });

/** The checksum by another hand: CRC-32 as zlib has it, in six digits of base 62. */
function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < 6; rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits;
  return digits;
}

describe('a new key', () => {
  it('has its form, and its checksum is a CRC-32', () => {
    for (const environment of ['live', 'test'] as const) {
      const { token, prefix } = createKeyToken(environment);
      expect(token).toMatch(new RegExp(`^svc_sk_${environment}_${prefix}_[0-9A-Za-z]{38}$`));
      expect(prefix).toMatch(/^[0-9A-Za-z]{12}$/);
      expect(token.slice(-6)).toBe(checksum(token.slice(0, -6)));
      expect(prefixOf(token)).toBe(prefix);
    }
  });

  it('is made of characters that are all equally likely', () => {
    const counts = new Map<string, number>();
    const keys = 5000;
    for (let i = 0; i < keys; i++) {
      const [, , , prefix = '', secret = ''] = createKeyToken('live').token.split('_');
      for (const character of prefix + secret.slice(0, 32)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe(BASE62);
    const due = (keys * 44) / 62;
    // Chi-squared of 61 degrees of freedom: above 131 once in a million times. A bias of modulo 256 gives 300.
    const deviation = [...counts.values()].reduce((sum, count) => sum + (count - due) ** 2 / due, 0);
    expect(deviation).toBeLessThan(131);
  });
});

describe('a text is taken for a key', () => {
  it.each([
    ['svc_sk_live_12345678_00000000000000000000000000000000410IOo', '12345678'],
    ['svc_sk_test_123456789abc_000000000000000000000000000000000XrbDi', '123456789abc'],
  ])('with a prefix of 8 to 12 characters and the checksum: %s', (token, prefix) => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(prefixOf(token)).toBe(prefix);
  });

  it('only with its checksum: none of 10,000 that have the form', () => {
    fc.assert(
      fc.property(fc.constantFrom('live', 'test'), base62(12), base62(38), (environment, prefix, secret) => {
        expect(prefixOf(`svc_sk_${environment}_${prefix}_${secret}`)).toBeUndefined();
      }),
      { numRuns: 10_000 },
    );
  });

  it('never with one character replaced, left out, added or changed with the next', () => {
    const { token } = createKeyToken('live');
    let typos = 0;
    for (let i = 0; i <= token.length; i++) {
      const [before, at = '', after] = [token.slice(0, i), token[i], token.slice(i + 1)];
      const others = [...`${BASE62}_-. `].filter((character) => character !== at);
      const mistakes = [
        ...others.map((character) => before + character + (at === '' ? '' : after)),
        ...[...BASE62].map((character) => before + character + at + after),
        ...(at === '' ? [] : [before + after, before + (after[0] ?? '') + at + after.slice(1)]),
      ];
      for (const mistake of mistakes) {
        if (mistake === token) continue;
        typos += 1;
        if (prefixOf(mistake) !== undefined) expect.fail(mistake);
      }
    }
    expect(typos).toBeGreaterThan(8000);
  });

  it.each([
    '',
    'svc_sk_',
    'svc_sk_live_a_b',
    'svc_sk_live__',
    `${createKeyToken('live').token}\n`,
    ` ${createKeyToken('live').token}`,
    createKeyToken('live').token.replace('live', 'prod'),
    createKeyToken('live').token.replace('svc', 'SVC'),
  ])('never without its form: %j', (text) => {
    expect(prefixOf(text)).toBeUndefined();
  });
});

it('is stored as its SHA-256', async () => {
  const { token } = createKeyToken('test');
  expect(await hashOf(token)).toBe(createHash('sha256').update(token).digest('hex'));
});
