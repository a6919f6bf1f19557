import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { signerOf } from '../../scripts/pipeline/snapshot/minisign.ts';
import { fetchAgain } from '../support/fetch-again.ts';
import { TIMEOUT_MS } from '../support/timeouts.ts';

// The file of the country in sqlite3 and GDAL, and the document of its release in minisign, as docs/whole-country.md says.

const run = promisify(execFile);
const { address, masterToken } = inject('clientsService');
const headers = { Authorization: `Bearer ${masterToken}` };

let directory: string;
let blocks: string[];

async function dataOf<T>(path: string): Promise<T> {
  return ((await (await fetch(address + path, { headers })).json()) as { data: T }).data;
}

/** Publishes the signature of the release that is served beside its objects, made with a key of minisign. */
async function signRelease(release: string): Promise<void> {
  await run('minisign', ['-G', '-W', '-p', join(directory, 'release.pub'), '-s', join(directory, 'release.key')]);
  const document = new Uint8Array(
    await (await fetchAgain(`${address}/v1/releases/${release}`, { headers })).arrayBuffer(),
  );
  const signature = (await signerOf(join(directory, 'release.key')))(document, `release ${release}`);
  const name = 'release.json.minisig';
  const [sha256, md5] = (['sha256', 'md5'] as const).map((it) => createHash(it).update(signature)) as [
    ReturnType<typeof createHash>,
    ReturnType<typeof createHash>,
  ];
  const digest = sha256.digest();
  const path = `/v1/admin/releases/${release}/snapshot`;
  const put = async (to: string, type: string, body: string, others: Record<string, string> = {}) => {
    const answer = await fetchAgain(address + to, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': type, ...others },
      body,
    });
    expect([to, answer.status]).toEqual([to, 200]);
  };
  const content = { 'Content-Digest': `sha-256=:${digest.toString('base64')}:` };
  await put(`${path}/${name}`, 'application/octet-stream', signature, content);
  const { objects, ...manifest } = await dataOf<{ objects: { name: string }[] }>(path);
  const object = { name, bytes: signature.length, sha256: digest.toString('hex'), etag: md5.digest('hex') };
  const all = [...objects.filter((it) => it.name !== name), object];
  await put(path, 'application/json', JSON.stringify({ ...manifest, objects: all }));
  // What a manifest names is cached for ten seconds.
  const signed = async () => (await fetch(`${address}/v1/releases/${release}/signature`, { headers })).status;
  await vi.waitFor(async () => expect(await signed()).toBe(200), { timeout: TIMEOUT_MS, interval: 500 });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-country-file-'));
  const page = await readFile(fileURLToPath(new URL('../../docs/whole-country.md', import.meta.url)), 'utf8');
  blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const [file] = await dataOf<{ release: string }[]>('/v1/downloads?level=country');
  await signRelease(file?.release ?? '');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('works from a shell, as documented', async () => {
  expect(blocks).toHaveLength(3);
  const env = { ...process.env, GEO: address, KEY: masterToken };
  const script = blocks
    .join('echo ====\n')
    .replaceAll('/tmp/', `${directory}/`)
    .replaceAll('\\/tmp\\/', `${directory}/`.replaceAll('/', '\\/'));
  const { stdout } = await run('sh', ['-ec', script], { cwd: directory, env });
  const [, used = '', verified = ''] = stdout.split('====\n');
  const lines = used.trim().split('\n');
  expect(lines[0]).toMatch(/^Cavite\|\d{7}$/);
  expect(lines.slice(3)).toEqual(expect.arrayContaining(['Sulu|2023-1q|2025-1q', 'moved|2025-2q|2025-07']));
  expect(verified).toContain('Signature and comment signature verified');
  expect(verified).toContain('country.gpkg: OK');
  const cebu = JSON.parse(await readFile(join(directory, 'cebu.geojson'), 'utf8')) as { features: object[] };
  expect(cebu.features.length).toBe(
    (await dataOf<object[]>('/v1/municities?province_code=0702200000&scope=admin&limit=100')).length,
  );
});

it('minisign refuses a document that was altered', async () => {
  const name = 'release.json';
  const altered = (await readFile(join(directory, name), 'utf8')).replace('"schema_version": 1', '"schema_version": 2');
  await writeFile(join(directory, name), altered);
  const verifying = run('minisign', ['-V', '-p', 'release.pub', '-m', name], { cwd: directory });
  await expect(verifying).rejects.toMatchObject({ stderr: expect.stringContaining('Signature verification failed') });
});
