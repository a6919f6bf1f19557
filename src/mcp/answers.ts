import { z } from '@hono/zod-openapi';

/** Max tokens of a tool's result. */
const MAX_TOKENS = 4000;

/**
 * Max tokens of its content, which is sent twice: as structure, and as text for clients without structured results. The
 * rest is for the members around them.
 */
const MAX_CONTENT_TOKENS = MAX_TOKENS / 2 - 60;

/** Pieces of text as the tokenizers of language models divide it: words, digits, other characters of ASCII, spaces, others. */
const PIECES = /[a-z]+|\d+|[!-/:-@[-`{-~]+|\s+|[^\s!-~]/giu;

/** Letters that may be a word: of one case except the first. Tokenizers split others almost letter by letter. */
const WORD = /^[A-Za-z]?(?:[a-z]*|[A-Z]*)$/;

const encoder = new TextEncoder();

/**
 * Upper estimate of a text's tokens for a language model: one per three letters of a word or digits, one per two other
 * ASCII characters or spaces, and one per byte of other characters.
 */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOfPiece(piece);
  return tokens;
}

function tokensOfPiece(piece: string): number {
  const { length } = piece;
  if (/[a-z]/i.test(piece)) return isWord(piece) ? Math.ceil(length / 3) : length;
  if (/\d/.test(piece)) return Math.ceil(length / 3);
  const first = piece.charCodeAt(0);
  if (first > 126) return encoder.encode(piece).length;
  return Math.ceil(length / 2);
}

function isWord(letters: string): boolean {
  const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0;
  return WORD.test(letters) && (letters.length < 4 || vowels * 5 >= letters.length);
}

/**
 * The result with as many leading items as the token limit allows; at least one, so that following `next` reaches the
 * end. One item always fits, because the texts of items are cut.
 *
 * @param answer makes the result of some of the items
 */
export function fitTokens<T, A extends object>(items: readonly T[], answer: (shown: readonly T[]) => A): A {
  let [min, max] = [Math.min(1, items.length), items.length];
  while (min < max) {
    const middle = Math.ceil((min + max) / 2);
    if (tokensOf(JSON.stringify(answer(items.slice(0, middle)))) <= MAX_CONTENT_TOKENS) min = middle;
    else max = middle - 1;
  }
  return answer(items.slice(0, min));
}

/** Cuts a text to at most `maxLength` characters and as many tokens, with an ellipsis if something is left out. */
export function clipped(text: string, maxLength: number): string {
  const characters = [...text];
  if (characters.length <= maxLength && tokensOf(text) <= maxLength) return text;
  const begun = (length: number) => `${characters.slice(0, length).join('')}…`;
  let [least, longest] = [0, Math.min(maxLength, characters.length) - 1];
  while (least < longest) {
    const middle = Math.ceil((least + longest) / 2);
    if (tokensOf(begun(middle)) <= maxLength) least = middle;
    else longest = middle - 1;
  }
  return begun(least);
}

/**
 * Invisible characters: control characters, direction marks, tags, variation selectors, blank letters, and
 * noncharacters.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** Text written by a user, made safe: one line, without invisible characters. */
export function visibleLine(text: string): string {
  return text.replace(INVISIBLE, ' ').trim();
}

/** The same for a tool's result, which is cut. */
export function writtenByUser(text: string, maxLength: number): string {
  return clipped(visibleLine(text), maxLength);
}

/** The argument `cursor`: where a list continues. */
export const cursorArgument = z
  .string('must be text: the "next" of an earlier answer')
  .regex(/^\d{1,9}$/, 'must be the "next" of an earlier answer')
  .transform(Number)
  .optional()
  .describe('Where the list goes on: "next" of the answer before');

/** Members of results that are part of a list. */
export const continued = {
  more: z.boolean().describe('Whether items were left out'),
  next: z.string().nullable().describe('The cursor that gives the items after these; null where there are none'),
};

/**
 * The page of an operation's list with the most items from a cursor on. Pages begin at multiples of their length, and a
 * cursor can be anywhere.
 *
 * @param max max items of the page
 * @returns `skipped`: number of the page's items before the cursor
 */
export function pageFrom(start: number, max: number): { page: number; limit: number; skipped: number } {
  let limit = max;
  for (let length = max; length > 0; length -= 1) {
    if (length - (start % length) > limit - (start % limit)) limit = length;
  }
  return { page: Math.floor(start / limit) + 1, limit, skipped: start % limit };
}

export function continuation(end: number, total: number): { more: boolean; next: string | null } {
  return end < total ? { more: true, next: String(end) } : { more: false, next: null };
}

/** Members of results that answer a list that was sent, item by item. */
export const rest = (noun: 'row' | 'address') => ({
  more: z
    .boolean()
    .describe(
      `Whether ${noun === 'row' ? 'rows' : 'addresses'} were left out for length: send those from next_row on again`,
    ),
  next_row: z.number().int().nullable().describe(`The first ${noun} that was left out`),
});

export function restOf({ length }: readonly unknown[], { length: shown }: readonly unknown[]) {
  return { more: shown < length, next_row: shown < length ? shown : null };
}

/** Members of all results about geography: the data release, and notices. */
export const releaseInfo = {
  release: z.string().nullable().describe('Data release of the answer'),
  notices: z.array(z.string()).optional().describe('Why the answer may not be what was expected'),
};

export function releaseInfoOf({
  release,
  meta,
}: {
  readonly release: string | null;
  readonly meta: { readonly notices?: readonly { readonly message: string }[] };
}): { release: string | null; notices?: string[] } {
  const notices = meta.notices?.slice(0, 3).map(({ message }) => clipped(message, 200)) ?? [];
  return { release, ...(notices.length > 0 ? { notices } : {}) };
}
