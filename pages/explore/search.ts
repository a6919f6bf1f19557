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

/** The most matches of each level. */
const MAX_MATCHES = 7;

/** The fewest characters that the service searches for. */
const MIN_LENGTH = 2;

/**
 * Searches places by a part of their name. The larger levels come first.
 *
 * @throws ApiError, or the reason of the signal if it is aborted
 */
export async function searchPlaces(text: string, signal: AbortSignal): Promise<Match[]> {
  const key = nameKey(text);
  if (key.length < MIN_LENGTH) return [];
  const { regions, provinces } = await readCountry();
  const filterByName = (areas: readonly Area[]) =>
    areas.filter(({ name }) => nameKey(name).includes(key)).slice(0, MAX_MATCHES);
  const provinceNames = new Map(provinces.map(({ code, name }) => [code, name]));
  const regionNames = new Map(regions.map(({ code, name }) => [code, name]));
  const matchOf = (level: Level, area: Area, island?: string): Match => ({
    place: { level, code: area.code },
    name: area.name,
    about: [
      kindOf(level, area),
      island,
      provinceNames.get(area.p_code ?? area.host_province_code ?? '') ?? regionNames.get(area.r_code ?? ''),
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  });
  const query = `q=${encodeURIComponent(text.trim().slice(0, 100))}&limit=${MAX_MATCHES}`;
  const searchLevel = async (plural: string) =>
    (await requestJson<{ data: Area[] }>(`/v1/${plural}/search?${query}`, { signal })).data;
  const [onIslands, municities, barangays] = await Promise.all([
    readIslands(key, signal),
    searchLevel('municities'),
    searchLevel('barangays'),
  ]);
  return [
    ...filterByName(regions).map((area) => matchOf('region', area)),
    ...filterByName(provinces).map((area) => matchOf('province', area)),
    ...onIslands.map(({ area, island }) => matchOf('municity', area, island)),
    ...municities.map((area) => matchOf('municity', area)),
    ...barangays.map((area) => matchOf('barangay', area)),
  ];
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
async function readIslands(key: string, signal: AbortSignal): Promise<{ area: Area; island: string }[]> {
  const islands = ISLANDS.filter(({ name }) => nameKey(name).startsWith(key));
  const lists = islands.map(async ({ name: island, province, municities }) => {
    const path = `/v1/municities?province_code=${province}&limit=100`;
    const { data } = await requestJson<{ data: Area[] }>(path, { signal });
    return data.filter(({ name }) => municities.includes(name)).map((area) => ({ area, island }));
  });
  return (await Promise.all(lists)).flat();
}
