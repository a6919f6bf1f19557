import { z } from '@hono/zod-openapi';

/** The most tokens that the answer of a tool has. */
const MAX_TOKENS = 4000;

/**
 * The same of its content, which is in the answer twice: as structure, and as text for clients that know no structure. The
 * rest is for the members around them.
 */
const MAX_CONTENT_TOKENS = MAX_TOKENS / 2 - 60;

/** Pieces of text as the tokenizers of language models divide it: words, digits, other characters of ASCII, spaces, others. */
const PIECES = /[a-z]+|\d+|[!-/:-@[-`{-~]+|\s+|[^\s!-~]/giu;

/** Letters that may be a word: of one case but for the first. Tokenizers divide others almost letter by letter. */
const WORD = /^[A-Za-z]?(?:[a-z]*|[A-Z]*)$/;

const encoder = new TextEncoder();

/**
 * No fewer tokens than a text has for a language model, as an estimate: three letters of a word or digits count as one, two
 * other characters of ASCII or spaces as one, and each byte of those beyond, of which no tokenizer makes more.
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
 * The answer with as many items, from the first on, as it may have tokens for; at least one, so that whoever goes on with
 * `next` comes to the end. Texts of items are cut, so that one always has room.
 *
 * @param answer makes the answer of some of the items
 */
export function fitted<T, A extends object>(items: readonly T[], answer: (shown: readonly T[]) => A): A {
  let [least, most] = [Math.min(1, items.length), items.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (tokensOf(JSON.stringify(answer(items.slice(0, middle)))) <= MAX_CONTENT_TOKENS) least = middle;
    else most = middle - 1;
  }
  return answer(items.slice(0, least));
}

/** A text of at most so many characters and as many tokens, with an ellipsis where some are left out. */
export function clipped(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most && tokensOf(text) <= most) return text;
  const begun = (length: number) => `${characters.slice(0, length).join('')}…`;
  let [least, longest] = [0, Math.min(most, characters.length) - 1];
  while (least < longest) {
    const middle = Math.ceil((least + longest) / 2);
    if (tokensOf(begun(middle)) <= most) least = middle;
    else longest = middle - 1;
  }
  return begun(least);
}

/**
 * Everything that does not show: control characters, marks of direction, tags, selectors of variants, letters without a
 * shape, and what is no character.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/**
 * Text that a user of the service has written, for the answer of a tool: of one line, with nothing in it that people would
 * not see, and cut.
 */
export function writtenByUser(text: string, most: number): string {
  return clipped(text.replace(INVISIBLE, ' ').trim(), most);
}

/** A place where a list goes on, as `cursor` takes it. */
export const cursorArgument = z
  .string('must be text: the "next" of an earlier answer')
  .regex(/^\d{1,9}$/, 'must be the "next" of an earlier answer')
  .transform(Number)
  .optional()
  .describe('Where the list goes on: "next" of the answer before');

/** What lists say of what they leave out. */
export const continued = {
  more: z.boolean().describe('Whether items were left out'),
  next: z.string().nullable().describe('The cursor that gives the items after these; null where there are none'),
};

/**
 * The page of an operation's list that has the most items from a cursor on. Pages begin at multiples of their length, and
 * answers may have ended anywhere.
 *
 * @param most the most items of the page
 * @returns `skipped`: how many items of the page come before the cursor
 */
export function pageFrom(start: number, most: number): { page: number; limit: number; skipped: number } {
  let limit = most;
  for (let length = most; length > 0; length -= 1) {
    if (length - (start % length) > limit - (start % limit)) limit = length;
  }
  return { page: Math.floor(start / limit) + 1, limit, skipped: start % limit };
}

/** The values of `continued` of a list. */
export function continuation(end: number, total: number): { more: boolean; next: string | null } {
  return end < total ? { more: true, next: String(end) } : { more: false, next: null };
}

/** Members of answers about geography. */
export const common = {
  release: z.string().nullable().describe('The data release that the answer was made from'),
  notices: z.array(z.string()).optional().describe('Why the answer may not be what was expected'),
};

/** The values of `common`. */
export function commonOf({
  release,
  meta,
}: {
  readonly release: string | null;
  readonly meta: { readonly notices?: readonly { readonly message: string }[] };
}): { release: string | null; notices?: string[] } {
  const notices = meta.notices?.slice(0, 3).map(({ message }) => clipped(message, 200)) ?? [];
  return { release, ...(notices.length > 0 ? { notices } : {}) };
}
