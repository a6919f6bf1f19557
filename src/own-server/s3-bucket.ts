import { AwsV4Signer } from 'aws4fetch';
import { hexOf } from '../hex.ts';
import { elementOf, encodedKey, readListing, reasonIn, type S3Location, unquoted } from './s3.ts';

/** What the Worker uses of a bucket. */
type UsedBucket = Pick<
  R2Bucket,
  'head' | 'get' | 'put' | 'delete' | 'list' | 'createMultipartUpload' | 'resumeMultipartUpload'
>;

type Body = string | Uint8Array | ReadableStream;

interface Options {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: Body;
  /** Statuses that are no error, besides 200 to 299. */
  readonly also?: readonly number[];
}

/** Codes of S3 for bytes that have another digest than was announced. */
const OTHER_DIGEST = /^(XAmzContentSHA256Mismatch|XAmzContentChecksumMismatch|BadDigest|InvalidDigest|InvalidChecksum)/;

/**
 * A bucket of any S3 with the methods of an R2 bucket that the Worker uses, and their meaning. A stream must have a known length
 * (FixedLengthStream), and passes through without being stored. No request is repeated: the Worker answers 503, and callers do.
 */
export function s3Bucket({ endpoint, bucket, start, ...account }: S3Location): R2Bucket {
  const { sessionToken, ...credentials } = account;
  const signing = { ...credentials, ...(sessionToken !== undefined && { sessionToken }), service: 's3' };

  async function ask(
    method: string,
    key: string,
    { query, headers, body, also = [] }: Options = {},
  ): Promise<Response> {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const url = `${endpoint}/${bucket}${key === '' ? '' : `/${encodedKey(start + key)}`}${search}`;
    // The digest of a stream is not known before it is sent, unless a header has it.
    const digest =
      body instanceof ReadableStream
        ? 'UNSIGNED-PAYLOAD'
        : hexOf(new Uint8Array(await digestOf('SHA-256', body ?? '')));
    const sent = { 'X-Amz-Content-Sha256': digest, 'Accept-Encoding': 'identity', ...headers };
    const signed = await new AwsV4Signer({ ...signing, method, url, headers: sent }).sign();
    const response = await fetch(signed.url, { method, headers: signed.headers, ...(body !== undefined && { body }) });
    if (response.ok || also.includes(response.status)) return response;
    const reason = reasonIn(await response.text());
    // The Worker knows the refusal of a digest by this word.
    const what = OTHER_DIGEST.test(reason) ? 'checksum refused' : `status ${response.status}`;
    throw new Error(`S3 ${method} of ${key}: ${what}: ${reason}`);
  }

  const uploadOf = (key: string, uploadId: string): R2MultipartUpload => ({
    key,
    uploadId,
    uploadPart: async (partNumber, value) => {
      const query = { partNumber: String(partNumber), uploadId };
      const { headers } = await ask('PUT', key, { query, body: value as Body });
      return { partNumber, etag: unquoted(headers.get('ETag') ?? '') };
    },
    complete: async (parts) => {
      const listed = parts.map(
        ({ partNumber, etag }) => `<Part><PartNumber>${partNumber}</PartNumber><ETag>"${etag}"</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
      const text = await (await ask('POST', key, { query: { uploadId }, body })).text();
      // S3 begins the answer before it knows whether it can complete the object.
      if (elementOf(text, 'Code') !== undefined) throw new Error(`S3 POST of ${key}: ${reasonIn(text)}`);
      return required(key, await found.head(key));
    },
    abort: async () => {
      await ask('DELETE', key, { query: { uploadId } });
    },
  });

  const found: UsedBucket = {
    head: async (key) => {
      const response = await ask('HEAD', key, { headers: { 'X-Amz-Checksum-Mode': 'ENABLED' }, also: [404] });
      return response.status === 404 ? null : objectOf(key, response.headers);
    },

    get: async (key, { range, onlyIf }: R2GetOptions = {}) => {
      const { offset = 0, length } = (range ?? {}) as { offset?: number; length?: number };
      const { etagMatches } = (onlyIf ?? {}) as { etagMatches?: string };
      const headers = {
        ...(range && { Range: `bytes=${offset}-${length === undefined ? '' : offset + length - 1}` }),
        ...(etagMatches !== undefined && { 'If-Match': `"${etagMatches}"` }),
      };
      const response = await ask('GET', key, { headers, also: [404, 412] });
      if (response.ok) return withBody(objectOf(key, response.headers), response);
      await response.body?.cancel();
      // An object with another entity tag is given without its body.
      return response.status === 404 ? null : ((await found.head(key)) as R2ObjectBody | null);
    },

    put: async (key: string, value: unknown, { sha256, httpMetadata }: R2PutOptions = {}) => {
      const digest = sha256 as string | undefined;
      const { contentType } = (httpMetadata ?? {}) as R2HTTPMetadata;
      const headers = {
        ...(digest && { 'X-Amz-Content-Sha256': digest, 'X-Amz-Checksum-Sha256': base64OfHex(digest) }),
        ...(contentType && { 'Content-Type': contentType }),
      };
      await ask('PUT', key, { headers, body: value as Body });
      return required(key, await found.head(key));
    },

    delete: async (keys) => {
      const all = [keys].flat();
      if (all.length === 0) return;
      const listed = all.map((key) => `<Object><Key>${escaped(start + key)}</Key></Object>`);
      const body = `<Delete><Quiet>true</Quiet>${listed.join('')}</Delete>`;
      const headers = { 'Content-MD5': base64(new Uint8Array(await digestOf('MD5', body))) };
      const text = await (await ask('POST', '', { query: { delete: '' }, headers, body })).text();
      if (elementOf(text, 'Code') !== undefined) throw new Error(`S3 deletes not all objects: ${reasonIn(text)}`);
    },

    list: async ({ prefix = '', delimiter, cursor, limit }: R2ListOptions = {}) => {
      const query = {
        'list-type': '2',
        prefix: start + prefix,
        ...(delimiter !== undefined && { delimiter }),
        ...(cursor !== undefined && { 'continuation-token': cursor }),
        ...(limit !== undefined && { 'max-keys': String(limit) }),
      };
      const { objects, prefixes, next } = readListing(await (await ask('GET', '', { query })).text());
      const inBucket = (key: string) => key.slice(start.length);
      return {
        objects: objects.map(({ key, bytes, etag, modified }) =>
          object({ key: inBucket(key), size: bytes, etag, uploaded: new Date(modified) }),
        ),
        delimitedPrefixes: prefixes.map(inBucket),
        ...(next === undefined ? { truncated: false } : { truncated: true, cursor: next }),
      };
    },

    createMultipartUpload: async (key) => {
      const uploadId = elementOf(await (await ask('POST', key, { query: { uploads: '' } })).text(), 'UploadId');
      if (uploadId === undefined) throw new Error(`S3 POST of ${key}: it names no upload`);
      return uploadOf(key, uploadId);
    },

    resumeMultipartUpload: uploadOf,
  };
  return found as R2Bucket;
}

interface ObjectMetadata {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly uploaded: Date;
  /** Hexadecimal digits. */
  readonly sha256?: string | undefined;
}

/** The members of an object that the Worker reads. */
function object({ sha256, ...known }: ObjectMetadata): R2Object {
  return {
    ...known,
    httpEtag: `"${known.etag}"`,
    checksums: { toJSON: () => ({ ...(sha256 !== undefined && { sha256 }) }) },
  } as unknown as R2Object;
}

function objectOf(key: string, headers: Headers): R2Object {
  const sha256 = headers.get('X-Amz-Checksum-Sha256');
  // Content-Range has the size of the whole object.
  const size = headers.get('Content-Range')?.split('/')[1] ?? headers.get('Content-Length');
  return object({
    key,
    size: Number(size),
    etag: unquoted(headers.get('ETag') ?? ''),
    uploaded: new Date(headers.get('Last-Modified') ?? 0),
    sha256: sha256 ? hexOf(Uint8Array.from(atob(sha256), (it) => it.charCodeAt(0))) : undefined,
  });
}

function withBody(known: R2Object, response: Response): R2ObjectBody {
  const { body } = response;
  return Object.assign(known, { body, arrayBuffer: () => response.arrayBuffer() }) as unknown as R2ObjectBody;
}

function required(key: string, stored: R2Object | null): R2Object {
  if (stored) return stored;
  throw new Error(`S3 has no ${key} after it was stored`);
}

function digestOf(algorithm: string, body: string | Uint8Array): Promise<ArrayBuffer> {
  return crypto.subtle.digest(algorithm, typeof body === 'string' ? new TextEncoder().encode(body) : body);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function base64OfHex(digits: string): string {
  return base64(Uint8Array.from(digits.match(/../g) ?? [], (it) => Number.parseInt(it, 16)));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
