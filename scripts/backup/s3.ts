import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { encodedKey, readListing, reasonIn, type S3Location, unquoted } from '../../src/own-server/s3.ts';
import type { FileToPut, Store } from './store.ts';

/** Where an S3 service answers, and who asks it. */
export type S3Account = Omit<S3Location, 'bucket' | 'start'>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The account of the usual variables: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL (without them Amazon's own), AWS_REGION,
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
 *
 * @param prefix of the names of variables that come before these, where they are set: `BUCKET_` for `BUCKET_AWS_REGION`
 * @throws Error naming the variables that are missing
 */
export function accountOf(environment: Environment, prefix = ''): S3Account {
  const hasOwn =
    prefix !== '' && Object.entries(environment).some(([name, it]) => it && name.startsWith(`${prefix}AWS_`));
  const start = hasOwn ? prefix : '';
  const read = (name: string) => environment[`${start}${name}`] || undefined;
  const required = (name: string) => {
    const value = read(name);
    if (value === undefined)
      throw new Error(`Set ${start}AWS_ACCESS_KEY_ID and ${start}AWS_SECRET_ACCESS_KEY to reach s3://.`);
    return value;
  };
  const endpoint = read('AWS_ENDPOINT_URL_S3') ?? read('AWS_ENDPOINT_URL');
  const region =
    read('AWS_REGION') ?? read('AWS_DEFAULT_REGION') ?? (endpoint?.includes('.r2.') ? 'auto' : 'us-east-1');
  if (endpoint !== undefined && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    throw new Error(
      `${start}AWS_ENDPOINT_URL must be an address such as https://s3.example, without a path (got ${endpoint}).`,
    );
  }
  return {
    endpoint: (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, ''),
    region,
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    sessionToken: read('AWS_SESSION_TOKEN'),
  };
}

/** Attempts of a request, and the pause after the first of them, milliseconds, which doubles. */
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 300;

/** How long a connection may be silent, milliseconds. */
const SILENCE_MS = 60_000;

/**
 * The bucket that a URL names, and the beginning of its keys: empty, or with a slash at its end.
 *
 * @param url `s3://bucket` or `s3://bucket/prefix`
 * @throws Error if the URL is written in another way
 */
export function bucketOf(url: string): { bucket: string; start: string } {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(url) ?? [];
  if (bucket === undefined) throw new Error(`A bucket is written as s3://bucket or s3://bucket/prefix (got ${url}).`);
  return { bucket, start: path === '' ? '' : `${path}/` };
}

/**
 * A store in a bucket of any S3: Amazon's, R2, MinIO, Garage. A file is sent in one request of known length and SHA-256, which is
 * refused where other bytes arrive; that goes up to 5 GiB, and the service takes no file of more than 5 GB. Memory does not
 * grow with it.
 *
 * @param bucketUrl `s3://bucket` or `s3://bucket/prefix`
 * @throws Error if the URL is written in another way
 */
export function s3Store(bucketUrl: string, account: S3Account): Store {
  const { bucket, start } = bucketOf(bucketUrl);
  const { endpoint, sessionToken, ...credentials } = account;
  const signing = { ...credentials, ...(sessionToken !== undefined && { sessionToken }), service: 's3' };
  const address = (key: string) => `${endpoint}/${bucket}/${encodedKey(key)}`;

  /** Sends a request, and again while the service is busy or can't be reached. */
  async function ask(
    method: string,
    url: string,
    statuses: readonly number[],
    sent: RequestBody = {},
  ): Promise<IncomingMessage> {
    for (let tries = 1; ; tries += 1) {
      let fault: string;
      try {
        // A signature holds for some minutes.
        const signed = await new AwsV4Signer({ ...signing, method, url, headers: headersOf(sent) }).sign();
        const answer = await send(signed, sent);
        const status = answer.statusCode ?? 0;
        if (statuses.includes(status)) return answer;
        fault = `answers with status ${status}: ${reasonIn(await textOf(answer))}`;
        if (status < 500 && status !== 429) tries = MAX_TRIES;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        fault = `can't be reached: ${message || code}`;
      }
      if (tries >= MAX_TRIES) throw new Error(`${bucketUrl} ${fault}`);
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }

  return {
    name: bucketUrl,
    list: async function* (prefix) {
      for (let token: string | undefined, more = true; more; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: start + prefix });
        if (token !== undefined) query.set('continuation-token', token);
        const answer = await ask('GET', `${endpoint}/${bucket}?${query}`, [200]);
        const page = readListing(await textOf(answer));
        for (const object of page.objects) yield { ...object, key: object.key.slice(start.length) };
        token = page.next;
        more = token !== undefined;
      }
    },
    get: async (key) => {
      const answer = await ask('GET', address(start + key), [200, 404]);
      if (answer.statusCode === 404) {
        // A bucket that is not there is no bucket without this object.
        if (reasonIn(await textOf(answer)).startsWith('NoSuchBucket'))
          throw new Error(`${bucketUrl}: there is no such bucket.`);
        return undefined;
      }
      const { etag = '', 'content-type': contentType } = answer.headers;
      return { body: answer, etag: unquoted(etag), contentType };
    },
    put: async (key, file) => {
      await textOf(await ask('PUT', address(start + key), [200], { file }));
    },
    create: async (key, text) => {
      const answer = await ask('PUT', address(start + key), [200, 409, 412], { text });
      await textOf(answer);
      return answer.statusCode === 200;
    },
    delete: async (keys) => {
      for (const key of keys) await textOf(await ask('DELETE', address(start + key), [200, 204, 404]));
    },
    close: async () => undefined,
  };
}

/** The body of a request: a file; or a text, which is stored only where nothing has its key. */
interface RequestBody {
  readonly file?: FileToPut;
  readonly text?: string;
}

function headersOf({ file, text }: RequestBody): Record<string, string> {
  if (file) {
    return {
      'Content-Type': file.contentType ?? 'application/octet-stream',
      'Content-Length': String(file.bytes),
      'X-Amz-Content-Sha256': file.sha256,
      'X-Amz-Checksum-Sha256': Buffer.from(file.sha256, 'hex').toString('base64'),
    };
  }
  const sha256 = createHash('sha256')
    .update(text ?? '')
    .digest('hex');
  if (text === undefined) return { 'X-Amz-Content-Sha256': sha256 };
  const bytes = Buffer.byteLength(text);
  return { 'If-None-Match': '*', 'Content-Length': String(bytes), 'X-Amz-Content-Sha256': sha256 };
}

/**
 * Sends a signed request. It is none of `fetch`, which ends the process where a server closes a connection whose answer is read
 * slowly: https://github.com/nodejs/undici/issues/5360
 */
async function send(
  { method, url, headers }: { method: string; url: URL; headers: Headers },
  { file, text }: RequestBody,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const asked = request(url, { method, headers: Object.fromEntries(headers), timeout: SILENCE_MS });
  asked.on('timeout', () => asked.destroy(new Error(`nothing came for ${SILENCE_MS / 1000} seconds`)));
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  // A service that refuses a file may answer before it has read all of it.
  if (file) pipeline(createReadStream(file.path), asked).catch((error) => asked.destroy(error));
  else asked.end(text);
  const [answer] = await answered;
  return answer;
}
