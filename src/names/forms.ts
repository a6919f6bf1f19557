import { fold } from './fold.ts';
import type { Column } from './source.ts';

/** How a key is derived from an area's names. A lower kind is a better match. */
export const KIND = {
  /** The full published name. */
  full: 0,
  /** The name without `City of`, `Barangay`, `(Pob.)` or parentheses. */
  part: 1,
  /** A name of `aliases.json`. */
  alias: 2,
  /** A former name, or a name in parentheses. */
  former: 3,
  /** A name of `districts.json`: a place in the area without a PSGC code. */
  district: 4,
} as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** A folded text by which an area is found. */
export interface Key {
  readonly key: string;
  readonly kind: Kind;
}

/** Remarks in parentheses that are no names, folded. */
const REMARKS = new Set([
  'poblacion',
  'capital',
  'not a province',
  'city',
  'municipality',
  'mun',
  'rural',
  'province',
  'huc',
]);

/** Those of them that are types of places. */
const TYPES = /^(?:city|municipality|mun|province|huc)$/;

const PARENTHESIS = /[([{]([^()[\]{}]*)(?:[)\]}]|$)/g;

/** A text whose parentheses were cut out. */
export interface Cut {
  readonly outer: string;
  /** The texts inside parentheses, without remarks. */
  readonly inner: readonly string[];
  readonly hasRemark: boolean;
  /** The type of place among the remarks: `Quezon (City)`. */
  readonly type: string;
}

export function cutParentheses(text: string): Cut {
  if (!/[([{]/.test(text)) return { outer: text, inner: [], hasRemark: false, type: '' };
  const all = Array.from(text.matchAll(PARENTHESIS), (match) => match[1] as string).filter((it) => fold(it) !== '');
  const inner = all.filter((it) => !REMARKS.has(fold(it)));
  const type = all.map(fold).find((it) => TYPES.test(it)) ?? '';
  return { outer: text.replace(PARENTHESIS, ' '), inner, hasRemark: inner.length < all.length, type };
}

/** Words for “of” between a type of place and its name. */
export const OF_WORDS = 'of|ng|de|sa|sang|ti';
const OF = `(?:${OF_WORDS}) `;
/** Titles of cities before the word `city`. */
const CITY_TITLES = 'island garden|science|chartered|component';
const CITY_FIRST = new RegExp(`^(?:(?:${CITY_TITLES}) )?city ${OF}(.+)$`);
const CITY_BEFORE = /^city (.+)$/;
const CITY_LAST = /^(.+) city(?: of)?$/;
const TOWN = new RegExp(
  `^(?:municipality|mun|bayan|town) ${OF}(.+)$|^(.+) (?:municipality|mun|bayan)(?: (?:of|ng))?$|^(?:municipality|mun) (.+)$`,
);
const PROVINCE = new RegExp(`^province ${OF}(.+)$|^(.+) province(?: of)?$`);
const REGION = /^(.+) region$/;

/** A folded name without the word for the type of place. */
export interface Base {
  readonly base: string;
  /** The type that the word said, if there was one. */
  readonly placeType: 'city' | 'town' | 'province' | 'region' | undefined;
}

/** `city of cebu`, `cebu city` → `cebu`, with the type city; `island garden city of samal` → `samal`. */
export function baseOf(folded: string): Base {
  if (folded.includes('city')) {
    const city = CITY_FIRST.exec(folded)?.[1] ?? CITY_LAST.exec(folded)?.[1] ?? CITY_BEFORE.exec(folded)?.[1];
    if (city !== undefined && city !== 'city') return { base: city.replace(/ city$/, ''), placeType: 'city' };
  }
  const town = TOWN.exec(folded);
  if (town) return { base: (town[1] ?? town[2] ?? town[3]) as string, placeType: 'town' };
  const province = PROVINCE.exec(folded);
  if (province) return { base: (province[1] ?? province[2]) as string, placeType: 'province' };
  const region = REGION.exec(folded)?.[1];
  return region === undefined ? { base: folded, placeType: undefined } : { base: region, placeType: 'region' };
}

/** Directions, which distinguish barangays of one name and are no names themselves. */
export const DIRECTION =
  /^(?:del? )?(?:norte|sur|este|weste|oeste|north|south|east|west|central|northern|southern|eastern|western|upper|lower|proper|new|old)$/;

/** Folded words between two places. */
export const JOINS = /^(?:and|at|or|to)$/;

const BARANGAY_FIRST = /^(?:barangay|barrio) (?=.)/;
const BARANGAY_LAST = /(?<=.) barangay$/;
const POBLACION = /^poblacion (?=.)|(?<=.) poblacion$/;

const HAS_BARANGAY_WORD = /^barangay | barangay$|^barrio |poblacion/;

/** A folded name of a barangay without the words `barangay`, `barrio` and `poblacion` at its ends, if anything is left. */
export function bareOf(folded: string): string {
  if (!HAS_BARANGAY_WORD.test(folded)) return folded;
  return folded
    .replace(BARANGAY_LAST, '')
    .replace(BARANGAY_FIRST, '')
    .replace(POBLACION, '')
    .replace(BARANGAY_FIRST, '');
}

/** The key of a barangay's name if it has only one. Fast path: most have only one, and an index reads all names. */
export function plainKeyOf(name: string): string | undefined {
  if (name.includes('(')) return undefined;
  const folded = fold(name);
  return folded === '' || HAS_BARANGAY_WORD.test(folded) ? undefined : folded;
}

/** A barangay's number and name. People leave the name out: `Bgy. 47 - Arimbay`, `Bgy. No. 56-A, Bacsil North`. */
const NUMBER_AND_NAME = /^(B\p{L}+\.? (?:No\. ?)?\d+(?:-\p{L})?)(?: - |, )\p{L}/u;

/** Adds all keys of a name. `kind` is that of the whole name. */
export function addKeys(keys: Key[], name: string, { column, kind }: { column: Column; kind: Kind }): void {
  addWholeAndParts(keys, name, { column, kind });
  const number = column === 'barangay' ? NUMBER_AND_NAME.exec(name)?.[1] : undefined;
  if (number !== undefined) addFolded(keys, fold(number), { column, kind: Math.max(kind, KIND.part) as Kind });
}

function addWholeAndParts(keys: Key[], name: string, { column, kind }: { column: Column; kind: Kind }): void {
  if (!name.includes('(')) {
    addFolded(keys, fold(name), { column, kind });
    return;
  }
  const { outer, inner } = cutParentheses(name);
  const part = Math.max(kind, KIND.part) as Kind;
  const folded = fold(outer);
  if (inner.length === 0) addFolded(keys, folded, { column, kind });
  else addFolded(keys, folded, { column, kind: part });
  add(keys, fold(name), kind);
  // A region is known as well by its name in parentheses: `Region I (Ilocos Region)`.
  const innerKind = column === 'region' ? part : KIND.former;
  for (const it of inner) addFolded(keys, fold(it), { column, kind: innerKind });
}

function addFolded(keys: Key[], folded: string, { column, kind }: { column: Column; kind: Kind }): void {
  const part = Math.max(kind, KIND.part) as Kind;
  if (column === 'barangay') {
    add(keys, folded, kind);
    const bare = bareOf(folded);
    if (bare !== folded) add(keys, bare, part);
    return;
  }
  const { base, placeType } = baseOf(folded);
  if (placeType === 'city') {
    add(keys, `${base} city`, kind);
    if (!folded.startsWith('city of ') && !folded.endsWith(' city')) add(keys, folded, kind);
  } else add(keys, folded, kind);
  if (placeType === 'city' || placeType === 'region') add(keys, base, part);
}

function add(keys: Key[], key: string, kind: Kind): void {
  if (key === '') return;
  for (const it of keys) if (it.key === key) return;
  keys.push({ key, kind });
}
