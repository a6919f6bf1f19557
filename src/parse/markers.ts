import type { Token } from './tokens.ts';

/** The kinds of parts of an address, from the smallest. */
export const PARTS = [
  ...(['unit', 'floor', 'building', 'house_number', 'block', 'lot', 'phase', 'street', 'subdivision'] as const),
  ...(['sitio', 'purok', 'barangay', 'district', 'municity', 'province', 'region', 'zip_code', 'country'] as const),
  'other',
] as const;

export type PartName = (typeof PARTS)[number];

/**
 * The tokens of a part, and those of its value, which has not the word that marks the part. `from` and `to` are indexes of tokens;
 * `to` is behind the last one.
 */
export interface Claim {
  readonly part: PartName;
  readonly from: number;
  readonly to: number;
  readonly valueFrom: number;
  readonly valueTo: number;
}

/** A name behind a word that marks it, such as `Brgy.`. Where the name ends is found later, by the names of areas. */
export interface Marked {
  readonly part: 'sitio' | 'purok' | 'barangay';
  /** The index of the token that marks the name. */
  readonly at: number;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** The parts that a word before a number or a letter marks. */
const MARKED_NUMBER: ReadonlyMap<string, PartName> = new Map([
  ...['unit', 'rm', 'room', 'apt', 'apartment', 'suite', 'ste', 'door', 'stall'].map((it) => [it, 'unit'] as const),
  ...['floor', 'flr', 'level'].map((it) => [it, 'floor'] as const),
  ...['block', 'blk', 'blok', 'b'].map((it) => [it, 'block'] as const),
  ...['lot', 'lt', 'l'].map((it) => [it, 'lot'] as const),
  ...['phase', 'ph'].map((it) => [it, 'phase'] as const),
  ...['no', '#', 'house', 'hse', 'num', 'number'].map((it) => [it, 'house_number'] as const),
]);

const FLOOR = words('floor flr fl');
const BARANGAY = words('barangay brgy bgy brg barrio bario bo baranggay bgry brgys');
const SITIO = words('sitio so');
const PUROK = words('purok prk pk zone');
const STREET_LAST = words(
  'st str street ave av avenue rd road blvd boulevard highway hwy drive dr lane ln extension ext alley circle crescent loop expressway bypass way streets sts',
);
/** Words before the name of a street, and before its number. */
const STREET_BEFORE_NAME = words('calle kalye');
const STREET_BEFORE_NUMBER = words('road street avenue km');
/** Words with which no name of a street ends: `Calle San Juan`, `Calle de la Rosa`. */
const UNFINISHED = words('san santa santo sta sto de del dela la los las el gen general dr don dona padre');
/** Streets that have no word for a street in their names. */
const STREETS = words('edsa c-5 c5 c-3 c3 c-4 c4 slex nlex');
const CORNER = words('cor corner cnr kanto corn');
const SETTLEMENT = words(
  'subd subdivision sub village vill vlg homes heights estate estates townhomes townhouse townhouses compound cmpd cpd residence subdiv executive cove grove',
);
const BUILDING = words(
  'bldg building tower towers condominium condominiums condo residences apartment apartments place mall plaza arcade suites hotel',
);
const COUNTRY = words('philippines pilipinas phils phil ph phl');

const NUMBER = /^\d[\p{L}\p{N}/-]*$/u;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/;
const SHORT = /^(?:\d[\p{L}\p{N}/-]*|[a-z]|[a-z]-?\d[\p{L}\p{N}-]*|[ivx]{1,4})$/u;
const PUROK_WORD = /^p-\d{1,2}[a-z]?$/;
const FLOOR_WORD = /^(?:\d{1,2}|ug?|lg?|g)\/?f$/;
const FLOOR_NAME = /^(?:\d{1,2}(?:st|nd|rd|th)?|ground|upper|lower|mezzanine|first|second|third|fourth|fifth|top)$/;

/** The parts of an address that words mark, and the names that are marked. Takes time in proportion to the number of tokens. */
export function marksOf(tokens: readonly Token[]): { claims: Claim[]; marked: Marked[] } {
  const scan = new Scan(tokens);
  for (let from = 0; from < tokens.length; ) {
    let to = from + 1;
    while (tokens[to]?.piece === tokens[from]?.piece) to += 1;
    scan.readPiece(from, to);
    from = to;
  }
  return { claims: scan.claims, marked: scan.marked };
}

function isMarker(key: string): boolean {
  return BARANGAY.has(key) || SITIO.has(key) || PUROK.has(key);
}

/** Whether a token is a number with or without letters, but no ordinal. */
export function isHouseNumber({ key }: Token): boolean {
  return NUMBER.test(key) && !ORDINAL.test(key);
}

/** Whether a token is a name of the country. */
export function isCountry({ key }: Token): boolean {
  return COUNTRY.has(key);
}

/** Whether a token says that two streets meet. */
export function isCorner({ key }: Token): boolean {
  return CORNER.has(key);
}

/** Reads tokens from left to right, one piece after another. In its methods `at` is the index of a token, and `to` the end of a piece. */
class Scan {
  readonly claims: Claim[] = [];
  readonly marked: Marked[] = [];
  readonly #tokens: readonly Token[];
  /** The index of the first token behind the last part, or of the first token of the piece. */
  #open = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  #key(at: number): string {
    return this.#tokens[at]?.key ?? '';
  }

  /** Adds a part. Gives the index behind it. */
  #claim(
    part: PartName,
    [from, to]: readonly [number, number],
    [valueFrom, valueTo] = [from, to] as readonly [number, number],
  ): number {
    this.claims.push({ part, from, to, valueFrom, valueTo });
    this.#open = to;
    return to;
  }

  readPiece(from: number, to: number): void {
    this.#open = from;
    if (this.#tokens[to] === undefined && this.#isCountry(from, to)) {
      this.#claim('country', [from, to]);
      return;
    }
    for (let at = from; at < to; ) at = this.#read(at, to);
  }

  #isCountry(from: number, to: number): boolean {
    if (from === 0 || to - from > 4 || !COUNTRY.has(this.#key(to - 1))) return false;
    for (let at = from; at < to - 1; at += 1)
      if (!/^(?:the|republic|of|republika|ng)$/.test(this.#key(at))) return false;
    return true;
  }

  /** Reads the part that the token at an index marks. Gives the index to read next. */
  #read(at: number, to: number): number {
    const key = this.#key(at);
    const next = at + 1 < to ? this.#key(at + 1) : '';
    if (BARANGAY.has(key) && next !== '') return this.#mark('barangay', at, to);
    if (SITIO.has(key) && next !== '') return this.#mark('sitio', at, to);
    if (PUROK.has(key) && next !== '') {
      // `Brgy. Zone 4` is a barangay.
      if (this.marked.at(-1)?.part === 'barangay' && this.marked.at(-1)?.at === at - 1) return at + 1;
      return SHORT.test(next) ? this.#claim('purok', [at, at + 2], [at + 1, at + 2]) : this.#mark('purok', at, to);
    }
    const isBehindMark = this.marked.at(-1)?.at === at - 1;
    if (PUROK_WORD.test(key) && at === this.#open) return this.#claim('purok', [at, at + 1]);
    if (STREETS.has(key) && at === this.#open) return this.#claim('street', [at, at + 1]);
    if (FLOOR_WORD.test(key)) return this.#claim('floor', [at, at + 1]);
    if (FLOOR.has(key) && at > this.#open && FLOOR_NAME.test(this.#key(at - 1)))
      return this.#claim('floor', [at - 1, at + 1], [at - 1, at]);
    if (key === 'box' && at > this.#open && /^p\.?o$/.test(this.#key(at - 1)) && /^\d/.test(next))
      return this.#claim('other', [at - 1, at + 2]);
    const part = MARKED_NUMBER.get(key);
    if (part && SHORT.test(next) && !(key.length === 1 && key !== '#' && !/^\d/.test(next)) && !isBehindMark) {
      // Behind a name a number is a part of it: `Poblacion No. 2`.
      if (part !== 'house_number' || at === this.#open) {
        const from = key === 'unit' && at === this.#open + 1 && /^condo/.test(this.#key(at - 1)) ? at - 1 : at;
        return this.#claim(part, [from, at + 2], [at + 1, at + 2]);
      }
    }
    if (BUILDING.has(key) && !isBehindMark) {
      if (at === this.#open && SHORT.test(next)) return this.#claim('building', [at, at + 2]);
      if (at > this.#open) return this.#named('building', [at, this.#numbered(at, to)]);
    }
    if (SETTLEMENT.has(key) && at > this.#open && !this.#hasMark(at)) {
      return SETTLEMENT.has(next) ? at + 1 : this.#named('subdivision', [at, this.#numbered(at, to)]);
    }
    const isStreet = STREET_BEFORE_NUMBER.has(key) ? /^\d/.test(next) : STREET_BEFORE_NAME.has(key) && next !== '';
    if (isStreet && at === this.#open) return this.#claim('street', [at, this.#streetEnd(at, to)]);
    if (STREET_LAST.has(key) && at > this.#open && !this.#hasMark(at)) return this.#street(at, to);
    return at + 1;
  }

  /** The end of a street that begins with its word: `Road 3`, `Calle San Juan`, `Km. 14 National Highway`. */
  #streetEnd(at: number, to: number): number {
    let end = at + 2;
    if (this.#key(at) === 'km') {
      for (let it = end; it < to && it < end + 4; it += 1) if (STREET_LAST.has(this.#key(it))) end = it + 1;
    }
    while (end < to && UNFINISHED.has(this.#key(end - 1)) && !isMarker(this.#key(end))) end += 1;
    return end;
  }

  /** Reads a marked name. That of a sitio or a purok ends with its piece, or before the next mark. Gives the index to read next. */
  #mark(part: Marked['part'], at: number, to: number): number {
    let end = at + 1;
    while (end < to && !isMarker(this.#key(end))) end += 1;
    // Without a separator the names of areas may follow.
    const isEnded = end < to || this.#tokens[to] !== undefined;
    if (part !== 'barangay' && isEnded && end > at + 1) return this.#claim(part, [at, end], [at + 1, end]);
    this.marked.push({ part, at });
    this.#open = at + 1;
    return at + 1;
  }

  /** Whether the tokens before one belong to a marked name: `Brgy. Mabini Village`. */
  #hasMark(at: number): boolean {
    const last = this.marked.at(-1);
    return (
      last !== undefined &&
      last.at + 1 === this.#open &&
      last.at < at &&
      this.#tokens[last.at]?.piece === this.#tokens[at]?.piece
    );
  }

  /** The end of a name whose last word is at an index, with its number and that of a tower: `Village 2`, `Residences Tower 1`. */
  #numbered(at: number, to: number): number {
    const isShort = (it: number) => it < to && /^(?:\d{1,2}[a-z]?|[a-z]|[ivx]{1,4})$/.test(this.#key(it));
    const end = isShort(at + 1) ? at + 2 : at + 1;
    return /^(?:tower|bldg|building)$/.test(this.#key(end)) && isShort(end + 1) ? end + 2 : end;
  }

  /** Adds a part from the first open token to an index, whose word for the part is at `at`. A number before it is a house's. */
  #named(part: PartName, [at, to]: readonly [number, number]): number {
    const from = this.#houseNumber(at);
    return this.#claim(part, [from, to]);
  }

  /** Takes the number of a house from the open tokens before an index. Gives where the name begins. */
  #houseNumber(at: number): number {
    const from = this.#open;
    const token = this.#tokens[from];
    if (token === undefined || from + 1 >= at || !isHouseNumber(token)) return from;
    const isSplit = from + 2 < at && /^[a-z]$/i.test(this.#tokens[from + 1]?.text ?? '');
    return this.#claim('house_number', [from, isSplit ? from + 2 : from + 1]);
  }

  /** The end of the words for a street that follow from an index on: `Ext.` of `Ave. Ext.`. */
  #typesEnd(from: number, to: number): number {
    let end = from;
    while (end < to && STREET_LAST.has(this.#key(end)) && !/^(?:st|dr)$/.test(this.#key(end))) end += 1;
    return end;
  }

  /** Adds a street that ends with the word at an index, or with the corner behind it. Gives the index to read next. */
  #street(at: number, to: number): number {
    // `St.` before a name is a saint, and `Dr.` a doctor, where a street's name stands behind it.
    const isFirst = at === this.#open || (at === this.#open + 1 && isHouseNumber(this.#tokens[this.#open] as Token));
    if (isFirst && at + 1 < to && /^(?:st|dr)$/.test(this.#key(at))) return at + 1;
    let end = this.#typesEnd(at + 1, to);
    if (CORNER.has(this.#key(end)) && end < to) {
      end += 1;
      while (end < to && !STREET_LAST.has(this.#key(end)) && !BARANGAY.has(this.#key(end))) end += 1;
      if (end < to && STREET_LAST.has(this.#key(end))) end = this.#typesEnd(end + 1, to);
    }
    return this.#named('street', [at, end]);
  }
}
