import type { Method } from './breaks.ts';
import { isScheme, type Scheme } from './schemes.ts';

/** What the numbers of features are divided by. */
export type Rate = 'population' | 'area';

/** How the colours of features are chosen, and the author's words beside them. A URL holds it. */
export interface Symbology {
  readonly rate: Rate | undefined;
  readonly method: Method;
  /** How many classes numbers have, unless the breaks are the author's own. */
  readonly count: number;
  /** Where the author's own classes part, ascending. */
  readonly breaks: readonly number[];
  readonly scheme: Scheme;
  readonly isReversed: boolean;
  /** The number around which a diverging scheme has its two sides; undefined for one that the data suggest. */
  readonly middle: number | undefined;
  /** The author's texts for classes, by their place in the legend; an empty one leaves that of the class. */
  readonly labels: readonly string[];
  /** The author's texts for land that is in no row, and for land of rows that are not chosen; empty for the usual ones. */
  readonly rest: string;
  readonly unchosen: string;
  /** The author's word for what is counted in the classes; empty for the usual one. */
  readonly noun: string;
  /** Whether each area has its number on it. */
  readonly hasValues: boolean;
  readonly title: string;
  readonly subtitle: string;
  readonly source: string;
  readonly notes: string;
}

/** The members that decide which classes there are. */
export const CLASS_MEMBERS = ['rate', 'method', 'count', 'breaks'] as const satisfies readonly (keyof Symbology)[];

export const METHODS: readonly Method[] = ['quantiles', 'equal', 'natural', 'own', 'categories'];
export const COUNTS = { least: 2, most: 9 } as const;

/** Max characters of the author's texts. Longer ones of a URL are cut. */
export const MAX_LENGTHS = {
  title: 120,
  subtitle: 200,
  source: 200,
  notes: 500,
  rest: 60,
  unchosen: 60,
  noun: 30,
  label: 60,
} as const;
const MAX_BREAKS = COUNTS.most - 1;
/** A legend has no more classes: twelve values, all others, and none. */
const MAX_LABELS = 14;

const DEFAULT: Symbology = {
  rate: undefined,
  method: 'quantiles',
  count: 5,
  breaks: [],
  scheme: 'YlGnBu',
  isReversed: false,
  middle: undefined,
  labels: [],
  rest: '',
  unchosen: '',
  noun: '',
  hasValues: false,
  title: '',
  subtitle: '',
  source: '',
  notes: '',
};

/** The symbology in the query of a URL. What it can't be is left out: anybody can write a URL. */
export function symbologyIn(query: URLSearchParams): Symbology {
  const [rate, method, scheme] = ['rate', 'method', 'scheme'].map((name) => query.get(name)) as [
    string,
    string,
    string,
  ];
  const text = (name: keyof Omit<typeof MAX_LENGTHS, 'label'>) => cut(query.get(name) ?? '', MAX_LENGTHS[name]);
  return {
    rate: rate === 'population' || rate === 'area' ? rate : DEFAULT.rate,
    method: METHODS.find((one) => one === method) ?? DEFAULT.method,
    count: countIn(query.get('classes')),
    breaks: breaksIn(query.get('breaks') ?? ''),
    scheme: isScheme(scheme) ? scheme : DEFAULT.scheme,
    isReversed: query.get('reversed') === 'true',
    middle: numberIn(query.get('middle')),
    labels: labelsIn(query.get('labels')),
    rest: text('rest'),
    unchosen: text('unchosen'),
    noun: text('noun'),
    hasValues: query.get('values') === 'true',
    title: text('title'),
    subtitle: text('subtitle'),
    source: text('source'),
    notes: text('notes'),
  };
}

/** The members of a symbology as a URL has them; undefined for what is as usual. */
export function partsOfSymbology(symbology: Symbology): Record<string, string | undefined> {
  const { rate, method, count, breaks, scheme, isReversed, middle, labels, hasValues, ...words } = symbology;
  const { rest, unchosen, noun, title, subtitle, source, notes } = words;
  return {
    rate,
    method: method === DEFAULT.method ? undefined : method,
    classes: count === DEFAULT.count ? undefined : String(count),
    breaks: breaks.length > 0 ? breaks.join(',') : undefined,
    scheme: scheme === DEFAULT.scheme ? undefined : scheme,
    reversed: isReversed ? 'true' : undefined,
    middle: middle === undefined ? undefined : String(middle),
    labels: labels.some((label) => label !== '') ? JSON.stringify(labels) : undefined,
    rest: rest || undefined,
    unchosen: unchosen || undefined,
    noun: noun || undefined,
    values: hasValues ? 'true' : undefined,
    title: title || undefined,
    subtitle: subtitle || undefined,
    source: source || undefined,
    notes: notes || undefined,
  };
}

/** The numbers of a text such as `10, 20.5, 40`, ascending, each once: at most eight. */
export function breaksIn(text: string): number[] {
  return numbersIn(text).slice(0, MAX_BREAKS);
}

function numbersIn(text: string): number[] {
  const numbers = partsOf(text)
    .map(numberIn)
    .filter((value) => value !== undefined);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function partsOf(text: string): string[] {
  return text.slice(0, 400).split(/[,;\s]+/);
}

/** Says what of a text with breaks is left out, because it is no number or one too many; empty if nothing is. */
export function faultsOfBreaks(text: string): string {
  const odd = partsOf(text).filter((part) => part !== '' && numberIn(part) === undefined);
  const beyond = numbersIn(text).slice(MAX_BREAKS);
  const sentence = (parts: readonly (string | number)[], one: string, several: string) =>
    parts.length === 0 ? [] : [`${parts.map((part) => `“${part}”`).join(', ')} ${parts.length === 1 ? one : several}`];
  return [
    ...sentence(odd, 'is no number and is left out.', 'are no numbers and are left out.'),
    ...sentence(
      beyond,
      `is left out: there are at most ${MAX_BREAKS} breaks.`,
      `are left out: there are at most ${MAX_BREAKS} breaks.`,
    ),
  ].join(' ');
}

/** The number of classes in a text, within what there can be. */
export function countIn(text: string | null): number {
  const count = numberIn(text);
  if (count === undefined) return DEFAULT.count;
  return Math.min(COUNTS.most, Math.max(COUNTS.least, Math.round(count)));
}

/** The number that a text is; undefined for any other text. */
export function numberIn(text: string | null): number | undefined {
  const value = Number(text);
  return text === null || text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

function labelsIn(text: string | null): string[] {
  let given: unknown;
  try {
    given = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(given)) return [];
  return given.slice(0, MAX_LABELS).map((label) => (typeof label === 'string' ? cut(label, MAX_LENGTHS.label) : ''));
}

/** The first characters of a text, none of them parted. */
function cut(text: string, most: number): string {
  return [...text.slice(0, 2 * most)].slice(0, most).join('');
}
