import { VERSION } from '../version.ts';
import { SYSTEM, type Terminology } from './terminology.ts';

/** The operations of each type, and what their definitions are called. */
const OPERATIONS = {
  CodeSystem: ['lookup', 'validate-code', 'subsumes'],
  ValueSet: ['expand', 'validate-code'],
  ConceptMap: ['translate'],
} as const;

const SEARCH_PARAMETERS = { _id: 'token', url: 'uri', version: 'token' };

const TITLE = 'Philippine Geographic Data Service: FHIR terminology';

/** What both statements have. */
function headOf(terms: Terminology, base: string): object {
  return {
    version: VERSION,
    title: TITLE,
    status: 'active',
    date: terms.active.day,
    kind: 'instance',
    publisher: 'Philippine Geographic Data Service',
    software: { name: 'Philippine Geographic Data Service', version: VERSION },
    implementation: { description: TITLE, url: base },
  };
}

/** `GET /fhir/metadata` */
export function capabilityStatement(terms: Terminology, base: string): object {
  return {
    resourceType: 'CapabilityStatement',
    ...headOf(terms, base),
    description:
      'The Philippine Standard Geographic Code as a code system, with value sets and maps. Answers are in JSON only: a request that takes only XML is refused with 406.',
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    rest: [
      {
        mode: 'server',
        security: { cors: true, description: 'Free within the limits of an address; an API key has higher ones.' },
        resource: Object.entries(OPERATIONS).map(([type, names]) => ({
          type,
          interaction: [{ code: 'read' }, { code: 'search-type' }],
          versioning: 'no-version',
          readHistory: false,
          searchParam: Object.entries(SEARCH_PARAMETERS).map(([name, kind]) => ({ name, type: kind })),
          operation: names.map((name) => ({
            name,
            definition: `http://hl7.org/fhir/OperationDefinition/${type}-${name}`,
          })),
        })),
      },
    ],
  };
}

/** `GET /fhir/metadata?mode=terminology` */
export function terminologyCapabilities(terms: Terminology, base: string): object {
  const versions = ['valueSetVersion', 'system-version', 'force-system-version', 'check-system-version'];
  const parameters = ['url', 'valueSet', 'filter', 'offset', 'count', 'includeDesignations', ...versions];
  return {
    resourceType: 'TerminologyCapabilities',
    ...headOf(terms, base),
    codeSystem: [
      {
        uri: SYSTEM,
        version: terms.versions.map(({ version, isActive }) => ({ code: version, isDefault: isActive })),
        subsumption: true,
      },
    ],
    expansion: {
      hierarchical: false,
      paging: true,
      incomplete: false,
      parameter: parameters.map((name) => ({ name })),
      textFilter:
        'A part of a present or former name, without regard to accents and case. `Cebu City` finds `City of Cebu`.',
    },
    codeSearch: 'explicit',
    validateCode: { translations: false },
    translation: { needsMap: false },
  };
}
