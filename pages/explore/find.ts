import { nameKey } from '../../src/areas/names.ts';
import { askJson } from '../shared/api.ts';
import { outline } from './atlas.ts';
import { ISLANDS } from './islands.ts';
import { type Area, kindOf, type Level, type Place } from './places.ts';

/** A place that what was typed may mean. */
export interface Finding {
  readonly place: Place;
  readonly name: string;
  /** What it is and where: `Component city · Cebu`. */
  readonly about: string;
}

/** Findings of each level that are shown. */
const SHOWN = 7;

/** Characters that the service searches for at least. */
const MIN_LENGTH = 2;

/**
 * Places by a part of their name, the larger levels first.
 * @throws Refusal, and what `signal` was aborted with
 */
export async function find(text: string, signal: AbortSignal): Promise<Finding[]> {
  const key = nameKey(text);
  if (key.length < MIN_LENGTH) return [];
  const { regions, provinces } = await outline();
  const named = (list: readonly Area[]) => list.filter(({ name }) => nameKey(name).includes(key)).slice(0, SHOWN);
  const provinceNames = new Map(provinces.map(({ code, name }) => [code, name]));
  const regionNames = new Map(regions.map(({ code, name }) => [code, name]));
  const finding = (level: Level, area: Area, on?: string): Finding => ({
    place: { level, code: area.code },
    name: area.name,
    about: [
      kindOf(level, area),
      on,
      provinceNames.get(area.p_code ?? area.host_province_code ?? '') ?? regionNames.get(area.r_code ?? ''),
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  });
  const query = `q=${encodeURIComponent(text.trim().slice(0, 100))}&limit=${SHOWN}`;
  const search = async (plural: string) =>
    (await askJson<{ data: Area[] }>(`/v1/${plural}/search?${query}`, { signal })).data;
  const [onIslands, municities, barangays] = await Promise.all([
    findOnIslands(key, signal),
    search('municities'),
    search('barangays'),
  ]);
  return [
    ...named(regions).map((area) => finding('region', area)),
    ...named(provinces).map((area) => finding('province', area)),
    ...onIslands.map(({ area, island }) => finding('municity', area, island)),
    ...municities.map((area) => finding('municity', area)),
    ...barangays.map((area) => finding('barangay', area)),
  ];
}

async function findOnIslands(key: string, signal: AbortSignal): Promise<{ area: Area; island: string }[]> {
  const islands = ISLANDS.filter(({ name }) => nameKey(name).startsWith(key));
  const lists = islands.map(async ({ name: island, province, municities }) => {
    const { data } = await askJson<{ data: Area[] }>(`/v1/municities?province_code=${province}&limit=100`, { signal });
    return data.filter(({ name }) => municities.includes(name)).map((area) => ({ area, island }));
  });
  return (await Promise.all(lists)).flat();
}
