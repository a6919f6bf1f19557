import { editionText } from '../../src/areas/edition-id.ts';
import { sentenceFor } from '../shared/api.ts';
import { button, byId, el, quiet } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS } from '../shared/levels.ts';
import { aboutLine, lineOf } from './change-words.ts';
import { type Change, type ChangeFilter, type ChangePage, fragmentOfChanges, readChanges } from './changes.ts';
import type { Edition } from './editions.ts';
import { nodesOf } from './history-items.ts';
import { KIND_WORDS, KINDS, type Kind } from './kinds.ts';
import { swatch } from './legend.ts';

let started: ReturnType<typeof startForm> | undefined;

/** The form that chooses two editions, a level and a kind. It stays in the page, so that it keeps the focus. */
export function changesForm(): ReturnType<typeof startForm> {
  started ??= startForm();
  return started;
}

function startForm() {
  const form = byId('changes-form', HTMLFormElement);
  const select = (name: string) => byId(`changes-${name}`, HTMLSelectElement);
  const [from, to, level, kind] = [select('from'), select('to'), select('level'), select('kind')];
  const fill = (field: HTMLSelectElement, options: readonly (readonly [string, string])[], value = '') => {
    field.replaceChildren(...options.map(([id, label]) => el('option', { value: id }, label)));
    field.value = value;
  };
  fill(level, [['', 'All levels'], ...LEVEL_NAMES.map((name) => [name, LEVELS[name].nouns] as const)]);

  form.addEventListener('change', ({ target }) => {
    // Editions are listed newest first. `from` lacks the newest edition and `to` the oldest, so equal indexes are neighbouring
    // editions. If `from` is no longer the earlier one, the field that was not changed is moved.
    if (from.selectedIndex < to.selectedIndex) {
      if (target === from) to.selectedIndex = Math.max(from.selectedIndex, 0);
      else from.selectedIndex = Math.min(to.selectedIndex, from.options.length - 1);
    }
    const filter = { from: from.value, to: to.value, level: level.value, kind: kind.value } as ChangeFilter;
    location.hash = fragmentOfChanges(filter);
  });

  return {
    /** @param editions at least two, the newest first */
    show(filter: ChangeFilter, kinds: ChangePage['kinds'], editions: readonly Edition[]) {
      const names = editions.map(({ id }) => [id, editionText(id)] as const);
      fill(from, names.slice(1), filter.from);
      fill(to, names.slice(0, -1), filter.to);
      level.value = filter.level ?? '';
      const present = KINDS.filter((name) => kinds[name] || name === filter.kind);
      const option = (name: Kind) => [name, `${KIND_WORDS[name].title} (${number(kinds[name] ?? 0)})`] as const;
      fill(kind, [['', 'All kinds'], ...present.map(option)], filter.kind);
      form.hidden = false;
    },
  };
}

/**
 * The changes, grouped by kind. A group is open if all changes are on the first page, or only its kind is shown. Any other is
 * read when it is opened.
 */
export function changeGroups(filter: ChangeFilter, page: ChangePage, editions: readonly Edition[]): Node[] {
  const kinds = filter.kind ? [filter.kind] : KINDS.filter((kind) => page.kinds[kind]);
  if (page.total === 0) {
    const which = filter.level || filter.kind ? ' of this kind and level' : '';
    return [quiet(`Nothing${which} changed between ${editionText(filter.from)} and ${editionText(filter.to)}.`)];
  }
  const isWhole = page.next === null;
  return kinds.map((kind) => {
    const total = page.kinds[kind] ?? 0;
    const isRead = isWhole || filter.kind !== undefined;
    const changes = page.changes.filter((change) => change.kind === kind);
    const first = isRead ? { ...page, changes } : undefined;
    return groupOf({ filter: { ...filter, kind }, total, first, editions });
  });
}

interface Group {
  filter: ChangeFilter & { kind: Kind };
  total: number;
  /** The first page, if it was read. */
  first: ChangePage | undefined;
  editions: readonly Edition[];
}

function groupOf({ filter, total, first, editions }: Group): HTMLElement {
  const { title, about } = KIND_WORDS[filter.kind];
  const list = el('ul', { class: 'changes' });
  const foot = el('div', {});
  const heading = el('summary', {}, swatch(filter.kind), title, ' ', el('span', { class: 'count' }, number(total)));
  const group = el('details', { open: first !== undefined }, heading, about ? quiet(about) : undefined, list, foot);
  const indexOf = (edition: string) => editions.findIndex(({ id }) => id === edition);
  const spansSeveralEditions = indexOf(filter.from) - indexOf(filter.to) > 1;
  const add = ({ changes, next }: ChangePage) => {
    const length = list.childElementCount;
    list.append(...changes.map((change) => lineItem(change, spansSeveralEditions, editions)));
    foot.replaceChildren(...(next === null ? [] : [button(`Show more of ${number(total)}`, () => void read(next))]));
    // The button is gone, so the focus goes to the first new line.
    if (length > 0) (list.children[length]?.querySelector('a') ?? heading).focus();
  };
  const read = async (page: number) => {
    foot.replaceChildren(quiet('Reading…'));
    try {
      add(await readChanges(filter, page));
    } catch (error) {
      const retry = button('Try again', () => void read(page));
      foot.replaceChildren(quiet(sentenceFor(error, 'That could not be read.')), retry);
    }
  };
  if (first) add(first);
  else group.addEventListener('toggle', () => void read(1), { once: true });
  return group;
}

function lineItem(change: Change, spansSeveralEditions: boolean, editions: readonly Edition[]): HTMLElement {
  const note = change.note === null ? undefined : quiet(change.note);
  const about = el('span', { class: 'about' }, aboutLine(change, spansSeveralEditions));
  return el('li', {}, el('p', {}, ...nodesOf(lineOf(change), editions)), about, note);
}
