import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('housekeeping wakes the database at night in Manila only, in every environment, and a dozen times', async () => {
  const text = await readFile(new URL('../../../wrangler.toml', import.meta.url), 'utf8');
  // Environments inherit the one that there is.
  const [, given = '[]', ...more] = text.split(/^crons = /m).map((part) => part.split('\n')[0]);
  expect(more).toEqual([]);
  const runs = (JSON.parse(given) as string[]).map((cron) => /^\*\/(\d+) (\d+)-(\d+) \* \* \*$/.exec(cron));
  expect(runs).toHaveLength(1);
  const [minutes = 0, first = 0, last = 0] = (runs[0] ?? []).slice(1).map(Number);
  expect([(first + 8) % 24, (last + 1 + 8) % 24]).toEqual([2, 4]);
  expect((60 / minutes) * (last - first + 1)).toBe(12);
});
