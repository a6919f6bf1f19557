import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { fetchAgain } from '../support/fetch-again.ts';

// What tools of other makers do with OGC API: GDAL, the newer GDAL of GeoPandas, OWSLib and R, with the lines of docs/ogc.md.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const CEBU = '0702200000';

const { address, masterToken } = inject('clientsService');
const headers = { Authorization: `Bearer ${masterToken}` };

let directory: string;
let session: string;
/** The codes of the barangays of the province, and of the country. */
let ofCebu: string[];
let ofCountry: string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-ogc-'));
  const answer = await fetchAgain(`${address}/v1/ogc/sessions`, { method: 'POST', headers });
  ({ session } = ((await answer.json()) as { data: { session: string } }).data);
  const list = await fetchAgain(`${address}/v1/barangays?region=0700000000&format=geojson`, { headers });
  const { features } = (await list.json()) as { features: { id: string; properties: { p_code: string } }[] };
  ofCebu = features.filter(({ properties }) => properties.p_code === CEBU).map(({ id }) => id);
  const table = await fetchAgain(`${address}/v1/downloads/areas/PH?level=barangay&format=csv`);
  ofCountry = (await table.text()).split('\n').flatMap((line) => /"?(\d{10})"?/.exec(line)?.[1] ?? []);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function run(command: string, args: string[]): Promise<string> {
  const options = { cwd: directory, env: { ...process.env, TOKEN: masterToken }, maxBuffer: 64e6 };
  return (await promisify(execFile)(command, args, options)).stdout;
}

/** The blocks of docs/ogc.md in a language, with a real address, session and token. */
async function blocksOf(language: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL('../../docs/ogc.md', import.meta.url)), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, block = '']) =>
    block
      .replaceAll('https://geo.example', address)
      .replaceAll('session=SESSION', `session=${session}`)
      .replaceAll('Bearer TOKEN', `Bearer ${masterToken}`),
  );
}

const sorted = (text: string) => text.trim().split(/\s+/).toSorted();

it('works from a shell, as documented', async () => {
  const blocks = await blocksOf('sh');
  expect(blocks).toHaveLength(4);
  for (const block of blocks) await run('sh', ['-ec', block]);
  const codes = await run('ogrinfo', ['-q', '-sql', 'SELECT code FROM "barangays-simple"', 'cebu.gpkg']);
  expect([...codes.matchAll(/code \(String\) = (\d+)/g)].map(([, code]) => code).toSorted()).toEqual(ofCebu.toSorted());
});

it('works in Python, as documented', async () => {
  for (const block of await blocksOf('python')) {
    const told = 'codes = cebu["code"] if hasattr(cebu, "columns") else [f["id"] for f in cebu]\nprint(*codes)';
    expect(sorted(await run(PYTHON, ['-c', `${block}\n${told}`]))).toEqual(ofCebu.toSorted());
  }
});

it('works in R, as documented', async () => {
  const [block = ''] = await blocksOf('r');
  expect(sorted(await run('Rscript', ['--vanilla', '-e', `${block}\ncat(cebu$code)`]))).toEqual(ofCebu.toSorted());
});

it('reads every barangay page by page with GDAL, each once', async () => {
  const code = [
    'import pyogrio, sys',
    'frame = pyogrio.read_dataframe(sys.argv[1], layer="barangays-simple", columns=["code"], read_geometry=False)',
    'print(*frame["code"])',
  ].join('\n');
  const codes = sorted(await run(PYTHON, ['-c', code, `OAPIF:${address}/ogc?session=${session}`]));
  expect(codes).toEqual(ofCountry.toSorted());
});

it('lets GDAL filter on the server, by attributes and by a box', async () => {
  const source = `OAPIF:${address}/ogc?session=${session}`;
  const code = [
    'import os, sys, pyogrio',
    'os.environ["CPL_DEBUG"] = "ON"',
    'where = "city_class = \'HUC\' AND population > 100"',
    'frame = pyogrio.read_dataframe(sys.argv[1], layer="municities-simple", where=where, bbox=(116, 4, 127, 21))',
    'assert len(frame) > 0 and set(frame["city_class"]) == {"HUC"}',
  ].join('\n');
  const options = { cwd: directory, env: process.env, maxBuffer: 64e6 };
  const { stderr } = await promisify(execFile)(PYTHON, ['-c', code, source], options);
  expect(stderr).toMatch(/items\?[^\n]*filter=[^\n]*population/);
  expect(stderr).toMatch(/items\?[^\n]*bbox=/);
  expect(stderr).not.toMatch(/client side/);
});
