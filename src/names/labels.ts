import { slipsBetween } from './edits.ts';

/** Words for the type of a city or municipality with the link behind them, folded and without a space, and what they stand for. */
const LABELS = [
  ['municipalityof', 'municipality of'],
  ['bayanng', 'municipality of'],
  ['munof', 'municipality of'],
  ['lungsodng', 'city of'],
  ['cityng', 'city of'],
  ['cityof', 'city of'],
].map(([label = '', full = '']) => ({
  label,
  full,
  /** How many slips they may have: more in longer ones. */
  max: label.length < 7 ? 1 : label.length < 10 ? 2 : 3,
  /** The words with a space somewhere in them, and the name behind them. */
  split: new RegExp(`^(?=\\S+ )${[...label].join(' ?')} ?(\\S.*)$`),
}));

/** Words of which such words may consist where spaces are in them. */
const MAX_WORDS = 4;

const LABELLED = /\b(?:city|municipality|mun|bayan|town) (?:of|ng|de|sa|sang|ti) ./;

const BEGINNING = /^[a-z]?[mblc].* /;

/**
 * Repairs the misspelled words for the type of place in the folded name of a city or municipality: `citty of makati`, `makati ctiy`,
 * `baayn ng batad`, `municipalit yof moncada`.
 */
export function withType(text: string): string {
  const folded = text.replace(/\bc ?i ?t ?y\b/, 'city').replace(/^cityof\b/, 'city of');
  if (LABELLED.test(folded)) return folded;
  // One of the first two letters is right, which most other names have not.
  if (!BEGINNING.test(folded)) return withCityLast(folded);
  return relabelled(folded) ?? withCityLast(folded);
}

/** A town before the short form of a direction, which is that of a province: `Batan N. Samar`, not `Bayan n Aleosan`. */
const SHORT_DIRECTION = /^(?!(?:bayan|city|mun|municipality) ).* [nsew]$/;

/** The name behind the words for its type, which are the first words, or the first letters whatever spaces are in them. */
function relabelled(folded: string): string | undefined {
  // A space within the name is no slip of the words: `bayan n gkalawit`.
  const whole = LABELS.find(({ split }) => split.test(folded));
  if (whole) return folded.replace(whole.split, `${whole.full} $1`);
  const words = folded.split(' ');
  let best: { readonly slips: number; readonly name: string } | undefined;
  // Two words at least, so that `Bayang` is none.
  for (let count = 2; count <= MAX_WORDS && count < words.length; count += 1) {
    const written = words.slice(0, count).join(' ');
    if (SHORT_DIRECTION.test(written)) continue;
    const letters = written.replaceAll(' ', '');
    for (const { label, full, max } of LABELS) {
      if (Math.abs(letters.length - label.length) > max) continue;
      const slips = slipsBetween(letters, label);
      if (slips <= max && slips < (best?.slips ?? Number.POSITIVE_INFINITY))
        best = { slips, name: `${full} ${words.slice(count).join(' ')}` };
    }
  }
  return best?.name;
}

function withCityLast(folded: string): string {
  const words = folded.split(' ');
  const [first = ''] = words;
  if (/\bcity\b/.test(folded)) return folded;
  if (words.length > 1 && isSlipOf(first, 'cityof')) return `city of ${words.slice(1).join(' ')}`;
  if (words.length > 1 && isSlipOf(words.at(-1) as string, 'city')) return `${words.slice(0, -1).join(' ')} city`;
  return folded;
}

function isSlipOf(word: string, wanted: string): boolean {
  return word === wanted || (Math.abs(word.length - wanted.length) < 2 && slipsBetween(word, wanted) <= 1);
}
