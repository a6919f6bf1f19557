import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

// The models of fhir.resources, which .ci/clients installs, refuse what is not FHIR.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const JUDGE = fileURLToPath(new URL('fhir_models.py', import.meta.url));
const SYSTEM = 'https://psa.gov.ph/classification/psgc';
const CITIES = 'https://fhir.doh.gov.ph/phcore/ValueSet/cities';

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
  const python = spawn(PYTHON, [JUDGE], { stdio: ['pipe', 'pipe', reasons] });
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
  for (const [path] of asked) answers.push(await (await fetch(`${address}/fhir${path}`, { headers })).text());
  expect(await judged(answers)).toEqual(asked.map(([, kind]) => kind));
  // They do refuse what is none.
  const wrong = JSON.stringify({ ...JSON.parse(answers[8] as string), status: 7, url: {} });
  expect(await judged([wrong], 'ignore')).toEqual([]);
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
