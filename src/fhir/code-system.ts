import type { Area } from '../areas/store.ts';
import { rowAt } from '../names/source.ts';
import { type Given, invalid } from './given.ts';
import { arrayOf, type Parameter, parametersOf, type Resource } from './resources.ts';
import {
  type Concept,
  HEADINGS,
  parentsOf,
  resourceNotFound,
  SYSTEM,
  type Terminology,
  type Version,
  versionOf,
} from './terminology.ts';

/** The properties of concepts that FHIR defines (http://hl7.org/fhir/concept-properties), and those of the PSGC. */
const STANDARD = {
  parent: ['code', 'The area that it is a part of'],
  status: ['code', 'retired, of codes that only earlier versions have'],
  inactive: ['boolean', 'Whether only earlier versions have the code'],
  notSelectable: ['boolean', 'Whether it is a heading of the list, and no area'],
} as const;

const OWN = {
  level: ['code', 'region, province, municity (a city or municipality), submunicipality or barangay'],
  type: ['string', 'City or Municipality'],
  successor: ['code', 'A code of this version that took the place of an inactive one'],
  lastVersion: ['string', 'The newest version that has an inactive code'],
  correspondenceCode: ['string', 'The code of nine digits that was in use until 2021'],
  cityClass: ['string', 'HUC (highly urbanised), ICC (independent component) or CC (component)'],
  incomeClass: ['string', 'Of provinces, cities and municipalities, as published'],
  urbanRural: ['string', 'Of barangays'],
} as const;

const PROPERTIES = [
  ...Object.entries(STANDARD).map(([code, [type, description]]) => ({
    code,
    uri: `http://hl7.org/fhir/concept-properties#${code}`,
    description,
    type,
  })),
  ...Object.entries(OWN).map(([code, [type, description]]) => ({ code, description, type })),
];

type Property = { readonly code: string } & Readonly<Record<string, unknown>>;

/** Former names are designations. */
export const FORMER_NAME = { display: 'Former name' };

export function codeSystemOf(terms: Terminology, version: Version): Resource {
  return {
    type: 'CodeSystem',
    id: `psgc-${version.version}`,
    url: SYSTEM,
    version: version.version,
    name: 'PSGC',
    title: 'Philippine Standard Geographic Code (PSGC)',
    members: () => ({
      date: version.day,
      description:
        'The areas of the list of this quarter or month. Codes that only earlier lists have are inactive, with their successors.',
      copyright: 'Philippine Statistics Authority, Philippine Standard Geographic Code',
      caseSensitive: true,
      hierarchyMeaning: 'part-of',
      compositional: false,
      versionNeeded: false,
      content: 'complete',
      count: countOf(terms, version),
      property: PROPERTIES,
    }),
    codes: () => countOf(terms, version),
    rest: () => arrayOf('concept', conceptsOf(terms, version)),
  };
}

function countOf(terms: Terminology, { edition }: Version): number {
  const headings = HEADINGS.filter((heading) => terms.hasHeading(edition, heading));
  return headings.length + terms.history.countCodes(edition);
}

/** Areas that are read at once. */
const PAGE = 2000;

/** The concepts of a version: headings, areas by level and code, and then codes of earlier versions. */
async function* conceptsOf(terms: Terminology, version: Version): AsyncGenerator<object> {
  for (const { code } of HEADINGS) {
    const concept = terms.concept(version, code);
    if (concept) yield conceptOf(code, concept.name, propertiesOf(terms, version, concept), []);
  }
  const areas = await terms.areas(version);
  const { source } = (await areas.names()).value;
  const nines = new Map<string, string | null>();
  const former: Concept[] = [];
  for (const it of terms.history.codes(version.edition)) {
    if (it.edition === version.edition) nines.set(it.code, it.correspondence);
    else former.push({ ...it, isActive: false });
  }
  for (const list of LISTS) {
    for (let after = ''; ; ) {
      const { value } = await areas.list(list.level, list.filter, { page: { after, limit: PAGE } });
      for (const area of value.areas) {
        const { code, name, level } = area;
        const concept = { code, name, level, edition: version.edition, isActive: true };
        const properties = propertiesOf(terms, version, { ...concept, correspondence: nines.get(code) ?? null }, area);
        yield conceptOf(code, name, properties, source.formerNames(rowAt(source, level, Number(code))));
      }
      const last = value.areas.at(-1);
      if (!last || value.areas.length < PAGE) break;
      after = last.code;
    }
  }
  for (const concept of former) yield conceptOf(concept.code, concept.name, propertiesOf(terms, version, concept), []);
}

/** The lists of areas, each of one level. */
const LISTS = [
  { level: 'region', filter: {} },
  { level: 'province', filter: {} },
  { level: 'municity', filter: {} },
  { level: 'municity', filter: { type: 'SubMun' } },
  { level: 'barangay', filter: {} },
] as const;

function conceptOf(code: string, display: string, property: readonly Property[], names: readonly string[]): object {
  const designation = names.map((value) => ({ use: FORMER_NAME, value }));
  return { code, display, ...(designation.length > 0 && { designation }), property };
}

/** @param area of a code that the version has */
function propertiesOf(terms: Terminology, version: Version, concept: Concept, area?: Area): Property[] {
  const heading = HEADINGS.find(({ code }) => code === concept.code);
  const parent = heading?.region ?? (area && parentsOf(area)[0]);
  const texts = {
    type: area?.level === 'municity' ? area.type : null,
    correspondenceCode: concept.correspondence,
    cityClass: area?.cityClass,
    incomeClass: area?.incomeClass,
    urbanRural: area?.urbanRural,
  };
  const codes = [
    ...(concept.level === null ? [] : [['level', concept.level] as const]),
    ...(parent === undefined ? [] : [['parent', parent] as const]),
    ...(concept.isActive ? [] : [['status', 'retired'] as const]),
    ...terms.successors(version, concept).map(({ code }) => ['successor', code] as const),
  ];
  return [
    ...codes.map(([code, valueCode]) => ({ code, valueCode })),
    ...(concept.isActive ? [] : [{ code: 'inactive', valueBoolean: true }]),
    ...(concept.level === null ? [{ code: 'notSelectable', valueBoolean: true }] : []),
    ...(concept.isActive ? [] : [{ code: 'lastVersion', valueString: versionOf(concept.edition) }]),
    ...Object.entries(texts).flatMap(([code, value]) => (value == null ? [] : [{ code, valueString: value }])),
  ];
}

/** `CodeSystem/$lookup` */
export async function lookUp(terms: Terminology, given: Given, pinned: Version | undefined): Promise<object> {
  const coding = given.coding('coding');
  const system = coding?.system ?? given.text('system') ?? (pinned && SYSTEM);
  if (system === undefined) throw invalid(`system: must be given, ${SYSTEM}.`);
  requireSystem(system);
  const version = pinned ?? terms.version(coding?.version ?? given.text('version'));
  const concept = terms.known(version, coding?.code ?? given.required('code'));
  const found = await terms.area(version, concept);
  const wanted = given.texts('property');
  const properties = propertiesOf(terms, version, concept, found?.area).filter(
    ({ code }) => wanted.length === 0 || wanted.includes(code),
  );
  return parametersOf(
    { name: 'name', valueString: 'PSGC' },
    { name: 'version', valueString: version.version },
    { name: 'display', valueString: concept.name },
    concept.level === null && { name: 'abstract', valueBoolean: true },
    ...(found?.formerNames ?? []).map(
      (value): Parameter => ({
        name: 'designation',
        part: [
          { name: 'use', valueCoding: FORMER_NAME },
          { name: 'value', valueString: value },
        ],
      }),
    ),
    ...properties.map(
      ({ code, ...value }): Parameter => ({
        name: 'property',
        part: [
          { name: 'code', valueCode: code },
          { name: 'value', ...value },
        ],
      }),
    ),
  );
}

/** `CodeSystem/$subsumes`: an area subsumes what it has as a part, down to barangays. */
export async function subsumes(terms: Terminology, given: Given, pinned: Version | undefined): Promise<object> {
  const [a, b] = [given.coding('codingA'), given.coding('codingB')];
  for (const system of [given.text('system'), a?.system, b?.system]) if (system !== undefined) requireSystem(system);
  const version = pinned ?? terms.version(given.text('version') ?? a?.version ?? b?.version);
  const codeA = a?.code ?? given.required('codeA');
  const codeB = b?.code ?? given.required('codeB');
  const [upper, lower] = [terms.known(version, codeA), terms.known(version, codeB)];
  const ancestors = async (concept: Concept) => {
    const heading = HEADINGS.find(({ code }) => code === concept.code);
    const found = await terms.area(version, concept);
    return heading ? [heading.region] : found ? parentsOf(found.area) : [];
  };
  const outcome =
    codeA === codeB
      ? 'equivalent'
      : (await ancestors(lower)).includes(codeA)
        ? 'subsumes'
        : (await ancestors(upper)).includes(codeB)
          ? 'subsumed-by'
          : 'not-subsumed';
  return parametersOf({ name: 'outcome', valueCode: outcome });
}

/** @throws DomainError `resource_not_found` for another code system */
function requireSystem(system: string): void {
  if (system !== SYSTEM) throw resourceNotFound('CodeSystem', system);
}
