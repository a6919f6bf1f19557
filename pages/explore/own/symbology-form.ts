import { el } from '../../shared/dom.ts';
import { roundedOf } from '../../shared/values.ts';
import type { Method } from './breaks.ts';
import type { Legend } from './layers.ts';
import { patchOf } from './patch.ts';
import { MAX_OPTION_LENGTH, shortened, visible } from './readable.ts';
import { DIVERGING_SCHEMES, type Scheme, SEQUENTIAL_SCHEMES } from './schemes.ts';
import { saysShare } from './shares.ts';
import {
  breaksIn,
  COUNTS,
  countIn,
  faultsOfBreaks,
  MAX_LENGTHS,
  METHODS,
  numberIn,
  type Rate,
  type Symbology,
} from './symbology.ts';
import { listenForValues } from './values-shown.ts';

const METHOD_NAMES: Readonly<Record<Method, string>> = {
  quantiles: 'Quantiles: equal counts',
  equal: 'Equal steps',
  natural: 'Natural breaks',
  own: 'Breaks of my own',
  categories: 'Each value its colour',
};

const SCHEME_NAMES: Readonly<Record<Scheme, string>> = {
  YlGnBu: 'Yellow to blue',
  PuBuGn: 'Violet to green',
  YlOrBr: 'Yellow to brown',
  Oranges: 'Oranges',
  Purples: 'Purples',
  RdBu: 'Red and blue',
  PuOr: 'Purple and orange',
  BrBG: 'Brown and green',
};

const RATES: readonly (readonly [Rate | undefined, string])[] = [
  [undefined, 'As it is'],
  ['population', 'By residents'],
  ['area', 'Per km²'],
];

const WORD_NAMES = { title: 'Title', subtitle: 'Subtitle', source: 'Source', notes: 'Notes' } as const;

interface FormOptions {
  /** Whether features are areas, whose size numbers can be divided by. */
  hasAreas: boolean;
  /** The name of the dataset. */
  name: string;
  onChange: (change: Partial<Symbology>) => void;
}

interface Shown {
  readonly symbology: Symbology;
  readonly isNumeric: boolean;
  /** What of its values is no number, though most are. */
  readonly others: { readonly count: number; readonly texts: readonly string[] };
  readonly legend: Legend;
  /** What a reader of the rate should know; empty where there is nothing. */
  readonly remark: string;
}

/** Chooses how the values of a property become colours, and takes the author's words. It is hidden without colours. */
export function createSymbologyForm({ hasAreas, name: ofDataset, onChange }: FormOptions) {
  let shown: Shown | undefined;

  const rates = RATES.filter(([rate]) => hasAreas || rate !== 'area').map(([rate, label]) => {
    const input = el('input', { type: 'radio', name: 'rate' });
    input.addEventListener('change', () => onChange({ rate }));
    const text = el('span', {}, label);
    return { rate, usual: label, text, input, label: el('label', {}, input, text) };
  });
  const rateChoice = el(
    'fieldset',
    { class: 'own-rates' },
    el('legend', {}, 'Numbers'),
    ...rates.map(({ label }) => label),
  );
  const unknown = el('p', { class: 'quiet', role: 'status' });

  const option = (value: string, label: string) => el('option', { value }, label);
  const method = el('select', {}, ...METHODS.map((name) => option(name, METHOD_NAMES[name])));
  method.addEventListener('change', () => {
    const chosen = METHODS.find((name) => name === method.value) ?? 'quantiles';
    // One's own breaks begin with those that there are.
    const { symbology, legend } = shown ?? {};
    const isFirst = chosen === 'own' && symbology?.breaks.length === 0;
    const starts = (legend?.classes ?? [])
      .slice(1)
      .map(({ filter }) => (filter && 'from' in filter ? filter.from : undefined));
    onChange({ method: chosen, ...(isFirst && { breaks: starts.filter((start) => start !== undefined) }) });
  });
  const counts = Array.from({ length: COUNTS.most - COUNTS.least + 1 }, (_, index) => String(COUNTS.least + index));
  const count = el('select', {}, ...counts.map((text) => option(text, text)));
  count.addEventListener('change', () => onChange({ count: countIn(count.value) }));
  const breaks = el('input', { type: 'text', autocomplete: 'off', placeholder: '10, 20, 50', maxlength: '400' });
  const ofBreaks = el('p', { class: 'quiet', role: 'status' });
  breaks.addEventListener('change', () => {
    ofBreaks.textContent = visible(faultsOfBreaks(breaks.value));
    onChange({ breaks: breaksIn(breaks.value) });
  });
  const schemeOf = (name: Scheme) => {
    const input = el('input', { type: 'radio', name: 'scheme' });
    input.addEventListener('change', () => onChange({ scheme: name }));
    const strip = el('span', { class: 'own-strip', 'aria-hidden': 'true' });
    const label = el('label', {}, input, strip, el('span', {}, SCHEME_NAMES[name]));
    return { name, input, strip, label };
  };
  const schemeGroups = (
    [
      ['Colours from low to high', SEQUENTIAL_SCHEMES],
      ['Colours to both sides of a middle', DIVERGING_SCHEMES],
    ] as const
  ).map(([title, names]) => {
    const group = names.map(schemeOf);
    const labels = group.map(({ label }) => label);
    return { group, part: el('fieldset', { class: 'own-schemes' }, el('legend', {}, title), ...labels) };
  });
  const schemes = schemeGroups.flatMap(({ group }) => group);
  /** Shows each scheme by the colours that the classes have in it. */
  const showSchemes = ({ scheme: chosen }: Symbology, { colorsIn }: Legend) => {
    for (const { name, input, strip } of schemes) {
      input.checked = name === chosen;
      strip.replaceChildren(...colorsIn(name).map((tone) => patchOf(tone, '')));
    }
  };
  const middle = el('input', { type: 'number', step: 'any' });
  middle.addEventListener('change', () => onChange({ middle: numberIn(middle.value) }));
  const reversed = el('input', { type: 'checkbox' });
  reversed.addEventListener('change', () => onChange({ isReversed: reversed.checked }));

  const values = el('input', { type: 'checkbox' });
  values.addEventListener('change', () => onChange({ hasValues: values.checked }));
  const ofValues = el('p', { class: 'quiet', role: 'status' });
  listenForValues((sentence) => {
    if (ofValues.textContent !== sentence) ofValues.textContent = sentence;
  });

  const [methodPart, countPart, breaksPart, middlePart] = (
    [
      ['Classes', method],
      ['How many', count],
      ['Breaks', breaks],
      ['Middle', middle],
    ] as const
  ).map(([label, field]) => el('label', {}, label, field)) as [Label, Label, Label, Label];
  const reversedPart = el('label', { class: 'own-check' }, reversed, 'The other way round');
  const valuesPart = el('label', { class: 'own-check' }, values, 'Values on the areas');

  const words = (['title', 'subtitle', 'source', 'notes'] as const).map((name) => {
    const attributes = { maxlength: String(MAX_LENGTHS[name]), dir: 'auto' };
    const field =
      name === 'notes' ? el('textarea', { ...attributes, rows: '2' }) : el('input', { type: 'text', ...attributes });
    field.addEventListener('change', () => onChange({ [name]: field.value.trim() }));
    return { name, field, label: el('label', {}, WORD_NAMES[name], field) };
  });
  const labels = el('div');
  const showLabels = ({ symbology, legend }: Shown) => {
    const classes = legend.classes.filter(({ isZero }) => !isZero);
    const all = classes.map((_, index) => symbology.labels[index] ?? '');
    const texts = classes.map(({ label }) => shortened(label, MAX_OPTION_LENGTH));
    const names = classes.map(({ isMissing, isOther }, place) =>
      isMissing ? 'Label of no value' : isOther ? 'Label of other values' : `Label of class ${place + 1}`,
    );
    const present = [...labels.querySelectorAll('input')];
    // Whoever writes them goes on in the field where they are.
    if (present.map(({ ariaLabel }) => ariaLabel).join() !== names.join()) {
      labels.replaceChildren(
        ...names.map((name) => {
          const attributes = { type: 'text', maxlength: String(MAX_LENGTHS.label), dir: 'auto', 'aria-label': name };
          const field = el('input', attributes);
          field.addEventListener('change', () =>
            onChange({ labels: [...labels.querySelectorAll('input')].map(({ value }) => value.trim()) }),
          );
          return el('label', {}, name, field);
        }),
      );
    }
    for (const [index, field] of labels.querySelectorAll('input').entries()) {
      fill(field, all[index] ?? '');
      field.placeholder = texts[index] ?? '';
    }
  };
  /** Texts of the legend beside those of its classes. */
  const otherLabels = (
    [
      ['unchosen', 'Label of land not chosen'],
      ['rest', 'Label of land not in the data'],
      ['noun', 'Word for what is counted'],
    ] as const
  ).map(([name, title]) => {
    const field = el('input', { type: 'text', maxlength: String(MAX_LENGTHS[name]), dir: 'auto' });
    field.addEventListener('change', () => onChange({ [name]: field.value.trim() }));
    return { name, field, label: el('label', {}, title, field) };
  });
  const showOtherLabels = ({ symbology, legend }: Shown) => {
    for (const { name, field, label } of otherLabels) {
      fill(field, symbology[name]);
      const text = name === 'noun' ? legend.noun : legend.isFiltered === (name === 'unchosen') ? legend.rest : '';
      label.hidden = text === '' && symbology[name] === '';
      field.placeholder = shortened(text, MAX_OPTION_LENGTH);
    }
  };

  const odd = el('p', { class: 'quiet own-odd' });
  const choosing = el(
    'details',
    {},
    el('summary', {}, 'Classes and colours'),
    el(
      'div',
      { class: 'own-grid' },
      methodPart,
      countPart,
      breaksPart,
      ofBreaks,
      ...schemeGroups.map(({ part }) => part),
      middlePart,
      reversedPart,
      valuesPart,
      ofValues,
    ),
  );
  const element = el(
    'div',
    { class: 'own-symbology' },
    rateChoice,
    unknown,
    odd,
    choosing,
    el(
      'details',
      {},
      el('summary', {}, 'Title, source, notes and labels'),
      ...words.map(({ label }) => label),
      labels,
      ...otherLabels.map(({ label }) => label),
    ),
  );
  element.hidden = true;

  return {
    element,
    /** Shows what is chosen; undefined without colours. */
    show(next: Shown | undefined) {
      shown = next;
      element.hidden = !next;
      if (!next) return;
      const { symbology, isNumeric, legend, others, remark } = next;
      // Texts have no classes to choose.
      choosing.hidden = !isNumeric;
      odd.hidden = others.count === 0;
      odd.textContent = odd.hidden ? '' : sentenceOfOthers(others);
      const isDivided = isNumeric && symbology.method !== 'categories';
      // A share of something is divided already.
      rateChoice.hidden = !isDivided || (symbology.rate === undefined && saysShare(legend.title));
      for (const { rate, usual, text, input } of rates) {
        input.checked = rate === symbology.rate;
        // By how many residents is known once the numbers are divided.
        text.textContent = rate && input.checked && legend.per ? `Per ${legend.per}` : usual;
      }
      const isLacking = isDivided && symbology.rate !== undefined && legend.classes.every(({ isMissing }) => isMissing);
      unknown.textContent = !isLacking
        ? isDivided
          ? remark
          : ''
        : symbology.rate === 'population'
          ? 'The residents of these rows are not known. A column named population, or one of PSGC codes, says them.'
          : 'These rows have no areas on the map.';
      method.value = symbology.method;
      count.value = String(symbology.count);
      fill(breaks, symbology.breaks.join(', '));
      showSchemes(symbology, legend);
      fill(middle, symbology.middle === undefined ? '' : String(symbology.middle));
      middle.placeholder = legend.middle === undefined ? '' : wordsOfMiddle(legend.middle);
      reversed.checked = symbology.isReversed;
      methodPart.hidden = !isNumeric;
      countPart.hidden = !isDivided || symbology.method === 'own';
      breaksPart.hidden = !isDivided || symbology.method !== 'own';
      ofBreaks.hidden = breaksPart.hidden;
      if (ofBreaks.hidden) ofBreaks.textContent = '';
      for (const { part } of schemeGroups) part.hidden = !isDivided;
      reversedPart.hidden = !isDivided;
      values.checked = symbology.hasValues;
      valuesPart.hidden = !isDivided || !hasAreas;
      ofValues.hidden = valuesPart.hidden || !symbology.hasValues;
      middlePart.hidden = !isDivided || !DIVERGING_SCHEMES.includes(symbology.scheme);
      for (const { name, field } of words) {
        if (name === 'title') field.placeholder = shortened(legend.words.title || ofDataset, MAX_OPTION_LENGTH);
        fill(field, symbology[name]);
      }
      showLabels(next);
      showOtherLabels(next);
    },
  };
}

/** Says which values of a column of numbers are none, with the first of them. */
function sentenceOfOthers({ count, texts }: Shown['others']): string {
  const named = texts.slice(0, MAX_NAMED).map((text) => `“${shortened(text, MAX_OPTION_LENGTH)}”`);
  const list = `${named.join(', ')}${texts.length > named.length ? ', …' : ''}`;
  return `${count === 1 ? '1 value is no number' : `${count} values are no numbers`}: ${list}. The map hatches them.`;
}

const MAX_NAMED = 5;

/** The middle that the data suggest, with why. */
function wordsOfMiddle(middle: number): string {
  return middle === 0 ? '0' : `${roundedOf(middle)}, the median`;
}

type Label = HTMLLabelElement;

/** Shows a value in a field, unless somebody is writing there: what was chosen before may only now be drawn. */
function fill(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  if (field !== document.activeElement) field.value = value;
}
