import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, MASTER, openApi, workerWith } from '../support/api.ts';
import { type Headers, person } from '../support/people.ts';
import { apart, publish } from '../support/snapshot.ts';
import { some } from '../support/some.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params: readonly Body[];
  /** The members of its JSON body, and one that is good; undefined where it takes none. */
  readonly body: { members: Readonly<Record<string, Body>>; good: object } | undefined;
}

const { paths, components } = await openApi();

const resolved = (schema: Body): Body =>
  schema?.$ref ? components.schemas[schema.$ref.replace('#/components/schemas/', '')] : schema;

/** Every operation but the one for providers' events, whose signature is checked first. */
const operations: Operation[] = Object.entries<Body>(paths).flatMap(([path, methods]) =>
  Object.entries<Body>(methods)
    .filter(([, { operationId }]) => operationId !== 'receive_webhook')
    .map(([method, { operationId, parameters = [], requestBody }]) => {
      const content = requestBody?.content['application/json'];
      const schema = resolved(content?.schema);
      const good = schema?.example ?? content?.example ?? {};
      const body = schema && { members: schema.properties as Record<string, Body>, good };
      return { name: operationId, method: method.toUpperCase(), path, params: parameters, body };
    }),
);

const withBody = operations.flatMap(({ body, ...operation }) =>
  body ? [[operation.name, { ...operation, body }] as const] : [],
);

/** The id of nothing. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The address of an operation with good parameters of its path, or with a value for all of them. */
function addressOf({ path, params }: Pick<Operation, 'path' | 'params'>, value?: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const param = params.find((param) => param.in === 'path' && param.name === name);
    return (
      value ??
      encodeURIComponent(
        String(param.example ?? param.schema.example ?? (param.schema.format === 'uuid' ? UNKNOWN : '1')),
      )
    );
  });
}

/** Somebody with keys of their own, whom operations on these are for. */
let user: Headers;

/** A bucket with a release: without one, what is published can't be told. */
const bucket = apart();
const ask = workerWith({ FILES: bucket });

beforeAll(async () => {
  user = (await person()).session;
  await publish({ active: true, bucket });
});

/** Who may make a request: the administrator's token, which needs no look-up, wherever no account is needed. */
const callerOf = (path: string) => (/^\/v1\/(api-keys|webhook-endpoints)/.test(path) ? user : MASTER);

/** What is wrong with a request, with every message in the words of this service. */
async function issuesOf(method: string, path: string, body?: string): Promise<Body[]> {
  const headers = { ...callerOf(path), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const { status, body: answer } = await ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
  expect(status, `${method} ${path} ${body?.slice(0, 200)}`).toBeLessThan(500);
  expect(status, `${method} ${path} is let in`).not.toBe(403);
  const issues: Body[] = answer?.error?.issues ?? [];
  for (const { message } of issues) {
    expect(message, `${method} ${path} ${body?.slice(0, 200)}`).toMatch(/^[^:]+: (must|are|is) /);
    expect(message).not.toMatch(/too (big|small)|invalid|unrecognized|expected|received|undefined|NaN/i);
  }
  return issues;
}

const WRONG = [
  'null',
  'true',
  '-1',
  '0.5',
  '1e999',
  '""',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '[{}]',
  '{"x":1}',
  JSON.stringify('x'.repeat(20_000)),
  JSON.stringify(Array(2000).fill('x')),
  JSON.stringify(Array(2000).fill('regions')),
  JSON.stringify(Array(200).fill({ lat: 1, lon: 1 })),
];

/** What a body can be instead of an object, and objects without what they need. */
const NO_BODIES = ['null', 'true', '-1', '"x"', '[]', '[{}]', '{}'];

/** The text of a body with the same value for some members. */
function bodyWith(good: object, names: readonly string[], value: string): string {
  const kept = Object.entries(good).filter(([name]) => !names.includes(name));
  const members = [...kept.map(([name, kept]) => [name, JSON.stringify(kept)]), ...names.map((name) => [name, value])];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

describe('what is wrong with a body is said in our words', () => {
  it.each(some(withBody))('of %s', async (_, operation) => {
    const path = addressOf(operation);
    const { members, good } = operation.body;
    let refused = 0;
    for (const value of WRONG) {
      refused += (await issuesOf(operation.method, path, bodyWith(good, Object.keys(members), value))).length;
    }
    for (const value of NO_BODIES) await issuesOf(operation.method, path, value);
    await issuesOf(operation.method, path, bodyWith(good, ['not_a_member'], '1'));
    expect(refused).toBeGreaterThan(5);
  });

  const withIntegers = withBody.flatMap(([name, operation]) => {
    const integers = Object.entries(operation.body.members).filter(([, { type }]) => [type].flat().includes('integer'));
    return integers.length > 0 ? [[name, integers.map(([name]) => name), operation] as const] : [];
  });
  it.each(some(withIntegers))(
    'of %s: an integer that no double has is refused, not rounded',
    async (_, names, operation) => {
      for (const value of ['9007199254740993', '12345678901234567890', '-9007199254740993', '1e30']) {
        const body = bodyWith(operation.body.good, names, value);
        const issues = await issuesOf(operation.method, addressOf(operation), body);
        expect(issues.map((issue) => issue.path[0])).toEqual(expect.arrayContaining(names));
      }
    },
  );
});

describe('what is wrong with a parameter is said in our words', () => {
  it.each(some(operations.map((operation) => [operation.name, operation] as const)))('of %s', async (_, operation) => {
    const { method, params } = operation;
    // What a handler would do with good parameters is no matter here, so nothing is deleted, uploaded or activated.
    if (!['GET', 'POST'].includes(method)) return;
    const query = params.filter((param) => param.in === 'query').map(({ name }) => encodeURIComponent(name));
    const good = addressOf(operation);
    const body = operation.body && '{}';
    if (query.length > 0) {
      for (const value of ['', '%00', 'x'.repeat(9000), '01.5', '9'.repeat(40), '[]']) {
        await issuesOf(method, `${good}?${query.map((name) => `${name}=${value}`).join('&')}`, body);
      }
      await issuesOf(method, `${good}?${query.map((name) => `${name}=1&${name}=2`).join('&')}`, body);
    }
    if (!operation.path.includes('{')) return;
    for (const value of ['%00', 'x'.repeat(300), '%20', '-1', '9'.repeat(40)]) {
      await issuesOf(method, addressOf(operation, value), body);
    }
  });
});
