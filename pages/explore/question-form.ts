import { PsgcError, sentenceFor } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { button, el, saveFile } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { fragmentOf } from './places.ts';

interface Found {
  readonly code: string;
  readonly name: string;
  readonly population: number | null;
  readonly distance_m: number;
  readonly count: number;
  readonly share_of_area: number;
  readonly area_km2: number;
  readonly population_estimate: number | null;
}

export interface Answer {
  readonly data: readonly Found[];
  readonly meta: Readonly<Record<string, number>>;
}

/** What is said of each area beside its name. */
interface FoundColumn {
  readonly heading: string;
  /** In a workbook. */
  readonly numberOf: (found: Found) => number | null;
  /** In the panel; without it the number. */
  readonly textOf?: (found: Found) => string;
  /** In a workbook, with the unit; without it the heading. */
  readonly title?: string;
}

/** What is asked about areas, and how the answer is shown. */
export interface Question {
  readonly edition?: string | undefined;
  /** The level that is chosen first. */
  readonly level: Level;
  /** Fields of the form besides the level. */
  readonly fields?: (form: { readonly run: () => void; readonly clear: () => void }) => readonly HTMLElement[];
  /** What is lacking before it can be asked; undefined where nothing is. */
  readonly lacking?: () => string | undefined;
  /** What stands below the answer. */
  readonly below?: (level: Level) => HTMLElement | undefined;
  readonly ask: (level: Level) => Promise<Answer>;
  /** The answer for the level that is chosen first, where it was asked for already. */
  readonly first?: Promise<Answer> | undefined;
  /** The sentence for an error that its message does not explain to people; undefined for others. */
  readonly refusalOf?: (error: PsgcError) => string | undefined;
  /** The order in which the areas are listed; without it that of the answer. */
  readonly order?: (a: Found, b: Found) => number;
  /** What is done with an answer that is shown. */
  readonly onAnswer?: (answer: Answer, level: Level) => void;
  /** What a workbook of the answer is called. */
  readonly title: string;
  readonly columns: readonly FoundColumn[];
  readonly summaryOf: (answer: Answer, level: Level) => string;
}

/** What everybody reads who has no key. */
export const NEEDS_KEY = 'Sign in first.';

/** How many areas are listed: an answer may have thousands. */
export const MAX_LISTED = 100;

export function questionForm({
  edition,
  level,
  fields,
  lacking,
  below,
  ask,
  first,
  refusalOf,
  order,
  onAnswer,
  title,
  columns,
  summaryOf,
}: Question): HTMLElement {
  const levels = el('select', {}, ...LEVEL_NAMES.map((name) => el('option', { value: name }, LEVELS[name].nouns)));
  levels.value = level;
  const status = el('p', { class: 'quiet', role: 'status' });
  const list = el('div', {});
  let runs = 0;
  /** Takes away an answer that is not of what is chosen or drawn now, also one that is still to come. */
  const clear = () => {
    runs += 1;
    show.disabled = false;
    status.textContent = '';
    list.replaceChildren();
  };
  const run = async (given?: Promise<Answer>) => {
    const asked = levels.value as Level;
    const sentence = currentToken() === undefined ? NEEDS_KEY : lacking?.();
    if (sentence !== undefined) {
      status.textContent = sentence;
      return;
    }
    // What was drawn or chosen meanwhile is asked anew, and only the last answer is shown.
    runs += 1;
    const own = runs;
    show.disabled = true;
    status.textContent = 'Reading…';
    try {
      const answer = await (given ?? ask(asked));
      if (own !== runs || !(list.isConnected || given)) return;
      if (!given) onAnswer?.(answer, asked);
      const found = order ? answer.data.toSorted(order) : answer.data;
      status.textContent = summaryOf(answer, asked);
      list.replaceChildren(
        ...(found.length > 0
          ? [tableOf(found, { level: asked, edition, columns }), exportOf(found, { level: asked, title, columns })]
          : []),
        below?.(asked) ?? '',
      );
    } catch (error) {
      if (own !== runs) return;
      const refusal = error instanceof PsgcError ? refusalOf?.(error) : undefined;
      status.textContent = refusal ?? sentenceFor(error, 'That failed.');
      list.replaceChildren();
    }
    show.disabled = false;
  };
  const show = button('Show', () => void run());
  const choices = fields?.({ run: () => void run(), clear }) ?? [];
  const row = el('p', { class: 'row' }, el('label', {}, 'Level', levels), ...choices, show);
  row.addEventListener('change', clear);
  if (first) void run(first);
  return el('div', {}, row, status, list);
}

function tableOf(
  found: readonly Found[],
  { level, edition, columns }: Pick<Question, 'level' | 'edition' | 'columns'>,
): HTMLElement {
  const rows = found.slice(0, MAX_LISTED).map((area) => {
    const link = el('a', { href: fragmentOf({ level, code: area.code }, edition) }, area.name);
    const cells = columns.map(({ numberOf, textOf = textOfNumber(numberOf) }) => el('td', {}, textOf(area)));
    return el('tr', {}, el('th', { scope: 'row' }, link), ...cells);
  });
  const headings = [LEVELS[level].noun, ...columns.map(({ heading }) => heading)];
  const head = el('tr', {}, ...headings.map((heading) => el('th', { scope: 'col' }, heading)));
  const rest = found.length - rows.length;
  return el(
    'div',
    {},
    el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)),
    rest > 0 ? el('p', { class: 'quiet' }, `and ${areasText(rest)} more`) : undefined,
  );
}

function textOfNumber(numberOf: FoundColumn['numberOf']): (found: Found) => string {
  return (found) => {
    const value = numberOf(found);
    return value === null ? '' : number(value);
  };
}

/** The button that saves all areas of an answer with their codes. */
function exportOf(
  found: readonly Found[],
  { level, title, columns }: Pick<Question, 'level' | 'title' | 'columns'>,
): HTMLElement {
  const status = el('span', { role: 'status' });
  const save = async () => {
    const headings = ['PSGC code', LEVELS[level].noun, ...columns.map(({ heading, title: whole = heading }) => whole)];
    const rows = found.map((area) => [area.code, area.name, ...columns.map(({ numberOf }) => numberOf(area))]);
    try {
      const { workbookOf } = await import('../match/workbook.ts');
      saveFile(await workbookOf([headings, ...rows]), `${title}.xlsx`);
      status.textContent = '';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The export failed.');
    }
  };
  return el('p', { class: 'quiet' }, button(`Excel, ${areasText(found.length)}`, save), ' ', status);
}

export function areasText(count: number): string {
  return `${number(count)} ${count === 1 ? 'area' : 'areas'}`;
}
