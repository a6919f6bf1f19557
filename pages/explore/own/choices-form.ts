import { button, el } from '../../shared/dom.ts';
import { number } from '../../shared/format.ts';
import { LEVELS } from '../../shared/levels.ts';
import { remarkOnOutside } from '../without-provinces.ts';
import type { Choices } from './address.ts';
import { COUNT_LEVELS, type CountLevel, countLevelIn } from './count-levels.ts';
import { type Gathering, gatheringIn, repeatedPlaces, sharesAmong } from './gathering.ts';
import { MAX_OPTION_LENGTH, shortened } from './readable.ts';
import type { Column, Row } from './rows.ts';

interface ChoicesFormOptions {
  readonly rows: readonly Row[];
  readonly colorColumns: readonly Column[];
  readonly sizeColumns: readonly Column[];
  /** How many points lie in none of the areas by which they are counted. */
  readonly outside: number;
  /** Whether they are counted by detailed boundaries. */
  readonly isExact: boolean;
  /** Whether some of the points lie in Metro Manila. */
  readonly isAnyInCapital: boolean;
  /** The choices that the form shows first. */
  readonly choices: Choices;
  /** @param name of a column; undefined for none */
  readonly onColor: (name: string | undefined) => void;
  /** @param name of a column; undefined for none */
  readonly onSize: (name: string | undefined) => void;
  readonly onCount: (level: CountLevel | undefined) => void;
  /** Counts the points exactly; undefined where the service can't. */
  readonly onExact: (() => void) | undefined;
  readonly onGather: (gathering: Gathering | undefined) => void;
}

/** The form that chooses the colours of features, their sizes, and the areas that points are counted in. */
export function createChoicesForm(options: ChoicesFormOptions): HTMLElement {
  const { rows, colorColumns, sizeColumns, outside, isExact, isAnyInCapital, choices } = options;
  const { onColor, onSize, onCount, onExact, onGather } = options;
  const hasPoints = rows.some(({ type }) => type === 'Point');
  const counter = el(
    'select',
    {},
    el('option', { value: '' }, 'Nothing'),
    ...COUNT_LEVELS.map((value) => el('option', { value }, LEVELS[value].nouns)),
  );
  counter.value = choices.areas ?? '';
  counter.addEventListener('change', () => onCount(countLevelIn(counter.value)));
  const repeated = repeatedPlaces(rows);
  const gatherer = el(
    'select',
    {},
    el('option', { value: '' }, 'Each row'),
    el('option', { value: 'sum' }, 'Sum of their rows'),
    el('option', { value: 'mean' }, 'Mean of their rows'),
  );
  gatherer.value = choices.gathering ?? '';
  gatherer.addEventListener('change', () => onGather(gatheringIn(gatherer.value)));
  const left = outside > 0 ? ` Outside of them: ${number(outside)}.` : '';
  const counted = `The map counts by ${isExact ? 'detailed' : 'coarse'} boundaries.${left}`;
  const exact = onExact && !isExact ? [' ', button('Count exactly', onExact, { class: 'own-exact' })] : [];
  return el(
    'div',
    { class: 'own-choices' },
    el('label', {}, 'Colour by', columnSelect(colorColumns, choices.color, onColor)),
    sizeColumns.length > 0 && hasPoints
      ? el('label', {}, 'Size by', columnSelect(sizeColumns, choices.size, onSize))
      : undefined,
    choices.areas || hasPoints ? el('label', {}, 'Count points in', counter) : undefined,
    choices.gathering || repeated > 0 ? el('label', {}, 'Places with several rows', gatherer) : undefined,
    repeated > 0 ? el('p', { class: 'quiet' }, sentenceOfRepeated(repeated)) : undefined,
    choices.gathering === 'sum' && sharesAmong(rows, colorColumns).length > 0
      ? el('p', { class: 'quiet' }, 'Shares are not added up. Choose the mean for these.')
      : undefined,
    choices.areas
      ? el('p', { class: 'quiet' }, `${counted}${remarkOnOutside(choices.areas, outside, isAnyInCapital)}`, ...exact)
      : undefined,
  );
}

function sentenceOfRepeated(repeated: number): string {
  const places = repeated === 1 ? '1 place has' : `${number(repeated)} places have`;
  return `${places} several rows, of which the map shows the last.`;
}

function columnSelect(
  columns: readonly Column[],
  chosen: string | undefined,
  onChange: (name: string | undefined) => void,
): HTMLElement {
  const options = columns.map(({ name }, index) =>
    el('option', { value: String(index) }, shortened(name, MAX_OPTION_LENGTH)),
  );
  const select = el('select', {}, el('option', { value: '' }, 'Nothing'), ...options);
  const index = columns.findIndex(({ name }) => name === chosen);
  select.value = index < 0 ? '' : String(index);
  select.addEventListener('change', () =>
    onChange(select.value === '' ? undefined : columns[Number(select.value)]?.name),
  );
  return select;
}
