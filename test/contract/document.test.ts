import { describe, expect, it } from 'vitest';
import { type Body, get, openApi } from '../support/api.ts';

const document = await openApi();
const operations: [string, string, Body][] = Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Body>(methods).map(([method, operation]): [string, string, Body] => [method, path, operation]),
);

describe('the OpenAPI document', () => {
  it('is of version 3.1 and names the service and its version', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.title).toBe('Philippine Geographic Data Service');
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('has every operation once', () => {
    const ids = operations.map(([, , operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const paths = operations.map(([method, path]) => `${method} ${path}`);
    for (const level of ['regions', 'provinces', 'municities', 'barangays']) {
      expect(paths).toEqual(
        expect.arrayContaining([
          `get /v1/${level}`,
          `post /v1/${level}/search`,
          `get /v1/${level}/{id}`,
          `get /v1/${level}/{id}/hierarchy`,
        ]),
      );
    }
    for (const path of ['/', '/v1', '/version', '/v1/version', '/healthcheck', '/v1/healthcheck'])
      expect(paths).toContain(`get ${path}`);
    expect(paths).toEqual(expect.arrayContaining(['get /v1/municities/search', 'get /v1/barangays/search']));
  });

  it.each(operations)(
    '%s %s has a summary, a tag, who may call it, and answers for what can go wrong',
    (_, path, operation) => {
      expect(operation.summary).toBeTruthy();
      expect(document.tags.map(({ name }: Body) => name)).toContain(operation.tags[0]);
      expect(operation.security).toBeDefined();
      expect(operation.responses[200]).toBeDefined();
      if (!path.startsWith('/v1/')) return;
      if (/version|healthcheck|webhooks/.test(path)) return;
      const input = operation.parameters || operation.requestBody;
      for (const status of [401, ...(input ? [422] : []), 500, 503])
        expect(operation.responses[status], String(status)).toBeDefined();
    },
  );

  it('resolves all its references', () => {
    const references = JSON.stringify(document).match(/"#\/components\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of new Set(references)) {
      const [, , kind, name] = JSON.parse(reference).split('/');
      expect(document.components[kind][name], reference).toBeDefined();
    }
  });

  it('describes parameters as they are: integers with their bounds, words with their choices', () => {
    const list = document.paths['/v1/municities'].get.parameters;
    const schema = (name: string) => list.find((parameter: Body) => parameter.name === name)?.schema;
    expect(schema('page')).toMatchObject({ type: 'integer', minimum: 1, default: 1 });
    expect(schema('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
    expect(schema('scope')).toMatchObject({ enum: ['geographic', 'admin'], default: 'geographic' });
    expect(list.find((parameter: Body) => parameter.name === 'output').deprecated ?? schema('output').deprecated).toBe(
      true,
    );
    for (const parameter of list) expect(parameter.required ?? false, parameter.name).toBe(false);
  });

  it('may be kept for a while', async () => {
    expect((await get('/openapi.json')).headers.get('Cache-Control')).toContain('max-age');
  });
});
