import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { type LocalService, startLocalService } from '../support/local-service.ts';

// The conformance suite of the Model Context Protocol, on a service of its own, once for every version of the protocol that
// it tests. .ci/clients installs it. CLIENTS_NODE is the directory in which it is installed.

const NODE_CLIENTS = process.env.CLIENTS_NODE ?? fileURLToPath(new URL('../../.cache/clients-node', import.meta.url));
const SUITE = join(NODE_CLIENTS, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Scenarios that apply to every server, and those of what this one declares, by the versions that have them. */
const COMMON = ['tools-list', 'resources-list', 'prompts-list'];
const APPLICABLE: Record<string, string[]> = {
  '2025-03-26': ['server-session-lifecycle'],
  '2025-06-18': ['server-initialize', 'server-session-lifecycle', 'ping', ...COMMON],
  '2025-11-25': [
    ...['server-initialize', 'server-session-lifecycle', 'ping', 'dns-rebinding-protection', 'server-sse-polling'],
    ...['server-sse-multiple-streams', ...COMMON],
  ],
  '2026-07-28': [
    ...['server-stateless', 'caching', 'http-header-validation', 'dns-rebinding-protection', ...COMMON],
    ...['server-sse-multiple-streams', 'sep-2164-resource-not-found', 'input-required-result-unsupported-methods'],
    ...['input-required-result-missing-input-response', 'input-required-result-ignore-extra-params'],
    'input-required-result-validate-input',
  ],
};

/**
 * Scenarios that need what this service does not have, by the first words of their names. Some call tools, prompts or
 * resources of a server that is made for the suite (`test_simple_text`, `test://static-text`); the others are about
 * capabilities that are not declared: completion, logging, subscriptions, and questions to the user.
 */
const LEFT_OUT = new RegExp(
  `^(${[
    ...['tools-call-', 'resources-(read|templates)-', 'prompts-get-', 'json-schema-2020-12$', 'http-custom-header-'],
    ...['completion-complete$', 'logging-set-level$', 'resources-(un)?subscribe$', 'elicitation-', 'input-required-'],
  ].join('|')})`,
);

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
  details?: { untestable?: boolean };
}

let directory: string;
let database: TestDatabase;
let service: LocalService;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-mcp-'));
  database = await seededDatabase();
  service = await startLocalService(database, join(directory, 'data'));
});

afterAll(async () => {
  await service?.stop();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

/** What each scenario of a version has checked. */
async function checksOf(version: string): Promise<Map<string, Check[]>> {
  const out = join(directory, version);
  const args = [
    SUITE,
    'server',
    '--url',
    `${service.address}/mcp`,
    '--suite',
    'all',
    '--spec-version',
    version,
    '-o',
    out,
  ];
  // It ends with an error, because it runs the scenarios that are left out too.
  const run = promisify(execFile)(process.execPath, args, { cwd: directory, maxBuffer: 64e6 });
  await run.catch(({ stdout }: { stdout: string }) => expect(stdout).toContain('Total:'));
  const found = (await readdir(out)).map(async (name): Promise<[string, Check[]]> => {
    const scenario = name.replace(/^server-(.*?)-\d{4}-\d\d-\d\dT.*$/, '$1');
    return [scenario, JSON.parse(await readFile(join(out, name, 'checks.json'), 'utf8')) as Check[]];
  });
  return new Map(await Promise.all(found));
}

it.each(Object.entries(APPLICABLE))('%s: what applies to the service conforms', async (version, applicable) => {
  const checks = await checksOf(version);
  const others = [...checks.keys()].filter((name) => !applicable.includes(name));
  expect(others.filter((name) => !LEFT_OUT.test(name))).toEqual([]);
  expect(applicable.filter((name) => !checks.has(name))).toEqual([]);
  // Some checks of a scenario need a tool that is made for the suite, and say so.
  const failed = applicable.flatMap((name) =>
    (checks.get(name) ?? []).filter(({ status, details }) => status === 'FAILURE' && !details?.untestable),
  );
  expect(failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([]);
  const passed = applicable.flatMap((name) => (checks.get(name) ?? []).filter(({ status }) => status === 'SUCCESS'));
  expect(passed.length).toBeGreaterThan(version === '2025-03-26' ? -1 : 8);
});
