import type { CrosswalkRow } from '../editions/schemas.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { type Given, invalid } from './given.ts';
import { arrayOf, type Parameter, parametersOf, type Resource } from './resources.ts';
import { SYSTEM, type Terminology, type Version } from './terminology.ts';

/** A map from the codes of one version to those of another, or from codes of nine digits to those of ten. */
export interface ConceptMap {
  /** Undefined for codes of nine digits. */
  readonly from: Version | undefined;
  readonly to: Version;
}

/** What a code becomes, in the words of http://hl7.org/fhir/concept-map-equivalence. */
interface Target {
  readonly code: string;
  readonly name: string;
  readonly equivalence: string;
}

/** A target that is wider than its source has other areas too. */
const EQUIVALENCES: Readonly<Record<CrosswalkRow['relation'], string>> = {
  same: 'equal',
  renamed: 'equivalent',
  recoded: 'equivalent',
  merged: 'wider',
  split: 'narrower',
  partial: 'inexact',
  none: 'unmatched',
};

/** R4 wants a comment on these (its rule cmd-1). */
const COMMENTS: Readonly<Record<string, string>> = { narrower: 'A part of the area.', inexact: 'Some of its land.' };

/** All maps: to the newest edition first, and of these that of nine digits first. */
export function conceptMapsOf({ editions, history }: Terminology): ConceptMap[] {
  return editions.flatMap((to) => [
    // A history that an earlier build published has no codes of nine digits.
    ...(history.hasCorrespondences ? [{ from: undefined, to }] : []),
    ...editions.filter((from) => from !== to).map((from) => ({ from, to })),
  ]);
}

/** @param base the URL of `/fhir`, which is that of the canonical URLs of maps */
export function conceptMapOf(terms: Terminology, map: ConceptMap, base: string): Resource {
  const { from, to } = map;
  const id = idOf(map);
  const what = from ? `the PSGC of ${from.version}` : 'PSGC codes of nine digits';
  return {
    type: 'ConceptMap',
    id,
    url: `${base}/ConceptMap/${id}`,
    version: to.version,
    name: `PSGC_${id.slice(5).replaceAll('-', '_')}`,
    title: `Codes of ${to.version} for ${what}`,
    members: () => ({ date: to.day }),
    codes: () => terms.history.countCodes((from ?? to).edition),
    rest: () => groupOf(terms, map),
  };
}

export function idOf({ from, to }: ConceptMap): string {
  return from ? `psgc-${from.version}-to-${to.version}` : `psgc-nine-digits-to-${to.version}`;
}

async function* groupOf(terms: Terminology, map: ConceptMap): AsyncGenerator<string> {
  const { from, to } = map;
  const group = {
    // Codes of nine digits are no codes of the system.
    ...(from && { source: SYSTEM, sourceVersion: from.version }),
    target: SYSTEM,
    targetVersion: to.version,
  };
  yield `,"group":[${JSON.stringify(group).slice(0, -1)}`;
  yield* arrayOf('element', from ? ofVersion(terms, from, to) : ofNineDigits(terms, to));
  yield '}]';
}

function* ofVersion({ history }: Terminology, from: Version, to: Version): Generator<object> {
  let rows: CrosswalkRow[] = [];
  for (const row of history.crosswalk(from.edition, to.edition, NAME_LEVELS)) {
    if (rows.length > 0 && rows[0]?.from_code !== row.from_code) {
      yield elementOf(rows[0]?.from_code ?? '', rows[0]?.from_name, rows.map(targetOf));
      rows = [];
    }
    rows.push(row);
  }
  if (rows[0]) yield elementOf(rows[0].from_code, rows[0].from_name, rows.map(targetOf));
}

function* ofNineDigits(terms: Terminology, to: Version): Generator<object> {
  const codes = new Map<string, string[]>();
  for (const { code, correspondence } of terms.history.codes(to.edition)) {
    if (correspondence === null) continue;
    const known = codes.get(correspondence);
    if (known) known.push(code);
    else codes.set(correspondence, [code]);
  }
  for (const [nine, tens] of codes) yield elementOf(nine, undefined, targetsOfNine(terms, to, tens));
}

function elementOf(code: string, display: string | undefined, targets: readonly (Target | undefined)[]): object {
  const target = targets.map((it) => {
    if (!it) return { equivalence: 'unmatched' };
    const comment = COMMENTS[it.equivalence];
    return { code: it.code, display: it.name, equivalence: it.equivalence, ...(comment && { comment }) };
  });
  return { code, ...(display && { display }), target };
}

function targetOf({ to_code, to_name, relation }: CrosswalkRow): Target | undefined {
  if (to_code === null) return undefined;
  return { code: to_code, name: to_name ?? '', equivalence: EQUIVALENCES[relation] };
}

/** @param codes those of ten digits that lists give the code of nine digits for */
function targetsOfNine(terms: Terminology, to: Version, codes: readonly string[]): (Target | undefined)[] {
  const concepts = codes.flatMap((code) => terms.concept(to, code) ?? []);
  const active = concepts.filter(({ isActive }) => isActive);
  if (active.length > 0) {
    const equivalence = active.length > 1 ? 'narrower' : 'equivalent';
    return active.map(({ code, name }) => ({ code, name, equivalence }));
  }
  const found = concepts.flatMap(({ code, edition }) => terms.rowsBetween(edition, to.edition)(code).map(targetOf));
  const targets = new Map(found.flatMap((it) => (it ? [[it.code, it] as const] : [])));
  return targets.size > 0 ? [...targets.values()] : [undefined];
}

/** `ConceptMap/$translate`. Without a map it is into the version that answers, from the newest one that has the code. */
export function translate(terms: Terminology, given: Given, pinned: ConceptMap | undefined, base: string): object {
  const isReverse = given.flag('reverse') === true;
  const target = given.text('targetsystem');
  const codings = given.codings(given.text('system') ?? SYSTEM);
  const found: { map: ConceptMap; target: Target }[] = [];
  for (const { code, system, version } of codings) {
    if ((system ?? SYSTEM) !== SYSTEM || (target ?? SYSTEM) !== SYSTEM) continue;
    const map = pinned ?? mapFor(terms, code, version ?? given.text('version'), isReverse);
    if (!map) continue;
    for (const it of targetsOf(terms, map, code, isReverse)) if (it) found.push({ map, target: it });
  }
  const codes = codings.map(({ code }) => code).join(', ');
  return parametersOf(
    { name: 'result', valueBoolean: found.length > 0 },
    found.length === 0 && { name: 'message', valueString: `Nothing is known that ${codes.slice(0, 200)} became.` },
    ...found.map(({ map, target: { code, name, equivalence } }): Parameter => {
      const toVersion = isReverse ? map.from?.version : map.to.version;
      const coding = { ...(toVersion && { system: SYSTEM, version: toVersion }), code, display: name };
      return {
        name: 'match',
        part: [
          { name: 'equivalence', valueCode: equivalence },
          { name: 'concept', valueCoding: coding },
          ...(map.from === map.to ? [] : [{ name: 'source', valueUri: `${base}/ConceptMap/${idOf(map)}` }]),
        ],
      };
    }),
  );
}

function mapFor(
  terms: Terminology,
  code: string,
  version: string | undefined,
  isReverse: boolean,
): ConceptMap | undefined {
  if (isReverse && version === undefined) throw invalid('url: must be given with reverse, the map to go back by.');
  const to = terms.active;
  if (/^\d{9}$/.test(code)) return { from: undefined, to };
  const newest = terms.history.latest(code)?.edition;
  const from =
    version === undefined
      ? terms.editions.find(({ edition }) => edition === newest)
      : terms.version(version, terms.editions);
  return from && { from, to };
}

function targetsOf(
  terms: Terminology,
  { from, to }: ConceptMap,
  code: string,
  isReverse: boolean,
): (Target | undefined)[] {
  const [start, end] = isReverse ? [to, from] : [from, to];
  if (!end) {
    const nine = terms.concept(to, code)?.correspondence;
    return nine == null ? [] : [{ code: nine, name: terms.concept(to, code)?.name ?? '', equivalence: 'equivalent' }];
  }
  if (!start) return /^\d{9}$/.test(code) ? targetsOfNine(terms, to, terms.history.codesOfCorrespondence(code)) : [];
  const concept = terms.concept(start, code);
  if (!concept?.isActive || concept.level === null) return [];
  if (start === end) return [{ code, name: concept.name, equivalence: 'equal' }];
  return terms.rowsBetween(start.edition, end.edition)(code).map(targetOf);
}
