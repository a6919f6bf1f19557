import { describe, expect, it, vi } from 'vitest';
import { historyOf } from '../support/admin.ts';
import { api, get, MASTER } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { eventually } from '../support/eventually.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { archiveBytes, freshSlug, newArchive, putArchive } from '../support/tiles.ts';
import { featuresOf } from '../support/vector-tile.ts';

const bytes = archiveBytes('regions');

/** The archive with some of its bytes exchanged. */
function altered(changes: (view: DataView<ArrayBuffer>) => void): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  changes(new DataView(copy.buffer));
  return copy;
}

/** Overwrites a part, whose offset and length the header has at a place, with zeros. */
function zero(view: DataView<ArrayBuffer>, at: number): void {
  const [offset, length] = [at, at + 8].map((place) => Number(view.getBigUint64(place, true)));
  new Uint8Array(view.buffer, offset, length).fill(0);
}

/**
 * The archive with another root directory, which is not packed.
 *
 * @param columns number of entries, then of each its step from the tile before, its run, its length, and its offset + 1
 */
function withRoot(columns: readonly number[]): Uint8Array<ArrayBuffer> {
  return altered((view) => {
    view.setUint8(97, 1);
    new Uint8Array(view.buffer).set(columns, Number(view.getBigUint64(8, true)));
    view.setBigUint64(16, BigInt(columns.length), true);
  });
}

/** The archive with other metadata, and one tile. */
function withMetadata(metadata: object): Uint8Array<ArrayBuffer> {
  const copy = withRoot([1, 0, 1, 9, 1]);
  const view = new DataView(copy.buffer);
  const written = new TextEncoder().encode(JSON.stringify({ vector_layers: [{ id: 'x' }], ...metadata }));
  copy.set(written, Number(view.getBigUint64(24, true)));
  view.setBigUint64(32, BigInt(written.length), true);
  return copy;
}

const keys = async () => (await bucket.list({ prefix: 'tiles/' })).objects.map(({ key }) => key);

const remove = (slug: string, headers: Record<string, string> = MASTER) =>
  api(`/v1/admin/tiles/${slug}`, { method: 'DELETE', headers });

describe('uploading an archive', () => {
  it('stores it as it is and serves it from then on', async () => {
    const slug = freshSlug();
    const { status, body, headers } = await putArchive(slug, bytes);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body.data).toMatchObject({ slug, name: 'Regions', size_bytes: bytes.length, minzoom: 0, maxzoom: 8 });
    expect((await get(`/tiles/pmtiles/${slug}`, MASTER)).bytes).toEqual(bytes);
  });

  it('is recorded in the log, and so is the deletion', async () => {
    const { slug, size_bytes } = await newArchive(bytes);
    const removed = await remove(slug);
    const actor = { kind: 'master', user_id: null, key_id: null };
    const details = { size_bytes, etag: expect.any(String) };
    expect(await historyOf(slug)).toMatchObject([
      { action: 'tile_archive.uploaded', actor, details },
      { action: 'tile_archive.removed', actor, details, request_id: removed.headers.get('X-Request-Id') },
    ]);
  });

  it('takes a stream whose length is announced, and no other', async () => {
    const slug = freshSlug();
    const { readable, writable } = new FixedLengthStream(bytes.length);
    const writer = writable.getWriter();
    const written = writer.write(bytes).then(() => writer.close());
    expect((await putArchive(slug, readable)).status).toBe(200);
    await written;
    const { readable: unknown, writable: sink } = new TransformStream<Uint8Array, Uint8Array>();
    const end = sink.getWriter();
    const ended = end
      .write(bytes)
      .then(() => end.close())
      .catch(() => undefined);
    const { status, body } = await putArchive(slug, unknown);
    expect({ status, code: body.code }).toEqual({ status: 411, code: 'length_required' });
    await unknown.cancel().catch(() => undefined);
    await ended;
  });

  it('replaces the archive before it, whose object is deleted', async () => {
    const { slug } = await newArchive(bytes);
    const before = await keys();
    const etag = (await get(`/tiles/pmtiles/${slug}`, MASTER)).headers.get('ETag');
    const many = archiveBytes('many');
    expect((await putArchive(slug, many)).body.data).toMatchObject({ name: 'Many', maxzoom: 9, data_release: null });
    const answer = await get(`/tiles/pmtiles/${slug}`, MASTER);
    expect(answer.bytes).toEqual(many);
    expect(answer.headers.get('ETag')).not.toBe(etag);
    await eventually(async () => {
      const after = await keys();
      expect(after.filter((key) => !before.includes(key))).toHaveLength(1);
      expect(before.filter((key) => !after.includes(key))).toHaveLength(1);
    });
  });

  it('keeps nothing of a body that breaks off', async () => {
    const slug = freshSlug();
    const before = await keys();
    const { readable, writable } = new FixedLengthStream(bytes.length);
    const writer = writable.getWriter();
    const sent = writer.write(bytes.slice(0, 5000)).then(() => writer.abort(new Error('The line went dead')));
    const { status, body } = await putArchive(slug, readable);
    await sent;
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_archive' });
    expect(await keys()).toEqual(before);
  });

  it('serves the new archive to a request that has just looked up the one before', async () => {
    const { slug } = await newArchive(bytes);
    const many = archiveBytes('many');
    const read = vi.spyOn(Object.getPrototypeOf(bucket), 'get');
    for (const [path, expected] of [
      [`/tiles/pmtiles/${slug}`, many],
      [`/v1/tiles/${slug}/0/0/0.mvt`, undefined],
    ] as const) {
      // Another archive takes its place after the Worker has read the table and before it reads the bucket.
      read.mockImplementationOnce(async () => {
        expect((await putArchive(slug, expected ?? bytes)).status).toBe(200);
        return null;
      });
      const answer = await get(path, MASTER);
      expect(answer.status).toBe(200);
      if (expected) expect(answer.bytes).toEqual(expected);
      else expect(featuresOf(answer.bytes, 'regions').length).toBeGreaterThan(10);
    }
    read.mockRestore();
  });

  it('leaves the archive before it in its place if the new one can not be read', async () => {
    const { slug } = await newArchive(bytes);
    expect(
      (
        await putArchive(
          slug,
          altered((view) => zero(view, 8)),
        )
      ).body.code,
    ).toBe('invalid_archive');
    expect((await get(`/tiles/pmtiles/${slug}`, MASTER)).bytes).toEqual(bytes);
  });

  it('serves an archive that the database has recorded without being able to say so', async () => {
    const slug = freshSlug();
    const send = globalThis.fetch;
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const answer = await send(input, init);
      if (!String(init?.body).includes('insert into \\"tile_archives')) return answer;
      throw new DOMException('The operation timed out', 'TimeoutError');
    });
    const { status, body } = await putArchive(slug, bytes);
    asked.mockRestore();
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_timeout' });
    expect((await get(`/tiles/pmtiles/${slug}`, MASTER)).bytes).toEqual(bytes);
  });

  it.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
    ['is empty', new Uint8Array(), /empty|begin/],
    [
      'is no archive',
      new Uint8Array(new TextEncoder().encode('<html>'.repeat(100))),
      /does not begin as a PMTiles archive/,
    ],
    ['is cut within the header', bytes.slice(0, 100), /does not begin as a PMTiles archive/],
    ['is cut after the header', bytes.slice(0, 2000), /tiles would lie outside of its 2000 bytes/],
    ['is of version 2', altered((view) => view.setUint8(7, 2)), /version is 2/],
    ['has pictures', altered((view) => view.setUint8(99, 2)), /not Mapbox vector tiles/],
    ['has tiles in brotli', altered((view) => view.setUint8(98, 3)), /tiles are compressed/],
    ['has directories in zstd', altered((view) => view.setUint8(97, 4)), /directories are compressed/],
    ['has its root beyond the first read', altered((view) => view.setBigUint64(8, 16_384n, true)), /16,384 bytes/],
    [
      'has its root far away',
      altered((view) => view.setBigUint64(8, 2n ** 60n, true)),
      /root directory would lie outside/,
    ],
    ['has no root', altered((view) => view.setBigUint64(16, 0n, true)), /no tiles/],
    ['has no metadata', altered((view) => view.setBigUint64(32, 0n, true)), /metadata is missing/],
    [
      'has metadata over its tiles',
      altered((view) => view.setBigUint64(24, 5000n, true)),
      /tiles and its metadata overlap/,
    ],
    [
      'has tiles over its root',
      altered((view) => view.setBigUint64(56, 130n, true)),
      /root directory and its tiles overlap/,
    ],
    ['has metadata that is none', altered((view) => zero(view, 24)), /metadata is not JSON/],
    ['has a name with NUL in it', withMetadata({ name: 'a\0' }), /metadata is not right at "name"/],
    [
      'has layers with half a character',
      withMetadata({ vector_layers: [{ id: '\ud800' }] }),
      /metadata is not right at "vector_layers.0.id"/,
    ],
    ['has a root of zeros', altered((view) => zero(view, 8)), /root directory can not be read/],
    ['has fewer tiles than its root says', altered((view) => view.setBigUint64(64, 9n, true)), /leads outside/],
    ['has no tiles in its root', withRoot([0]), /root directory can not be read/],
    ['has a root that ends early', withRoot([5, 0]), /root directory can not be read/],
    ['has a root out of order', withRoot([2, 5, 1, 3, 1, 9, 9, 1, 1]), /not in order/],
    ['has a tile of nothing', withRoot([1, 0, 1, 0, 1]), /leads outside/],
    ['has a tile before its tiles', withRoot([1, 0, 1, 9, 0]), /leads outside/],
    ['has a leaf that is not there', withRoot([1, 0, 0, 9, 1]), /leads outside/],
    ['has zooms upside down', altered((view) => view.setUint8(100, 9)), /zooms 9 to 8/],
    ['has a zoom that there is not', altered((view) => view.setUint8(101, 30)), /zooms 0 to 30/],
    ['lies off the world', altered((view) => view.setInt32(102, 2_000_000_000, true)), /bounds/],
    ['lies upside down', altered((view) => view.setInt32(106, 300_000_000, true)), /bounds/],
  ])('that %s is refused, and nothing of it is kept', async (_, body, message) => {
    const slug = freshSlug();
    const before = await keys();
    const answer = await putArchive(slug, body);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 422, code: 'invalid_archive' });
    expect(answer.body.message).toMatch(message);
    expect((await keys()).filter((key) => !before.includes(key))).toEqual([]);
    expect((await get(`/tiles/pmtiles/${slug}`, MASTER)).status).toBe(404);
  });

  it('refuses one that is too large before any of it is read', async () => {
    const { readable } = new FixedLengthStream(513 * 1024 * 1024);
    const { status, body } = await putArchive(freshSlug(), readable);
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'payload_too_large' });
  });

  it('refuses another media type', async () => {
    const headers = { ...MASTER, 'Content-Type': 'application/json' };
    expect((await putArchive(freshSlug(), bytes, headers)).status).toBe(415);
  });

  it.each(['Regions', 'a_b', 'a'.repeat(65)])('refuses the slug %s', async (slug) => {
    const before = await keys();
    expect([404, 422]).toContain((await putArchive(slug, bytes)).status);
    expect(await keys()).toEqual(before);
  });
});

describe('removing an archive', () => {
  it('stops serving it and deletes its object', async () => {
    const before = await keys();
    const record = await newArchive(bytes);
    const { status, body } = await remove(record.slug);
    expect({ status, data: body.data }).toEqual({ status: 200, data: record });
    expect((await get(`/tiles/pmtiles/${record.slug}`, MASTER)).status).toBe(404);
    await eventually(async () => expect(await keys()).toEqual(before));
    expect((await remove(record.slug)).body.code).toBe('tile_archive_not_found');
  });
});

describe('who may do so', () => {
  it('nobody but administrators', async () => {
    const { slug } = await newArchive(bytes);
    const { session } = await person();
    const key = bearer((await newKey(session)).key);
    for (const headers of [session, key]) {
      expect((await putArchive(slug, bytes, headers)).body.code).toBe('admin_only');
      expect((await remove(slug, headers)).body.code).toBe('admin_only');
    }
    expect((await putArchive(slug, bytes, {})).status).toBe(401);
    expect((await remove(slug, {})).status).toBe(401);
    expect((await get(`/tiles/pmtiles/${slug}`, MASTER)).status).toBe(200);
  });
});
