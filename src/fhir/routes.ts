import type { AppContext } from '../context.ts';
import { Router } from '../operation.ts';
import { capabilityStatement, terminologyCapabilities } from './capabilities.ts';
import { codeSystemOf, lookUp, subsumes } from './code-system.ts';
import { type ConceptMap, conceptMapOf, conceptMapsOf, idOf, translate } from './concept-maps.ts';
import { type Given, givenIn, invalid, queryOf, quoted, searchIn } from './given.ts';
import { fhirOperation, requireJson } from './operations.ts';
import { countCodes, type Resource, textsOf } from './resources.ts';
import { search } from './search.ts';
import { resourceNotFound, SYSTEM, type Terminology, type Version, versionsIn } from './terminology.ts';
import { validateCode } from './validation.ts';
import { expand, type ValueSet, valueSetOf, valueSetsOf } from './value-sets.ts';

/** Parameters with which a client means a map or a place of its own, or another time. */
const FOREIGN = ['conceptMap', 'context', 'contextDirection', 'date'];

/**
 * Parameters that are resources. HL7's validator sends those that it has: what has a URL of this service stands for the
 * resource here.
 */
const SENT = ['codeSystem', 'valueSet', 'tx-resource'];

/** A value set in a version of the code system. */
interface VersionedSet {
  readonly set: ValueSet;
  readonly version: Version;
}

/** FHIR R4, as far as a terminology server has it (https://hl7.org/fhir/R4/terminology-service.html). */
export function fhirRoutes(): Router {
  const router = new Router();
  addMetadata(router);
  addCodeSystem(router);
  addValueSets(router);
  addConceptMaps(router);
  // They come last: the name of an operation is no id.
  addResources(router);
  return router;
}

function addMetadata(router: Router): void {
  fhirOperation(router, { id: 'get_fhir_metadata', path: '/metadata' }, (c, terms) => {
    const mode = queryOf(c).text('mode') ?? 'full';
    if (mode === 'terminology') return terminologyCapabilities(terms, baseOf(c));
    if (mode === 'full' || mode === 'normative') return capabilityStatement(terms, baseOf(c));
    throw invalid(`mode: must be full, normative or terminology (got ${quoted(mode)}).`);
  });
}

function addResources(router: Router): void {
  for (const type of ['CodeSystem', 'ValueSet', 'ConceptMap'] as const) {
    const name = type.toLowerCase();
    const list = { id: `list_fhir_${name}s`, path: `/${type}`, isWeighed: true } as const;
    const posted = { id: `search_fhir_${name}s`, method: 'post', path: `/${type}/_search`, isWeighed: true } as const;
    for (const asked of [list, posted]) {
      fhirOperation(router, asked, async (c, terms) => {
        const given = await searchIn(c);
        requireJson(c, given.text('_format'));
        return search(c, given, { resources: resourcesOf(c, terms, type), type, base: baseOf(c) });
      });
    }
    const get = { id: `get_fhir_${name}`, path: `/${type}/{id}`, hasId: true, isWeighed: true } as const;
    fhirOperation(router, get, async (c, terms, id) => {
      const found = resourcesOf(c, terms, type).find((it) => it.id === id);
      if (!found) throw resourceNotFound(type, id);
      const isSummary = queryOf(c).text('_summary') === 'true';
      if (!isSummary) await countCodes(c, [found]);
      return textsOf(found, isSummary);
    });
  }
}

function addCodeSystem(router: Router): void {
  addOperation(router, { type: 'CodeSystem', name: 'lookup' }, (_, terms, given, id) =>
    lookUp(terms, given, versionOfId(terms, id)),
  );
  addOperation(router, { type: 'CodeSystem', name: 'subsumes' }, (_, terms, given, id) =>
    subsumes(terms, given, versionOfId(terms, id)),
  );
  addOperation(router, { type: 'CodeSystem', name: 'validate-code' }, (_, terms, given, id) => {
    const isNamed = id !== undefined || given.has('codeSystem');
    const [url = isNamed ? SYSTEM : undefined, piped] = given.canonical('url');
    if (url === undefined && given.has('code')) throw invalid(`url: must be given, ${SYSTEM}.`);
    const asked = { url, system: url, named: given.text('version') ?? piped, version: versionOfId(terms, id) };
    return validateCode(terms, given, asked);
  });
}

/** The version of the code system that an id is of. */
function versionOfId(terms: Terminology, id: string | undefined): Version | undefined {
  if (id === undefined) return undefined;
  const found = terms.versions.find(({ version }) => id === `psgc-${version}`);
  if (!found) throw resourceNotFound('CodeSystem', id);
  return found;
}

function addValueSets(router: Router): void {
  addOperation(
    router,
    { type: 'ValueSet', name: 'expand', isWeighed: true, isDated: true },
    async (c, terms, given, id) => {
      const { set, version } = setOf(c, terms, given, id);
      const expanded = await expand(terms, given, set, versionToExpand(terms, given, version));
      await countCodes(c, [expanded]);
      return textsOf(expanded, false);
    },
  );
  addOperation(router, { type: 'ValueSet', name: 'validate-code' }, (c, terms, given, id) => {
    const { set: valueSet, version } = setOf(c, terms, given, id);
    const asked = { system: given.text('system') ?? SYSTEM, named: given.text('systemVersion'), version, valueSet };
    return validateCode(terms, given, asked);
  });
}

/** @throws DomainError `edition_not_found`, or `invalid_parameter` where it is not the version that the client checks for */
function versionToExpand(terms: Terminology, given: Given, ofSet: Version | undefined): Version {
  const { forced, fallback, checked } = versionsIn(given);
  const version = terms.version(forced ?? ofSet?.version ?? given.text('systemVersion') ?? fallback);
  if (checked === undefined || terms.version(checked) === version) return version;
  throw invalid(`check-system-version: must name ${version.version}, which is asked for (got ${quoted(checked)}).`);
}

/** The value set that an operation is about, by its id or its canonical URL, and the version where one is named. */
function setOf(
  c: AppContext,
  terms: Terminology,
  given: Given,
  id: string | undefined,
): { set: ValueSet; version: Version | undefined } {
  if (id !== undefined) {
    const found = versionedSets(c, terms).find(({ set, version }) => id === `${set.id}-${version.version}`);
    if (!found) throw resourceNotFound('ValueSet', id);
    return found;
  }
  const sent = given.sent('valueSet');
  const [url = sent.url, piped] = given.canonical('url');
  if (url === undefined) throw invalid('url: must be given, the canonical address of a value set.');
  const set = valueSetsOf(c.get('config')).find((it) => it.url === url);
  if (!set) throw resourceNotFound('ValueSet', String(url));
  const named = given.text('valueSetVersion') ?? piped;
  // A set that is sent may be one of PH Core, which has versions of its own.
  return { set, version: named === undefined ? terms.find(String(sent.version)) : terms.version(named) };
}

function versionedSets(c: AppContext, { versions }: Terminology): VersionedSet[] {
  const sets = valueSetsOf(c.get('config'));
  return versions.flatMap((version) => sets.map((set) => ({ set, version })));
}

function addConceptMaps(router: Router): void {
  addOperation(router, { type: 'ConceptMap', name: 'translate' }, (c, terms, given, id) =>
    translate(terms, given, mapOf(c, terms, given, id), baseOf(c)),
  );
}

function mapOf(c: AppContext, terms: Terminology, given: Given, id: string | undefined): ConceptMap | undefined {
  const [url] = given.canonical('url');
  const wanted = id ?? (url?.startsWith(`${baseOf(c)}/ConceptMap/`) ? url.split('/').at(-1) : url);
  if (wanted === undefined) return undefined;
  const found = conceptMapsOf(terms).find((map) => idOf(map) === wanted);
  if (!found) throw resourceNotFound('ConceptMap', wanted);
  return found;
}

function resourcesOf(c: AppContext, terms: Terminology, type: Resource['type']): Resource[] {
  if (type === 'CodeSystem') return terms.versions.map((version) => codeSystemOf(terms, version));
  if (type === 'ValueSet') return versionedSets(c, terms).map(({ set, version }) => valueSetOf(set, version));
  return conceptMapsOf(terms).map((map) => conceptMapOf(terms, map, baseOf(c)));
}

/** Adds an operation of a type and of its resources, by GET and by POST. */
function addOperation(
  router: Router,
  { type, name, ...how }: { type: Resource['type']; name: string; isWeighed?: true; isDated?: true },
  answer: (
    c: AppContext,
    terms: Terminology,
    given: Given,
    id: string | undefined,
  ) => object | AsyncGenerator<string> | Promise<object>,
): void {
  const asked = `${type.toLowerCase()}_${name.replace('-', '_')}`;
  for (const method of ['get', 'post'] as const) {
    for (const hasId of [false, true]) {
      // Some clients encode the dollar sign.
      for (const [sign, suffix] of [
        ['$', ''],
        ['%24', '_encoded'],
      ] as const) {
        const id = `${method}_fhir_${asked}${hasId ? '_by_id' : ''}${suffix}`;
        const path = `/${type}${hasId ? '/{id}' : ''}/${sign}${name}`;
        fhirOperation(router, { id, method, path, hasId, ...how }, async (c, terms, resource) => {
          const given = await givenIn(c);
          given.refuse(...FOREIGN);
          given.refuseForeign(SENT, [SYSTEM, ...valueSetsOf(c.get('config')).map(({ url }) => url)]);
          return answer(c, terms, given, hasId ? resource : undefined);
        });
      }
    }
  }
}

function baseOf(c: AppContext): string {
  return new URL('/fhir', c.req.url).href;
}
