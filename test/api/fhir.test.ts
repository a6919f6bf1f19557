import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Asking, type Body, ORIGIN, workerWith } from '../support/api.ts';
import { apart, publish } from '../support/snapshot.ts';

// FHIR is asked of a Worker without a database, with what is published of the seeded release.

const SYSTEM = 'https://psa.gov.ph/classification/psgc';
const SETS = 'https://fhir.doh.gov.ph/phcore/ValueSet';
const FHIR_TYPE = 'application/fhir+json; charset=utf-8';

const [MANILA, ERMITA, BACOLOD, BACOLOD_BEFORE] = ['1380600000', '1380608000', '1830200000', '0630200000'];
/** Barangay 176 of Caloocan, which was divided into six, and the first of these. */
const [DIVIDED, PART] = ['1380100176', '1380100189'];

const bucket = apart();
const DATABASE_URL = inject('faultyDatabases').fails as string;
const settings = { FILES: bucket, DATABASE_URL, FREE_TIER_RPM: '10000' };
const worker = workerWith(settings);

beforeAll(() => publish({ active: true, bucket }));

const ADDRESS = '203.0.113.77';

/** A request to FHIR, which is in no OpenAPI document. */
const fhir = (path: string, parameters: Record<string, string> = {}, init: Asking = {}) => {
  const query = new URLSearchParams(parameters).toString();
  return worker(`/fhir${path}${query && `?${query}`}`, { ...init, undeclared: true });
};

const post = (path: string, parameter: object[], headers: Record<string, string> = {}) =>
  fhir(
    path,
    {},
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/fhir+json', ...headers },
      body: JSON.stringify({ resourceType: 'Parameters', parameter }),
    },
  );

/** The values of the parameters of an answer by their names, the parts of those that have any. */
const valuesOf = ({ parameter }: Body): Record<string, Body> =>
  Object.fromEntries(
    parameter.map(({ name, part, resource, ...value }: Body) => [name, part ?? resource ?? Object.values(value)[0]]),
  );

const ask = async (path: string, parameters: Record<string, string>) => {
  const { status, body, headers, text } = await fhir(path, parameters);
  expect([status, headers.get('Content-Type')], text).toEqual([200, FHIR_TYPE]);
  return valuesOf(body);
};

const validate = (code: string, more: Record<string, string> = {}) =>
  ask('/CodeSystem/$validate-code', { url: SYSTEM, code, ...more });

const issueOf = ({ issues }: Record<string, Body>) => {
  const [{ severity, code, details, expression }] = issues.issue;
  return [severity, code, details.coding?.[0].code, expression?.[0]];
};

describe('the statements', () => {
  it('say what there is, in which format and in which versions', async () => {
    const { body } = await fhir('/metadata');
    expect(body).toMatchObject({ resourceType: 'CapabilityStatement', fhirVersion: '4.0.1', kind: 'instance' });
    expect(body.format).toEqual(['application/fhir+json', 'json']);
    // It has not all that this definition wants.
    expect(body.instantiates).toBeUndefined();
    expect(body.implementation.url).toBe(`${ORIGIN}/fhir`);
    const names = body.rest[0].resource.map(({ type, operation }: Body) => [
      type,
      operation.map(({ name }: Body) => name),
    ]);
    expect(names).toEqual([
      ['CodeSystem', ['lookup', 'validate-code', 'subsumes']],
      ['ValueSet', ['expand', 'validate-code']],
      ['ConceptMap', ['translate']],
    ]);
    const { body: terminology } = await fhir('/metadata', { mode: 'terminology' });
    expect(terminology.resourceType).toBe('TerminologyCapabilities');
    expect(terminology.codeSystem[0]).toEqual({
      uri: SYSTEM,
      version: [
        { code: '3Q-2026', isDefault: true },
        { code: '2Q-2025', isDefault: false },
        { code: '4Q-2023', isDefault: false },
      ],
      subsumption: true,
    });
  });
});

describe('the code system', () => {
  it('is found by its address, the newest version first, as a summary', async () => {
    const { body } = await fhir('/CodeSystem', { url: SYSTEM });
    expect([body.resourceType, body.type, body.total]).toEqual(['Bundle', 'searchset', 3]);
    expect(body.entry.map(({ fullUrl }: Body) => fullUrl)).toEqual(
      ['3Q-2026', '2Q-2025', '4Q-2023'].map((version) => `${ORIGIN}/fhir/CodeSystem/psgc-${version}`),
    );
    const [{ resource }] = body.entry;
    expect(resource).toMatchObject({
      url: SYSTEM,
      version: '3Q-2026',
      content: 'complete',
      hierarchyMeaning: 'part-of',
    });
    expect(resource.meta.tag[0].code).toBe('SUBSETTED');
    expect(resource.concept).toBeUndefined();
  });

  it('is asked with an encoded dollar sign too', async () => {
    const answer = await fhir('/CodeSystem/%24lookup', { system: SYSTEM, code: MANILA });
    expect(valuesOf(answer.body).display).toBe('City of Manila');
  });

  it('is found by version and id, page by page, and not by another address', async () => {
    const ids = async (query: Record<string, string>) => {
      const { body } = await fhir('/CodeSystem', query);
      return [body.total, (body.entry ?? []).map((it: Body) => it.resource.id)];
    };
    expect(await ids({ url: `${SYSTEM}|4Q-2023` })).toEqual([1, ['psgc-4Q-2023']]);
    expect(await ids({ version: '2q-2025' })).toEqual([1, ['psgc-2Q-2025']]);
    expect(await ids({ _id: 'psgc-3Q-2026' })).toEqual([1, ['psgc-3Q-2026']]);
    expect(await ids({ url: 'http://loinc.org' })).toEqual([0, []]);
    expect(await ids({ _summary: 'count' })).toEqual([3, []]);
    const found: string[] = [];
    for (let next: string | undefined = '/CodeSystem?_count=2'; next; ) {
      const { body } = await fhir(next);
      found.push(...body.entry.map((it: Body) => it.resource.id));
      next = body.link.find((it: Body) => it.relation === 'next')?.url.slice(`${ORIGIN}/fhir`.length);
    }
    expect(found).toEqual(['psgc-3Q-2026', 'psgc-2Q-2025', 'psgc-4Q-2023']);
  });

  it('is searched with several values, and says what it has been searched by', async () => {
    const { body } = await fhir('/CodeSystem', { version: '2Q-2025,4q-2023', status: 'draft', _count: '1' });
    expect(body.total).toBe(2);
    const links = body.link.map(({ relation, url }: Body) => [relation, new URL(url).search]);
    expect(links).toEqual([
      ['self', '?version=2Q-2025%2C4q-2023&_count=1'],
      ['next', '?version=2Q-2025%2C4q-2023&_count=1&_offset=1'],
    ]);
    const urls = await fhir('/ValueSet', { url: `${SETS}/cities|4Q-2023,${SETS}/regions` });
    expect(urls.body.total).toBe(4);
    const below = await fhir('/CodeSystem', { 'url:below': 'https://psa.gov.ph' });
    expect([below.status, below.body.issue[0].details.text]).toEqual([400, expect.stringContaining('url:below')]);
  });

  it('is searched with POST too, by the query and a form', async () => {
    const search = (path: string, body?: string, type = 'application/x-www-form-urlencoded') =>
      fhir(
        path,
        {},
        { method: 'POST', headers: body === undefined ? {} : { 'Content-Type': type }, body: body ?? null },
      );
    const { body: got } = await fhir('/CodeSystem', { version: '2Q-2025,4q-2023', _count: '1' });
    const { status, body, headers } = await search(
      '/CodeSystem/_search?version=2Q-2025,4q-2023',
      '_count=1&status=draft',
    );
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([200, FHIR_TYPE, 'no-store']);
    expect(body).toEqual(got);
    const all = await search('/ValueSet/_search');
    expect(all.body.total).toBe(12);
    const json = await search('/ConceptMap/_search', '{}', 'application/json');
    expect([json.status, json.body.issue[0].details.text]).toEqual([415, expect.stringContaining('must be a form')]);
    expect((await search('/CodeSystem/_search', `url=${'x'.repeat(70_000)}`)).status).toBe(413);
    expect((await search('/CodeSystem/_search', 'url:below=urn')).status).toBe(400);
    expect((await search('/CodeSystem/_search', '_format=xml')).status).toBe(406);
    expect((await search('/CodeSystem/_search', '_format=application/fhir%2Bjson')).status).toBe(200);
  });

  it('has another validator where value sets have other addresses', async () => {
    const configured = workerWith({ ...settings, FHIR_VALUE_SETS: 'regions=urn:example:regions' });
    const other = await configured('/fhir/ValueSet', { undeclared: true });
    expect(other.headers.get('ETag')).not.toBe((await fhir('/ValueSet')).headers.get('ETag'));
  });

  it('has every area, the two headings, and the codes of earlier versions as inactive with their successors', async () => {
    const { body, headers } = await fhir('/CodeSystem/psgc-3Q-2026');
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    const byCode = new Map<string, Body>(body.concept.map((it: Body) => [it.code, it]));
    expect([byCode.size, body.concept.length]).toEqual([body.count, body.count]);
    const has = (code: string, property: object) => expect(byCode.get(code)?.property, code).toContainEqual(property);
    const active = body.concept.filter(({ property }: Body) => !property.some((it: Body) => it.code === 'inactive'));
    expect(active).toHaveLength(43_768);
    has(MANILA, { code: 'cityClass', valueString: 'HUC' });
    has(MANILA, { code: 'parent', valueCode: '1300000000' });
    has(MANILA, { code: 'correspondenceCode', valueString: '133900000' });
    has(ERMITA, { code: 'parent', valueCode: MANILA });
    has('0990100000', { code: 'notSelectable', valueBoolean: true });
    has(BACOLOD_BEFORE, { code: 'successor', valueCode: BACOLOD });
    has(BACOLOD_BEFORE, { code: 'inactive', valueBoolean: true });
    has(BACOLOD_BEFORE, { code: 'lastVersion', valueString: 'April-2024' });
    const successors = byCode.get(DIVIDED)?.property.filter((it: Body) => it.code === 'successor');
    expect(successors.map((it: Body) => it.valueCode)).toEqual(expect.arrayContaining([PART, '1380100194']));
    expect(successors).toHaveLength(6);
    // Ancestors are concepts, and whoever is no region has one.
    const parents = active.map(({ property }: Body) => property.find((it: Body) => it.code === 'parent')?.valueCode);
    expect(parents.filter((code: string | undefined) => code === undefined)).toHaveLength(18);
    expect(parents.filter((code: string | undefined) => code !== undefined && !byCode.has(code))).toEqual([]);
    const { designation } = active.find((it: Body) => it.designation) as Body;
    expect(designation[0]).toEqual({ use: { display: 'Former name' }, value: expect.any(String) });

    const etag = headers.get('ETag') ?? '';
    const again = await fhir('/CodeSystem/psgc-3Q-2026', {}, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const summary = await fhir('/CodeSystem/psgc-3Q-2026', { _summary: 'true' });
    expect([summary.body.count, summary.body.concept]).toEqual([body.count, undefined]);
    const whole = await fhir('/CodeSystem', { url: SYSTEM, _summary: 'false' });
    expect([whole.body.total, whole.body.entry.length]).toEqual([3, 1]);
    expect(whole.body.entry[0].resource).toEqual(body);
  });

  it('has the codes of an older version as that version has them', async () => {
    const { body } = await fhir('/CodeSystem/psgc-4Q-2023');
    const of = (code: string) => body.concept.find((it: Body) => it.code === code)?.property;
    expect(of(BACOLOD_BEFORE)).toContainEqual({ code: 'parent', valueCode: '0600000000' });
    expect([of(BACOLOD), of(PART)]).toEqual([undefined, undefined]);
  });
});

describe('$lookup', () => {
  const look = async (parameters: Record<string, string>) => {
    const { body, status } = await fhir('/CodeSystem/$lookup', { system: SYSTEM, ...parameters });
    expect(status).toBe(200);
    const parts = body.parameter.filter((it: Body) => it.name === 'property');
    const properties = parts.map(({ part }: Body) => [part[0].valueCode, Object.values(part[1])[1]]);
    return { ...valuesOf(body), properties };
  };

  it('tells what an area is', async () => {
    const found = await look({ code: MANILA });
    expect(found).toMatchObject({ name: 'PSGC', version: '3Q-2026', display: 'City of Manila' });
    expect(found.properties).toEqual([
      ['level', 'municity'],
      ['parent', '1300000000'],
      ['type', 'City'],
      ['correspondenceCode', '133900000'],
      ['cityClass', 'HUC'],
      ['incomeClass', '1st'],
    ]);
    expect((await look({ code: MANILA, property: 'parent' })).properties).toEqual([['parent', '1300000000']]);
    expect(await look({ code: '1999900000' })).toMatchObject({ display: 'Special Geographic Area', abstract: true });
  });

  it('tells that a code is inactive, and what took its place', async () => {
    const { properties } = await look({ code: BACOLOD_BEFORE });
    expect(properties).toEqual(
      expect.arrayContaining([
        ['status', 'retired'],
        ['inactive', true],
        ['successor', BACOLOD],
      ]),
    );
    const then = await look({ code: BACOLOD_BEFORE, version: '4Q-2023' });
    expect(then.properties).not.toContainEqual(['inactive', true]);
    const { body } = await fhir(`/CodeSystem/psgc-4Q-2023/$lookup?code=${BACOLOD_BEFORE}`);
    expect(valuesOf(body).version).toBe('4Q-2023');
  });

  it.each([
    [{ code: '9999999999' }, 404, 'invalid-code'],
    [{ code: '0506600000' }, 404, 'invalid-code'],
    [{ code: MANILA, version: '1Q-1999' }, 404, 'not-found'],
    [{ code: MANILA, system: 'http://loinc.org' }, 404, 'not-found'],
    [{}, 400, undefined],
  ])('refuses %j', async (parameters, status, tx) => {
    const answer = await fhir('/CodeSystem/$lookup', { system: SYSTEM, ...parameters } as Record<string, string>);
    expect([answer.status, answer.body.resourceType]).toEqual([status, 'OperationOutcome']);
    expect(answer.body.issue[0].details.coding?.[0].code).toBe(tx);
  });
});

describe('$validate-code', () => {
  it('takes the code with its name, a short or former one too, without regard to accents and case', async () => {
    for (const display of ['City of Manila', 'manila', 'MANILA CITY']) {
      expect(await validate(MANILA, { display })).toMatchObject({ result: true, display: 'City of Manila' });
    }
    expect((await validate('1300000000', { display: 'National Capital Region' })).result).toBe(true);
  });

  it.each([
    ['0402100000', 'Cavite Province', true],
    ['0402100000', 'Province of Cavite', true],
    ['0402100000', 'Cavite City', false],
    ['0400000000', 'Region 4A', true],
    ['0400000000', 'CALABARZON', true],
    ['1300000000', 'NCR', true],
    [MANILA, 'Lungsod ng Maynila', true],
    [DIVIDED, 'Brgy. 176', true],
    [DIVIDED, 'Brgy. 177', false],
    ['1999900000', 'Special Geographic Area', true],
    ['1999900000', 'Special', false],
  ])('reads the display of %s as matching does: %s', async (code, display, isName) => {
    expect((await validate(code, { display, version: code === DIVIDED ? '4Q-2023' : '3Q-2026' })).result).toBe(isName);
  });

  it('refuses another name, and only warns of it where that is asked for', async () => {
    const wrong = await validate(MANILA, { display: 'Cebu' });
    expect(wrong).toMatchObject({ result: false, display: 'City of Manila' });
    expect(wrong.message).toBe('"Cebu" is not the display of 1380600000: it is "City of Manila".');
    expect(issueOf(wrong)).toEqual(['error', 'invalid', 'invalid-display', 'display']);
    const lenient = await validate(MANILA, { display: 'Cebu', 'lenient-display-validation': 'true' });
    expect([lenient.result, issueOf(lenient)[0]]).toEqual([true, 'warning']);
  });

  it('takes an inactive code with a warning that names its successors, and in its own version without', async () => {
    const moved = await validate(BACOLOD_BEFORE);
    expect(moved).toMatchObject({ result: true, inactive: true, version: '3Q-2026' });
    expect(moved.message).toContain(`Its successors: ${BACOLOD} (City of Bacolod).`);
    expect(issueOf(moved)).toEqual(['warning', 'business-rule', 'code-comment', 'code']);
    const then = await validate(BACOLOD_BEFORE, { version: '4Q-2023' });
    expect([then.result, then.inactive, then.issues]).toEqual([true, undefined, undefined]);
  });

  it('refuses what is no code, with a hint', async () => {
    const unknown = await validate('0506600000');
    expect([unknown.result, unknown.display]).toEqual([false, undefined]);
    expect(issueOf(unknown)).toEqual(['error', 'code-invalid', 'invalid-code', 'code']);
    expect((await validate('133900000')).message).toContain('ConceptMap/$translate');
    expect((await validate('722202000')).message).toContain('was it 0722202000?');
    const other = await ask('/CodeSystem/$validate-code', { url: 'http://loinc.org', code: '1-8' });
    expect([other.result, ...issueOf(other)]).toEqual([false, 'error', 'not-found', 'not-found', 'code']);
  });

  it('asks a value set for its levels and its active codes', async () => {
    const inSet = (name: string, code: string) =>
      ask('/ValueSet/$validate-code', { url: `${SETS}/${name}`, system: SYSTEM, code });
    expect((await inSet('cities', MANILA)).result).toBe(true);
    expect((await inSet('cities', ERMITA)).result).toBe(true);
    expect((await inSet('regions', '1300000000')).result).toBe(true);
    const wrong = await inSet('barangays', MANILA);
    expect([wrong.result, ...issueOf(wrong)]).toEqual([false, 'error', 'code-invalid', 'not-in-vs', 'code']);
    const moved = await inSet('cities', BACOLOD_BEFORE);
    expect([moved.result, moved.inactive]).toEqual([false, true]);
    expect(moved.message).toContain(BACOLOD);
    const { body } = await fhir(`/ValueSet/cities-4Q-2023/$validate-code?code=${BACOLOD_BEFORE}`);
    expect(valuesOf(body).result).toBe(true);
    expect((await inSet('provinces', '0990100000')).result).toBe(false);
  });

  it('takes a Coding and a CodeableConcept, of which one coding has to fit', async () => {
    const coding = await post('/CodeSystem/$validate-code', [
      { name: 'url', valueUri: SYSTEM },
      { name: 'coding', valueCoding: { system: SYSTEM, code: MANILA, display: 'Cebu' } },
    ]);
    const found = valuesOf(coding.body);
    expect([found.result, issueOf(found).at(-1)]).toEqual([false, 'coding.display']);
    expect(coding.headers.get('Cache-Control')).toBe('no-store');
    const concept = await post('/ValueSet/$validate-code', [
      { name: 'url', valueUri: `${SETS}/cities` },
      {
        name: 'codeableConcept',
        valueCodeableConcept: {
          coding: [
            { system: 'http://loinc.org', code: '1' },
            { system: SYSTEM, code: MANILA },
          ],
        },
      },
    ]);
    expect(valuesOf(concept.body)).toMatchObject({ result: true, code: MANILA });
    // A coding may say which version it is of.
    for (const [version, result] of [
      ['4Q-2023', true],
      ['3Q-2026', false],
      ['1Q-1999', false],
    ] as const) {
      const { body } = await post('/ValueSet/$validate-code', [
        { name: 'url', valueUri: `${SETS}/cities` },
        { name: 'coding', valueCoding: { system: SYSTEM, version, code: BACOLOD_BEFORE } },
      ]);
      expect(valuesOf(body).result, version).toBe(result);
    }
  });

  const validateCoding = async (type: string, valueCoding: object, more: object[]) => {
    const { body, text } = await post(`/${type}/$validate-code`, [{ name: 'coding', valueCoding }, ...more]);
    expect(body.resourceType, text).toBe('Parameters');
    return valuesOf(body);
  };

  it('takes no coding without a system, and no other system than the one that is asked', async () => {
    const cities = { name: 'url', valueUri: `${SETS}/cities` };
    const bare = await validateCoding('ValueSet', { code: MANILA }, [cities]);
    expect([bare.result, bare.system, ...issueOf(bare)]).toEqual([
      false,
      undefined,
      ...['warning', 'invalid', 'invalid-data', 'coding'],
    ]);
    const url = { name: 'url', valueUri: 'http://loinc.org' };
    const other = await validateCoding('CodeSystem', { system: SYSTEM, code: MANILA }, [url]);
    expect([other.result, ...issueOf(other)]).toEqual([false, 'error', 'not-found', 'not-found', 'coding']);
  });

  it('knows the value sets and the code system that a validator sends along', async () => {
    const resource = (type: string, url: string) => ({ resourceType: type, url, version: '0.1.0', status: 'draft' });
    const large = { ...resource('CodeSystem', SYSTEM), description: 'x'.repeat(1_000_000) };
    const sent = [
      { name: 'valueSet', resource: resource('ValueSet', `${SETS}/cities`) },
      { name: 'tx-resource', resource: large },
      { name: 'tx-resource', resource: resource('ValueSet', `${SETS}/regions`) },
    ];
    expect((await validateCoding('ValueSet', { system: SYSTEM, code: MANILA }, sent)).result).toBe(true);
    const region = await validateCoding('ValueSet', { system: SYSTEM, code: '1300000000' }, sent);
    expect([region.result, issueOf(region)[2]]).toEqual([false, 'not-in-vs']);
    const expansion = await post('/ValueSet/$expand', [sent[0] as object, { name: 'count', valueInteger: 1 }]);
    expect(expansion.body.expansion.total).toBe(1656);
    // What this service answers may be sent back.
    const { body: before } = await fhir('/ValueSet/cities-4Q-2023');
    const own = [{ name: 'valueSet', resource: before }];
    expect((await validateCoding('ValueSet', { system: SYSTEM, code: BACOLOD_BEFORE }, own)).result).toBe(true);
    const system = [{ name: 'codeSystem', resource: resource('CodeSystem', SYSTEM) }];
    expect((await validateCoding('CodeSystem', { system: SYSTEM, code: MANILA }, system)).result).toBe(true);
    for (const name of ['valueSet', 'codeSystem', 'tx-resource']) {
      const foreign = { name, resource: resource('ValueSet', 'urn:none') };
      const { status, body } = await post('/ValueSet/$expand', [{ name: 'url', valueUri: `${SETS}/cities` }, foreign]);
      expect([status, body.issue[0].details.text], name).toEqual([400, expect.stringContaining('got "urn:none"')]);
    }
  });

  it('looks in the version that parameters name for this code system, and says that a code is of another', async () => {
    const inVersion = (coding: object, ...more: object[]) =>
      validateCoding('ValueSet', { system: SYSTEM, code: BACOLOD_BEFORE, ...coding }, [
        { name: 'url', valueUri: `${SETS}/cities` },
        ...more,
      ]);
    const rule = (name: string, version: string, system = SYSTEM) => ({ name, valueCanonical: `${system}|${version}` });
    const loinc = (name: string) => rule(name, '2.77', 'http://loinc.org');
    const names = ['system-version', 'force-system-version', 'check-system-version'];
    for (const name of names) {
      expect((await inVersion({}, loinc(name), rule(name, '4Q-2023'))).result, name).toBe(true);
      expect((await inVersion({ version: '4Q-2023' }, loinc(name))).result, name).toBe(true);
    }
    expect((await inVersion({ version: '4Q-2023' }, rule('system-version', '3Q-2026'))).result).toBe(true);
    const issuesOf = async (...more: object[]) =>
      (await inVersion({ version: '4Q-2023' }, ...more)).issues.issue.map((it: Body) => [
        it.details.coding[0].code,
        it.expression[0],
      ]);
    const [mismatch, wrong] = [
      ['vs-invalid', 'coding.version'],
      ['version-error', 'coding.version'],
    ];
    expect(await issuesOf({ name: 'valueSetVersion', valueString: '2Q-2025' })).toContainEqual(mismatch);
    expect(await issuesOf(rule('force-system-version', '2Q-2025'))).toContainEqual(mismatch);
    expect(await issuesOf(rule('check-system-version', '2Q-2025'))).toEqual([wrong]);
    const unknown = await validate(MANILA, { version: '1Q-1999' });
    expect([unknown.result, issueOf(unknown)[2]]).toEqual([false, 'not-found']);

    const expanded = async (query: string) => fhir(`/ValueSet/$expand?url=${SETS}/regions&count=1&${query}`);
    const versionOf = async (query: string) => (await expanded(query)).body.version;
    const own = `${SYSTEM}|4Q-2023`;
    for (const name of names) {
      expect(await versionOf(`${name}=http://loinc.org|2.77&${name}=${own}`), name).toBe('4Q-2023');
      expect(await versionOf(`${name}=http://loinc.org|2.77`), name).toBe('3Q-2026');
    }
    expect((await expanded(`check-system-version=${own}&valueSetVersion=2Q-2025`)).status).toBe(400);
    expect((await expanded(`system-version=${own}&system-version=${own}`)).status).toBe(400);
  });
});

describe('$subsumes', () => {
  it.each([
    ['1300000000', ERMITA, 'subsumes'],
    [MANILA, '1300000000', 'subsumed-by'],
    [MANILA, MANILA, 'equivalent'],
    [MANILA, BACOLOD, 'not-subsumed'],
    // A highly urbanised city is no part of the province that hosts it.
    ['1804500000', BACOLOD, 'not-subsumed'],
    ['0900000000', '0990100000', 'subsumes'],
    ['1800000000', BACOLOD_BEFORE, 'not-subsumed'],
  ])('is asked of %s and %s', async (codeA, codeB, outcome) => {
    expect(await ask('/CodeSystem/$subsumes', { system: SYSTEM, codeA, codeB })).toEqual({ outcome });
  });
});

describe('$expand', () => {
  const expand = async (set: string, parameters: Record<string, string> = {}) => {
    const { status, body, text } = await fhir('/ValueSet/$expand', { url: `${SETS}/${set}`, ...parameters });
    expect(status, text.slice(0, 300)).toBe(200);
    return body.expansion;
  };
  const codes = ({ contains = [] }: Body) => contains.map(({ code }: Body) => code);

  it('lists a set, and pages of it that follow one another wherever they begin', async () => {
    const regions = await expand('regions');
    expect([regions.total, codes(regions).length]).toEqual([18, 18]);
    expect(regions.contains[0]).toEqual({
      ...{ system: SYSTEM, version: '3Q-2026', code: '0100000000', display: 'Region I (Ilocos Region)' },
    });
    const cities = codes(await expand('cities'));
    expect(cities).toHaveLength(149 + 1493 + 14);
    // The pages reach over the end of the cities and municipalities into the sub-municipalities.
    for (const [offset, count] of [
      [0, 10],
      [7, 10],
      [1635, 13],
      [1641, 2],
      [1650, 100],
      [2000, 5],
    ] as const) {
      const page = await expand('cities', { offset: String(offset), count: String(count) });
      expect([page.total, codes(page)]).toEqual([1656, cities.slice(offset, offset + count)]);
    }
    expect(codes(await expand('cities', { count: '0' }))).toEqual([]);
  });

  it('filters by a part of the name', async () => {
    const found = await expand('barangays', { filter: 'PARAÑAQUE' });
    expect(found.total).toBe(0);
    const cities = await expand('cities', { filter: 'paranaque' });
    expect(cities.contains.map(({ display }: Body) => display)).toEqual(['City of Parañaque']);
    expect((await expand('cities', { filter: '???' })).total).toBe(0);
    const named = await expand('cities', { filter: 'Navotas', includeDesignations: 'true' });
    expect(named.contains[0].code).toBe('1380900000');
  });

  it('filters by the forms in which names are looked for, and by former names', async () => {
    const displays = async (filter: string, version = '') =>
      ((await expand('cities', { filter, ...(version && { valueSetVersion: version }) })).contains ?? []).map(
        ({ display }: Body) => display,
      );
    expect(await displays('cebu city')).toEqual(['City of Cebu']);
    expect(await displays('Sta. Rosa')).toContain('City of Santa Rosa');
    const { body } = await fhir('/CodeSystem/psgc-3Q-2026');
    const level = { code: 'level', valueCode: 'municity' };
    const renamed = body.concept.find(
      ({ designation, property }: Body) => designation && property.some((it: Body) => it.valueCode === level.valueCode),
    );
    expect(await displays(renamed.designation[0].value)).toContain(renamed.display);
  });

  it('says where it begins and how many codes were asked for', async () => {
    const { parameter } = await expand('cities', { offset: '7', count: '3' });
    expect(parameter).toEqual([
      { name: 'used-codesystem', valueUri: `${SYSTEM}|3Q-2026` },
      { name: 'offset', valueInteger: 7 },
      { name: 'count', valueInteger: 3 },
    ]);
  });

  it('counts as one request for a thousand codes, as whole resources do', async () => {
    const left = async (path: string, init: Asking = {}) => {
      const { status, headers } = await fhir(
        path,
        {},
        { ...init, headers: { 'CF-Connecting-IP': ADDRESS, ...init.headers } },
      );
      expect(status).toBe(200);
      return Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
    };
    const start = await left('/metadata');
    const sets = `/ValueSet/$expand?url=${SETS}`;
    expect(await left(`${sets}/regions`)).toBe(start - 1);
    expect(await left(`${sets}/cities`)).toBe(start - 3);
    expect(await left(`${sets}/cities&count=0`)).toBe(start - 4);
    expect(await left('/CodeSystem/psgc-3Q-2026?_summary=true')).toBe(start - 5);
    const { body } = await fhir('/CodeSystem/psgc-3Q-2026', { _summary: 'true' });
    const whole = start - 5 - Math.ceil(body.count / 1000);
    expect(await left('/CodeSystem/psgc-3Q-2026')).toBe(whole);
    const parameter = [{ name: 'url', valueUri: `${SETS}/cities` }];
    const asked = JSON.stringify({ resourceType: 'Parameters', parameter });
    const headers = { 'Content-Type': 'application/fhir+json' };
    expect(await left('/ValueSet/$expand', { method: 'POST', headers, body: asked })).toBe(whole - 2);
  });

  it('says when it was made, so that its validator is weak', async () => {
    const path = `/ValueSet/$expand?url=${SETS}/regions`;
    const before = Date.now();
    const { body, headers } = await fhir(path);
    expect(Date.parse(body.expansion.timestamp)).toBeGreaterThanOrEqual(before);
    const etag = headers.get('ETag') ?? '';
    expect(etag).toMatch(/^W\/"fhir-/);
    expect((await fhir(path, {}, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it('is too costly beyond a limit', async () => {
    expect(codes(await expand('cities', { count: '6000' }))).toHaveLength(1656);
    expect(codes(await expand('barangays', { count: '6000', offset: '40000' }))).toHaveLength(2010);
    for (const more of [{}, { count: '6000' }, { offset: '10' }] as Record<string, string>[]) {
      const { status, body } = await fhir('/ValueSet/$expand', { url: `${SETS}/barangays`, ...more });
      expect([status, body.issue[0].code]).toEqual([422, 'too-costly']);
    }
    const page = await expand('barangays', { count: '5000', offset: '40000' });
    expect([page.total, codes(page).length]).toEqual([42_010, 2010]);
  });

  it('knows a set by its address in the settings', async () => {
    const url = 'urn:example:ph-core:regions';
    const configured = workerWith({ ...settings, FHIR_VALUE_SETS: `regions=${url}` });
    const { body } = await configured(`/fhir/ValueSet/$expand?url=${url}&count=1`, { undeclared: true });
    expect([body.url, body.expansion.total]).toEqual([url, 18]);
    const { status } = await configured(`/fhir/ValueSet/$expand?url=${SETS}/regions`, { undeclared: true });
    expect(status).toBe(404);
  });
});

describe('$translate', () => {
  const translate = async (path: string, parameters: Record<string, string>) => {
    const { status, body, text } = await fhir(path, parameters);
    expect(status, text).toBe(200);
    const matches = body.parameter.filter((it: Body) => it.name === 'match');
    const found = matches.map(({ part }: Body) => [part[0].valueCode, part[1].valueCoding.code]);
    return [valuesOf(body).result, ...found];
  };

  it('leads old codes to those of today', async () => {
    const today = (code: string) => translate('/ConceptMap/$translate', { system: SYSTEM, code });
    expect(await today(BACOLOD_BEFORE)).toEqual([true, ['equivalent', BACOLOD]]);
    expect(await today(MANILA)).toEqual([true, ['equal', MANILA]]);
    expect(await today('064501000')).toEqual([true, ['equivalent', BACOLOD]]);
    const parts = await today(DIVIDED);
    expect(parts).toHaveLength(7);
    expect(parts).toContainEqual(['narrower', PART]);
    expect(await today('9999999999')).toEqual([false]);
    // It is a code of nine digits, which are no codes of the system.
    const { body: before } = await fhir('/ConceptMap/psgc-nine-digits-to-3Q-2026/$translate', {
      ...{ code: MANILA, reverse: 'true' },
    });
    expect(valuesOf(before).match[1].valueCoding).toEqual({ code: '133900000', display: 'City of Manila' });
    expect(await today('000000000')).toEqual([false]);
  });

  it('names the map it went by, and none where nothing has changed', async () => {
    const sourceOf = async (code: string, version?: string) => {
      const answer = await ask('/ConceptMap/$translate', { system: SYSTEM, code, ...(version && { version }) });
      return answer.match.find(({ name }: Body) => name === 'source')?.valueUri;
    };
    expect(await sourceOf(MANILA)).toBeUndefined();
    const map = `${ORIGIN}/fhir/ConceptMap/psgc-4Q-2023-to-3Q-2026`;
    expect(await sourceOf(BACOLOD_BEFORE, '4q-2023')).toBe(map);
    expect((await fhir(map.slice(`${ORIGIN}/fhir`.length), { _summary: 'true' })).status).toBe(200);
    const unknown = await fhir('/ConceptMap/$translate', { system: SYSTEM, code: MANILA, version: '1Q-1999' });
    expect([unknown.status, unknown.body.issue[0].code]).toEqual([404, 'not-found']);
  });

  it('goes by a map, there and back', async () => {
    const by = (map: string, code: string, more = {}) =>
      translate(`/ConceptMap/${map}/$translate`, { code, system: SYSTEM, ...more });
    expect(await by('psgc-3Q-2026-to-4Q-2023', BACOLOD)).toEqual([true, ['equivalent', BACOLOD_BEFORE]]);
    expect(await by('psgc-4Q-2023-to-3Q-2026', BACOLOD, { reverse: 'true' })).toEqual([
      true,
      ['equivalent', BACOLOD_BEFORE],
    ]);
    expect(await by('psgc-nine-digits-to-3Q-2026', '133900000')).toEqual([true, ['equivalent', MANILA]]);
    expect(await by('psgc-nine-digits-to-3Q-2026', MANILA, { reverse: 'true' })).toEqual([
      true,
      ['equivalent', '133900000'],
    ]);
    const url = `${ORIGIN}/fhir/ConceptMap/psgc-4Q-2023-to-3Q-2026`;
    expect(await translate('/ConceptMap/$translate', { url, code: BACOLOD_BEFORE })).toEqual([
      true,
      ['equivalent', BACOLOD],
    ]);
  });

  it('has the maps whole', async () => {
    const { body: list } = await fhir('/ConceptMap', { _summary: 'count' });
    expect(list.total).toBe(13 * 13);
    for (const [id, count] of [
      ['psgc-4Q-2023-to-3Q-2026', 43_754],
      ['psgc-nine-digits-to-3Q-2026', 43_000],
    ] as const) {
      const { body } = await fhir(`/ConceptMap/${id}`);
      const [{ element, source, target }] = body.group;
      expect([body.id, source, target]).toEqual([id, id.includes('nine') ? undefined : SYSTEM, SYSTEM]);
      expect(element.length).toBeGreaterThanOrEqual(count);
      expect(new Set(element.map(({ code }: Body) => code)).size).toBe(element.length);
      const of = (code: string) => element.find((it: Body) => it.code === code)?.target;
      const from = id.startsWith('psgc-nine') ? '064501000' : BACOLOD_BEFORE;
      expect(of(from)).toEqual([{ code: BACOLOD, display: 'City of Bacolod', equivalence: 'equivalent' }]);
      // R4's rule cmd-1.
      const partial = element
        .flatMap((it: Body) => it.target)
        .filter(({ equivalence }: Body) => equivalence === 'narrower' || equivalence === 'inexact');
      expect(partial.length).toBeGreaterThan(0);
      expect(partial.filter(({ comment }: Body) => !comment)).toEqual([]);
    }
  });
});

describe('a refusal', () => {
  const xml = { headers: { Accept: 'application/fhir+xml' } };
  it.each([
    ['of XML', () => fhir('/metadata', {}, xml), 406, 'not-supported'],
    ['of XML by _format', () => fhir('/metadata', { _format: 'xml' }), 406, 'not-supported'],
    ['of an unknown path', () => fhir('/Patient'), 404, 'not-found'],
    ['of an unknown resource', () => fhir('/CodeSystem/psgc-1Q-1999'), 404, 'not-found'],
    ['of an unknown set', () => fhir('/ValueSet/$expand', { url: 'urn:none' }), 404, 'not-found'],
    ['of a method', () => fhir('/metadata', {}, { method: 'DELETE' }), 405, 'not-supported'],
    ['of a key', () => fhir('/metadata', {}, { headers: { Authorization: 'Bearer no' } }), 401, 'login'],
    ['of a long address', () => fhir('/metadata', { a: 'x'.repeat(17_000) }), 414, 'too-long'],
    [
      'of a body of another type',
      () => post('/ConceptMap/$translate', [], { 'Content-Type': 'application/fhir+xml' }),
      415,
      'not-supported',
    ],
    [
      'of a large body',
      () => post('/ConceptMap/$translate', [{ name: 'x', valueString: 'x'.repeat(4_200_000) }]),
      413,
      'too-long',
    ],
    [
      'of a long value',
      () => post('/ConceptMap/$translate', [{ name: 'code', valueString: 'x'.repeat(2000) }]),
      400,
      'invalid',
    ],
    [
      'of many parameters',
      () => post('/ConceptMap/$translate', Array(102).fill({ name: 'code', valueCode: '1' })),
      400,
      'invalid',
    ],
    [
      'of many values',
      () =>
        post(
          '/ConceptMap/$translate',
          Array.from({ length: 102 }, (_, i) => ({ name: `n${i % 60}`, valueCode: '1' })),
        ),
      400,
      'invalid',
    ],
    [
      'of another charset',
      () => post('/ConceptMap/$translate', [], { 'Content-Type': 'application/fhir+json; charset=latin1' }),
      415,
      'not-supported',
    ],
    ['of a parameter without a value', () => post('/ConceptMap/$translate', [{ name: 'code' }]), 400, 'invalid'],
    ['of no code', () => post('/ConceptMap/$translate', []), 400, 'invalid'],
    ['of a foreign value set', () => post('/ValueSet/$expand', [{ name: 'valueSet', resource: {} }]), 400, 'invalid'],
    ['of an empty code', () => fhir('/CodeSystem/$validate-code', { url: SYSTEM, code: '' }), 400, 'invalid'],
    ['of a code with blanks', () => fhir('/CodeSystem/$validate-code', { url: SYSTEM, code: ' 1' }), 400, 'invalid'],
    ['of two codes', () => fhir(`/CodeSystem/$lookup?system=${SYSTEM}&code=1&code=2`), 400, 'invalid'],
    [
      'of a control character',
      () => fhir('/ValueSet/$expand', { url: `${SETS}/regions`, filter: '\0' }),
      400,
      'invalid',
    ],
    ['of a wrong number', () => fhir('/ValueSet/$expand', { url: `${SETS}/regions`, count: '-1' }), 400, 'invalid'],
  ])('%s is an OperationOutcome', async (_, asked, status, code) => {
    const answer = await asked();
    expect([answer.status, answer.headers.get('Content-Type')], answer.text).toEqual([status, FHIR_TYPE]);
    expect(answer.body).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code, details: { text: expect.stringMatching(/\w/) } }],
    });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  it.each(['json', 'application/fhir+json', 'application/json', 'text/json'])(
    'is none of _format=%s',
    async (format) => {
      expect((await fhir('/metadata', { _format: format }, xml)).status).toBe(200);
    },
  );

  it('is none of a client that takes JSON beside XML', async () => {
    const Accept = 'application/fhir+xml;q=1.0, application/fhir+json;q=0.9, application/xml;q=0.9';
    expect((await fhir('/metadata', {}, { headers: { Accept } })).status).toBe(200);
    expect((await fhir('/metadata', {}, { headers: { Accept: '' } })).status).toBe(200);
    const none = await fhir('/metadata', {}, { headers: { Accept: 'application/fhir+json;q=0, application/xml' } });
    expect(none.status).toBe(406);
  });
});
