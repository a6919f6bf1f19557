import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../pages/match/title.ts';

const titled = (headings: string[], ...rows: string[][]) =>
  titleOf({ headings, rows }, { municity: [headings.indexOf('Bayan')] }, new Date(2026, 10, 30, 12));

describe('a pasted list', () => {
  it('is called as its first column of amounts', () => {
    const headings = ['Blg.', 'Bayan', 'Opisyal', 'Kabahayan (households)', 'Tao'];
    expect(titled(headings, ['12', 'Argao', 'A. Cruz', '1,204', '9'], ['7', 'Carcar', '', '', '8'])).toBe(
      'Kabahayan (households)',
    );
  });

  it.each(['Blg.', 'No.', 'Hanay'])(
    'is called as the day where it has no amounts but row numbers under %s',
    (heading) => {
      const rows = ['Argao', 'Carcar', 'Naga', 'Bogo', 'Toledo'].map((town, i) => [String(i + 1), town]);
      expect(titled([heading, 'Bayan'], ...rows)).toBe('Pasted list, 30 November');
    },
  );

  it('is called as the day where it has only texts, and no longer than a title', () => {
    expect(titled(['Bayan', 'Opisyal'], ['Argao', 'A. Cruz'])).toBe('Pasted list, 30 November');
    expect(titled(['Bayan', 'x'.repeat(100)], ['Argao', '5'])).toBe('x'.repeat(60));
  });
});
