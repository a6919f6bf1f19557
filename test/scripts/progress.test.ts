import { describe, expect, it } from 'vitest';
import { progressOn } from '../../scripts/command/progress.ts';

/** What is written to a stream while fractions of the work are shown one after another. */
function shown(fractions: readonly number[], terminal: { isTTY?: boolean; columns?: number } = {}): string[] {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const progress = progressOn({ ...terminal, write } as unknown as NodeJS.WriteStream);
  for (const fraction of fractions) progress.update(fraction, 'Loading');
  return written;
}

describe('progress', () => {
  it('has a line for every tenth, also for those that are no exact numbers', () => {
    const tenths = Array.from({ length: 11 }, (_, i) => i / 10);
    expect(shown(tenths)).toEqual(tenths.map((_, i) => `${String(i * 10).padStart(3)} %  Loading\n`));
    expect(shown([0.3, 0.31, 0.39])).toEqual([' 30 %  Loading\n']);
  });

  it('shows whole percents, and a hundred only of work that is done', () => {
    const percents = Array.from({ length: 100 }, (_, i) => i);
    const lines = percents.map((percent) => shown([percent / 100])[0]);
    expect(lines).toEqual(percents.map((percent) => `${String(percent).padStart(3)} %  Loading\n`));
    expect(shown([0.999])).toEqual([' 99 %  Loading\n']);
  });

  it('of more work than was expected is that of work that is done', () => {
    // An altered backup may have more bytes than it says.
    expect(shown([1.2], { isTTY: true })).toEqual([`\r\x1b[K[${'='.repeat(24)}] 100 %  Loading`]);
    expect(shown([1, 1.2])).toEqual(['100 %  Loading\n']);
  });

  it('fits into one line of a terminal', () => {
    const bar = '='.repeat(12) + ' '.repeat(12);
    expect(shown([0.5], { isTTY: true, columns: 40 })).toEqual([`\r\x1b[K[${bar}]  50 %  Loadi`]);
  });
});
