import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../src/datasets/export-formats.ts';
import { EXPORTERS } from '../../src/datasets/exports.ts';
import { exportDataset } from '../../src/datasets/service.ts';
import { type Body, patch, send } from '../support/api.ts';
import { jobContext } from '../support/context.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';

async function readAll(chunks: AsyncGenerator<string | Uint8Array>): Promise<void> {
  for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
}

describe('a feature that is changed between two readings of an export', () => {
  let owner: Headers;
  let feature: Body;
  /** The export of the dataset as it was read before. */
  let chunksOf: (format: ExportFormat) => AsyncGenerator<string | Uint8Array>;

  beforeEach(async () => {
    owner = (await person()).session;
    const features = [{ type: 'Feature', geometry: point(121, 14), properties: { size: 1 } }];
    const { id } = await newDataset(owner, { features });
    [feature] = (await featuresOf(owner, id)) as [Body];
    const ctx = jobContext(env);
    const exported = await exportDataset(ctx, { id });
    chunksOf = (format) => EXPORTERS[format].chunks(ctx.db, exported);
  });

  const change = (properties: object) => patch(`/v1/features/${feature.id}`, { properties }, owner);

  it.each(['csv', 'fgb', 'parquet', 'gpkg', 'shp', 'xlsx'] as const)(
    'is not written without a new property to %s',
    async (format) => {
      expect((await change({ size: 1, late: 2 })).status).toBe(200);
      await expect(readAll(chunksOf(format))).rejects.toMatchObject({ code: 'dataset_changed', retryAfter: 1 });
    },
  );

  it.each(['geojson', 'ndjson'] as const)('is written as it is to %s, which reads once', async (format) => {
    await change({ size: 1, late: 2 });
    expect(String((await chunksOf(format).next()).value)).toContain('"late":2');
  });

  it.each([
    ['xlsx', 1],
    ['xlsx', 0.5],
    ['shp', 0.5],
  ] as const)('breaks off %s with numbers like %d rather than round a longer integer', async (format, size) => {
    await change({ size });
    const chunks = chunksOf(format);
    await chunks.next();
    expect((await change({ size: 123456789012345 * 1000 })).status).toBe(200);
    await expect(readAll(chunks)).rejects.toMatchObject({ code: 'dataset_changed' });
  });

  it('breaks off a Shapefile, whose head says how many features there are, where one is deleted', async () => {
    const chunks = chunksOf('shp');
    await chunks.next();
    expect((await send('DELETE', `/v1/features/${feature.id}`, owner)).status).toBe(200);
    await expect(readAll(chunks)).rejects.toMatchObject({ code: 'dataset_changed' });
  });

  it('breaks off a GeoPackage that has begun', async () => {
    const chunks = chunksOf('gpkg');
    await chunks.next();
    expect((await change({ size: 'large' })).status).toBe(200);
    await expect(readAll(chunks)).rejects.toMatchObject({ code: 'dataset_changed' });
  });
});
