import { nameKey, searchKeys, spelledOut } from '../areas/names.ts';
import type { Area } from '../areas/store.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import type { NameSource } from '../names/source.ts';
import { FORMER_NAME } from './code-system.ts';
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
  const { source } = (await (await terms.areas(version)).names()).value;
  const rows = set.levels.flatMap((level) => rowsOf(source, level, text));
  const shown = rows.slice(offset, asked === undefined ? undefined : offset + asked);
  if (shown.length > MAX_EXPANSION) {
    const message = `${set.url} has ${rows.length} codes${text ? ' that fit the filter' : ''}. One expansion has ${MAX_EXPANSION} at most: send count and offset, or a filter.`;
    throw new DomainError('too_many_areas', message);
  }
  const hasFormer = given.flag('includeDesignations') === true;
  const contains = () =>
    shown.map((row) => {
      const former = hasFormer ? source.formerNames(row) : [];
      return {
        system: SYSTEM,
        version: version.version,
        code: String(source.codes[row]).padStart(10, '0'),
        display: source.nameOf(row),
        ...(former.length > 0 && { designation: former.map((value) => ({ use: FORMER_NAME, value })) }),
      };
    });
  const parameter = [
    { name: 'used-codesystem', valueUri: `${SYSTEM}|${version.version}` },
    ...(text === undefined ? [] : [{ name: 'filter', valueString: text }]),
    ...(given.has('offset') ? [{ name: 'offset', valueInteger: offset }] : []),
    ...(asked === undefined ? [] : [{ name: 'count', valueInteger: asked }]),
  ];
  const expansion = { timestamp: new Date().toISOString(), total: rows.length, offset, parameter };
  return {
    ...describedSet(set, version),
    codes: () => shown.length,
    members: () => ({
      ...membersOf(version),
      expansion: { ...expansion, ...(shown.length > 0 && { contains: contains() }) },
    }),
  };
}

/** The rows of a level, those of which a present or former name has a text as its part. */
function rowsOf(source: NameSource, level: Area['level'], text: string | undefined): number[] {
  const { first, end } = source.rowsOf(level);
  const rows = Array.from({ length: end - first }, (_, i) => first + i);
  if (text === undefined || text === '') return rows;
  const wanted = nameKey(text);
  // A filter of which no letter is left finds nothing.
  if (wanted === '') return [];
  const forms = [wanted, spelledOut(wanted)];
  const keys = keysOf(source, level);
  return rows.filter((row) => forms.some((form) => keys[row - first]?.includes(form)));
}

/** The names of each level in the forms in which they are looked for. To make those of barangays takes a tenth of a second. */
const madeKeys = new WeakMap<NameSource, Map<Area['level'], readonly string[]>>();

function keysOf(source: NameSource, level: Area['level']): readonly string[] {
  const made = madeKeys.get(source) ?? new Map<Area['level'], readonly string[]>();
  madeKeys.set(source, made);
  const { first, end } = source.rowsOf(level);
  const keysAt = (row: number) =>
    [source.nameOf(row), ...source.formerNames(row)].flatMap((name) => searchKeys(name)).join('\n');
  const keys = made.get(level) ?? Array.from({ length: end - first }, (_, i) => keysAt(first + i));
  made.set(level, keys);
  return keys;
}
