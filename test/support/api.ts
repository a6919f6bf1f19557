import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import worker from '../../src/worker.ts';
import { freshAddress } from './addresses.ts';

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

/**
 * One request to the Worker. Whatever it answers is held against the OpenAPI document: status, media type and body
 * must be declared for the operation, so that no test passes on an answer the document doesn't know.
 */
export async function api(path: string, init: RequestInit & { redirect?: never } = {}): Promise<Answer> {
  return checked(path, init.method ?? 'GET', await exports.default.fetch(requestOf(path, init)));
}

/** A Worker of its own with other settings or bindings, asked as `api` asks. It knows nothing that another has learnt. */
export function workerWith(settings: object): typeof api {
  const bindings = { ...env, ...settings };
  return async (path, init = {}) =>
    checked(path, init.method ?? 'GET', await worker.fetch(requestOf(path, init), bindings, createExecutionContext()));
}

function requestOf(path: string, init: RequestInit): Request {
  const request = new Request(ORIGIN + path, init);
  // Every request is of another client, unless a test says whose it is.
  if (!request.headers.has('CF-Connecting-IP')) request.headers.set('CF-Connecting-IP', freshAddress());
  return request;
}

export function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return api(path, { headers });
}

export function post(path: string, body: unknown, headers: Record<string, string> = MASTER): Promise<Answer> {
  return api(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** An answer that came another way, held against the document all the same. */
export async function checked(path: string, method: string, response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const mediaType = response.headers.get('Content-Type')?.split(';')[0] ?? '';
  const body = /[/+]json$/.test(mediaType) && text !== '' ? JSON.parse(text) : undefined;
  const content = body ?? (text === '' ? undefined : text);
  if (method !== 'HEAD' && method !== 'OPTIONS')
    await expectDeclared(path, method, response.status, mediaType, content);
  return { status: response.status, headers: response.headers, text, bytes, body };
}

/** The OpenAPI document that the Worker serves. */
export async function openApi(): Promise<Body> {
  const response = await exports.default.fetch(new Request(`${ORIGIN}/openapi.json`));
  return response.json();
}

let document: Promise<Body> | undefined;
const validators = new Map<string, Validator>();

async function expectDeclared(path: string, method: string, status: number, mediaType: string, body: Body) {
  document ??= openApi();
  const { paths, components } = await document;
  const template = templateOf(paths, path.split('?')[0] ?? '');
  const operation = template && paths[template][method.toLowerCase()];
  if (!operation) return;
  const declared = operation.responses[status];
  expect(declared, `${method} ${template} declares ${status}`).toBeDefined();
  if (!declared.content) return expect(body, `${method} ${template} ${status} has no body`).toBeUndefined();
  const schema = declared.content[mediaType]?.schema;
  expect(schema, `${method} ${template} ${status} declares ${mediaType}`).toBeDefined();
  // Pages and files are not looked into.
  if (!mediaType.endsWith('json')) return;
  const key = `${method} ${template} ${status} ${mediaType}`;
  const validator = validators.get(key) ?? new Validator(strict({ ...schema, components }) as Schema, '2020-12', false);
  validators.set(key, validator);
  expect(validator.validate(body).errors, `${key} keeps to its schema`).toEqual([]);
}

/** A schema in which an object may have no members but the declared ones: undeclared ones are as wrong as missing ones. */
function strict(schema: Body): Body {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  // The validator would take the id of an example record for the address of a schema.
  const { example: _, ...rest } = schema;
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, strict(value)]));
  return schema.type === 'object' && schema.properties && !('additionalProperties' in schema)
    ? { ...members, additionalProperties: false }
    : members;
}

/** The path template that a path belongs to; literal segments win over parameters. */
function templateOf(paths: Record<string, unknown>, path: string): string | undefined {
  const segments = path.split('/');
  return Object.keys(paths)
    .filter((template) => {
      const parts = template.split('/');
      const fits = (part: string, segment = '') =>
        part.startsWith('{') ? segment.endsWith(part.slice(part.indexOf('}') + 1)) : part === segment;
      return parts.length === segments.length && parts.every((part, i) => fits(part, segments[i]));
    })
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
}
