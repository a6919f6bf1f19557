import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { fetchAgain } from '../support/fetch-again.ts';
import { ROOT } from './installed.ts';

// The models of fhir.resources, which .ci/clients installs, refuse what is not FHIR.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const JAVA = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java';
const PROGRAMS = fileURLToPath(new URL('fhir', import.meta.url));
const MODELS = join(PROGRAMS, 'models.py');
const JARS = process.env.CLIENTS_FHIR ?? join(ROOT, '.cache/clients-fhir');
const SYSTEM = 'https://psa.gov.ph/classification/psgc';
const PH_CORE = 'https://fhir.doh.gov.ph/phcore';
const CITIES = `${PH_CORE}/ValueSet/cities`;

const { address, masterToken } = inject('clientsService');
const headers = { Authorization: `Bearer ${masterToken}` };

/** An answer with the first and last items of long lists: the models read a thousand in a second. */
function shortened(answer: string): string {
  const ends = (value: unknown) =>
    Array.isArray(value) && value.length > 400 ? [...value.slice(0, 200), ...value.slice(-200)] : value;
  return JSON.stringify(JSON.parse(answer, (_, value) => ends(value)));
}

/** What the models take answers for, in their order. */
async function judged(answers: readonly string[], reasons: 'inherit' | 'ignore' = 'inherit'): Promise<string[]> {
  const python = spawn(PYTHON, [MODELS], { stdio: ['pipe', 'pipe', reasons] });
  python.stdin.end(answers.map((answer) => `${shortened(answer)}\n`).join(''));
  return (await text(python.stdout)).split('\n').filter(Boolean);
}

it('every kind of answer is read by the models of FHIR', async () => {
  const query = (path: string, parameters: Record<string, string>) => `${path}?${new URLSearchParams(parameters)}`;
  const asked: [path: string, kind: string][] = [
    ['/metadata', 'CapabilityStatement'],
    ['/metadata?mode=terminology', 'TerminologyCapabilities'],
    ['/CodeSystem', 'Bundle'],
    ['/CodeSystem?_summary=false', 'Bundle'],
    ['/CodeSystem?url=urn:none', 'Bundle'],
    ['/ValueSet', 'Bundle'],
    ['/ConceptMap?_count=3', 'Bundle'],
    ['/CodeSystem/psgc-3Q-2026', 'CodeSystem'],
    ['/ValueSet/cities-3Q-2026', 'ValueSet'],
    ['/ConceptMap/psgc-nine-digits-to-3Q-2026', 'ConceptMap'],
    ['/ConceptMap/psgc-nine-digits-to-3Q-2026/$translate?code=133900000', 'Parameters'],
    [query('/CodeSystem/$lookup', { system: SYSTEM, code: '0702200000' }), 'Parameters'],
    [query('/CodeSystem/$lookup', { system: SYSTEM, code: '1' }), 'OperationOutcome'],
    [query('/CodeSystem/$validate-code', { url: SYSTEM, code: '0702200000', display: 'Bohol' }), 'Parameters'],
    [query('/CodeSystem/$validate-code', { url: SYSTEM, code: '0630200000' }), 'Parameters'],
    [query('/CodeSystem/$subsumes', { system: SYSTEM, codeA: '0700000000', codeB: '0702200000' }), 'Parameters'],
    [query('/ValueSet/$validate-code', { url: CITIES, code: '0702200000' }), 'Parameters'],
    [query('/ValueSet/$expand', { url: CITIES, count: '5', includeDesignations: 'true', filter: 'a' }), 'ValueSet'],
    [query('/ValueSet/$expand', { url: CITIES, count: '-1' }), 'OperationOutcome'],
    ['/Patient', 'OperationOutcome'],
    ['/metadata?_format=xml', 'OperationOutcome'],
  ];
  const answers: string[] = [];
  for (const [path] of asked) answers.push(await (await fetchAgain(`${address}/fhir${path}`, { headers })).text());
  expect(await judged(answers)).toEqual(asked.map(([, kind]) => kind));
  // They do refuse what is none.
  const wrong = JSON.stringify({ ...JSON.parse(answers[8] as string), status: 7, url: {} });
  expect(await judged([wrong], 'ignore')).toEqual([]);
});

/** The extensions of PH Core's addresses, and the value sets of their codes. */
const EXTENSIONS = { region: 'regions', province: 'provinces', 'city-municipality': 'cities', barangay: 'barangays' };

/** What defines an extension, as far as its code goes. */
function profileOf(name: string, set: string): object {
  const url = `${PH_CORE}/StructureDefinition/${name}`;
  return {
    ...{ resourceType: 'StructureDefinition', id: name, url, name: name.replace('-', '_'), status: 'active' },
    ...{ fhirVersion: '4.0.1', kind: 'complex-type', abstract: false, type: 'Extension', derivation: 'constraint' },
    context: [{ type: 'element', expression: 'Address' }],
    baseDefinition: 'http://hl7.org/fhir/StructureDefinition/Extension',
    differential: {
      element: [
        { id: 'Extension', path: 'Extension' },
        { id: 'Extension.extension', path: 'Extension.extension', max: '0' },
        { id: 'Extension.url', path: 'Extension.url', fixedUri: url },
        {
          ...{ id: 'Extension.value[x]', path: 'Extension.value[x]', min: 1, type: [{ code: 'Coding' }] },
          binding: { strength: 'required', valueSet: `${PH_CORE}/ValueSet/${set}` },
        },
      ],
    },
  };
}

type Address = { readonly [name in keyof typeof EXTENSIONS]?: { readonly code: string; readonly display?: string } };

/** A patient who lives there. */
function patientIn(address: Address): object {
  const extension = Object.entries(address).map(([name, coding]) => ({
    url: `${PH_CORE}/StructureDefinition/${name}`,
    valueCoding: { system: SYSTEM, ...coding },
  }));
  const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Ana</div>' };
  return { resourceType: 'Patient', text, address: [{ country: 'PH', extension }] };
}

const MANILA = { code: '1380600000', display: 'City of Manila' };
const BEFORE = { code: '0630200000', display: 'City of Bacolod' };
const home = { region: { code: '1300000000' }, barangay: { code: '1380608001' } };

/** Addresses, and the errors and warnings that validators have of the city in them. */
const ADDRESSES: readonly [what: string, address: Address, faults: readonly string[]][] = [
  ['right codes', { ...home, 'city-municipality': MANILA }, []],
  ['a short name', { ...home, 'city-municipality': { ...MANILA, display: 'Manila' } }, []],
  [
    'a wrong name',
    { ...home, 'city-municipality': { ...MANILA, display: 'Quezon City' } },
    ['"Quezon City" is not the display of 1380600000: it is "City of Manila".'],
  ],
  [
    'an inactive code',
    { ...home, 'city-municipality': BEFORE },
    [
      `0630200000 (City of Bacolod) is not in the value set ${CITIES}, version 3Q-2026. It is inactive: 3Q-2026 does not have it any more. Its successors: 1830200000 (City of Bacolod).`,
    ],
  ],
  [
    'no code',
    { ...home, 'city-municipality': { code: '0123456789' } },
    [`"0123456789" is no code of ${SYSTEM} in the version 3Q-2026.`],
  ],
  [
    'the code of a barangay for a city',
    { ...home, 'city-municipality': { code: '1380608001' } },
    ['is not in the value set'],
  ],
];

/** What a program says of resources, as lines of JSON. */
async function ask(program: string, resources: readonly object[], args: readonly string[], options: string[] = []) {
  const path = join(PROGRAMS, program);
  const java = spawn(JAVA, [...options, '-cp', join(JARS, '*'), path, `${address}/fhir`, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  java.stdin.end(resources.map((it) => `${JSON.stringify(it)}\n`).join(''));
  const [said, reasons] = await Promise.all([text(java.stdout), text(java.stderr)]);
  const lines = said.split('\n').filter(Boolean);
  if (lines.length === 0) throw new Error(reasons);
  return lines.map((line) => JSON.parse(line));
}

type Said = [severity: string, place: string, message: string][];

const profiles = Object.entries(EXTENSIONS).map(([name, set]) => profileOf(name, set));
const patients = ADDRESSES.map(([, address]) => patientIn(address));
const CITY = 'Patient.address[0].extension[2].value.ofType(Coding)';

function expectJudged(said: readonly Said[]): void {
  for (const [i, [what, , faults]] of ADDRESSES.entries()) {
    const found = (said[i] as Said).filter(
      ([severity, , message]) => severity !== 'information' && !message.includes('dom-6'),
    );
    expect([what, found.length > 0]).toEqual([what, faults.length > 0]);
    for (const [, place] of found) expect([what, place]).toEqual([what, CITY]);
    const errors = found
      .filter(([severity]) => severity === 'error')
      .map(([, , message]) => message)
      .join(' ');
    for (const fault of faults) expect(errors, what).toContain(fault);
  }
}

describe('patients are judged by their codes', () => {
  it('by HAPI, with RemoteTerminologyServiceValidationSupport', async () => {
    const said = await ask('Hapi.java', [...profiles, ...patients], [SYSTEM, BEFORE.code]);
    expect(said.pop()).toEqual([true, false, 'City of Bacolod', ['1830200000']]);
    expectJudged(said);
  });

  it("by HL7's validator", async () => {
    const own = await mkdtemp(join(tmpdir(), 'pgds-hl7-'));
    onTestFinished(() => rm(own, { recursive: true }));
    const sets = Object.values(EXTENSIONS).map(async (set) =>
      (await fetchAgain(`${address}/fhir/ValueSet/${set}-3Q-2026`)).json(),
    );
    const definitions = (await Promise.all(sets)) as object[];
    const said = await ask('Hl7.java', [...definitions, ...profiles, ...patients], [], [`-Duser.home=${own}`]);
    expectJudged(said);
  });
});

interface Concept {
  readonly code: string;
  readonly display: string;
  readonly property: readonly { readonly code: string; readonly valueCode?: string }[];
}

/** Whether a code and its display are valid; of an inactive one, whether it says so and names all of its successors. */
async function isValid({ code, display, property }: Concept): Promise<boolean> {
  const query = new URLSearchParams({ url: SYSTEM, code, display });
  const answer = await fetchAgain(`${address}/fhir/CodeSystem/$validate-code?${query}`, { headers });
  const { parameter } = (await answer.json()) as { parameter: { name: string; [value: string]: unknown }[] };
  const memberOf = (name: string) => parameter.find((it) => it.name === name);
  const inactive = property.some((it) => it.code === 'inactive');
  const successors = property.flatMap((it) => (it.code === 'successor' && it.valueCode ? [it.valueCode] : []));
  const message = String(memberOf('message')?.valueString ?? '');
  return (
    memberOf('result')?.valueBoolean === true &&
    memberOf('display')?.valueString === display &&
    (memberOf('inactive')?.valueBoolean === true) === inactive &&
    (inactive ? successors.length > 0 : message === '') &&
    successors.every((it) => message.includes(it))
  );
}

/** Each so many of the active codes is asked for: all of them take minutes. */
const EVERY = 40;

it('codes of the whole country are valid, and inactive ones name their successors', async () => {
  const system = await fetchAgain(`${address}/fhir/CodeSystem/psgc-3Q-2026`, { headers });
  const { concept } = (await system.json()) as { concept: Concept[] };
  const isInactive = ({ property }: Concept) => property.some(({ code }) => code === 'inactive');
  const asked = concept.filter((it, i) => isInactive(it) || i % EVERY === 0);
  expect(asked.filter(isInactive).length).toBeGreaterThan(50);
  const wrong: string[] = [];
  const left = asked.values();
  const ask = async () => {
    for (const it of left) if (!(await isValid(it))) wrong.push(it.code);
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  expect(wrong).toEqual([]);
});

it('works from a shell, as documented', async () => {
  const page = await readFile(fileURLToPath(new URL('../../docs/fhir.md', import.meta.url)), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(1);
  const directory = await mkdtemp(join(tmpdir(), 'pgds-fhir-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'psgc.json');
  const script = (blocks[0] as string)
    .replaceAll('/tmp/psgc.json', file)
    .replaceAll('https://geo.example', address)
    .replaceAll(/^curl.*$/gm, (line) => (line.includes(' -o ') ? line : `${line}; echo`));
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], { maxBuffer: 64e6 });
  const answers = stdout.split('\n').filter(Boolean);
  expect(await judged(answers)).toEqual([...Array(4).fill('Parameters'), 'ValueSet', 'Parameters']);
  const { concept } = JSON.parse(await readFile(file, 'utf8')) as { concept: object[] };
  expect(concept.length).toBeGreaterThan(100);
});
