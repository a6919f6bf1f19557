import { expect, it } from 'vitest';
import { findShapeProblems, findWorst } from '../../../../scripts/pipeline/boundaries/check/shapes.ts';

type Levels = Parameters<typeof findWorst>[0];

/** Municipalities that differ by so much from their detailed boundary. */
function deviating(resolution: 'medium' | 'simple', ...shares: [growth: number, difference: number][]): Levels {
  const deviations = shares.map(([growth, difference], i) => ({ name: `m${i}`, area: 1e9, growth, difference }));
  return [{ level: 'municity', resolution, deviations }];
}

const refused = (shapes: Partial<Parameters<typeof findShapeProblems>[0]>) =>
  findShapeProblems({ losses: [], deviations: [], stored: [], ...shapes }).map(({ at, what }) => `${at}: ${what}`);

it.each([
  ['simple', [0.149, 0.249], []],
  ['simple', [-0.149, 0.249], []],
  ['simple', [0.151, 0.2], ['area +15.1 %, symmetric difference 20.0 %']],
  ['simple', [-0.151, 0.2], ['area -15.1 %, symmetric difference 20.0 %']],
  ['simple', [0, 0.251], ['area +0.0 %, symmetric difference 25.1 %']],
  ['medium', [0.049, 0.099], []],
  ['medium', [-0.051, 0.099], ['area -5.1 %, symmetric difference 9.9 %']],
  ['medium', [0, 0.101], ['area +0.0 %, symmetric difference 10.1 %']],
] as const)('at %s an area that differs by %j is refused with: %j', (resolution, [growth, difference], shares) => {
  expect(refused({ deviations: deviating(resolution, [growth, difference], [0, 0]) })).toEqual(
    shares.map((it) => `municity m0: its ${resolution} boundary differs too much from the detailed one: ${it}`),
  );
});

it('the worst ten of each resolution are reported, by their share of the limit', () => {
  const growing = Array.from({ length: 12 }, (_, i): [number, number] => [i / 100, 0]);
  // As a share of the rule this is more than eleven hundredths of the area.
  const levels = [...deviating('simple', ...growing, [0, 0.2]), ...deviating('medium', [0.01, 0])];
  const { simple, medium } = findWorst(levels);
  expect(simple.map(({ code }) => code)).toEqual(['m12', 'm11', 'm10', 'm9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3']);
  expect(medium.map(({ code }) => code)).toEqual(['m0']);
  const all = deviating('simple', ...growing.map(([growth]): [number, number] => [growth + 0.2, 0]));
  expect(refused({ deviations: all })).toHaveLength(10);
});

it.each([
  ['province', 0.6],
  ['municity', 2],
  ['barangay', 20],
] as const)('the texts of level %s may take %d MB at simple, and three times that at medium', (level, megabytes) => {
  const of = (resolution: 'simple' | 'medium' | 'detailed', most: number) =>
    refused({ stored: [{ level, resolution, count: 40, bytes: most * 1e6 }] });
  expect(of('simple', megabytes)).toEqual([]);
  expect(of('medium', 3 * megabytes)).toEqual([]);
  expect(of('detailed', 1000)).toEqual([]);
  const [simple] = of('simple', megabytes + 0.1);
  expect(simple).toContain(`${(megabytes + 0.1).toFixed(1)} MB at simple, more than ${megabytes.toFixed(1)} MB; leave`);
  expect(of('medium', 3 * megabytes + 0.1)).toHaveLength(1);
});

it('land that was lost is refused too', () => {
  const loss = {
    level: 'region' as const,
    code: null,
    name: 'all of level region',
    step: 'drawing',
    to: 'nobody' as const,
    km2: 30,
    share: 0.1,
  };
  expect(refused({ losses: [loss] })).toEqual(['region: all of level region loses 30.00 km² (10.00 %) by drawing']);
});
