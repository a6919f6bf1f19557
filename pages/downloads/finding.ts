import { needsSignIn, sentenceFor } from '../shared/api.ts';
import { byId, el } from '../shared/dom.ts';
import { aboutOf, findPlaces, type Hit, parentsOf } from '../shared/find-places.ts';
import { type Finding, sayNothingFound, startSearchField } from '../shared/search-field.ts';

/** How many places a search shows. */
const MAX_HITS = 8;

/** The levels that files are of areas inside. */
const AROUND = ['region', 'province', 'municity'] as const;

/** A place that was found, called with what it lies in: there are nine San Isidros. */
export interface FoundArea extends Pick<Hit, 'code' | 'level'> {
  readonly fullName: string;
}

interface Search {
  readonly edition: () => string | undefined;
  readonly choose: (found: FoundArea) => void;
  /** Takes what is done once somebody has signed in. */
  readonly whenSignedIn: (act: () => Promise<void>) => void;
}

/** Finds an area to choose by its name. */
export function startFinding({ edition, choose, whenSignedIn }: Search): void {
  const input = byId('find', HTMLInputElement);
  const parts = { input, list: byId('found', HTMLElement), status: byId('find-status', HTMLElement) };
  /** Why the last search was refused, if signing in helps. */
  let refusal: unknown;
  const searchAgain = () => input.dispatchEvent(new Event('input'));
  const signInLink = () => {
    const link = el('a', { href: '/dashboard#back', target: '_blank' }, 'Sign in');
    const whenBack = async () => {
      input.focus();
      searchAgain();
    };
    link.addEventListener('click', () => whenSignedIn(whenBack));
    return link;
  };
  startSearchField<Finding & { readonly hit: Hit }>(parts, {
    find: async (text, signal) => {
      refusal = undefined;
      try {
        const hits = await findPlaces(text, { limit: MAX_HITS, signal, edition: edition(), levels: AROUND });
        return hits.map((hit) => ({ name: hit.name, about: aboutOf(hit), hit }));
      } catch (error) {
        if (!needsSignIn(error)) throw error;
        refusal = error;
        return [];
      }
    },
    say: (text, found) =>
      refusal === undefined ? sayNothingFound(text, found) : [`${sentenceFor(refusal)} `, signInLink()],
    choose: ({ hit }) => choose({ ...hit, fullName: [hit.name, ...parentsOf(hit)].join(', ') }),
  });
  // What was typed while this was read is searched too.
  if (input.value !== '') searchAgain();
}
