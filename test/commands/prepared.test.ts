import { once } from 'node:events';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { findPrepared, prepareRelease, publishPrepared } from '../../scripts/dev/prepared.ts';
import { NEWEST } from '../support/editions.ts';

const SNAPSHOT = `/v1/admin/releases/${NEWEST}-1/snapshot`;

it('what geography is answered from first is made once, sent once, and not used when a source has changed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'prepared-'));
  const source = join(root, 'src', 'source.ts');
  await mkdir(join(root, 'src'));
  await writeFile(source, '');
  let stored: unknown;
  const sent: string[] = [];
  const service = createServer(async (request, response) => {
    const path = request.url?.replace(/\?version=2026.*$/, '') ?? '';
    const body = await text(request);
    if (request.method === 'PUT') sent.push(path);
    if (request.method === 'PUT' && path === SNAPSHOT) stored = JSON.parse(body);
    response.writeHead(stored === undefined && request.method === 'GET' ? 404 : 200);
    response.end(JSON.stringify({ data: stored ?? {} }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const endpoint = { address: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, masterToken: 'x' };
  try {
    expect(await findPrepared(root)).toBeUndefined();
    expect(await prepareRelease(root)).toBe(true);
    expect(await prepareRelease(root)).toBe(false);
    const prepared = await findPrepared(root);
    if (!prepared) throw new Error('Nothing is prepared.');
    await publishPrepared(prepared, endpoint);
    const names = ['region-simple', 'province-simple', 'region-medium', 'province-medium'].map(
      (it) => `boundaries-${it}`,
    );
    expect(sent.toSorted()).toEqual(
      [SNAPSHOT, ...[...names, 'points', 'areas'].map((it) => `${SNAPSHOT}/${it}`)].sort(),
    );
    expect(sent.at(-1)).toBe(SNAPSHOT);
    expect(stored).toMatchObject({ objects: prepared.objects.first });
    await publishPrepared(prepared, endpoint);
    expect(sent).toHaveLength(7);
    await utimes(source, 1, 1);
    expect(await findPrepared(root)).toBeUndefined();
  } finally {
    service.close();
    await rm(root, { recursive: true });
  }
});
