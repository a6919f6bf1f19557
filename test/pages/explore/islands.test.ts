import { expect, it } from 'vitest';
import { aroundIslands } from '../../../pages/explore/islands.ts';

const hit = (
  code: string,
  level: 'region' | 'province' | 'municity' | 'barangay',
  match: 'exact' | 'word' | 'prefix',
) => ({
  code,
  level,
  match,
});

it('keeps the order of the service: whole names, then places on islands of the name, then the rest', () => {
  // `manila`: the region of that alias comes after the city.
  const manila = [hit('1', 'municity', 'exact'), hit('2', 'barangay', 'exact'), hit('3', 'barangay', 'prefix')];
  const hits = [...manila, hit('4', 'region', 'word'), hit('5', 'barangay', 'word')];
  const codesOf = (codes: readonly string[]) => {
    const { before, after } = aroundIslands(hits, codes);
    return [before.map(({ code }) => code), after.map(({ code }) => code)];
  };
  expect(codesOf([])).toEqual([
    ['1', '2'],
    ['3', '4', '5'],
  ]);
  expect(codesOf(['2', '5'])).toEqual([['1'], ['3', '4']]);
  expect(aroundIslands(manila.slice(0, 2), [])).toEqual({ before: manila.slice(0, 2), after: [] });
  expect(aroundIslands([hit('6', 'province', 'prefix'), hit('7', 'barangay', 'prefix')], []).before).toHaveLength(1);
});
