import { nameKey } from '../../src/areas/names.ts';
import { requestJson } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { button, byId } from '../shared/dom.ts';
import { aboutOf, findPlaces, type Hit, MIN_LENGTH } from '../shared/find-places.ts';
import { kindOf } from '../shared/levels.ts';
import { type Finding, sayNothingFound, startSearchField } from '../shared/search-field.ts';
import { startSlash } from '../shared/slash.ts';
import { readCountry } from './data.ts';
import { aroundIslands, ISLANDS } from './islands.ts';
import { type Area, editionAt, fragmentOf, ofEdition, type Place } from './places.ts';
import { pointIn, readPlacesAt } from './point.ts';
import { recover } from './recovery.ts';

interface PlaceFinding extends Finding {
  readonly place: Place;
}

/** Max findings of the service. */
const MAX_FINDINGS = 20;

/**
 * Starts the search field of the map. The key `/` focuses it.
 *
 * @param onKeyNeeded called when the person wants to sign in, which a search for a point needs
 */
export function startPlaceSearch(onKeyNeeded: () => void): void {
  const input = byId('search', HTMLInputElement);
  const list = byId('findings', HTMLElement);
  const status = byId('search-status', HTMLElement);
  /** The fragment of the place that was found. Once another is shown, its name leaves the field. */
  let found: string | undefined;
  startSearchField(
    { input, list, status },
    {
      find: async (text, signal) => {
        try {
          return await searchPlaces(text, signal);
        } catch (error) {
          // An input event makes the field search again.
          recover(error, () => {
            if (input.value === text && document.activeElement === input) input.dispatchEvent(new Event('input'));
            else status.textContent = '';
          });
          throw error;
        }
      },
      say: (text, found) =>
        pointIn(text) && found.length === 0 ? sayOfPoint(onKeyNeeded) : sayNothingFound(text, found),
      choose: ({ place }) => {
        found = fragmentOf(place, editionAt(location.hash));
        location.hash = found;
      },
    },
  );
  addEventListener('hashchange', () => {
    if (found === undefined || location.hash === found) return;
    found = undefined;
    input.value = '';
  });
  startSlash(input);
}

/**
 * Searches places of all levels by name, in the order of the service, in the edition that is shown. Those on an island with
 * the name come after the areas with the name.
 *
 * @throws PsgcError, or the reason of the signal if it is aborted
 */
async function searchPlaces(text: string, signal: AbortSignal): Promise<PlaceFinding[]> {
  const key = nameKey(text);
  if (key.length < MIN_LENGTH) return [];
  const edition = editionAt(location.hash);
  const point = pointIn(text);
  if (point) return currentToken() === undefined ? [] : readPlacesAt(point, { edition, signal });
  const [onIslands, hits] = await Promise.all([
    readMunicitiesOfIslands(key, { edition, signal }),
    findPlaces(text, { limit: MAX_FINDINGS, edition, signal }),
  ]);
  const { before, after } = aroundIslands(
    hits,
    onIslands.map(({ place }) => place.code),
  );
  return [...before.map(findingOf), ...onIslands, ...after.map(findingOf)];
}

function sayOfPoint(onKeyNeeded: () => void): (Node | string)[] {
  if (currentToken() !== undefined) return ['No area is drawn at this point. Write the latitude first: 10.3, 123.9.'];
  return [button('Sign in', onKeyNeeded), ' to find what lies at a point.'];
}

function findingOf(hit: Hit): PlaceFinding {
  return { place: { level: hit.level, code: hit.code }, name: hit.name, about: aboutOf(hit) };
}

/** The cities and municipalities on islands whose name begins with the key. @throws PsgcError, or the reason of the signal */
async function readMunicitiesOfIslands(
  key: string,
  { edition, signal }: { edition: string | undefined; signal: AbortSignal },
): Promise<PlaceFinding[]> {
  const islands = ISLANDS.filter(({ name }) => nameKey(name).startsWith(key));
  const lists = islands.map(async ({ name: island, province, municities }) => {
    const path = ofEdition(`/v1/municities?province_code=${province}&limit=100`, edition);
    const [{ data }, { provinces }] = await Promise.all([
      requestJson<{ data: Area[] }>(path, { signal }),
      readCountry(edition),
    ]);
    const parent = provinces.find(({ code }) => code === province);
    return data
      .filter(({ name }) => municities.includes(name))
      .map((area) => ({
        place: { level: 'municity' as const, code: area.code },
        name: area.name,
        about: [kindOf('municity', area), island, ...(parent ? [parent.name] : [])].join(' · '),
      }));
  });
  return (await Promise.all(lists)).flat();
}
