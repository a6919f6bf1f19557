import { z } from '@hono/zod-openapi';
import { LEVELS as RULES } from '../../areas/levels.ts';
import { likelyLevel } from '../../areas/psgc.ts';
import { SUB_MUNICIPALITY } from '../../areas/store.ts';
import { clipped, fitTokens, releaseInfo, releaseInfoOf } from '../answers.ts';
import { Refusal, type Reply, type Service } from '../ask.ts';
import { choice, code, edition, type LEVELS, type PlaceRef, placeRef, tool, within, withinOf } from '../tool.ts';

type Level = (typeof LEVELS)[number];

/** Members of a record that are passed on unchanged unless null. */
const FIELDS = [
  ...['code', 'name', 'type', 'city_class', 'population', 'population_year', 'income_class', 'urban_rural', 'area_km2'],
  ...[
    'density_km2',
    'iso_3166_2',
    'island_group',
    'pcode',
    'centroid',
    'bbox',
    'r_code',
    'p_code',
    'm_code',
    'sm_code',
  ],
  ...['host_province_code', 'province_count', 'municity_count', 'hosted_municity_count', 'barangay_count'],
  'requested_code',
] as const;

const RELATIONS = ['ancestors', 'neighbors'] as const;

/** Max number of former names and notes in a result, and max length of each, characters. */
const MAX_TEXTS = { former_names: { count: 8, length: 80 }, notes: { count: 5, length: 120 } };

const place = z.object({
  code: z.string(),
  name: z.string(),
  type: z.string().optional(),
  city_class: z.string().optional().describe('HUC highly urbanized, ICC independent component, CC component city'),
  population: z.number().optional(),
  population_year: z.number().optional(),
  income_class: z.string().optional(),
  urban_rural: z.string().optional(),
  area_km2: z.number().optional(),
  density_km2: z.number().optional(),
  iso_3166_2: z.string().optional(),
  island_group: z.string().optional(),
  pcode: z.string().optional(),
  centroid: z.array(z.number()).optional().describe('Longitude, latitude'),
  bbox: z.array(z.number()).optional().describe('West, south, east, north'),
  r_code: z.string().optional().describe('Region'),
  p_code: z.string().optional().describe('Province that it belongs to'),
  m_code: z.string().optional().describe('City or municipality'),
  sm_code: z.string().optional().describe('Sub-municipality of Manila'),
  host_province_code: z.string().optional().describe('Province that it lies in but does not belong to'),
  province_count: z.number().optional(),
  municity_count: z.number().optional(),
  hosted_municity_count: z.number().optional(),
  barangay_count: z.number().optional(),
  requested_code: z.string().optional().describe('The old code that it was asked for by'),
  former_names: z.array(z.string()).optional(),
  notes: z.array(z.string()).optional().describe('Footnotes of the PSA, cut where they are long'),
});

export const getPlace = tool({
  name: 'get_place',
  title: 'Get a place by its code',
  description:
    'What is known of the place with a PSGC code of any level: name, population, class, size, position, the codes of what it lies in, former names, and links to its boundary. Old codes lead to the place of today, or the error names the successors. include adds what it lies in by name ("ancestors") and the places of its level that touch it ("neighbors") with what they lie in; each counts as one more request, and so does each place that neighbors lie in.',
  input: z.strictObject({
    code: code.describe('PSGC code, ten digits as text; search_places finds it'),
    include: z.array(choice(RELATIONS), 'must be an array of ancestors and neighbors').max(2).optional(),
    edition,
  }),
  output: z.object({
    level: z.string(),
    place,
    ancestors: z.array(placeRef).optional().describe('From the region down'),
    neighbors: z.array(z.object({ code: z.string(), name: z.string(), within: within.optional() })).optional(),
    neighbors_total: z.number().int().optional(),
    more: z.boolean().describe('Whether neighbors were left out for length: links.neighbors has all'),
    links: z.object({
      record: z.string(),
      boundary: z.string().describe('GeoJSON; needs the header Authorization: Bearer <API key>'),
      neighbors: z.string(),
    }),
    ...releaseInfo,
  }),
  async call(service, { code: requested, include = [], edition: wanted }) {
    const query = { edition: wanted };
    const { level, reply } = await findPlace(service, requested, query);
    const record = reply.data as { code: string; type?: string; former_names: string[]; notes: string[] };
    const path = `/v1/${RULES[level].plural}/${record.code}`;
    const isWanted = (relation: (typeof RELATIONS)[number]) => include.includes(relation);
    const [hierarchy, around] = await Promise.all([
      isWanted('ancestors') ? service.ask({ path: `${path}/hierarchy`, query }) : undefined,
      isWanted('neighbors') ? neighborsOf(service, path, query) : undefined,
    ]);
    const neighbors = around?.neighbors;
    return fitTokens(neighbors ?? [], (shown) => ({
      level: record.type === SUB_MUNICIPALITY ? 'submunicipality' : level,
      place: placeOf(record),
      ...(hierarchy && { ancestors: ancestorsOf(hierarchy.data, record.code) }),
      ...(neighbors && {
        neighbors: [...shown],
        neighbors_total: neighbors.length,
      }),
      more: shown.length < (neighbors?.length ?? 0),
      links: linksOf(service.origin + path, wanted),
      ...releaseInfoOf({ ...reply, meta: around?.notices ? { notices: around.notices } : {} }),
    }));
  },
});

interface Neighbor {
  readonly code: string;
  readonly name: string;
  readonly within?: string;
}

type NeighborRecord = Neighbor & {
  readonly [parent in 'sm_code' | 'm_code' | 'p_code' | 'host_province_code' | 'r_code']?: string | null;
};

/** Max number of neighbors' parents whose names are looked up: more than any place has. */
const MAX_PARENTS = 8;

/** Path of the direct parent; undefined for regions. */
function parentOf({ sm_code, m_code, p_code, host_province_code, r_code }: NeighborRecord): string | undefined {
  const [municity, province] = [sm_code ?? m_code, p_code ?? host_province_code];
  if (municity) return `/v1/municities/${municity}`;
  if (province) return `/v1/provinces/${province}`;
  return r_code ? `/v1/regions/${r_code}` : undefined;
}

/** The neighbors of a place with their parents; a notice if no detailed boundaries are loaded. */
async function neighborsOf(
  { ask }: Service,
  path: string,
  query: { edition: string | undefined },
): Promise<{ neighbors?: readonly Neighbor[]; notices?: readonly { readonly message: string }[] }> {
  try {
    const found: readonly NeighborRecord[] = (await ask({ path: `${path}/neighbors`, query })).data;
    const parents = [...new Set(found.map(parentOf))].filter((parent) => parent !== undefined);
    const lookups = parents.slice(0, MAX_PARENTS).map(async (parent): Promise<[string, string]> => {
      const { data } = await ask({ path: `${parent}/hierarchy`, query });
      return [parent, withinOf(ancestorsOf(data, ''))];
    });
    const within = new Map(await Promise.all(lookups));
    return {
      neighbors: found.map((record) => {
        const around = within.get(parentOf(record) ?? '');
        return { code: record.code, name: record.name, ...(around === undefined ? {} : { within: around }) };
      }),
    };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'boundaries_not_loaded') return { notices: [error] };
    throw error;
  }
}

function placeOf(record: { former_names: string[]; notes: string[] }): z.output<typeof place> {
  const fields = FIELDS.flatMap((name) => {
    const value: unknown = Reflect.get(record, name);
    return value === null || value === undefined ? [] : [[name, value]];
  });
  const texts = (['former_names', 'notes'] as const).flatMap((name) => {
    const { count, length } = MAX_TEXTS[name];
    return record[name].length === 0 ? [] : [[name, record[name].slice(0, count).map((each) => clipped(each, length))]];
  });
  return Object.fromEntries([...fields, ...texts]) as z.output<typeof place>;
}

function linksOf(address: string, wanted: string | undefined) {
  const edited = wanted === undefined ? '' : `edition=${encodeURIComponent(wanted)}`;
  const query = edited === '' ? '' : `?${edited}`;
  return {
    record: address + query,
    boundary: `${address}?format=geojson${edited === '' ? '' : `&${edited}`}`,
    neighbors: `${address}/neighbors${query}`,
  };
}

const NAMES = ['region', 'province', 'host_province', 'municity', 'sub_municipality'] as const;

/** The ancestors in a hierarchy, which contains the area itself too. */
function ancestorsOf(hierarchy: { [name in (typeof NAMES)[number]]: PlaceRef | null }, own: string): PlaceRef[] {
  return NAMES.flatMap((level) => {
    const area = hierarchy[level];
    return area && area.code !== own ? [{ code: area.code, level, name: area.name }] : [];
  });
}

/**
 * The record with a code, and its level. If the level differs from what the code's form suggests, a search finds it.
 *
 * @throws Refusal
 */
async function findPlace(
  { ask }: Service,
  requested: string,
  query: { edition: string | undefined },
): Promise<{ level: Level; reply: Reply }> {
  const get = async (level: Level) => ({
    level,
    reply: await ask({ path: `/v1/${RULES[level].plural}/${requested}`, query }),
  });
  const likely = likelyLevel(requested);
  try {
    return await get(likely);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'area_not_found') throw error;
    const { data } = await ask({ path: '/v1/search', query: { q: requested, ...query, limit: 1 } });
    const level = (data as PlaceRef[])[0]?.level as Level | undefined;
    if (level === undefined || level === likely) {
      const hint = 'search_places finds places by name, and place_history knows codes of other editions.';
      throw new Refusal(error.status, error.code, `No place has the PSGC code ${requested}. ${hint}`);
    }
    return get(level);
  }
}
