import { PsgcError } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { MATCHED } from '../shared/matched-places.ts';
import { changesAt, completed, hashOfChanges, readChanges } from './changes.ts';
import { changeGroups, type startChangesForm } from './changes-view.ts';
import { readCountry, readView } from './data.ts';
import { inAddress, readEditions } from './editions.ts';
import { embedSection } from './embed.ts';
import { readMatchedPlaces } from './matched.ts';
import { type Choices, choicesAt, datasetAt } from './own/address.ts';
import { type Dataset, readDataset, readFeatures } from './own/dataset.ts';
import type { Features } from './own/features.ts';
import type { Drawing } from './own/layers.ts';
import { createOwnView } from './own/view.ts';
import type { createPanel } from './panel.ts';
import { type Box, editionAt, hashOf, placeAt } from './places.ts';
import { readPublic } from './public-dataset.ts';
import type { Shown } from './shown.ts';

/** Where what was read is shown. */
interface Parts {
  panel: ReturnType<typeof createPanel>;
  changesForm: ReturnType<typeof startChangesForm>;
  /** Draws the features of the dataset in another way. */
  onDraw: (drawing: Drawing, box?: Box) => void;
  onFailure: (error: unknown) => void;
  /** Ends the reading when something else is to be shown. */
  signal: AbortSignal;
}

/**
 * Reads what a fragment names: a place, a dataset, changes, or the whole country.
 *
 * @returns a function that shows it in the panel
 * @throws PsgcError
 */
export async function readAddress(fragment: string, parts: Parts): Promise<() => Shown> {
  const { panel, changesForm } = parts;
  const id = datasetAt(fragment);
  if (id) return readOwn(id, choicesAt(fragment), parts);
  if (changesAt(fragment)) return readChangesIn(fragment, { panel, changesForm });
  const named = editionAt(fragment);
  // The current edition needs no name. Without the list of editions it is answered all the same.
  const edition = named && inAddress(named, await readEditions().catch(() => []));
  const place = placeAt(fragment);
  if (!place) {
    const country = await readCountry(edition);
    return () => {
      if (named !== edition) replaceAddress(hashOf(undefined));
      panel.showCountry(country, edition);
      return { edition };
    };
  }
  const view = await readView(place, edition);
  return () => {
    // A code of another time is replaced by that of the edition.
    if (view.place.code !== place.code || named !== edition) replaceAddress(hashOf(view.place, edition));
    panel.show(view);
    return { view, edition };
  };
}

async function readOwn(
  id: string,
  choices: Choices,
  { panel, onDraw, onFailure, signal }: Parts,
): Promise<() => Shown> {
  const { dataset, features } = await readAll(id, { panel, signal });
  const own = await createOwnView({ dataset, features, choices, onDraw, onFailure }).catch((error) => {
    features.close();
    throw error;
  });
  if (signal.aborted) own.close();
  return () => {
    const isStored = dataset.visibility !== 'tab' && dataset.feature_count > 0;
    panel.showDataset(dataset, [...own.parts, ...(isStored ? [embedSection(dataset)] : [])]);
    own.settle();
    return { dataset, own, edition: undefined };
  };
}

interface Read {
  dataset: Dataset;
  features: Features;
}

/** Reads a dataset with the key of the tab. Whoever has none, or one without the scope, sees what everybody sees. */
async function readAll(id: string, parts: Pick<Parts, 'panel' | 'signal'>): Promise<Read> {
  const { signal } = parts;
  if (id === MATCHED) return readMatchedPlaces(signal);
  if (currentToken() === undefined) return (await readPublic(id, signal)) ?? readWithKey(id, parts);
  try {
    return await readWithKey(id, parts);
  } catch (error) {
    const isLacking = error instanceof PsgcError && error.code === 'missing_scope';
    const read = isLacking ? await readPublic(id, signal) : undefined;
    if (read) return read;
    throw error;
  }
}

async function readWithKey(id: string, { panel, signal }: Pick<Parts, 'panel' | 'signal'>): Promise<Read> {
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

async function readChangesIn(
  fragment: string,
  { panel, changesForm }: Pick<Parts, 'panel' | 'changesForm'>,
): Promise<() => Shown> {
  const editions = await readEditions();
  if (editions.length < 2) {
    return () => {
      panel.showNoChanges();
      return { edition: undefined };
    };
  }
  const changes = completed(changesAt(fragment) ?? {}, editions);
  const page = await readChanges(changes);
  return () => {
    replaceAddress(hashOfChanges(changes));
    changesForm.show(changes, page.kinds, editions);
    panel.showChanges(changes, page, changeGroups(changes, page, editions));
    return { changes, edition: inAddress(changes.to, editions) };
  };
}

function replaceAddress(fragment: string): void {
  history.replaceState(null, '', fragment);
}
