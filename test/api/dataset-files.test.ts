import { describe, expect, it, vi } from 'vitest';
import { api, get, send } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { point } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

const CONTENT = new TextEncoder().encode(JSON.stringify(point(121, 14)).padEnd(1000));
const size = CONTENT.length;

/** A dataset with a stored file, and how to ask for the file as its owner. */
async function storedFile() {
  const { session } = await person();
  const { id } = (await upload(session, 'Wells.geojson', CONTENT)).body.data;
  const path = `/v1/datasets/${id}/file`;
  const ask = (headers: Headers = {}) => get(path, { ...session, ...headers });
  const head = (headers: Headers = {}) => api(path, { method: 'HEAD', headers: { ...session, ...headers } });
  const etag = (await head()).headers.get('ETag') as string;
  return { session, id, ask, head, etag };
}

describe('the file of a dataset', () => {
  it('is whole where no range is asked for, with what caches need', async () => {
    const { ask, head, etag } = await storedFile();
    const read = vi.spyOn(Object.getPrototypeOf(bucket), 'get');
    const only = await head({ Range: 'bytes=0-9' });
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
    const whole = await ask();
    expect([whole.status, whole.bytes]).toEqual([200, CONTENT]);
    expect([only.status, only.bytes.length]).toEqual([200, 0]);
    const [shown, alone] = [whole, only].map(
      ({ headers }) =>
        (name: string) =>
          headers.get(name),
    );
    expect(shown?.('ETag')).toMatch(/^"[^"]+"$/);
    expect(shown?.('ETag')).toBe(etag);
    expect(shown?.('Content-Length')).toBe(String(size));
    expect(shown?.('Accept-Ranges')).toBe('bytes');
    expect(shown?.('Cache-Control')).toBe('private, no-cache');
    expect(shown?.('Content-Disposition')).toContain('filename="Wells.geojson"');
    expect(Date.now() - Date.parse(shown?.('Last-Modified') ?? '')).toBeLessThan(600_000);
    for (const name of ['ETag', 'Content-Length', 'Content-Type', 'Content-Disposition', 'Last-Modified']) {
      expect(alone?.(name), name).toBe(shown?.(name));
    }
  });

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=990-', 990, 999],
    ['bytes=-5', 995, 999],
    ['bytes=10-5000', 10, 999],
  ])('is read in ranges: %s', async (range, first, last) => {
    const { ask, etag } = await storedFile();
    const { status, headers, bytes } = await ask({ Range: range });
    expect([status, bytes]).toEqual([206, CONTENT.slice(first, last + 1)]);
    expect(headers.get('Content-Range')).toBe(`bytes ${first}-${last}/${size}`);
    expect(headers.get('Content-Length')).toBe(String(last - first + 1));
    expect(headers.get('ETag')).toBe(etag);
    expect(headers.get('Content-Disposition')).toContain('Wells.geojson');
    expect((await ask({ Range: range, 'If-Range': etag })).status).toBe(206);
    expect((await ask({ Range: range, 'If-Range': '"other"' })).status).toBe(200);
  });

  it('is 416 for a range behind its end', async () => {
    const { ask } = await storedFile();
    const { status, headers, body } = await ask({ Range: `bytes=${size}-` });
    expect([status, body.code, headers.get('Content-Range')]).toEqual([
      416,
      'range_not_satisfiable',
      `bytes */${size}`,
    ]);
  });

  it('is 304 for a client that has it, and 412 for one that means another file', async () => {
    const { ask, head, etag } = await storedFile();
    const modified = (await head()).headers.get('Last-Modified') as string;
    for (const held of [
      { 'If-None-Match': etag },
      { 'If-None-Match': `"x", W/${etag}` },
      { 'If-Modified-Since': modified },
    ]) {
      const { status, headers, bytes } = await ask(held as Headers);
      expect([status, bytes.length, headers.get('ETag')]).toEqual([304, 0, etag]);
      expect((await head(held as Headers)).status).toBe(304);
    }
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await ask({ 'If-Match': etag })).status).toBe(200);
    const { status, body } = await ask({ 'If-Match': '"other"' });
    expect([status, body.code]).toEqual([412, 'precondition_failed']);
  });

  it('has a new entity tag once it is replaced, and the same one when anything else changes', async () => {
    const { session, id, ask, etag } = await storedFile();
    await send('PATCH', `/v1/datasets/${id}`, session, { name: 'Others' });
    await send('POST', '/v1/features', session, { dataset_id: id, geom: point(1, 1) });
    expect((await ask({ 'If-None-Match': etag })).status).toBe(304);
    await upload(session, 'Wells.geojson', CONTENT, { dataset_id: id, feature_storage: 'r2_only' });
    expect((await ask({ 'If-None-Match': etag })).status).toBe(200);
    expect((await ask({ 'If-Match': etag, Range: 'bytes=0-9' })).status).toBe(412);
  });

  it('is 404 for others, whatever conditions they send', async () => {
    const { id, etag } = await storedFile();
    const { session } = await person();
    for (const headers of [{ 'If-None-Match': etag }, { 'If-Match': '"other"' }, { Range: 'bytes=0-9' }]) {
      const { status } = await get(`/v1/datasets/${id}/file`, { ...session, ...(headers as Headers) });
      expect(status).toBe(404);
    }
  });
});
