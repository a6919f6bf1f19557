import { byId } from '../shared/dom.ts';
import { aboutOf, findPlaces, type Hit, parentsOf } from '../shared/find-places.ts';
import { type Finding, startSearchField } from '../shared/search-field.ts';

/** How many places a search shows. */
const MAX_HITS = 8;

/** The levels that files are of areas inside. */
const AROUND = ['region', 'province', 'municity'] as const;

/** A place that was found, called with what it lies in: there are nine San Isidros. */
export interface FoundArea extends Pick<Hit, 'code' | 'level'> {
  readonly fullName: string;
}

interface Search {
  readonly edition: () => string;
  readonly choose: (found: FoundArea) => void;
}

/** Finds an area to choose by its name. */
export function startFinding({ edition, choose }: Search): void {
  const input = byId('find', HTMLInputElement);
  const parts = { input, list: byId('found', HTMLElement), status: byId('find-status', HTMLElement) };
  startSearchField<Finding & { readonly hit: Hit }>(parts, {
    find: async (text, signal) => {
      const hits = await findPlaces(text, { limit: MAX_HITS, signal, edition: edition(), levels: AROUND });
      return hits.map((hit) => ({ name: hit.name, about: aboutOf(hit), hit }));
    },
    choose: ({ hit }) => choose({ ...hit, fullName: [hit.name, ...parentsOf(hit)].join(', ') }),
  });
  // What was typed while this was read is searched too.
  if (input.value !== '') input.dispatchEvent(new Event('input'));
}
