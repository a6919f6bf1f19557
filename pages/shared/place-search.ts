import { byId } from './dom.ts';
import { aboutOf, findPlaces, type Hit } from './find-places.ts';
import { LEVELS } from './levels.ts';
import { type Finding, startSearchField } from './search-field.ts';

/** How many places a search shows. */
const MAX_HITS = 8;

/** Starts the field of `place-search.html`. It finds a place of any level, and opens it on the map. */
export function startPlaceSearch(): void {
  const input = byId('place', HTMLInputElement);
  const list = byId('places', HTMLElement);
  const status = byId('place-status', HTMLElement);
  startSearchField<Finding & { readonly hit: Hit }>(
    { input, list, status },
    {
      find: async (text, signal) => {
        const hits = await findPlaces(text, { limit: MAX_HITS, signal });
        return hits.map((hit) => ({ name: hit.name, about: aboutOf(hit), hit }));
      },
      choose: ({ hit }) => location.assign(`/explore#/${LEVELS[hit.level].plural}/${hit.code}`),
    },
  );
}
