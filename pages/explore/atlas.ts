import type { FeatureCollection } from 'geojson';
import { askJson } from '../shared/api.ts';
import { type Area, type Box, LEVELS, type Level, type Place } from './places.ts';

/** Areas below a place that are of one level. */
export interface Group {
  readonly level: Level;
  readonly title: string;
  /** Those that have been read. */
  readonly areas: readonly Area[];
  readonly total: number;
  /** Reads the next ones. */
  readonly more?: () => Promise<Group>;
}

/** A parent of a place. Sub-municipalities have no page of their own. */
export interface Ancestor {
  readonly name: string;
  readonly place?: Place;
  readonly bbox?: Box | null;
}

/** A place with what is around it but for its neighbours. */
export interface View {
  readonly place: Place;
  readonly area: Area;
  /** From the region down. */
  readonly ancestors: readonly Ancestor[];
  readonly children: readonly Group[];
  /** Extent of the nearest ancestor that has one. */
  readonly around?: Box;
}

interface Page {
  data: Area[];
  meta: { total: number; next: number | null };
}

interface Hierarchy {
  region: Area | null;
  province: Area | null;
  host_province: Area | null;
  municity: Area | null;
  sub_municipality: { name: string } | null;
}

const PAGE = 100;

/** What was read in this tab, by address: going back costs no request. */
const read = new Map<string, Promise<unknown>>();

/** Reads JSON once. What could not be read is asked for again. */
function once<T>(path: string): Promise<T> {
  const known = read.get(path) as Promise<T> | undefined;
  if (known) return known;
  const answer = askJson<T>(path);
  read.set(path, answer);
  answer.catch(() => read.delete(path));
  return answer;
}

/** Forgets everything, because another caller may be answered otherwise. */
export function forgetAnswers(): void {
  read.clear();
}

export interface Outline {
  readonly regions: readonly Area[];
  readonly provinces: readonly Area[];
}

/** Every region and province: few enough to be kept. */
export async function outline(): Promise<Outline> {
  const [regions, provinces] = await Promise.all([
    once<Page>(`/v1/regions?limit=${PAGE}`),
    once<Page>(`/v1/provinces?limit=${PAGE}`),
  ]);
  return { regions: regions.data, provinces: provinces.data };
}

export interface Sources {
  readonly release: string;
  readonly boundaries: 'none' | 'display' | 'full';
  readonly sources: readonly { part: string; attribution: string }[];
}

export async function readSources(): Promise<Sources> {
  return (await once<{ data: Sources }>('/v1/sources')).data;
}

/**
 * Reads a place by any code that it has or had.
 * @throws Refusal
 */
export async function readView({ level, code }: Place): Promise<View> {
  const path = `/v1/${LEVELS[level].plural}/${code}`;
  const [{ data: area }, ancestors] = await Promise.all([once<{ data: Area }>(path), readAncestors({ level, code })]);
  const place = { level, code: area.code };
  const around = ancestors.findLast(({ bbox }) => bbox)?.bbox;
  return { place, area, ancestors, children: await readChildren(place), ...(around ? { around } : {}) };
}

async function readAncestors({ level, code }: Place): Promise<Ancestor[]> {
  if (level === 'region') return [];
  const { data } = await once<{ data: Hierarchy }>(`/v1/${LEVELS[level].plural}/${code}/hierarchy`);
  const found: Ancestor[] = [];
  const add = (of: Level, area: Area | null) => {
    if (area && of !== level) found.push({ name: area.name, place: { level: of, code: area.code }, bbox: area.bbox });
  };
  add('region', data.region);
  add('province', data.province ?? data.host_province);
  add('municity', data.municity);
  if (data.sub_municipality) found.push({ name: data.sub_municipality.name });
  return found;
}

async function readChildren({ level, code }: Place): Promise<Group[]> {
  switch (level) {
    case 'region':
      return childrenOfRegion(code);
    case 'province':
      return [await pages('municity', LEVELS.municity.nouns, `/v1/municities?province_code=${code}`)];
    case 'municity':
      return [await pages('barangay', LEVELS.barangay.nouns, `/v1/barangays?municity_code=${code}`)];
    case 'barangay':
      return [];
  }
}

/** Provinces, and the cities and municipalities of the region that lie in none of them. */
async function childrenOfRegion(code: string): Promise<Group[]> {
  const { provinces } = await outline();
  const mine = provinces.filter((province) => province.r_code === code);
  const codes = new Set(mine.map((province) => province.code));
  let all = await pages('municity', '', `/v1/municities?region=${code}`);
  while (all.more) all = await all.more();
  const outside = all.areas.filter((area) => !codes.has(area.p_code ?? area.host_province_code ?? ''));
  const title = mine.length > 0 ? 'Outside any province' : LEVELS.municity.nouns;
  const groups: Group[] = [
    { level: 'province', title: LEVELS.province.nouns, areas: mine, total: mine.length },
    { level: 'municity', title, areas: outside, total: outside.length },
  ];
  return groups.filter(({ total }) => total > 0);
}

async function pages(
  level: Level,
  title: string,
  path: string,
  before: readonly Area[] = [],
  page = 1,
): Promise<Group> {
  const { data, meta } = await once<Page>(`${path}&limit=${PAGE}&page=${page}`);
  const areas = [...before, ...data];
  const { total, next } = meta;
  return { level, title, areas, total, ...(next ? { more: () => pages(level, title, path, areas, next) } : {}) };
}

/**
 * The areas of the same level that touch a place.
 * @returns undefined where no boundaries are loaded that could tell
 * @throws Refusal
 */
export async function readNeighbours({ level, code }: Place): Promise<readonly Area[] | undefined> {
  if ((await readSources()).boundaries !== 'full') return undefined;
  return (await once<{ data: Area[] }>(`/v1/${LEVELS[level].plural}/${code}/neighbors`)).data;
}

/** Boundaries of many areas as GeoJSON, from a list with its filter. */
export function readBoundaries(path: string): Promise<FeatureCollection> {
  return once(path);
}
