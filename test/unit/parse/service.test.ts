import { beforeAll, expect, it, vi } from 'vitest';
import { inTurns } from '../../../src/match/service.ts';
import { parsedTexts, rowsOf } from '../../../src/parse/service.ts';
import { type NamedCountry, namedCountry } from '../names/country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

it('parses no more for a reader who has left', async () => {
  let taken = 0;
  const texts = (function* () {
    for (; taken < 1000; taken += 1) yield 'Blk 4 Lot 12, Brgy. Salawag, Dasmariñas, Cavite 4114';
  })();
  const made = parsedTexts(country.index, texts);
  const first = await made.next();
  expect([JSON.parse(first.value as string).code, taken]).toEqual(['0402106011', 0]);
  await made.return(undefined as never);
  expect((await made.next()).done).toBe(true);
  expect(taken).toBe(0);
});

it('counts an address by its length', () => {
  expect([0, 1, 100, 101, 500].map((length) => rowsOf('x'.repeat(length)))).toEqual([1, 1, 1, 2, 5]);
});

it('gives others a turn among rows without text too', async () => {
  const timeout = vi.spyOn(globalThis, 'setTimeout');
  await inTurns(Array(400).fill({ text: '' }), () => undefined);
  expect(timeout.mock.calls.length).toBeGreaterThan(1);
  timeout.mockRestore();
});
