import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DownloadLimits, download } from '../../../../scripts/pipeline/boundaries/read/download.ts';
import { TIMEOUT_MS } from '../../../support/timeouts.ts';

const LIMITS = { maxBytes: 1000, silenceMs: TIMEOUT_MS, totalMs: TIMEOUT_MS };

let directory = '';
let server: Server;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-test-download-'));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true });
});

/** The address of a server that answers like this. */
async function serving(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('download', () => {
  it('fetches a file under its own name and reports its progress', async () => {
    const url = await serving((_, response) => response.setHeader('Content-Length', 5).end('12345'));
    const progress: unknown[] = [];
    const path = await download(`${url}/a/regions.geojson?x=1`, directory, {
      onProgress: (...it) => progress.push(it),
      limits: LIMITS,
    });
    expect(basename(path)).toBe('regions.geojson');
    expect(await readFile(path, 'utf8')).toBe('12345');
    expect(progress).toEqual([[5, 5]]);
  });

  it('keeps a name with slashes in it in the directory', async () => {
    const url = await serving((_, response) => response.end('x'));
    expect(await download(`${url}/..%2F..%2Fetc%2Fx.zip`, directory, { limits: LIMITS })).toBe(
      join(directory, '_.._etc_x.zip'),
    );
  });

  it.each<[string, RequestListener, string, Partial<DownloadLimits>?]>([
    ['another status', (_, response) => response.writeHead(404).end(), 'the server answered with status 404'],
    ['a file that is too large', (_, response) => response.end('x'.repeat(1001)), 'it is larger than 1000 bytes'],
    ['a server that is silent', () => {}, 'the server said nothing for 0.3 s', { silenceMs: 300 }],
    [
      'a server that stops in the middle',
      (_, response) => void response.writeHead(200, { 'Content-Length': '10' }).write('12345'),
      'the server said nothing for 0.3 s',
      { silenceMs: 300 },
    ],
    [
      'a connection that breaks',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '10' }).write('12345');
        setTimeout(() => response.destroy(), 50);
      },
      "can't be downloaded",
    ],
    [
      'a server that takes for ever',
      (_, response) => {
        const timer = setInterval(() => response.write('1'), 50);
        response.on('close', () => clearInterval(timer));
      },
      'it takes longer than 1 s',
      { totalMs: 1000 },
    ],
  ])('gives up on %s', async (_, answer, message, limits) => {
    const url = await serving(answer);
    const attempt = download(`${url}/x.zip`, directory, { limits: { ...LIMITS, ...limits } });
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toThrow(url);
  });

  it('fails if nothing listens', async () => {
    const url = await serving(() => {});
    server.close();
    await once(server, 'close');
    await expect(download(`${url}/x.zip`, directory)).rejects.toThrow(/ECONNREFUSED/);
  });
});
