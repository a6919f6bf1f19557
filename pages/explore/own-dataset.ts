import { PsgcError, requestJson } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { farWords } from '../shared/far-away.ts';
import type { Level } from '../shared/levels.ts';
import { MATCHED } from '../shared/matched-places.ts';
import { readMunicities, readOverview } from '../shared/overview.ts';
import { analysisEntry } from './analysis-entry.ts';
import { areCoarse } from './coarseness.ts';
import { readMatchedPlaces } from './matched.ts';
import { choicesAt, fragmentOfCounts, fragmentOfDataset } from './own/address.ts';
import { areAnyInCapital, countLevelIn, isCountedExactly } from './own/count-levels.ts';
import { featuresFor } from './own/counted.ts';
import { type Dataset, readDataset, readFeatures } from './own/dataset.ts';
import type { Features } from './own/features.ts';
import { nounOf } from './own/gathering.ts';
import type { Drawing } from './own/layers.ts';
import { withSavedStyle } from './own/saved-style.ts';
import { createOwnView } from './own/view.ts';
import type { createPanel } from './panel.ts';
import type { Box } from './places.ts';
import { countsPath } from './point-counts.ts';
import { readPublic } from './public-dataset.ts';
import type { Answer } from './question-form.ts';
import type { Shown } from './shown.ts';
import { useOfDataset } from './use-dataset.ts';

/** Where a dataset is shown. */
export interface DatasetParts {
  panel: ReturnType<typeof createPanel>;
  /** Draws its features in another way. */
  onDraw: (drawing: Drawing, box?: Box) => void;
  onFailure: (error: unknown) => void;
  /** Ends the reading when something else is to be shown. */
  signal: AbortSignal;
}

/**
 * Reads a dataset with its features.
 *
 * @param fragment what its URL says of how it is shown
 * @returns a function that shows it in the panel
 * @throws PsgcError
 */
export async function readOwn(
  id: string,
  fragment: string,
  { panel, onDraw, onFailure, signal }: DatasetParts,
): Promise<() => Shown> {
  const { dataset, features: read } = await readAll(id, { panel, signal });
  const choices = choicesAt(withSavedStyle(fragment, dataset.style));
  const maps = { overview: readOverview, municities: readMunicities };
  const nouns = nounOf(read.rows);
  // Rows that are called rows need no place.
  const unplaced = nouns === 'rows' ? 0 : read.rows.filter(({ type }) => type === undefined).length;
  const isStored = dataset.visibility !== 'tab' && dataset.feature_count > 0;
  const canCount = isStored && currentToken() !== undefined;
  const countsOf = (level: Level) => readCounts(dataset, level);
  const isOfTable = tableAsked?.id === id && tableAsked.level === choices.areas;
  tableAsked = undefined;
  const asked = isCountedExactly(choices, { canCount, features: dataset.feature_count }) ? choices.areas : undefined;
  const exact = asked && !signal.aborted ? countsOf(asked) : undefined;
  // The form says why they can't be read.
  exact?.catch(() => undefined);
  if (exact && !signal.aborted) panel.showReading(dataset, 'Counting its points…');
  const { main, far } = await read.whereabouts();
  // Without the coarse map nothing is said of it.
  const areInCapital = (points: Features) =>
    readOverview().then(
      (overview) => areAnyInCapital(points, overview),
      () => false,
    );
  const isAnyInCapital = choices.areas !== undefined && (await areInCapital(read));
  const ofMap = await featuresFor(choices, read, maps, exact);
  const { features } = ofMap;
  const wordsOf = ({ legend }: Drawing) => {
    const { title: mapTitle, subtitle } = legend?.words ?? { title: '', subtitle: '' };
    return { nouns, unplaced, outside: ofMap.outside, mapTitle, subtitle };
  };
  const onRedraw: typeof onDraw = (drawing, box) => {
    panel.nameDataset(dataset, wordsOf(drawing));
    onDraw(drawing, box);
  };
  let counts: HTMLDetailsElement | undefined;
  const goToCounts = () => {
    if (!counts) return;
    counts.open = true;
    counts.scrollIntoView({ block: 'nearest' });
    counts.querySelector('summary')?.focus();
  };
  /** The choices of the URL, with exact counts. */
  const exactly = () => ({ ...choicesAt(withSavedStyle(location.hash, dataset.style)), isExact: true });
  const onExact = () => {
    // Without a key, the form says what is lacking.
    if (canCount) location.hash = fragmentOfDataset(id, exactly());
    else goToCounts();
  };
  const own = await createOwnView({
    ...{ dataset, ofMap, isAnyInCapital, choices, onFailure },
    onDraw: onRedraw,
    onExact: isStored ? onExact : undefined,
  }).catch((error) => {
    features.close();
    throw error;
  });
  if (signal.aborted) own.close();
  const some = features.rows.filter(({ type }) => type?.endsWith('Polygon')).slice(0, SAMPLE);
  const isOnCoarseLand = areCoarse(await Promise.all(some.map(features.geometryOf)));
  return () => {
    const { columns, currentState, changeText } = own;
    const uses =
      features.rows.length > 0 ? [useOfDataset({ dataset, features, columns, currentState, changeText })] : [];
    const mapOf = (level: Level) => {
      const areas = countLevelIn(level);
      return areas && fragmentOfCounts(id, exactly(), areas);
    };
    const onCounted = (_: Answer, level: Level) => {
      tableAsked = { id, level };
      if (level !== choices.areas || ofMap.isExact) return;
      // The map has the same numbers as the table.
      location.hash = fragmentOfDataset(id, exactly());
    };
    const form = { mapOf, onCounted, ask: countsOf, ...(asked && { level: asked, first: exact }) };
    if (isStored && (choices.areas || features.rows.some(({ type }) => type === 'Point')))
      counts = analysisEntry('Points by area', async (module) =>
        module.countsForm({ ...form, isAnyInCapital: choices.areas ? isAnyInCapital : await areInCapital(features) }),
      );
    const moveTo = (box: Box) => onDraw(own.currentState().drawing, box);
    // Points that are counted are not on the map.
    const waysFrom = (box: Box) =>
      choices.areas ? undefined : { showAll: () => moveTo(dataset.bbox ?? box), goBack: () => moveTo(box) };
    const elsewhere = main ? [farAway(far, waysFrom(main))] : [];
    panel.showDataset(
      dataset,
      [...uses, ...elsewhere, ...own.parts, ...(counts ? [counts] : [])],
      wordsOf(own.drawing),
    );
    own.afterInsert();
    // It says why the points are not counted exactly.
    if (counts && exact && (choices.isExact || !ofMap.isExact)) counts.open = true;
    // Who has asked for the table goes on reading there.
    if (isOfTable) goToCounts();
    return { view: undefined, dataset, own, edition: undefined, isOnCoarseLand, main };
  };
}

interface Ways {
  readonly showAll: () => void;
  readonly goBack: () => void;
}

/** Says that the map opens without what lies far away, with a button that shows it where there is a way, and then leads back. */
function farAway(count: number, ways: Ways | undefined): HTMLElement {
  const sentence = `${farWords(count, ['feature', 'features'])}. `;
  if (!ways) return el('p', { class: 'quiet far-away' }, sentence);
  const offer = count === 1 ? 'Show it' : 'Show them';
  let isAway = false;
  const toggle = button(offer, () => {
    isAway = !isAway;
    toggle.textContent = isAway ? 'Back to the others' : offer;
    if (isAway) ways.showAll();
    else ways.goBack();
  });
  return el('p', { class: 'quiet far-away' }, sentence, toggle);
}

/** The dataset of which the table of counts was asked for last, for the map that shows the same next. */
let tableAsked: { readonly id: string; readonly level: Level } | undefined;

/** Exact counts that were read, by dataset and level: asking for them again would take as many requests again. */
const knownCounts = new Map<string, Promise<Answer>>();

function readCounts({ id, updated_at }: Dataset, level: Level): Promise<Answer> {
  const key = [id, level, updated_at].join(' ');
  const counts = knownCounts.get(key) ?? requestJson<Answer>(countsPath(id, level));
  knownCounts.set(key, counts);
  counts.catch(() => knownCounts.delete(key));
  return counts;
}

/** How many areas of a dataset are looked at to tell how coarsely they are drawn. */
const SAMPLE = 5;

interface Read {
  dataset: Dataset;
  features: Features;
}

const NOT_PUBLIC = 'This map is not public, or is no longer there. Sign in as its owner, or ask the owner to open it.';

/** Reads a dataset with the key of the tab. Whoever has none, or one without the scope, sees what everybody sees. */
async function readAll(id: string, parts: Pick<DatasetParts, 'panel' | 'signal'>): Promise<Read> {
  const { signal } = parts;
  if (id === MATCHED) return readMatchedPlaces(signal);
  if (currentToken() === undefined) {
    const read = await readPublic(id, signal);
    if (read === null) throw new PsgcError({ code: 'not_public', message: NOT_PUBLIC, status: 403 });
    return read ?? readWithKey(id, parts);
  }
  try {
    return await readWithKey(id, parts);
  } catch (error) {
    const isLacking = error instanceof PsgcError && error.code === 'missing_scope';
    const read = isLacking ? await readPublic(id, signal) : undefined;
    if (read) return read;
    throw error;
  }
}

async function readWithKey(id: string, { panel, signal }: Pick<DatasetParts, 'panel' | 'signal'>): Promise<Read> {
  let read = 0;
  let showRead: ((count: number) => void) | undefined;
  const reading = readFeatures(id, signal, (count) => {
    read = count;
    showRead?.(count);
  });
  // It may fail before it is waited for.
  reading.catch(() => undefined);
  try {
    const dataset = await readDataset(id);
    if (!signal.aborted) {
      showRead = panel.showReading(dataset);
      // Some may have been read before it was known what they belong to.
      showRead(read);
    }
    return { dataset, features: await reading };
  } catch (error) {
    // Of a dataset that there is not, the list of features is empty, but not missing.
    reading.then(({ close }) => close()).catch(() => undefined);
    throw error;
  }
}
