import { expect, it } from 'vitest';
import { findLosses, lossProblems } from '../../../../scripts/pipeline/boundaries/check/losses.ts';
import { country } from '../country.ts';

/** Square microdegrees of about a square kilometre. */
const KM2 = 8.27e7;
const [REGION, OTHER, ADAMS, BACARRA, ABULUG] = ['0100000000', '0200000000', '0102801000', '0102802000', '0201501000'];
const NONE = { moved: [], left: [] };

function losses(
  sizes: Record<string, { given: number; stored?: number; lost?: number; taken?: number; contested?: number }>,
  { outlines = [] as string[], moved = [] as { own: string; host: string }[] } = {},
) {
  const all = Object.entries(sizes);
  const level = (code: string) => (code.endsWith('00000000') ? ('region' as const) : ('municity' as const));
  const shapes = all.filter(([code]) => !outlines.includes(code));
  const filled = all.filter(([code]) => outlines.includes(code));
  const values = (of: (size: (typeof sizes)[string]) => number | undefined) =>
    new Map(all.map(([code, size]) => [code, (of(size) ?? size.given) * KM2]));
  return findLosses({
    areas: country().areas,
    shapes: shapes.map(([code, { given, stored }]) => ({ level: level(code), code, area: (stored ?? given) * KM2 })),
    outlines: filled.map(([code, { given }]) => ({ level: level(code), code, area: given * KM2 })),
    sourceSizes: values(({ given }) => given),
    storedSizes: values(({ stored }) => stored),
    lost: Float64Array.from(shapes, ([, { lost }]) => (lost ?? 0) * KM2),
    taken: {
      uncontested: Float64Array.from(shapes, ([, { taken }]) => (taken ?? 0) * KM2),
      contested: Float64Array.from(shapes, ([, { contested }]) => (contested ?? 0) * KM2),
    },
    uncovered: Float64Array.from(filled, ([, { lost }]) => (lost ?? 0) * KM2),
    reassigned: { ...NONE, moved: moved as never },
  });
}

it.each([
  [
    'repairing',
    losses({ [ADAMS as string]: { given: 100, stored: 90 } }),
    'municity 0102801000: 0102801000 Adams loses 10.00 km² (10.00 %) by repairing',
  ],
  [
    'drawing',
    losses({ [REGION as string]: { given: 9000, lost: 17.7 } }),
    'region 0100000000: 0100000000 Region I loses 17.70 km² (0.20 %) by drawing',
  ],
  [
    'uniting',
    losses({ [REGION as string]: { given: 9000, lost: 17.7 } }, { outlines: [REGION as string] }),
    'region 0100000000: 0100000000 Region I loses 17.70 km² (0.20 %) by uniting',
  ],
  [
    'moving',
    losses(
      { [ADAMS as string]: { given: 100, stored: 50 }, [BACARRA as string]: { given: 100, stored: 140 } },
      { moved: [{ own: BACARRA as string, host: ADAMS as string }] },
    ),
    'loses 10.00 km² (5.00 %) by moving barangays',
  ],
  [
    'giving it to others',
    losses({ [ADAMS as string]: { given: 100, taken: 10 } }),
    'municity 0102801000: 0102801000 Adams loses 10.00 km² (10.00 %) by giving its land to others',
  ],
  [
    'moving in one place, where land is gained in another',
    losses(
      {
        [ADAMS as string]: { given: 100, stored: 50 },
        [BACARRA as string]: { given: 100, stored: 140 },
        [REGION as string]: { given: 100, stored: 160 },
        [ABULUG as string]: { given: 100, stored: 50 },
      },
      {
        moved: [
          { own: BACARRA as string, host: ADAMS as string },
          { own: REGION as string, host: ABULUG as string },
        ],
      },
    ),
    'Bacarra loses 10.00 km² (5.00 %) by moving barangays',
  ],
  [
    'drawing, of a small area most of it',
    losses({ [ADAMS as string]: { given: 0.04, lost: 0.03 } }),
    '0102801000 Adams loses 0.03 km² (75.00 %) by drawing',
  ],
  [
    'settling overlaps, more than half of it',
    losses({ [ADAMS as string]: { given: 100, contested: 51 } }),
    '(51.00 %) by settling overlaps',
  ],
  [
    'all of a level',
    losses({ [REGION as string]: { given: 900, lost: 3 }, [OTHER as string]: { given: 900, lost: 3 } }),
    'region: all of level region loses 6.00 km² (0.33 %) by drawing',
  ],
])('land that is lost by %s refuses the load, with the area and its size', (_, found, problem) => {
  expect(
    lossProblems(found)
      .map(({ at, what }) => `${at}: ${what}`)
      .join('\n'),
  ).toContain(problem);
});

it('slivers, gains and land that only changes hands are accepted', () => {
  const found = losses(
    {
      [REGION as string]: { given: 9000, lost: 2 },
      [ADAMS as string]: { given: 100, stored: 50 },
      [BACARRA as string]: { given: 100, stored: 151 },
      [ABULUG as string]: { given: 0.4, lost: 0.03, contested: 0.15 },
    },
    { moved: [{ own: BACARRA as string, host: ADAMS as string }] },
  );
  expect(found.map(({ km2 }) => Math.round(km2))).toContain(2);
  expect(lossProblems(found)).toEqual([]);
});
