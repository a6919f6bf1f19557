import { beforeAll, describe, expect, it } from 'vitest';
import { type List, makeLists, type Question } from '../../../scripts/bench/names/lists.ts';
import { type Outcome, outcomeOf } from '../../../scripts/bench/names/tally.ts';
import { matchRow } from '../../../src/names/match.ts';
import { type NamedCountry, namedCountry } from './country.ts';

/** A part of the lists that `npm run bench -- names` makes: every sixth city, and some barangays. */
const SEED = 11;
const EVERY = 6;
const BARANGAYS = 80;

let country: NamedCountry;
let measured: { list: List; outcomes: Outcome[]; shared: Outcome[] }[];
beforeAll(async () => {
  country = await namedCountry();
  const outcomes = (questions: readonly Question[]) =>
    questions.map(({ row, code }) => outcomeOf(matchRow(country.index, row), code));
  measured = makeLists(country.release, { seed: SEED, barangays: BARANGAYS }).map((list) => ({
    list,
    outcomes: outcomes(list.questions.filter((_, i) => list.level === 'barangay' || i % EVERY === 0)),
    shared: outcomes(list.shared.filter((_, i) => list.level === 'barangay' || i % EVERY === 0)),
  }));
}, 120_000);

const isRight = (it: Outcome) => it === 'exact' || it === 'likely';
const share = (all: readonly Outcome[], isCounted: (it: Outcome) => boolean) =>
  all.filter(isCounted).length / all.length;
const of = (level: List['level'], kinds: RegExp) =>
  measured.filter(({ list }) => list.level === level && kinds.test(list.kind)).flatMap(({ outcomes }) => outcomes);
const isLikely = (it: Outcome) => it === 'likely' || it === 'wrong likely';

describe('the goals of matching', () => {
  it.each<[List['level'], RegExp, number, string]>([
    ['municity', /^clean/, 0.995, 'clean cities and municipalities'],
    ['barangay', /^clean/, 0.995, 'clean barangays'],
    ['municity', /^(?!clean|province missing)/, 0.97, 'damaged cities and municipalities with a province'],
    ['barangay', /^(?!clean|city missing)/, 0.9, 'damaged barangays with a city'],
  ])('%s, %s: at least %d right', (level, kinds, goal) => {
    const outcomes = of(level, kinds);
    expect(outcomes.length).toBeGreaterThan(150);
    expect(share(outcomes, isRight)).toBeGreaterThanOrEqual(goal);
  });

  it('calls nothing exact that is wrong, and at most 0.5 % likely', () => {
    const all = measured.flatMap(({ outcomes }) => outcomes);
    expect(share(all, (it) => it === 'wrong exact')).toBe(0);
    expect(share(all.filter(isLikely), (it) => it === 'wrong likely')).toBeLessThanOrEqual(0.005);
  });

  it('decides no row wrongly that names several areas', () => {
    const shared = measured.filter((it) => it.shared.length > 0);
    expect(shared.flatMap((it) => it.shared).length).toBeGreaterThan(100);
    const wrong = shared.filter((it) => share(it.shared, (outcome) => /^wrong/.test(outcome)) > 0.005);
    expect(wrong.map(({ list }) => `${list.level}: ${list.kind}`)).toEqual([]);
  });

  it('needs at most 12 MB for the index', () => {
    expect(country.index.bytes).toBeLessThanOrEqual(12e6);
  });
});
