import { nameKey } from '../../src/areas/names.ts';
import { requestJson } from '../shared/api.ts';
import { readCountry } from './data.ts';
import { type Area, kindOf, type Level, type Place } from './places.ts';

/** A place whose name matches the search. */
export interface Match {
  readonly place: Place;
  readonly name: string;
  /** What it is and where it lies: `Component city · Cebu`. */
  readonly about: string;
}

/** The most matches that the service is asked for. */
const MAX_MATCHES = 20;

/** The fewest characters that the service searches for. */
const MIN_LENGTH = 2;

/** A place that the service found, as far as it is shown. */
interface Hit {
  readonly code: string;
  readonly level: Level;
  readonly name: string;
  readonly type: string | null;
  readonly match: string;
  /** From the region down. */
  readonly ancestors: readonly { readonly level: Level; readonly name: string }[];
}

/**
 * Searches places of all levels by name, best first. Islands come after the regions and provinces with the text in their
 * name.
 *
 * @throws ApiError, or the reason of the signal if it is aborted
 */
export async function searchPlaces(text: string, signal: AbortSignal): Promise<Match[]> {
  const key = nameKey(text);
  if (key.length < MIN_LENGTH) return [];
  const query = `q=${encodeURIComponent(text.trim().slice(0, 100))}&limit=${MAX_MATCHES}`;
  const [onIslands, { data: hits }] = await Promise.all([
    readIslands(key, signal),
    requestJson<{ data: Hit[] }>(`/v1/search?${query}`, { signal }),
  ]);
  const isLarge = ({ level, match }: Hit) => (level === 'region' || level === 'province') && match !== 'fuzzy';
  const listed = new Set(onIslands.map(({ place }) => place.code));
  return [
    ...hits.filter(isLarge).map(matchOf),
    ...onIslands,
    ...hits.filter((hit) => !isLarge(hit) && !listed.has(hit.code)).map(matchOf),
  ];
}

function matchOf(hit: Hit): Match {
  const { code, level, name, ancestors } = hit;
  // The region is only named where nothing nearer is.
  const parents = ancestors.length > 1 ? ancestors.filter((parent) => parent.level !== 'region') : ancestors;
  return {
    place: { level, code },
    name,
    about: [kindOf(level, hit), ...parents.map((parent) => parent.name).reverse()].join(' · '),
  };
}

/** An island that people search for, although no area has its name. */
interface Island {
  readonly name: string;
  /** Code of the province. */
  readonly province: string;
  /** Published names of the cities and municipalities on it. */
  readonly municities: readonly string[];
}

const ISLANDS: readonly Island[] = [
  {
    name: 'Siargao',
    province: '1606700000',
    municities: [
      'Burgos',
      'Dapa',
      'Del Carmen',
      'General Luna',
      'Pilar',
      'San Benito',
      'San Isidro',
      'Santa Monica',
      'Socorro',
    ],
  },
  { name: 'Boracay', province: '0600400000', municities: ['Malay'] },
  { name: 'Mactan', province: '0702200000', municities: ['City of Lapu-Lapu', 'Cordova'] },
  { name: 'Camotes', province: '0702200000', municities: ['Pilar', 'Poro', 'San Francisco', 'Tudela'] },
  { name: 'Malapascua', province: '0702200000', municities: ['Daanbantayan'] },
  { name: 'Calamianes', province: '1705300000', municities: ['Busuanga', 'Coron', 'Culion', 'Linapacan'] },
];

/** The cities and municipalities on the islands whose name begins with the key. */
async function readIslands(key: string, signal: AbortSignal): Promise<Match[]> {
  const islands = ISLANDS.filter(({ name }) => nameKey(name).startsWith(key));
  const lists = islands.map(async ({ name: island, province, municities }) => {
    const path = `/v1/municities?province_code=${province}&limit=100`;
    const [{ data }, { provinces }] = await Promise.all([
      requestJson<{ data: Area[] }>(path, { signal }),
      readCountry(),
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
