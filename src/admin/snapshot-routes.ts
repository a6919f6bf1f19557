import { z } from '@hono/zod-openapi';
import { EDITION_ID } from '../areas/edition-id.ts';
import { EDITION_OBJECT, SNAPSHOT_NAMES, type SnapshotName } from '../areas/snapshot/layout.ts';
import type { AppContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { hexOf } from '../hex.ts';
import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { announcedSize } from '../http/raw-body.ts';
import { operation, Router } from '../operation.ts';
import { releaseId } from './schemas.ts';
import { getPublishedObjects, publishSnapshot, putSnapshotObject } from './snapshot-service.ts';

/** The largest object of a snapshot, bytes. Plans of the platform may take less of a request. */
const MAX_OBJECT_BYTES = 512 * 1024 * 1024;

const MANIFEST_BYTES = 128 * 1024;

/** Those of the release, and two of each edition that it includes. */
const MAX_OBJECTS = SNAPSHOT_NAMES.length + 2 * 100;

const nameRule = 'must be the name of an object of a snapshot';

const snapshotName = z.union(
  [z.enum(SNAPSHOT_NAMES), z.string().regex(EDITION_OBJECT) as z.ZodType<SnapshotName, string>],
  nameRule,
);

const objectName = snapshotName.openapi({
  param: { name: 'name', in: 'path' },
  description: 'Name of the object',
  example: 'areas',
});

const hex = (digits: number, description: string, example: string) =>
  z
    .string(`must be ${digits} lower-case hexadecimal digits`)
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`), `must be ${digits} lower-case hexadecimal digits`)
    .openapi({ description, example });

const sizeRule = `must be an integer from 1 to ${MAX_OBJECT_BYTES}`;
const size = z.int(sizeRule).min(1, sizeRule).max(MAX_OBJECT_BYTES, sizeRule);

const snapshotObject = z
  .strictObject({
    name: snapshotName.openapi({ description: 'Name', example: 'areas' }),
    bytes: size.openapi({ description: 'Size, bytes', example: 1_450_167 }),
    sha256: hex(64, 'SHA-256 of its bytes', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    etag: hex(32, 'MD5 of its bytes, which the bucket uses as entity tag', 'd41d8cd98f00b204e9800998ecf8427e'),
  })
  .openapi('SnapshotObject');

const TERMS_EXAMPLE = { licence: 'Acknowledge the source', attribution: 'Philippine Statistics Authority' };

const terms = z
  .strictObject({
    licence: z
      .string()
      .max(2000)
      .openapi({ description: 'As published by the source', example: TERMS_EXAMPLE.licence }),
    attribution: z.string().max(2000).openapi({ description: 'Attribution text', example: TERMS_EXAMPLE.attribution }),
  })
  .openapi({ description: 'Terms of a part of the release', example: TERMS_EXAMPLE });

const downloads = z.strictObject({
  edition: z
    .string()
    .regex(EDITION_ID, 'must be the id of an edition')
    .openapi({ description: 'Edition of the PSGC', example: '2026-3q' }),
  created_at: z.iso
    .datetime({ offset: true, error: 'must be a moment such as 2026-01-31T08:00:00Z' })
    .openapi({ description: 'Time of their creation', example: '2026-01-31T08:00:00.000Z' }),
  codes: terms,
  boundaries: terms.nullable().openapi({ description: 'Null for a release without boundaries' }),
  rows: z.record(z.string(), z.int().min(0)).openapi({
    description: 'Rows or features of each file, by object name',
    example: { 'download-provinces.csv': 82 },
  }),
});

const DOWNLOADS_EXAMPLE = {
  edition: '2026-3q',
  created_at: '2026-01-31T08:00:00.000Z',
  codes: TERMS_EXAMPLE,
  boundaries: null,
  rows: { 'download-provinces.csv': 82 },
};

const version = z
  .string('must be the version of the release')
  .regex(/^[A-Za-z0-9-]{1,128}$/, 'must be the version of the release')
  .openapi({
    description: 'Identifies this load of the release: its id and the time of the load',
    example: '2026-3q-1-6406f0a1b2c3d',
  });

const versionQuery = z.object({
  version: version.optional().openapi({
    description: 'Load of the release, which need not be in the database yet; default: the one in the database',
  }),
});

const snapshotBody = z
  .strictObject({
    version,
    downloads: downloads.optional().openapi({
      description: 'The files among the objects, which GET /v1/downloads lists',
      example: DOWNLOADS_EXAMPLE,
    }),
    objects: z
      .array(snapshotObject, 'must be an array of objects')
      .min(1, 'must name an object')
      .max(MAX_OBJECTS, `must name at most ${MAX_OBJECTS} objects`)
      .openapi({ description: 'Its objects' }),
  })
  .openapi('Snapshot');

const published = z
  .object({
    release: z.string(),
    version: z.string(),
    served: z.boolean().openapi({ description: 'Whether it is being served' }),
  })
  .openapi('PublishedSnapshot');

/** How a release becomes immutable objects, which geography is answered from. `npm run geo:publish` calls these. */
export function adminSnapshotRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'put_snapshot_object',
    method: 'put',
    path: '/{id}/snapshot/{name}',
    access: 'admin',
    summary: 'Store an object of the snapshot of a release',
    description:
      'The body as it is, with its Content-Length and the header Content-Digest (RFC 9530) with its SHA-256: other bytes are refused. Nothing is answered from it before the snapshot is published.',
    request: {
      params: z.object({ id: releaseId, name: objectName }),
      query: versionQuery,
      headers: z.object({
        'content-digest': z.string().optional().openapi({
          description: 'SHA-256 of the body (RFC 9530)',
          example: 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
        }),
      }),
      body: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    },
    responses: {
      ...enveloped('Stored', z.object({ name: z.string(), bytes: size })),
      ...errors(404, 411, 413, 422),
    },
    handler: async (c, { ctx, params: { id, name }, query: { version } }) => {
      const bytes = objectSize(c);
      const sha256 = announcedDigest(c);
      const { body } = c.req.raw;
      if (!body || bytes === 0) throw new DomainError('invalid_snapshot', 'The body is empty.');
      await putSnapshotObject(ctx, { id, version, name, bytes, sha256, body });
      return privateAnswer(c, { name, bytes });
    },
  });

  operation(router, {
    operationId: 'get_snapshot',
    method: 'get',
    path: '/{id}/snapshot',
    access: 'admin',
    summary: 'The published snapshot of a release',
    description: 'The objects that answers are read from, with their sizes and digests.',
    request: { params: z.object({ id: releaseId }), query: versionQuery },
    responses: { ...enveloped('Its objects', snapshotBody), ...errors(404, 422) },
    handler: async (c, { ctx, params: { id }, query: { version } }) =>
      privateAnswer(c, await getPublishedObjects(ctx, { id, version })),
  });

  operation(router, {
    operationId: 'publish_snapshot',
    method: 'put',
    path: '/{id}/snapshot',
    access: 'admin',
    maxBody: MANIFEST_BYTES,
    summary: 'Publish the snapshot of a release',
    description:
      'Verifies that every object is stored as its manifest says. From then on these objects serve the release if it is active or nothing was served before; otherwise they do so from its activation on.',
    request: {
      params: z.object({ id: releaseId }),
      query: versionQuery,
      body: { required: true, content: { 'application/json': { schema: snapshotBody } } },
    },
    responses: { ...enveloped('Published', published), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, query, body }) =>
      privateAnswer(c, await publishSnapshot(ctx, { id, requestedVersion: query.version, ...body })),
  });

  return router;
}

/** @throws DomainError `length_required`, `payload_too_large` */
function objectSize(c: AppContext): number {
  const bytes = announcedSize(c, 'object');
  if (bytes <= MAX_OBJECT_BYTES) return bytes;
  throw new DomainError('payload_too_large', `An object may have ${MAX_OBJECT_BYTES} bytes at most (got ${bytes}).`);
}

/** The SHA-256 of the body as the header says it, in hexadecimal digits. */
function announcedDigest(c: AppContext): string {
  const [, digest] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(c.req.header('Content-Digest') ?? '') ?? [];
  if (digest === undefined) {
    throw new DomainError('invalid_snapshot', 'Send the SHA-256 of the body as Content-Digest: sha-256=:<base64>:.');
  }
  return hexOf(Uint8Array.from(atob(digest), (byte) => byte.charCodeAt(0)));
}
