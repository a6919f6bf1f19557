import type { FeatureCollection } from 'geojson';
import type { JsonOf, Sources } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { LEVELS, type Level } from '../shared/levels.ts';
import { countedIn } from './counted.ts';
import { type Area, type Box, ofEdition, type Place } from './places.ts';

/** Areas of one level that lie in a place. */
export interface Group {
  readonly level: Level;
  readonly title: string;
  /** The areas that have been read so far. */
  readonly areas: readonly Area[];
  readonly total: number;
  /** Reads the next page. It is missing if all areas have been read. */
  readonly more?: () => Promise<Group>;
}

/** An area in which a place lies. */
export interface Ancestor {
  readonly name: string;
  readonly place: Place;
  readonly bbox?: Box | null;
}

/** A place with its ancestors and the areas in it. */
export interface View {
  readonly place: Place;
  readonly area: Area;
  /** From the region down. */
  readonly ancestors: readonly Ancestor[];
  readonly children: readonly Group[];
  /** The extent of the nearest ancestor that has one. */
  readonly around?: Box;
  /** The edition that it is of; undefined for the current one. */
  readonly edition: string | undefined;
  /** The place in the current edition, where the map draws its border of today: its own edition has none, and none is recorded to have changed. */
  readonly today?: Area;
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
  sub_municipality: Pick<Area, 'name' | 'code'> | null;
}

const PAGE_SIZE = 100;

/** Answers by their path. They are kept as long as the page is open, so going back needs no request. */
const answers = new Map<string, Promise<unknown>>();

/** Reads JSON once. A request that failed is sent again the next time. */
export function readOnce<T>(path: string): Promise<T> {
  const known = answers.get(path) as Promise<T> | undefined;
  if (known) return known;
  const answer = requestJson<T>(path);
  answers.set(path, answer);
  answer.catch(() => answers.delete(path));
  return answer;
}

/** Forgets all answers. The service may answer another caller differently. */
export function forgetAnswers(): void {
  answers.clear();
}

/** Every region and province. They are few enough to be read at once. */
export interface Country {
  readonly regions: readonly Area[];
  readonly provinces: readonly Area[];
}

/** @throws PsgcError */
export async function readCountry(edition?: string): Promise<Country> {
  const [regions, provinces] = await Promise.all([
    readOnce<Page>(ofEdition(`/v1/regions?limit=${PAGE_SIZE}`, edition)),
    readOnce<Page>(ofEdition(`/v1/provinces?limit=${PAGE_SIZE}`, edition)),
  ]);
  return { regions: regions.data, provinces: provinces.data };
}

/** @throws PsgcError */
export async function readSources(edition?: string): Promise<Sources> {
  return (await readOnce<JsonOf<'list_sources'>>(ofEdition('/v1/sources', edition))).data;
}

/** @throws PsgcError */
export async function readArea({ level, code }: Place, edition?: string): Promise<Area> {
  return (await readOnce<{ data: Area }>(ofEdition(`/v1/${LEVELS[level].path}/${code}`, edition))).data;
}

/**
 * Reads a place by its code or a former code.
 *
 * @throws PsgcError
 */
export async function readView({ level, code }: Place, edition?: string): Promise<View> {
  const [area, line] = await Promise.all([readArea({ level, code }, edition), readAncestors({ level, code }, edition)]);
  const ancestors = line.filter((ancestor) => ancestor.place.code !== area.code);
  const place = { level: area.type === 'SubMun' ? ('submunicipality' as const) : level, code: area.code };
  const around = ancestors.findLast(({ bbox }) => bbox)?.bbox;
  const children = await readChildren(place, edition);
  return { place, area, ancestors, children, edition, ...(around ? { around } : {}) };
}

/** The areas in which a place lies, and itself unless it is a barangay. */
async function readAncestors({ level, code }: Place, edition: string | undefined): Promise<Ancestor[]> {
  if (level === 'region') return [];
  const path = ofEdition(`/v1/${LEVELS[level].path}/${code}/hierarchy`, edition);
  const { data } = await readOnce<{ data: Hierarchy }>(path);
  const ancestors: Ancestor[] = [];
  const add = (of: Level, area: (Pick<Area, 'name' | 'code'> & Partial<Area>) | null) => {
    if (!area) return;
    ancestors.push({ name: area.name, place: { level: of, code: area.code }, bbox: area.bbox ?? null });
  };
  add('region', data.region);
  add('province', data.province ?? data.host_province);
  add('municity', data.municity);
  add('submunicipality', data.sub_municipality);
  return ancestors;
}

async function readChildren({ level, code }: Place, edition: string | undefined): Promise<Group[]> {
  const group = async (of: Level, path: string) => [await readGroup(of, LEVELS[of].nouns, ofEdition(path, edition))];
  switch (level) {
    case 'region':
      return readChildrenOfRegion(code, edition);
    case 'province':
      return group('municity', `/v1/municities?province_code=${code}`);
    case 'municity': {
      const districts =
        code === MANILA ? await group('submunicipality', '/v1/municities?region=1300000000&type=SubMun') : [];
      return districts.some(({ total }) => total > 0) ? districts : group('barangay', barangaysOf(code));
    }
    case 'submunicipality':
      return group('barangay', barangaysOf(code));
    case 'barangay':
      return [];
  }
}

/** The only city with sub-municipalities. */
const MANILA = '1380600000';

function barangaysOf(code: string): string {
  return `/v1/barangays?municity_code=${code}`;
}

/** The provinces of a region, and its cities and municipalities whose residents none of them counts: together they are all residents. */
async function readChildrenOfRegion(code: string, edition: string | undefined): Promise<Group[]> {
  const country = await readCountry(edition);
  const provinces = country.provinces.filter((province) => province.r_code === code);
  let municities = await readGroup('municity', '', ofEdition(`/v1/municities?region=${code}`, edition));
  while (municities.more) municities = await municities.more();
  const byProvince = new Map(provinces.map((province) => [province.code, { province, areas: [] as Area[] }]));
  const outside = municities.areas.filter((area) => {
    const within = byProvince.get(area.p_code ?? area.host_province_code ?? '');
    within?.areas.push(area);
    return !within;
  });
  const apart = [...byProvince.values()].flatMap(({ province, areas }) => countedIn(province, areas)?.without ?? []);
  const title = provinces.length > 0 ? 'Counted in no province' : LEVELS.municity.nouns;
  const groups: Group[] = [
    { level: 'province', title: LEVELS.province.nouns, areas: provinces, total: provinces.length },
    { level: 'municity', title, areas: [...apart, ...outside], total: apart.length + outside.length },
  ];
  return groups.filter(({ total }) => total > 0);
}

/**
 * Reads one page of a list.
 *
 * @param previous the areas of the pages before it
 */
async function readGroup(
  level: Level,
  title: string,
  path: string,
  previous: readonly Area[] = [],
  page = 1,
): Promise<Group> {
  const { data, meta } = await readOnce<Page>(`${path}&limit=${PAGE_SIZE}&page=${page}`);
  const areas = [...previous, ...data];
  const { total, next } = meta;
  return { level, title, areas, total, ...(next ? { more: () => readGroup(level, title, path, areas, next) } : {}) };
}

/**
 * The areas of the same level that touch a place.
 *
 * @returns undefined if detailed boundaries, from which neighbours are known, are not loaded
 * @throws PsgcError
 */
export async function readNeighbours(
  { level, code }: Place,
  edition: string | undefined,
): Promise<readonly Area[] | undefined> {
  if ((await readSources(edition)).boundaries !== 'full') return undefined;
  const path = ofEdition(`/v1/${LEVELS[level].path}/${code}/neighbors`, edition);
  return (await readOnce<{ data: Area[] }>(path)).data;
}

/**
 * The boundaries of a list of areas.
 *
 * @param path of the list, with its filter and `format=geojson`
 * @throws PsgcError
 */
export function readBoundaries(path: string): Promise<FeatureCollection> {
  return readOnce(path);
}
