import { describe, expect, it } from 'vitest';
import { BARRED, TWO_LETTERS, visibleTextWithout } from '../../src/control-characters.ts';
import { pageMeta } from '../../src/http/pagination.ts';
import { bodyText, email, moment } from '../../src/http/schemas.ts';
import { CLEARLY_BELOW_SQUARE, growthPerDoubling } from '../support/growth.ts';

const LONGEST = 200_000;

/** Work on texts that end in something else than they begin with. One whose time grew with the square would take most of it. */
function onSpoilt(work: (text: string) => unknown) {
  return (size: number) => {
    const texts = [' ', '\t', 'a', '-', '0', 'a-', 'a@', 'a.', '\u3000'].flatMap((part) =>
      ['\u0000', '\u001b', '!', ' ', ''].map((end) => part.repeat(size / part.length) + end),
    );
    return () => texts.forEach(work);
  };
}

describe('patterns of text take time in proportion to the text', () => {
  it.each([
    ['two letters', new RegExp(TWO_LETTERS, 'u')] as const,
    ...Object.entries(BARRED).map(([name, barred]) => [name, visibleTextWithout(barred)] as const),
  ])('%s', (_, pattern) => {
    expect(
      growthPerDoubling(
        onSpoilt((text) => pattern.test(text)),
        LONGEST,
      ),
    ).toBeLessThan(CLEARLY_BELOW_SQUARE);
  });

  it.each(Object.entries({ text: bodyText({ max: LONGEST * 2 }), email, moment }))('%s of a body', (_, schema) => {
    expect(
      growthPerDoubling(
        onSpoilt((text) => schema.safeParse(text)),
        LONGEST,
      ),
    ).toBeLessThan(CLEARLY_BELOW_SQUARE);
  });
});

it.each(Object.values(BARRED))(
  'a text that can be seen has a character that is no blank and not barred: %s',
  (barred) => {
    const pattern = visibleTextWithout(barred);
    const isBarred = new RegExp(`[${barred}]`);
    const wrong = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)).filter((char) => {
      // The next line of C1 is white space too.
      const isBlank = char.trim() === '' || char < ' ' || char === '\u007f' || char === '\u0085';
      const fits = [char, ` ${char}a`, `a${char}`].map((text) => pattern.test(text));
      const isGood = !isBarred.test(char);
      return fits.join() !== [isGood && !isBlank, isGood, isGood].join();
    });
    expect(wrong).toEqual([]);
  },
);

it('tells at most the first thing that is wrong with a text', () => {
  const { error } = bodyText({ max: 3 }).safeParse('a\u0000 \u0000');
  expect(error?.issues.map(({ message }) => message)).toEqual(['must have at most 3 characters']);
});

it('the links of a page leave the other parameters as they were written', () => {
  const { links } = pageMeta('https://a.example/x?%3Fpage=7&?page=8&limit=1&Page=%31', { total: 9, page: 1, limit: 1 });
  expect(links.next).toBe('https://a.example/x?%3Fpage=7&?page=8&limit=1&Page=%31&page=2');
});
