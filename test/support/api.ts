import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { expect, inject, vi } from 'vitest';
import worker from '../../src/worker.ts';
import { someAddress } from './addresses.ts';
import { compiler } from './keeps-to.ts';

export const ORIGIN = 'https://geo.example';

/** Headers of the administrator, whose token vitest.config.ts gives to the Worker. */
export const MASTER = { Authorization: `Bearer ${(env as { MASTER_TOKEN?: string }).MASTER_TOKEN}` };

// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the declared schema, then looked into freely
export type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
  /** The body parsed as JSON, undefined where it is empty. */
  body: Body;
}

export interface Asking extends RequestInit {
  redirect?: never;
  /** What is asked for is deliberately not in the OpenAPI document. */
  undeclared?: true;
}

/**
 * One request to the Worker. Whatever it answers is held against the OpenAPI document: the operation, its status, media
 * type and body must be declared, so that no test passes on an answer that the document doesn't know.
 */
export async function api(path: string, init: Asking = {}): Promise<Answer> {
  return checked(path, init, await fetched(requestOf(path, init)));
}

/** The server of one's own that is asked in place of the Worker, in the mode `own-server`. */
const ownServer = inject('ownServer');

/** Asks the Worker, or a server at an address, behind which the tests are its proxy. */
function fetched(request: Request): Promise<Response> {
  if (ownServer === undefined) return exports.default.fetch(request);
  const { host, protocol, pathname, search } = new URL(request.url);
  const sent = new Request(ownServer + pathname + search, request);
  sent.headers.set('X-Forwarded-For', sent.headers.get('CF-Connecting-IP') ?? '');
  sent.headers.set('X-Forwarded-Host', host);
  sent.headers.set('X-Forwarded-Proto', protocol.slice(0, -1));
  return fetch(sent, { redirect: 'manual' });
}

/** Settings of a Worker that waits no longer than a deployed one. */
export const ON_TIME = { REQUEST_WAIT_MS: undefined };

/** The Worker with other settings or bindings, for requests as `api` makes them. */
export function workerWith(settings: object, { fetch } = worker): typeof api {
  const bindings = { ...env, ...settings };
  return async (path, init = {}) =>
    checked(path, init, await unpacked(await fetch(requestOf(path, init), bindings, createExecutionContext())));
}

/** The Worker in another instance, which shares no memory with the others. Its Durable Objects are the same. */
export async function instanceWith(settings: object = {}): Promise<typeof api> {
  vi.resetModules();
  const { default: other } = await import('../../src/worker.ts');
  return workerWith(settings, other);
}

/** The response with its body as a client reads it. The platform does this for `api`. */
async function unpacked(response: Response): Promise<Response> {
  const encoding = response.headers.get('Content-Encoding');
  if (encoding === null || !response.body) return response;
  const packed = new Uint8Array(await response.arrayBuffer());
  return new Response(encoding === 'br' ? brotliDecompressSync(packed) : gunzipSync(packed), response);
}

function requestOf(path: string, { undeclared: _, ...init }: Asking): Request {
  const request = new Request(ORIGIN + path, init);
  // No client makes too many requests, unless a test names one.
  if (!request.headers.has('CF-Connecting-IP')) request.headers.set('CF-Connecting-IP', someAddress());
  return request;
}

export function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return api(path, { headers });
}

/** A request to what the OpenAPI document deliberately doesn't have: pages, the document itself, what is not there. */
export function undeclared(path: string, init: Asking = {}): Promise<Answer> {
  return api(path, { ...init, undeclared: true });
}

/** A request with a body: JSON as it is given, or of a value; none where that is undefined. */
export function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  if (body === undefined) return api(path, { method, headers });
  return api(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function post(path: string, body: unknown, headers: Record<string, string> = MASTER): Promise<Answer> {
  return send('POST', path, headers, body);
}

export function patch(path: string, body: unknown, headers: Record<string, string> = MASTER): Promise<Answer> {
  return send('PATCH', path, headers, body);
}

async function checked(path: string, init: Asking, response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const type = response.headers.get('Content-Type') ?? '';
  const mediaType = type.split(';')[0] ?? '';
  // A range of a document is no document.
  const isJson = /[/+]json$/.test(mediaType) && text !== '' && response.status !== 206;
  const body = isJson ? JSON.parse(text) : undefined;
  const content = body ?? (text === '' ? undefined : text);
  await expectDeclared({ path, init, status: response.status, types: [type, mediaType] }, content);
  return { status: response.status, headers: response.headers, text, bytes, body };
}

/** The OpenAPI document that the Worker serves. */
export async function openApi(): Promise<Body> {
  const response = await fetched(new Request(`${ORIGIN}/openapi.json`));
  return response.json();
}

/** The document whose schemas are strict, with the places that references in it name; read once for all answers. */
let read: ReturnType<typeof readDocument> | undefined;

async function readDocument() {
  const document = strict(await openApi());
  const places = dereference(document);
  return { document, places, keepsTo: compiler(places) };
}

/** The path template of the document that a request is for, and its operation; undefined where it has none. */
async function declaredFor(path: string, method = 'GET'): Promise<[template?: string, operation?: Body]> {
  read ??= readDocument();
  const { paths } = (await read).document;
  const template = templateOf(paths, new URL(path, ORIGIN).pathname);
  // HEAD is answered wherever GET is.
  return template === undefined ? [] : [template, paths[template][method === 'HEAD' ? 'get' : method.toLowerCase()]];
}

/** The operation of the document that a request is for; undefined where it has none. */
export async function operationOf(path: string, { method }: RequestInit = {}): Promise<Body> {
  return (await declaredFor(path, method))[1];
}

/** What of an answer the OpenAPI document is asked about. */
interface Answered {
  path: string;
  init: Asking;
  status: number;
  /** Its media type, with and without parameters. */
  types: [string, string];
}

/** Holds an answer against the OpenAPI document. */
export async function expectDeclared({ path, init, status, types }: Answered, body: Body) {
  const { method = 'GET', undeclared = false } = init;
  // CORS preflights are no operations of the document.
  if (method === 'OPTIONS') return;
  const [template, operation] = await declaredFor(path, method);
  if (!operation) {
    return expect(undeclared, `${method} ${path} is in the document, or asked for with undeclared()`).toBe(true);
  }
  expect(undeclared, `${method} ${template} is not in the document, as undeclared() says`).toBe(false);
  const declared = operation.responses[status];
  expect(declared, `${method} ${template} declares ${status}`).toBeDefined();
  if (method === 'HEAD') return expect(body, `HEAD ${template} ${status} has no body`).toBeUndefined();
  if (!declared.content) return expect(body, `${method} ${template} ${status} has no body`).toBeUndefined();
  const mediaType = types.find((type) => type in declared.content) ?? types[1];
  const schema: Schema | undefined = declared.content[mediaType]?.schema;
  if (!schema) expect.fail(`${method} ${template} ${status} declares no ${mediaType}`);
  // Pages and files have no schema to check, and a part of a document keeps to none.
  if (!mediaType.endsWith('json') || status === 206) return;
  read ??= readDocument();
  const { places, keepsTo } = await read;
  if (keepsTo(schema)(body)) return;
  const { errors } = validate(body, schema, '2020-12', places, false);
  expect(errors, `${method} ${template} ${status} ${mediaType} keeps to its schema`).toEqual([]);
}

/** The same schema, in which objects may have only the declared members: an undeclared one is as wrong as a missing one. */
function strict(schema: Body): Body {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  // The validator would take the member `id` of an example for the address of a schema.
  const { example: _, examples: __, ...rest } = schema;
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, strict(value)]));
  return schema.type === 'object' && schema.properties && !('additionalProperties' in schema)
    ? { ...members, additionalProperties: false }
    : members;
}

/** The path template that a path belongs to; literal segments win over parameters, which are never empty. */
function templateOf(paths: Record<string, unknown>, path: string): string | undefined {
  const segments = path.split('/').map(decoded);
  return Object.keys(paths)
    .filter((template) => {
      const parts = template.split('/');
      const fits = (part: string, segment = '') => {
        if (!part.startsWith('{')) return part === segment;
        const end = part.slice(part.indexOf('}') + 1);
        return segment.endsWith(end) && segment.length > end.length;
      };
      return parts.length === segments.length && parts.every((part, i) => fits(part, segments[i]));
    })
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** A segment of a path without its percent-encoding, or as it is where that is wrong. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
