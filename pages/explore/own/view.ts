import type { Geometry } from 'geojson';
import { request } from '../../shared/api.ts';
import { el } from '../../shared/dom.ts';
import { number } from '../../shared/format.ts';
import type { Box } from '../places.ts';
import { type Choices, choicesInColor, fragmentOfCounts, fragmentOfDataset, fragmentOfGathering } from './address.ts';
import { createChoicesForm } from './choices-form.ts';
import { type FeaturesOfMap, landOf } from './counted.ts';
import { dataText } from './data-text.ts';
import type { Dataset } from './dataset.ts';
import { extentOf } from './extent.ts';
import type { FeatureStyle } from './feature-tiles.ts';
import { createFilterForm } from './filter-form.ts';
import { knownFilters } from './filters.ts';
import { datasetAt } from './fragment.ts';
import type { Drawing } from './layers.ts';
import { createMarkedFeature } from './marked-feature.ts';
import { remarkOnResidents } from './populations.ts';
import { proposedColor } from './proposed.ts';
import { type Column, columnsOf, isAddedByMatch, ordered, type Row, textsAmong } from './rows.ts';
import { createSaveStyle } from './save-style-button.ts';
import { withoutSavedStyle } from './saved-style.ts';
import { saysShare } from './shares.ts';
import { createStyling, type RateColumn, sizesOf } from './styling.ts';
import { CLASS_MEMBERS, type Symbology } from './symbology.ts';
import { createSymbologyForm } from './symbology-form.ts';
import { createTable } from './table.ts';

interface OwnOptions {
  dataset: Dataset;
  /** What the map draws, and how points are counted in it. */
  ofMap: FeaturesOfMap;
  /** Whether some of the points lie in Metro Manila. */
  isAnyInCapital: boolean;
  /** What the URL says is chosen. */
  choices: Choices;
  /** @param box what to bring into sight */
  onDraw: (drawing: Drawing, box?: Box) => void;
  /** Counts the points exactly; undefined where the service can't. */
  onExact: (() => void) | undefined;
  onFailure: (error: unknown) => void;
}

export interface OwnView {
  /** Parts of the panel. */
  readonly parts: readonly Node[];
  /** The drawing that the map shows first. */
  readonly drawing: Drawing;
  /** The columns of the table: one for each property. */
  readonly columns: readonly Column[];
  /** The listed rows, the drawing and the symbology at this moment. */
  currentState(): {
    listed: readonly Row[];
    drawing: Drawing;
    drawn: Pick<FeatureStyle, 'classes' | 'radii'>;
    symbology: Symbology;
    rate: RateColumn | undefined;
    /** Whether its numbers are counts of points by coarse boundaries. */
    isCoarse: boolean;
  };
  /** Changes title, subtitle, source and notes. */
  changeText(texts: Partial<Symbology>): void;
  /** The extent of the feature that the URL names. */
  readonly box: Box | undefined;
  /**
   * Shows the facts of the first of some features at one point of the map, with a way to the others.
   *
   * @param indexes of rows, as the tiles have them
   */
  choose(indexes: readonly number[]): void;
  /** The name of a feature and the value that colours it, where it has them. */
  hintOf(index: number): string;
  /** The zoom at which a cluster becomes several. */
  zoomOf(cluster: number): Promise<number>;
  /**
   * Call this once the parts are in the page: scrolls the table to the marked row and writes the proposed colour into the
   * URL.
   */
  afterInsert(): void;
  /** Frees what the features hold, once something else is shown. */
  close(): void;
}

/** The features of a dataset: their table, their colours and sizes, and the facts of one. */
export async function createOwnView({
  dataset,
  ofMap,
  isAnyInCapital,
  choices: first,
  onDraw,
  onExact,
  onFailure,
}: OwnOptions): Promise<OwnView> {
  const { features, outside, isExact } = ofMap;
  const { rows } = features;
  const columns = columnsOf(rows);
  const land = landOf(first, ofMap);
  const columnNamed = (name: string | undefined, among: readonly Column[]) =>
    among.find((column) => column.name === name);
  // Coordinates are not offered as sizes.
  const sizes = sizesOf(features, columns);
  // Columns that /match added are not offered as colours, unless the URL names one.
  const colourable = columns.filter((column) => !isAddedByMatch(column) || column.name === first.color);
  const styling = createStyling({
    ...{ features, columns, name: dataset.name, ask: request, land },
    isCounted: first.areas !== undefined,
    isCoarse: first.areas !== undefined && !isExact,
  });
  let choices: Choices = {
    ...first,
    color: first.color ?? (styling.isOfAreas ? proposedColor(columns, rows) : undefined),
    size: columnNamed(first.size, sizes)?.name,
    filters: knownFilters(first.filters, columns),
  };
  let listed: readonly Row[] = [];
  let markedAt: Geometry | null = null;
  /** The features at the clicked point; empty if a row of the table was chosen. */
  let atClick: readonly Row[] = [];
  let isClosed = false;
  let savedStyle = dataset.style;
  const marked = () => rows.find(({ id }) => id === choices.feature);
  /** What the map marks: nothing while the marked feature is filtered out. */
  const shownMark = () => (listed.some(({ id }) => id === choices.feature) ? markedAt : null);

  const status = el('p', { class: 'quiet own-status', role: 'status' });
  const { geometryOf } = features;
  const { nameOf } = styling;
  const markedFeature = createMarkedFeature(
    { geometryOf, nameOf },
    columns,
    (row) => void mark(row, { isFitted: false }),
  );
  const showFacts = () => {
    const row = marked();
    markedFeature.show(row, { isListed: row !== undefined && listed.includes(row), atClick });
  };
  const table = createTable({
    rows,
    columns,
    onSort: (sort) => {
      change({ sort, isDescending: sort === choices.sort && !choices.isDescending });
      list();
    },
    onChoose: (row) => {
      atClick = [];
      void mark(row, { isFitted: true });
    },
  });

  let drawing: Drawing = {
    tiles: features.tiles,
    revision: 0,
    marked: null,
    legend: undefined,
    sizes: undefined,
    isOfAreas: styling.isOfAreas,
    labels: [],
  };
  /** Gives the tiles of the features that are listed, in their colours and sizes, unless later ones were asked for. */
  const prepare = async () => {
    const prepared = await styling.show(listed, choices, relist);
    if (prepared) {
      drawing = { ...prepared, tiles: features.tiles, marked: shownMark() };
      table.showRate(styling.rateOf(choices), choices.color);
      showSymbology();
    }
    return prepared !== undefined;
  };
  const redraw = () => {
    prepare().then((isLatest) => {
      // Something else may be shown by now.
      if (isLatest && !isClosed) onDraw(drawing);
    }, onFailure);
  };

  const change = (what: Partial<Choices>) => {
    choices = { ...choices, ...what };
    // If another dataset is being opened, the URL already names that one.
    if (datasetAt(location.hash) !== dataset.id) return;
    history.replaceState(null, '', withoutSavedStyle(fragmentOfDataset(dataset.id, choices), savedStyle));
  };
  const list = () => {
    listed = styling.only(ordered(rows, columns, choices), choices);
    const all = number(rows.length);
    status.textContent = listed.length === rows.length ? `${all} listed` : `${number(listed.length)} of ${all} listed`;
    table.show(listed, choices);
    showFacts();
  };
  /** Lists, and draws, other features. */
  const relist = (what: Partial<Choices>) => {
    atClick = [];
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
    // Another feature may have been marked since, or something else opened.
    if (isClosed || marked() !== row) return;
    markedAt = geometry;
    drawing = { ...drawing, marked: shownMark() };
    onDraw(drawing, isFitted ? extentOf(markedAt) : undefined);
  };

  const onResidents = remarkOnResidents(rows, columns, land);
  const symbologyForm = createSymbologyForm({
    name: dataset.name,
    hasAreas: rows.some(({ type }) => type === 'Polygon' || type === 'MultiPolygon'),
    onChange: (symbology) => restyle(symbology),
  });
  const restyle = (symbology: Partial<Symbology>) => {
    const next = { ...choices.symbology, ...symbology };
    // The chosen classes (`shown`) are indexes into the old classes, so they are cleared.
    if (CLASS_MEMBERS.some((part) => part in symbology)) relist({ symbology: next, shown: [] });
    else {
      change({ symbology: next });
      redraw();
    }
  };
  const showSymbology = () => {
    const { legend } = drawing;
    const column = columnNamed(choices.color, columns);
    const isNumeric = column?.isNumeric === true;
    const others = column && isNumeric ? textsAmong(rows, column.name) : { count: 0, texts: [] };
    const { rate } = choices.symbology;
    const remark = rate === 'population' ? onResidents : rate === 'area' ? styling.onAreas() : '';
    symbologyForm.show(legend && column && { symbology: choices.symbology, isNumeric, others, legend, remark });
  };
  const filterForm = createFilterForm({
    rows,
    columns,
    find: choices.find,
    onFind: (find) => {
      if (!isClosed) relist({ find });
    },
    onChange: (filters) => relist({ filters }),
  });
  const form = createChoicesForm({
    rows,
    colorColumns: colourable,
    sizeColumns: sizes,
    outside,
    isExact,
    isAnyInCapital,
    choices,
    onColor: (color = '') => {
      change(choicesInColor(choices.symbology, color, saysShare(color)));
      list();
      redraw();
    },
    onSize: (size) => {
      change({ size });
      redraw();
    },
    onCount: (level) => {
      location.hash = fragmentOfCounts(dataset.id, choices, level);
    },
    onExact,
    onGather: (gathering) => {
      location.hash = fragmentOfGathering(dataset.id, choices, gathering);
    },
  });
  await styling.classify(choices);
  list();
  filterForm.show(choices.filters);
  const nothing = el(
    'p',
    { class: 'quiet' },
    'This dataset has no stored features. If only its file was stored, upload the file again and choose to store its features.',
  );
  const named = marked();
  if (named) markedAt = await features.geometryOf(named);
  await prepare();

  const saveStyleParts = dataset.isOwn
    ? [
        createSaveStyle(
          dataset,
          () => fragmentOfDataset(dataset.id, choices),
          (style) => {
            savedStyle = style;
            change({});
          },
        ),
      ]
    : [];
  const unknown = [...first.filters.keys()].filter((name) => !columnNamed(name, columns));
  return {
    parts:
      rows.length > 0
        ? [
            form,
            symbologyForm.element,
            ...saveStyleParts,
            filterForm.element,
            ...unknown.map(unknownFilter),
            markedFeature.element,
            status,
            table.element,
          ]
        : [nothing],
    drawing,
    columns,
    currentState: () => ({
      listed,
      drawing,
      drawn: styling.drawn(),
      symbology: choices.symbology,
      rate: styling.rateOf(choices),
      isCoarse: first.areas !== undefined && !isExact,
    }),
    changeText: restyle,
    box: choices.bbox ?? extentOf(shownMark()),
    choose: (indexes) => {
      atClick = indexes.map((index) => rows[index]).filter((row) => row !== undefined);
      void mark(atClick[0], { isFitted: false });
      markedFeature.element.scrollIntoView({ block: 'nearest' });
    },
    hintOf: (index) => styling.hintOf(rows[index], choices),
    zoomOf: features.zoomOf,
    afterInsert: () => {
      table.mark(marked());
      if (choices.color && first.color === undefined) change({});
    },
    close: () => {
      isClosed = true;
      features.close();
    },
  };
}

/** Says that a filter of the URL is left out. */
function unknownFilter(name: string): HTMLElement {
  const sentence = ', a property that this dataset doesn’t have. That filter is left out.';
  return el('p', { class: 'quiet' }, 'The address also filters by ', dataText(name), sentence);
}
