/** A word of an address, and where it stands in the text: start and end in UTF-16 units, the end not included. */
export interface Token {
  readonly text: string;
  /** In lower case, without accents, signs before it and punctuation behind it; `#` alone stays. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Number of its piece. Each separator begins a new one, so numbers can be skipped. */
  readonly piece: number;
}

/**
 * Separators of the parts of an address, and words between them. A dash counts only with spaces around it. `(Pob.)` belongs to the
 * name before it.
 */
const WORDS = /\(pob(?:lacion)?\.?\)|[,;|\n\r\t()[\]{}]|[^\s,;|()[\]{}]+/gi;

const IS_DASH = /^[-–—•→»>]+$/;

/** The beginning of a word that is a short form joined to a number or a name: `Blk4`, `Lot-8`, `Brgy.Poblacion`, `St.Peter`, `L12`. */
const GLUED =
  /^(?:(?:blk|block|blok|lot|phase|ph|unit|rm|km|prk|purok|brgy|bgy|bldg|no|zone)[.-]?(?=\d)|[bl]-?(?=\d{1,3}$)|\p{L}{2,6}\.(?=\p{L}{3}|\d)|#(?=\d))/iu;

/** Words behind which B or L begins a number. */
const UNIT = /^(?:unit|rm|room|apt|apartment|suite|ste|door|stall)$/;

/** The words of an address. Takes time in proportion to the length of the text. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let piece = 0;
  const add = (word: string, start: number) => {
    const key = keyOf(word);
    if (key !== '') tokens.push({ text: word, key, start, end: start + word.length, piece });
  };
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (/^[,;|\n\r\t()[\]{}]$/.test(word) || IS_DASH.test(word)) {
      piece += 1;
      continue;
    }
    // In `Unit B-12` the B belongs to the number, and is no block.
    const isUnit = /^[bl]/i.test(word) && UNIT.test(tokens.at(-1)?.key ?? '');
    const [marker = ''] = (!isUnit && GLUED.exec(word)) || [];
    if (marker !== '') add(marker, index);
    add(word.slice(marker.length), index + marker.length);
  }
  return tokens;
}

/** What stands behind words and is no part of them. */
const TRAILING_PUNCTUATION = `.:'’"”*!?-)`;

function keyOf(word: string): string {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (plain === '#') return plain;
  let end = plain.length;
  while (end > 0 && TRAILING_PUNCTUATION.includes(plain[end - 1] as string)) end -= 1;
  return plain.slice(0, end).replace(/^[^\p{L}\p{N}]+/u, '');
}
