import list from './spellings.json' with { type: 'json' };

/**
 * What a line of `spellings.json` is about.
 *
 * - `anywhere`: a short form or another word that is written out wherever it stands
 * - `before`: one that is written out only before a name: `Sto. Niño`
 * - `number`: a number that is written out behind a name: `Concepcion Uno`
 * - `number sign`: a word that stands before a number and says nothing: `Bgy. No. 42`
 * - `numbered`: a word that a Roman numeral is written behind, also without a space: `ZoneIV`
 * - `article`: a word that is left out of names of provinces: `Davao Norte`
 * - `province`: a short form of a word of provinces, also without a space behind it: `Mis. Or.`, `CamSur`
 *
 * What begins with `mistyped` is found in lists and in no reference.
 */
export const SPELLING_KINDS = [
  'anywhere',
  'before',
  'number',
  'number sign',
  'numbered',
  'article',
  'province',
  'mistyped',
  'mistyped before',
  'mistyped number',
  'mistyped number sign',
  'mistyped province',
] as const;

type SpellingKind = (typeof SPELLING_KINDS)[number];

/** A spelling: its kind, what people write, what that stands for, and the source. */
export type Spelling = readonly [kind: SpellingKind, written: string, full: string, source: string];

export const spellings = list as unknown as readonly Spelling[];

function mapOf(...kinds: readonly SpellingKind[]): ReadonlyMap<string, string> {
  return new Map(
    spellings.flatMap(([kind, written, full]) => (kinds.includes(kind) ? [[written, full] as const] : [])),
  );
}

/** Short forms that are written out wherever they stand. */
export const SHORT = mapOf('anywhere', 'mistyped');

/** Short forms of words that stand before a name, and that are written out only there. */
export const TITLES = mapOf('before', 'mistyped before');

/** Numbers that are written out behind a name. */
export const WRITTEN_OUT = mapOf('number', 'mistyped number');

/** Words before a number that say nothing. */
export const NUMBER_WORDS: ReadonlySet<string> = new Set(mapOf('number sign', 'mistyped number sign').keys());

/** Words that a Roman numeral is written behind, with their short forms, as parts of a regular expression. */
export const NUMBERED = [...mapOf('numbered').keys()].flatMap(shortsOf).join('|');

/** Words that announce a barangay, likewise. */
export const BARANGAY_WORDS = ['barangay', 'barrio'].flatMap(shortsOf).join('|');

/** A word and what is written for it, the longest first. */
function shortsOf(word: string): string[] {
  const shorts = [...SHORT, ...TITLES].flatMap(([written, full]) => (full === word ? [written] : []));
  return [word, ...shorts].sort((a, b) => b.length - a.length);
}

/** What may stand in place of a word of a province's name: short forms, and nothing for an article. */
const IN_PROVINCES = new Map<string, string[]>();
for (const [kind, written, full] of spellings) {
  if (kind === 'article') IN_PROVINCES.set(written, ['']);
  else if (kind.endsWith('province')) IN_PROVINCES.set(full, [...(IN_PROVINCES.get(full) ?? []), `${written}.`]);
}

/** Words that tell provinces of one name apart, and that lists write before it, behind it, and with an article. */
const APART = /^(?:Norte|Sur|Oriental|Occidental|North|South|Northern|Southern|Eastern|Western)$/;

/** A province's name with its words in the other order and with an article: `Norte Ilocos`, `Ilocos del Norte`. */
function rearrangedName(name: string): { turned?: string[]; joined?: string[] } {
  const words = name.split(' ').filter((word) => !IN_PROVINCES.get(word)?.includes(''));
  const [first = '', last = ''] = words;
  if (words.length !== 2 || !(APART.test(first) || APART.test(last))) return {};
  return { turned: [last, first], ...(APART.test(last) && { joined: [first, 'del', last] }) };
}

/** The forms of a name whose words may each be written in several ways. */
function formsOf(words: readonly string[]): string[][] {
  let forms: string[][] = [[]];
  for (const word of words) {
    const all = [word, ...(IN_PROVINCES.get(word) ?? [])];
    forms = forms.flatMap((form) => all.map((it) => (it === '' ? form : [...form, it])));
  }
  return forms;
}

/** The other forms of a province's name: `Davao del Norte` → `Davao Norte`, `Dav. Nor.`, `N. Davao`, `DavNor` and so on. */
export function provinceForms(name: string): string[] {
  const { turned = [], joined = [] } = rearrangedName(name);
  // The whole words in the other order may be two names: `Leyte, Southern`.
  const short = turned.length === 0 ? [] : formsOf(turned).filter((form) => !form.some((word) => APART.test(word)));
  const all = [...formsOf(name.split(' ')), ...short, ...(joined.length === 0 ? [] : formsOf(joined))];
  // Folding writes some of the short forms out, which where there is no space it can't.
  const forms = all
    .map((form) => form.join(' '))
    .flatMap((form) => (form.includes('.') ? [form, form.replace(/[. ]/g, '')] : [form]));
  return [...new Set(forms)].filter((form) => form !== name);
}
