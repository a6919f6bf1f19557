import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { GEOGRAPHY, geographyResponses, RELEASE_HEADER } from '../areas/representation.ts';
import { byteCache } from '../areas/snapshot/objects.ts';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { crc32 } from '../crc32.ts';
import { answer, envelope, enveloped, nameRelease, originOf, privateAnswer } from '../http/answers.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { displayString } from '../http/display-string.ts';
import { preferredEncodings, withEncoding } from '../http/encodings.ts';
import { errors, header } from '../http/error-schemas.ts';
import { type ByteRange, RANGES_NOTE, storedAnswer, storedResponses } from '../http/ranges.ts';
import { operation, Router } from '../operation.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { catalogOf } from './catalog.ts';
import { type Download, MEDIA_TYPES, type StoredFile } from './download.ts';
import { addExtractRoute } from './extract-routes.ts';
import type { PublishedFiles } from './published.ts';
import {
  downloadFilter,
  downloadParams,
  downloadQuery,
  downloadSchema,
  municityOverviewSchema,
  newSessionSchema,
  overviewQuery,
  overviewSchema,
  releaseDocumentSchema,
  releaseParams,
  sessionSchema,
} from './schemas.ts';
import {
  createDownloadSession,
  getDownload,
  getOverview,
  getReleaseDocument,
  getSnapshot,
  listDownloads,
} from './service.ts';
import { downloadSession } from './sessions.ts';

/** Media type of the snapshot. Only the clients of this service read it. */
const OPAQUE = 'application/octet-stream';

const TOPOJSON = 'application/json';

/** max-age of a file, seconds. It is short because a release that is published again may have other files. */
const MAX_AGE_SECONDS = 3600;

const binary = z.unknown().openapi({ type: 'string', format: 'binary' });

const FILE_CONTENT = Object.fromEntries(
  [...new Set(Object.values(MEDIA_TYPES))].map((type) => [type, { schema: binary }]),
);

/** A whole TopoJSON file is JSON, and its media type makes clients parse it. */
const WHOLE_FILE_CONTENT = { ...FILE_CONTENT, [TOPOJSON]: { schema: z.looseObject({ type: z.literal('Topology') }) } };

const HEADERS_OF_304 = {
  ETag: header('Strong validator, made from the SHA-256'),
  'Last-Modified': header('When the file was made'),
  'Cache-Control': header('no-transform; public for tables, private for layers'),
  ...RELEASE_HEADER,
};

const FILE_HEADERS = {
  'Content-Disposition': header('File name to save it under'),
  'Repr-Digest': header('SHA-256 of the whole file (RFC 9530)'),
};

const FILE_ANSWERS = storedResponses('file', {
  content: FILE_CONTENT,
  headersOf304: HEADERS_OF_304,
  others: FILE_HEADERS,
});

/** The attribution as a header, so that a page that shows only the map needs no other request for it. */
const ATTRIBUTION = 'X-Attribution';

/** Routes for whole tables and layers, as files made with the release. */
export function downloadRoutes(): Router {
  const router = new Router(['downloads']);

  operation(router, {
    operationId: 'list_downloads',
    method: 'get',
    path: '/',
    access: 'free-tier',
    ...GEOGRAPHY,
    summary: 'List the files of whole levels',
    description:
      'Tables and layers of all areas of a level, of every published edition; those of the served release come first. Sizes and hashes are of the bytes as sent.',
    request: { query: downloadFilter },
    responses: { ...geographyResponses('The files', envelope(z.array(downloadSchema))), ...errors(404, 422) },
    handler: async (c, { ctx, query }) => {
      const { published, files } = await listDownloads(ctx, query);
      return (
        unchanged(c, ctx, published) ??
        answer(
          c,
          files.map((file) => downloadBody(originOf(c), file)),
        )
      );
    },
  });

  operation(router, {
    operationId: 'create_download_session',
    method: 'post',
    path: '/sessions',
    access: 'authenticated',
    ...GEOGRAPHY,
    summary: 'Create a download session',
    description:
      'GDAL, QGIS, DuckDB and GeoPandas take an address: put the session into it, as those of the answer have it. Whoever has the session can read the files that it was asked for, until it expires. It expires with the key that asked for it, but a revocation of the key does not end it. Requests with it are not counted.',
    request: { body: { required: false, content: { 'application/json': { schema: newSessionSchema } } } },
    responses: { ...enveloped('The session', sessionSchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, body }) => {
      const { ids, ttl_seconds: ttlSeconds } = body ?? {};
      const { session, expiresAt, files } = await createDownloadSession(ctx, { ids, ttlSeconds });
      const opened = files.map(({ id }) => ({ id, href: `${hrefOf(originOf(c), id)}?session=${session}` }));
      return privateAnswer(c, { session, expires_at: expiresAt.toISOString(), files: opened });
    },
  });

  operation(router, {
    operationId: 'download_snapshot',
    method: 'get',
    path: '/snapshot',
    access: 'free-tier',
    ...GEOGRAPHY,
    summary: 'Get the areas of a release for offline use',
    description: `The file in which the service itself searches and matches names: all areas without boundaries, about 1.5 MB. The command \`psgc\` of the TypeScript client stores it and then answers \`search\` and \`match\` as the service does. Its layout may change with any version of the service; for tables of your own use the files of GET /v1/downloads. ${RANGES_NOTE}`,
    request: { query: z.object(editionParams) },
    responses: storedResponses('file', {
      content: { [OPAQUE]: { schema: binary } },
      headersOf304: HEADERS_OF_304,
      others: FILE_HEADERS,
    }),
    handler: async (c, { ctx, query: { edition } }) => {
      const file = await getSnapshot(ctx, { edition });
      return fileAnswer(c, ctx, file, { name: `${file.release}.snapshot.gz`, type: OPAQUE, access: 'public' });
    },
  });

  operation(router, {
    operationId: 'download_overview',
    method: 'get',
    path: '/overview',
    access: 'free-tier',
    ...GEOGRAPHY,
    // An embedded map can have many viewers at once. The instance caches which file it is for some seconds, and its
    // bytes while there is room. Files of other editions are not cached: they would evict one another.
    isUncounted: (c) => c.req.query('edition') === undefined,
    summary: 'Get a small map of the country',
    description: `The coarse map that pages draw without a key: regions, provinces, capitals and large cities in one TopoJSON topology of some 100 kB, compressed. \`level=municity\` gives the cities and municipalities, in at most 250 kB, compressed. A request without credentials and \`edition\` is not counted. ${RANGES_NOTE}`,
    request: { query: overviewQuery },
    responses: storedResponses('map', {
      content: { [TOPOJSON]: { schema: z.union([overviewSchema, municityOverviewSchema]) } },
      headersOf304: { ...HEADERS_OF_304, Vary: header('Accept-Encoding: it is stored compressed') },
      others: {
        ...FILE_HEADERS,
        [ATTRIBUTION]: header('Attribution to show with it: a Display String of RFC 9651'),
      },
    }),
    handler: async (c, { ctx, query }) => {
      const { file, encoding, attribution } = await getOverview(ctx, { ...query, encodings: preferredEncodings(c) });
      c.header('Vary', 'Accept-Encoding', { append: true });
      c.header(ATTRIBUTION, displayString(attribution));
      const name = `${file.release}.overview${query.level === undefined ? '' : '-municities'}.topojson`;
      const read = (range?: ByteRange) => cachedBytes(ctx, file, range);
      const sent = await fileAnswer(c, ctx, file, { name, type: TOPOJSON, access: 'public', read });
      return encoding === undefined || !sent.ok ? sent : withEncoding(sent, encoding);
    },
  });

  addExtractRoute(router);

  operation(router, {
    operationId: 'get_download',
    method: 'get',
    path: '/{id}',
    access: 'free-tier',
    ...GEOGRAPHY,
    queryCredential: downloadSession,
    summary: 'Get a file, or a range of it',
    description: `Tables are free; layers, which have boundaries, need credentials or a session. ${RANGES_NOTE}`,
    request: { params: downloadParams, query: downloadQuery },
    responses: { ...FILE_ANSWERS, 200: { ...FILE_ANSWERS[200], content: WHOLE_FILE_CONTENT } },
    handler: async (c, { ctx, params: { id } }) => {
      const file = await getDownload(ctx, { id });
      const isTable = file.resolution === null;
      if (!isTable && !c.var.hasQueryCredential) requireIdentity(ctx.principal, `The layer ${id}`);
      return fileAnswer(c, ctx, file, {
        name: id,
        type: MEDIA_TYPES[file.format],
        access: isTable ? 'public' : 'private',
      });
    },
  });

  return router;
}

interface FileAnswer {
  /** File name for Content-Disposition. */
  readonly name: string;
  readonly type: string;
  readonly access: 'public' | 'private';
  /** Whether caches ask before they answer with it. */
  readonly isAsked?: boolean;
  /** Reads the file or a range of it. Default: from the bucket. */
  readonly read?: (range?: ByteRange) => Promise<ReadableStream | Uint8Array<ArrayBuffer>>;
}

/** Responds with a stored object of a release as a download. */
function fileAnswer(
  c: AppContext,
  ctx: ServiceContext,
  file: StoredFile,
  { name, type, access, isAsked = false, read = (range) => bodyOf(ctx, file, range) }: FileAnswer,
): Promise<Response> {
  nameRelease(c, file.release);
  c.header('Vary', 'Authorization', { append: true });
  return storedAnswer(c, {
    etag: `"${file.sha256.slice(0, 32)}"`,
    modified: new Date(file.createdAt),
    cacheControl: `${access}, ${isAsked ? 'no-cache' : `max-age=${MAX_AGE_SECONDS}`}, no-transform`,
    size: file.bytes,
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Repr-Digest': `sha-256=:${base64Of(file.sha256)}:`,
    },
    read,
  });
}

const catalogSchema = z
  .looseObject({ '@context': z.record(z.string(), z.string()), '@id': z.url(), '@type': z.literal('dcat:Catalog') })
  .openapi('Catalog', { description: 'A catalogue of DCAT-AP 3 as JSON-LD' });

/** Routes of the documents of releases, which say what each consists of. */
export function releaseRoutes(): Router {
  const router = new Router(['downloads']);
  const kinds = [
    {
      operationId: 'get_release',
      path: '/{id}',
      part: 'document',
      noun: 'document',
      summary: 'Get the document of a release',
      description: `What a published release consists of, with the SHA-256 of each part: whoever has a file can check it without asking again. ${RANGES_NOTE}`,
      ending: 'json',
      type: 'application/json',
      schema: releaseDocumentSchema,
    },
    {
      operationId: 'get_release_signature',
      path: '/{id}/signature',
      part: 'signature',
      noun: 'signature',
      summary: 'Get the signature of a release',
      description: `The signature of the document of \`GET /v1/releases/{id}\`, for \`minisign -V\`. The operator publishes the key to verify it with. ${RANGES_NOTE}`,
      ending: 'json.minisig',
      type: 'text/plain',
      schema: z.string(),
    },
  ] as const;
  for (const { part, noun, ending, type, schema, ...route } of kinds) {
    operation(router, {
      ...route,
      method: 'get',
      access: 'free-tier',
      ...GEOGRAPHY,
      request: { params: releaseParams },
      responses: storedResponses(noun, {
        content: { [type]: { schema } },
        headersOf304: HEADERS_OF_304,
        others: FILE_HEADERS,
      }),
      handler: async (c, { ctx, params: { id: release } }) => {
        const file = await getReleaseDocument(ctx, { release, part });
        // A document and the signature of another would not fit, so neither is used without asking.
        return fileAnswer(c, ctx, file, { name: `${release}.${ending}`, type, access: 'public', isAsked: true });
      },
    });
  }
  return router;
}

/** Route of the DCAT catalogue of all files, for open data portals. */
export function catalogRoutes(): Router {
  const router = new Router(['downloads']);

  operation(router, {
    operationId: 'get_catalog',
    method: 'get',
    path: '/',
    access: 'free-tier',
    ...GEOGRAPHY,
    summary: 'The catalogue of all files as DCAT-AP 3',
    description: 'JSON-LD: a dataset for each level of each edition that is published, a distribution for each file.',
    responses: linkedData(geographyResponses('The catalogue', catalogSchema)),
    handler: async (c, { ctx }) => {
      const { published } = await listDownloads(ctx, {});
      const origin = originOf(c);
      const notModified = unchanged(c, ctx, published);
      if (notModified) return notModified;
      const catalog = catalogOf(origin, published, ({ id }) => hrefOf(origin, id));
      return c.body(JSON.stringify(catalog), 200, { 'Content-Type': LINKED_DATA });
    },
  });

  return router;
}

const LINKED_DATA = 'application/ld+json';

/** The declared answers of an operation, with the media type of JSON-LD. */
function linkedData({ 200: ok, ...others }: ReturnType<typeof geographyResponses>) {
  return { ...others, 200: { ...ok, content: { [LINKED_DATA]: ok.content['application/json'] } } };
}

const GONE = 'It is not there as it was published';

/** @throws DomainError `storage_unavailable` if the stored bytes are missing or changed */
async function bodyOf(
  ctx: ServiceContext,
  { object: { key, etag }, sha256 }: StoredFile,
  range: ByteRange | undefined,
): Promise<ReadableStream> {
  const body = await ctx.bucket.findBody(key, { range, etag, sha256 });
  if (!body) throw storageUnavailable(key, GONE);
  return body;
}

/**
 * The bytes of a small file, or a range of them, cached in the instance.
 *
 * @throws DomainError `storage_unavailable` if the stored bytes are missing or changed
 */
async function cachedBytes(
  ctx: ServiceContext,
  { object: { key, etag }, sha256 }: StoredFile,
  range: ByteRange | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const cached = byteCache.get(key) as Uint8Array<ArrayBuffer> | undefined;
  const bytes = cached ?? (await ctx.bucket.findBytes(key, { etag, sha256 }));
  if (!bytes) throw storageUnavailable(key, GONE);
  if (!cached) byteCache.set(key, bytes);
  return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
}

/** The file as an item of the list. */
function downloadBody(origin: string, file: Download) {
  return {
    id: file.id,
    level: file.level,
    resolution: file.resolution,
    format: file.format,
    edition: file.edition,
    release: file.release,
    size_bytes: file.bytes,
    sha256: file.sha256,
    rows: file.rows,
    href: hrefOf(origin, file.id),
    media_type: MEDIA_TYPES[file.format],
    licence: file.licence,
    attribution: file.attribution,
    created_at: file.createdAt,
  };
}

const encoder = new TextEncoder();

/** Sets the cache headers of a response about all files. Returns 304 if the caller has it already. */
function unchanged(c: AppContext, ctx: ServiceContext, published: readonly PublishedFiles[]): Response | undefined {
  const state = published.map(({ publication }) => publication).join();
  const version = `downloads-${crc32(encoder.encode(state)).toString(16)}`;
  const made = { release: published[0]?.release, version };
  return revalidate(c, validatorOf(c, ctx.config), { ...made, principal: ctx.principal });
}

function hrefOf(origin: string, id: string): string {
  return `${origin}/v1/downloads/${id}`;
}

/** Hexadecimal digits as base64 of their bytes. */
function base64Of(hex: string): string {
  return btoa(hex.replace(/../g, (digits) => String.fromCharCode(Number.parseInt(digits, 16))));
}
