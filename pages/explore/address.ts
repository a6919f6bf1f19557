import { changesAt, completed, fragmentOfChanges, readChanges } from './changes.ts';
import { readCountry, readView } from './data.ts';
import { inAddress, readEditions } from './editions.ts';
import { datasetAt } from './own/fragment.ts';
import type { DatasetParts } from './own-dataset.ts';
import { editionAt, fragmentOf, placeAt } from './places.ts';
import type { Shown } from './shown.ts';
import { hasNoBoundaries, readUnchanged } from './todays-border.ts';
import { withBoxOf } from './view-box.ts';

/**
 * Reads what the fragment of the page's URL names: a place, a dataset, changes, or the whole country.
 *
 * @param parts what a dataset needs to be shown; anything else is shown in its panel only
 * @returns a function that shows it in the panel
 * @throws PsgcError
 */
export async function readAddress(fragment: string, parts: DatasetParts): Promise<() => Shown> {
  const { panel } = parts;
  const id = datasetAt(fragment);
  // Most people look at places. The code for datasets is read with the first of them.
  if (id) return (await import('./own-dataset.ts')).readOwn(id, fragment, parts);
  if (changesAt(fragment)) return readChangesIn(fragment, panel);
  const named = editionAt(fragment);
  // URLs have no name for the current edition. If the list of editions can't be read, the named one is asked for all the same.
  const edition = named && inAddress(named, await readEditions().catch(() => []));
  const place = placeAt(fragment);
  const isOnLandOfToday = await lacksBoundaries(edition);
  if (!place) {
    const country = await readCountry(edition);
    return () => {
      if (named !== edition) replaceAddress(fragmentOf(undefined, edition));
      panel.showCountry(country, edition, !isOnLandOfToday);
      return { view: undefined, edition, isOnLandOfToday };
    };
  }
  const found = await readView(place, edition);
  const today = edition && isOnLandOfToday ? await readUnchanged(found.place, edition) : undefined;
  const view = today ? { ...found, today } : found;
  return () => {
    // A code of another time is replaced by that of the edition, and the name of the current edition is left out.
    if (view.place.code !== place.code || named !== edition) replaceAddress(fragmentOf(view.place, edition));
    panel.show(view);
    return { view, edition, isOnLandOfToday };
  };
}

async function readChangesIn(fragment: string, panel: DatasetParts['panel']): Promise<() => Shown> {
  const [editions, { changeGroups, changesForm }] = await Promise.all([readEditions(), import('./changes-view.ts')]);
  if (editions.length < 2) {
    return () => {
      panel.showNoChanges();
      return { view: undefined, edition: undefined };
    };
  }
  const changes = completed(changesAt(fragment) ?? {}, editions);
  const edition = inAddress(changes.to, editions);
  const [page, isOnLandOfToday] = await Promise.all([readChanges(changes), lacksBoundaries(edition)]);
  return () => {
    replaceAddress(fragmentOfChanges(changes));
    changesForm().show(changes, page.kinds, editions);
    panel.showChanges(changes, page, changeGroups(changes, page, editions));
    return { view: undefined, changes, edition, isOnLandOfToday };
  };
}

async function lacksBoundaries(edition: string | undefined): Promise<boolean> {
  return edition !== undefined && hasNoBoundaries(edition);
}

/** Replaces the fragment of the URL by another one for what it names. The box that it names stays. */
function replaceAddress(fragment: string): void {
  history.replaceState(null, '', withBoxOf(fragment, location.hash));
}
