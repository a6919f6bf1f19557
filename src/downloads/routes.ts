import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { RELEASE_HEADER, success } from '../areas/representation.ts';
import { memory } from '../areas/snapshot/objects.ts';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { crc32 } from '../crc32.ts';
import { answer, envelope, enveloped, nameRelease, privateAnswer } from '../http/answers.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { asPacked, preferredEncodings } from '../http/encodings.ts';
import { errors, header } from '../http/error-schemas.ts';
import { type ByteRange, RANGES_NOTE, storedAnswer, storedResponses } from '../http/ranges.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { catalogOf } from './catalog.ts';
import { type Download, MEDIA_TYPES, type StoredFile } from './download.ts';
import type { PublishedFiles } from './published.ts';
import {
  downloadFilter,
  downloadParams,
  downloadQuery,
  downloadSchema,
  newSessionSchema,
  overviewSchema,
  sessionSchema,
} from './schemas.ts';
import { createDownloadSession, getDownload, getOverview, getSnapshot, listDownloads } from './service.ts';
import { downloadSession } from './sessions.ts';

/** Tables are free; whoever has a key needs this scope for them too, as for geography in JSON. */
const READERS = { scope: 'read:boundaries', identity: 'credential' } as const;

/** The media type of the snapshot: nothing but a program of ours reads it. */
const OPAQUE = 'application/octet-stream';

const TOPOJSON = 'application/json';

/** How long caches may use a file without asking again, seconds. A release that is published again may have others. */
const FRESH_SECONDS = 3600;

const binary = z.unknown().openapi({ type: 'string', format: 'binary' });

const FILE_CONTENT = Object.fromEntries(
  [...new Set(Object.values(MEDIA_TYPES))].map((type) => [type, { schema: binary }]),
);

/** A whole file of TopoJSON is JSON, as which its media type has clients read it. */
const WHOLE_FILE_CONTENT = { ...FILE_CONTENT, [TOPOJSON]: { schema: z.looseObject({ type: z.literal('Topology') }) } };

const VALIDATORS = {
  ETag: header('Strong validator, made from the SHA-256'),
  'Last-Modified': header('When the file was made'),
  'Cache-Control': header('no-transform; public for tables, private for layers'),
  ...RELEASE_HEADER,
};

const FILE_HEADERS = {
  'Content-Disposition': header('A name to save it under'),
  'Repr-Digest': header('SHA-256 of the whole file (RFC 9530)'),
};

const FILE_ANSWERS = storedResponses('file', { content: FILE_CONTENT, validators: VALIDATORS, others: FILE_HEADERS });

/** A page that shows the map alone needs no other request to say whose it is. */
const ATTRIBUTION = 'X-Attribution';

/** Whole tables and layers, as files that were made with the release. */
export function downloadRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_downloads',
      method: 'get',
      path: '/',
      access: 'free-tier',
      ...READERS,
      tags: ['downloads'],
      summary: 'List the files of whole levels',
      description:
        'Tables and layers of all areas of a level, of every edition that is published: first those of the release that is served. Sizes and hashes are those of the bytes that are sent.',
      request: { query: downloadFilter },
      responses: { ...success('The files', envelope(z.array(downloadSchema))), ...errors(404, 422) },
    },
    async (c, { ctx, query }) => {
      const { published, files } = await listDownloads(ctx, query);
      return (
        unchanged(c, ctx, published) ??
        answer(
          c,
          files.map((file) => downloadBody(originOf(c), file)),
        )
      );
    },
  );

  operation(
    router,
    {
      operationId: 'create_download_session',
      method: 'post',
      path: '/sessions',
      access: 'authenticated',
      ...READERS,
      tags: ['downloads'],
      summary: 'Open files to tools that send no headers',
      description:
        'GDAL, QGIS, DuckDB and GeoPandas take an address: put the session into it, as those of the answer have it. It opens the files that it was asked for, until it expires, to whoever has it, also after the key that it was asked for with is revoked; with that key it expires. Requests with it are not counted.',
      request: { body: { required: false, content: { 'application/json': { schema: newSessionSchema } } } },
      responses: { ...enveloped('The session', sessionSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { ctx, body }) => {
      const { ids, ttl_seconds: ttlSeconds } = body ?? {};
      const { session, expiresAt, files } = await createDownloadSession(ctx, { ids, ttlSeconds });
      const opened = files.map(({ id }) => ({ id, href: `${hrefOf(originOf(c), id)}?session=${session}` }));
      return privateAnswer(c, { session, expires_at: expiresAt.toISOString(), files: opened });
    },
  );

  operation(
    router,
    {
      operationId: 'download_snapshot',
      method: 'get',
      path: '/snapshot',
      access: 'free-tier',
      ...READERS,
      tags: ['downloads'],
      summary: 'Get the areas of a release for use without the network',
      description: `What the service itself searches and matches names in: all areas without their shapes, packed into one file of about 1.5 MB. The command \`psgc\` of the TypeScript client keeps it, and then answers \`search\` and \`match\` as the service does. The layout inside may change with a version of the service; for tables of your own take a file of GET /v1/downloads. ${RANGES_NOTE}`,
      request: { query: z.object(editionParams) },
      responses: storedResponses('file', {
        content: { [OPAQUE]: { schema: binary } },
        validators: VALIDATORS,
        others: FILE_HEADERS,
      }),
    },
    async (c, { ctx, query: { edition } }) => {
      const file = await getSnapshot(ctx, { edition });
      return fileAnswer(c, ctx, file, { name: `${file.release}.snapshot.gz`, type: OPAQUE, access: 'public' });
    },
  );

  operation(
    router,
    {
      operationId: 'download_overview',
      method: 'get',
      path: '/overview',
      access: 'free-tier',
      ...READERS,
      // A map on somebody's page is looked at by a whole school. An instance remembers which file it is for some seconds, and its
      // bytes as long as there is room. Those of other editions would take turns.
      isUncounted: (c) => c.req.query('edition') === undefined,
      tags: ['downloads'],
      summary: 'Get a small map of the country',
      description: `The regions and provinces at coarse resolution, and the capitals, as one TopoJSON topology of some 100 kB: what pages draw for whoever has no key. Without credentials and \`edition\` a request for it is not counted. ${RANGES_NOTE}`,
      request: { query: z.object(editionParams) },
      responses: storedResponses('map', {
        content: { [TOPOJSON]: { schema: overviewSchema } },
        validators: { ...VALIDATORS, Vary: header('Accept-Encoding: it is stored packed') },
        others: {
          ...FILE_HEADERS,
          [ATTRIBUTION]: header('What must be said where it is shown: a Display String of RFC 9651'),
        },
      }),
    },
    async (c, { ctx, query: { edition } }) => {
      const { file, encoding, attribution } = await getOverview(ctx, { edition, encodings: preferredEncodings(c) });
      c.header('Vary', 'Accept-Encoding', { append: true });
      c.header(ATTRIBUTION, displayString(attribution));
      const name = `${file.release}.overview.topojson`;
      const read = (range?: ByteRange) => rememberedBytes(ctx, file, range);
      const sent = await fileAnswer(c, ctx, file, { name, type: TOPOJSON, access: 'public', read });
      return encoding === undefined || !sent.ok ? sent : asPacked(sent, encoding);
    },
  );

  operation(
    router,
    {
      operationId: 'get_download',
      method: 'get',
      path: '/{id}',
      access: 'free-tier',
      ...READERS,
      queryCredential: downloadSession,
      tags: ['downloads'],
      summary: 'Get a file, or a range of it',
      description: `Tables are free; layers, which have boundaries, need credentials or a session. ${RANGES_NOTE}`,
      request: { params: downloadParams, query: downloadQuery },
      responses: { ...FILE_ANSWERS, 200: { ...FILE_ANSWERS[200], content: WHOLE_FILE_CONTENT } },
    },
    async (c, { ctx, params: { id } }) => {
      const file = await getDownload(ctx, { id });
      const isTable = file.resolution === null;
      if (!isTable && !c.var.hasQueryCredential) requireIdentity(ctx.principal, `The layer ${id}`);
      return fileAnswer(c, ctx, file, {
        name: id,
        type: MEDIA_TYPES[file.format],
        access: isTable ? 'public' : 'private',
      });
    },
  );

  return router;
}

interface FileAnswer {
  /** The name to save it under. */
  readonly name: string;
  readonly type: string;
  readonly access: 'public' | 'private';
  /** Reads it, or a range of it; from the bucket unless another way is given. */
  readonly read?: (range?: ByteRange) => Promise<ReadableStream | Uint8Array<ArrayBuffer>>;
}

/** Answers stored bytes of a release, under the name that they are saved as. */
function fileAnswer(
  c: AppContext,
  ctx: ServiceContext,
  file: StoredFile,
  { name, type, access, read = (range) => bodyOf(ctx, file, range) }: FileAnswer,
): Promise<Response> {
  nameRelease(c, file.release);
  c.header('Vary', 'Authorization', { append: true });
  return storedAnswer(c, {
    etag: `"${file.sha256.slice(0, 32)}"`,
    modified: new Date(file.createdAt),
    cacheControl: `${access}, max-age=${FRESH_SECONDS}, no-transform`,
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

/** The catalogue of all files, for portals of open data. */
export function catalogRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'get_catalog',
      method: 'get',
      path: '/',
      access: 'free-tier',
      ...READERS,
      tags: ['downloads'],
      summary: 'The catalogue of all files as DCAT-AP 3',
      description: 'JSON-LD: a dataset for each level of each edition that is published, a distribution for each file.',
      responses: linkedData(success('The catalogue', catalogSchema)),
    },
    async (c, { ctx }) => {
      const { published } = await listDownloads(ctx, {});
      const origin = originOf(c);
      const held = unchanged(c, ctx, published);
      if (held) return held;
      const catalog = catalogOf(origin, published, ({ id }) => hrefOf(origin, id));
      return c.body(JSON.stringify(catalog), 200, { 'Content-Type': LINKED_DATA });
    },
  );

  return router;
}

const LINKED_DATA = 'application/ld+json';

/** The declared answers of an operation, with the media type of JSON-LD. */
function linkedData({ 200: ok, ...others }: ReturnType<typeof success>) {
  return { ...others, 200: { ...ok, content: { [LINKED_DATA]: ok.content['application/json'] } } };
}

const GONE = 'It is not there as it was published';

/** @throws DomainError `storage_unavailable` where the stored bytes are gone, or others */
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
 * The bytes of a small file, or a range of them. An instance reads them once.
 *
 * @throws DomainError `storage_unavailable` where the stored bytes are gone, or others
 */
async function rememberedBytes(
  ctx: ServiceContext,
  { object: { key, etag }, sha256 }: StoredFile,
  range: ByteRange | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = memory.get(key) as Uint8Array<ArrayBuffer> | undefined;
  const bytes = known ?? (await ctx.bucket.findBytes(key, { etag, sha256 }));
  if (!bytes) throw storageUnavailable(key, GONE);
  if (!known) memory.set(key, bytes);
  return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
}

/** A file as the list has it. */
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

/** Says what caches need to know of an answer about all files. Gives 304 where the caller has it. */
function unchanged(c: AppContext, ctx: ServiceContext, published: readonly PublishedFiles[]): Response | undefined {
  if (published[0]) nameRelease(c, published[0].release);
  const state = published.map(({ publication }) => publication).join();
  const version = `downloads-${crc32(encoder.encode(state)).toString(16)}`;
  const validator = validatorOf(c, ctx.config);
  setCaching(c, validator.etag(version), ctx.principal);
  return validator.matches(version) ? c.body(null, 304) : undefined;
}

function hrefOf(origin: string, id: string): string {
  return `${origin}/v1/downloads/${id}`;
}

function originOf(c: AppContext): string {
  return new URL(c.req.url).origin;
}

/** A text for a header, which takes ASCII only (RFC 9651, 3.3.8). */
function displayString(text: string): string {
  return `%"${text.toWellFormed().replace(/[^ !#$&-~]/gu, (character) => encodeURIComponent(character).toLowerCase())}"`;
}

/** Hexadecimal digits as base64 of their bytes. */
function base64Of(hex: string): string {
  return btoa(hex.replace(/../g, (digits) => String.fromCharCode(Number.parseInt(digits, 16))));
}
