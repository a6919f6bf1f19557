import { describe, expect, it } from 'vitest';
import { box, feature, lines, polygon, surveyed } from '../country.ts';

const square = polygon(box(120, 18));

describe('survey', () => {
  it('names file and feature of what has no code, no area’s code, a second polygon or none', async () => {
    const found = await surveyed({
      'barangays.detailed.ndjson': lines([
        feature('0102801001', square),
        feature('0102801001', square),
        feature(null, square),
        feature('0102801009', square),
        feature('0102801002', null),
        feature('0102802001', polygon(box(1, 2))),
      ]),
    });
    const problems = found.problems.map(({ at, what }) => `${at}: ${what}`);
    expect(problems).toEqual([
      'barangays.detailed.ndjson line 2: is the second detailed boundary of 0102801001 Adams Poblacion; barangays.detailed.ndjson line 1 is another',
      'barangays.detailed.ndjson line 3: has no property with a PSGC code',
      'barangays.detailed.ndjson line 6: the boundary of 0102802001 Bani has the position 1, 2, which is outside the Philippines: a wrong projection',
    ]);
    expect(found.unknown).toMatchObject([{ at: 'barangays.detailed.ndjson line 4', code: '0102801009' }]);
    expect(found.empty).toMatchObject([{ at: 'barangays.detailed.ndjson line 5', area: { code: '0102801002' } }]);
  });

  it('reports the first problems of a file and how many more', async () => {
    const found = await surveyed({ 'x.ndjson': lines(Array.from({ length: 25 }, () => feature(null, square))) });
    expect(found.problems).toHaveLength(11);
    expect(found.problems.at(-1)).toEqual({ at: 'x.ndjson', what: 'and 15 more problems in this file' });
  });
});
