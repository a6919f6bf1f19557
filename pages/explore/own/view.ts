import type { Geometry } from 'geojson';
import { request } from '../../shared/api.ts';
import { button, el } from '../../shared/dom.ts';
import { number } from '../../shared/format.ts';
import { textOf } from '../../shared/values.ts';
import { analysisEntry } from '../analysis-entry.ts';
import type { Box } from '../places.ts';
import { type Choices, hashOfCounts, hashOfDataset } from './address.ts';
import { COUNT_LEVELS, countLevelIn } from './count-levels.ts';
import { dataText, wholeText } from './data-text.ts';
import type { Dataset } from './dataset.ts';
import type { Look } from './feature-tiles.ts';
import type { Features } from './features.ts';
import { createFilterForm } from './filter-form.ts';
import { knownFilters } from './filters.ts';
import { datasetAt } from './fragment.ts';
import { createKeepStyle } from './keep-style-button.ts';
import { withoutKept } from './kept-style.ts';
import type { Drawing } from './layers.ts';
import { createLook, sizesOf } from './look.ts';
import { isOfMatch, proposedColor } from './proposed.ts';
import { MAX_OPTION_LENGTH, shortened } from './readable.ts';
import { type Column, columnsOf, extentOf, ordered, type Row, textsAmong } from './rows.ts';
import { OF_CLASSES, type Symbology } from './symbology.ts';
import { createSymbologyForm } from './symbology-form.ts';
import { createTable } from './table.ts';

interface OwnOptions {
  dataset: Dataset;
  features: Features;
  /** How many points lie in none of the areas by which they are counted. */
  outside: number;
  /** What the address says is chosen. */
  choices: Choices;
  /** @param box what to bring into sight */
  onDraw: (drawing: Drawing, box?: Box) => void;
  onFailure: (error: unknown) => void;
}

export interface OwnView {
  /** Parts of the panel. */
  readonly parts: readonly Node[];
  /** What the map shows first. */
  readonly drawing: Drawing;
  /** All properties of its features. */
  readonly columns: readonly Column[];
  /** What of them is listed, and how it is drawn. */
  now(): { listed: readonly Row[]; drawing: Drawing; drawn: Pick<Look, 'classes' | 'radii'>; symbology: Symbology };
  /** Changes the author's words on the map. */
  write(words: Partial<Symbology>): void;
  /** The extent of the feature that the address names. */
  readonly box: Box | undefined;
  /** Shows the facts of the first of some features that lie on one place of the map, with a way to the others. */
  choose(features: readonly number[]): void;
  /** The name of a feature and the value that colours it, where it has them. */
  hintOf(feature: number): string;
  /** The zoom at which a cluster becomes several. */
  zoomOf(cluster: number): Promise<number>;
  /** Lays out the table, once it is in the page. */
  settle(): void;
  /** Frees what the features hold, once something else is shown. */
  close(): void;
}

/** The features of a dataset: their table, their colours and sizes, and the facts of one. */
export async function createOwnView({
  dataset,
  features,
  outside,
  choices: first,
  onDraw,
  onFailure,
}: OwnOptions): Promise<OwnView> {
  const { rows } = features;
  const columns = columnsOf(rows);
  const known = (name: string | undefined, among: readonly Column[]) => among.find((column) => column.name === name);
  // The place of a point is no size.
  const sizes = sizesOf(features, columns);
  const colourable = columns.filter((column) => !isOfMatch(column) || column.name === first.color);
  const look = createLook({ features, columns, ask: request });
  let choices: Choices = {
    ...first,
    color: first.color ?? (look.isOfAreas ? proposedColor(columns, rows) : undefined),
    size: known(first.size, sizes)?.name,
    filters: knownFilters(first.filters, columns),
  };
  let listed: readonly Row[] = [];
  let markedAt: Geometry | null = null;
  /** The features where the map was clicked, while one of them is marked. */
  let here: readonly Row[] = [];
  let isClosed = false;
  let kept = dataset.style;
  const marked = () => rows.find(({ id }) => id === choices.feature);
  /** What the map marks: nothing while the marked feature is filtered out. */
  const shownMark = () => (listed.some(({ id }) => id === choices.feature) ? markedAt : null);

  const status = el('p', { class: 'quiet own-status', role: 'status' });
  const facts = el('section', { class: 'own-feature' });
  const table = createTable({
    columns,
    onSort: (sort) => {
      change({ sort, isDescending: sort === choices.sort && !choices.isDescending });
      list();
    },
    onChoose: (row) => {
      here = [];
      void mark(row, { isFitted: true });
    },
  });

  let drawing: Drawing = {
    ...{ tiles: features.tiles, look: 0, marked: null, legend: undefined },
    ...{ isOfAreas: look.isOfAreas, labels: [] },
  };
  /** Gives the tiles of the features that are listed, in their colours and sizes, unless later ones were asked for. */
  const prepare = async () => {
    const prepared = await look.show(listed, choices, relist);
    if (prepared) {
      drawing = { ...prepared, tiles: features.tiles, marked: shownMark() };
      showSymbology();
    }
    return prepared !== undefined;
  };
  const redraw = () => {
    prepare().then((isLatest) => {
      // Another place may be shown by now.
      if (isLatest && !isClosed) onDraw(drawing);
    }, onFailure);
  };

  const change = (what: Partial<Choices>) => {
    choices = { ...choices, ...what };
    // While another place is read, the address is that of the other.
    if (datasetAt(location.hash) !== dataset.id) return;
    history.replaceState(null, '', withoutKept(hashOfDataset(dataset.id, choices), kept));
  };
  const list = () => {
    listed = look.only(ordered(rows, columns, choices), choices);
    const all = number(rows.length);
    status.textContent = listed.length === rows.length ? `${all} listed` : `${number(listed.length)} of ${all} listed`;
    table.show(listed, choices);
    showFacts();
  };
  /** Lists, and draws, other features. */
  const relist = (what: Partial<Choices>) => {
    here = [];
    change(what);
    list();
    filterForm.show(choices.filters);
    redraw();
  };

  const mark = async (row: Row | undefined, { isFitted }: { isFitted: boolean }) => {
    change({ feature: row?.id });
    showFacts();
    table.mark(row);
    const geometry = row ? await features.geometryOf(row) : null;
    // Another feature may have been marked since, or another place opened.
    if (isClosed || marked() !== row) return;
    markedAt = geometry;
    drawing = { ...drawing, marked: shownMark() };
    onDraw(drawing, isFitted ? extentOf(markedAt) : undefined);
  };

  const showFacts = () => {
    const row = marked();
    facts.hidden = !row;
    if (!row) return facts.replaceChildren();
    const heading = el('h2', {}, 'Marked feature');
    const close = button('Unmark', () => void mark(undefined, { isFitted: false }));
    if (!listed.includes(row)) {
      const sentence = 'It is filtered out, so neither the table nor the map shows it.';
      return facts.replaceChildren(heading, el('p', { class: 'quiet' }, sentence), close);
    }
    const items = Object.entries(row.properties).map(([name, value]) =>
      el('div', {}, el('dt', {}, wholeText(name)), el('dd', {}, wholeText(textOf(value)))),
    );
    const nowhere = row.type ? undefined : el('p', { class: 'quiet' }, 'It has no place on the map.');
    const place = here.indexOf(row) + 1;
    const showNext = () => {
      void mark(here[place % here.length], { isFitted: false });
      // The button for the one after it stands in place of this one.
      facts.querySelector('button')?.focus();
    };
    const next = here.length > 1 ? button(`${place} of ${here.length} here: show the next`, showNext) : '';
    const covered = /Polygon$/.test(row.type ?? '')
      ? analysisEntry('Areas that it covers', async (code) =>
          code.coveredForm((await features.geometryOf(row)) as Geometry),
        )
      : '';
    facts.replaceChildren(heading, next, el('dl', { class: 'facts' }, ...items), nowhere ?? '', covered, close);
  };

  const search = el('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  search.value = choices.find;
  let waiting = 0;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      if (!isClosed) relist({ find: search.value });
    }, 150);
  });
  const chooser = (among: readonly Column[], chosen: string | undefined, onChange: (name?: string) => void) => {
    const options = among.map(({ name }, index) =>
      el('option', { value: String(index) }, shortened(name, MAX_OPTION_LENGTH)),
    );
    const select = el('select', {}, el('option', { value: '' }, 'Nothing'), ...options);
    const index = among.findIndex(({ name }) => name === chosen);
    select.value = index < 0 ? '' : String(index);
    select.addEventListener('change', () => {
      onChange(select.value === '' ? undefined : among[Number(select.value)]?.name);
      redraw();
    });
    return select;
  };
  const symbologyForm = createSymbologyForm({
    name: dataset.name,
    hasAreas: rows.some(({ type }) => type === 'Polygon' || type === 'MultiPolygon'),
    onChange: (symbology) => restyle(symbology),
  });
  const restyle = (symbology: Partial<Symbology>) => {
    const next = { ...choices.symbology, ...symbology };
    // Other classes have other features.
    if (OF_CLASSES.some((part) => part in symbology)) relist({ symbology: next, shown: [] });
    else {
      change({ symbology: next });
      redraw();
    }
  };
  const showSymbology = () => {
    const { legend } = drawing;
    const column = known(choices.color, columns);
    const isNumeric = column?.isNumeric === true;
    const others = column && isNumeric ? textsAmong(rows, column.name) : { count: 0, texts: [] };
    symbologyForm.show(legend && column && { symbology: choices.symbology, isNumeric, others, legend });
  };
  const counter = el(
    'select',
    {},
    el('option', { value: '' }, 'Nothing'),
    ...Object.entries(COUNT_LEVELS).map(([value, label]) => el('option', { value }, label)),
  );
  counter.value = choices.areas ?? '';
  counter.addEventListener('change', () => {
    location.hash = hashOfCounts(dataset.id, choices, countLevelIn(counter.value));
  });
  const filterForm = createFilterForm({ rows, columns, onChange: (filters) => relist({ filters }) });
  /** Another property has neither the breaks nor the labels of the one before. */
  const colored = (color: string): Partial<Choices> => {
    const { symbology } = choices;
    const method = symbology.method === 'own' || symbology.method === 'categories' ? 'quantiles' : symbology.method;
    return { color, shown: [], symbology: { ...symbology, method, breaks: [], labels: [], middle: undefined } };
  };
  const form = el(
    'div',
    { class: 'own-choices' },
    el('label', {}, 'Find in the features', search),
    el(
      'label',
      {},
      'Colour by',
      chooser(colourable, known(choices.color, columns)?.name, (color = '') => {
        change(colored(color));
        list();
      }),
    ),
    sizes.length > 0 && rows.some(({ type }) => type === 'Point')
      ? el(
          'label',
          {},
          'Size by',
          chooser(sizes, choices.size, (size) => change({ size })),
        )
      : undefined,
  );
  if (choices.areas || rows.some(({ type }) => type === 'Point'))
    form.append(el('label', {}, 'Count points in', counter));
  if (choices.areas) {
    const left = outside > 0 ? ` Outside of them: ${number(outside)}.` : '';
    form.append(el('p', { class: 'quiet' }, `Points are counted by the coarse boundaries.${left}`));
  }
  await look.classify(choices);
  list();
  filterForm.show(choices.filters);
  const nothing = el(
    'p',
    { class: 'quiet' },
    'No features are stored of it. A file that was only kept can be sent again with its features.',
  );
  const named = marked();
  if (named) markedAt = await features.geometryOf(named);
  await prepare();

  const keeping = dataset.isOwn
    ? [
        createKeepStyle(
          dataset,
          () => hashOfDataset(dataset.id, choices),
          (style) => {
            kept = style;
            change({});
          },
        ),
      ]
    : [];
  const unknown = [...first.filters.keys()].filter((name) => !known(name, columns));
  return {
    parts:
      rows.length > 0
        ? [
            form,
            symbologyForm.element,
            ...keeping,
            filterForm.element,
            ...unknown.map(unknownFilter),
            facts,
            status,
            table.element,
          ]
        : [nothing],
    drawing,
    columns,
    now: () => ({ listed, drawing, drawn: look.drawn(), symbology: choices.symbology }),
    write: restyle,
    box: choices.bbox ?? extentOf(shownMark()),
    choose: (found) => {
      here = found.map((index) => rows[index]).filter((row) => row !== undefined);
      void mark(here[0], { isFitted: false });
      facts.scrollIntoView({ block: 'nearest' });
    },
    hintOf: (feature) => look.hintOf(rows[feature], choices),
    zoomOf: features.zoomOf,
    settle: () => {
      table.mark(marked());
      if (choices.color && first.color === undefined) change({});
    },
    close: () => {
      isClosed = true;
      features.close();
    },
  };
}

/** Says that a filter of the address is left out. */
function unknownFilter(name: string): HTMLElement {
  const sentence = ', a property that this dataset doesn’t have. That filter is left out.';
  return el('p', { class: 'quiet' }, 'The address also filters by ', dataText(name), sentence);
}
