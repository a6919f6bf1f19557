import { nameKey } from '../areas/names.ts';
import type { Area, AreaFilter, Level } from '../areas/store.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import { rowAt } from '../names/source.ts';
import { LISTS } from './code-system.ts';
import type { Given } from './given.ts';
import type { Resource } from './resources.ts';
import { SYSTEM, type Terminology, type Version } from './terminology.ts';

/** A set of all active codes of some levels. */
export interface ValueSet {
  readonly id: keyof Config['FHIR_VALUE_SETS'];
  readonly url: string;
  readonly title: string;
  readonly levels: readonly Area['level'][];
}

/** The value sets of PH Core. Sub-municipalities of Manila are among its cities. */
const SETS = [
  { id: 'regions', title: 'Regions', levels: ['region'] },
  { id: 'provinces', title: 'Provinces', levels: ['province'] },
  { id: 'cities', title: 'Cities, municipalities and sub-municipalities', levels: ['municity', 'submunicipality'] },
  { id: 'barangays', title: 'Barangays', levels: ['barangay'] },
] as const;

export function valueSetsOf({ FHIR_VALUE_SETS }: Config): ValueSet[] {
  return SETS.map((set) => ({ ...set, url: FHIR_VALUE_SETS[set.id] }));
}

export function valueSetOf(set: ValueSet, version: Version): Resource {
  return {
    ...describedSet(set, version),
    members: () => ({ ...membersOf(version), compose: composeOf(set, version) }),
  };
}

function describedSet({ id, url, title }: ValueSet, { version }: Version): Omit<Resource, 'members'> {
  const name = id[0]?.toUpperCase() + id.slice(1);
  return { type: 'ValueSet', id: `${id}-${version}`, url, version, name, title: `${title} of the Philippines` };
}

function membersOf({ day }: Version): object {
  return { date: day, copyright: 'Philippine Statistics Authority, Philippine Standard Geographic Code' };
}

function composeOf({ levels }: ValueSet, { version }: Version): object {
  const op = levels.length > 1 ? 'in' : '=';
  const filter = [{ property: 'level', op, value: levels.join() }];
  return { inactive: false, include: [{ system: SYSTEM, version, filter }] };
}

/** Max codes of one expansion. */
const MAX_EXPANSION = 5000;

/** `ValueSet/$expand`: a set with its codes, by level and code. */
export async function expand(terms: Terminology, given: Given, set: ValueSet, version: Version): Promise<Resource> {
  const [text, offset = 0, asked] = [given.text('filter'), given.whole('offset'), given.whole('count')];
  const names = given.flag('includeDesignations') ? (await (await terms.areas(version)).names()).value : undefined;
  const { total, areas } = await portionOf(terms, set, version, { text, offset, count: asked ?? MAX_EXPANSION });
  const isTooMuch = asked === undefined ? total - offset > MAX_EXPANSION : asked > MAX_EXPANSION;
  if (isTooMuch) {
    const message = `${set.url} has ${total} codes${text ? ' that fit the filter' : ''}. One expansion has ${MAX_EXPANSION} at most: send count and offset, or a filter.`;
    throw new DomainError('too_many_areas', message);
  }
  const contains = areas.map(({ code, name, level }) => {
    const former = names?.source.formerNames(rowAt(names.source, level, Number(code))) ?? [];
    const designation = former.map((value) => ({ use: { display: 'Former name' }, value }));
    return {
      system: SYSTEM,
      version: version.version,
      code,
      display: name,
      ...(designation.length > 0 && { designation }),
    };
  });
  const parameter = [
    { name: 'used-codesystem', valueUri: `${SYSTEM}|${version.version}` },
    ...(text === undefined ? [] : [{ name: 'filter', valueString: text }]),
    ...(asked === undefined ? [] : [{ name: 'count', valueInteger: asked }]),
  ];
  const expansion = {
    ...{ timestamp: `${version.day}T00:00:00Z`, total, offset, parameter },
    ...(contains.length > 0 && { contains }),
  };
  return { ...describedSet(set, version), members: () => ({ ...membersOf(version), expansion }) };
}

interface Portion {
  readonly text: string | undefined;
  readonly offset: number;
  readonly count: number;
}

/** The areas of a set from an offset on, and how many there are. */
async function portionOf(
  terms: Terminology,
  { levels }: ValueSet,
  version: Version,
  { text, offset, count }: Portion,
): Promise<{ total: number; areas: Area[] }> {
  const store = await terms.areas(version);
  // A filter of which no letter is left finds nothing.
  const nameContains = text === undefined || text === '' ? undefined : nameKey(text) || '%';
  const limit = Math.min(Math.max(count, 1), MAX_EXPANSION);
  const found: Area[] = [];
  let total = 0;
  for (const { level, filter } of LISTS) {
    if (!levels.includes('type' in filter ? 'submunicipality' : level)) continue;
    const skipped = Math.max(offset - total, 0);
    const wanted = Math.max(Math.min(count, MAX_EXPANSION) - found.length, 0);
    const list = async (page: number) =>
      (await store.list(level as Level, { ...filter, nameContains } as AreaFilter, { page: { page, limit } })).value;
    const page = Math.floor(skipped / limit) + 1;
    const first = await list(page);
    const areas = [...first.areas];
    if (skipped % limit > 0 && wanted > 0) areas.push(...(await list(page + 1)).areas);
    found.push(...areas.slice(skipped % limit, (skipped % limit) + wanted));
    total += first.total;
  }
  return { total, areas: found };
}
