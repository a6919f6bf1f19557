import { describe, expect, it } from 'vitest';
import { api, type Body, MASTER, openApi, undeclared } from '../support/api.ts';
import { person } from '../support/people.ts';
import { some } from '../support/some.ts';

const paths = Object.entries<Body>((await openApi()).paths).map(([path, methods]): [string, string[]] => [
  path,
  Object.keys(methods).map((method) => method.toUpperCase()),
]);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'];

/** The header Allow of a path for which the document declares these methods. */
const allowed = (declared: string[]) =>
  [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');

describe('methods that a path does not have', () => {
  it('are tried on many paths, some of which could be taken for a parameter of others', () => {
    const literal = paths.map(([path]) => path).filter((path) => !path.includes('{'));
    expect(literal.length).toBeGreaterThan(30);
    expect(literal).toEqual(
      expect.arrayContaining(['/v1/regions/search', '/v1/datasets/upload', '/v1/webhooks/ping', '/v1/api-keys/stats']),
    );
  });

  it.each(some(paths))('%s is 405 but for %j, whoever asks', async (path, declared) => {
    const allow = allowed(declared);
    for (const method of some(METHODS.filter((method) => !allow.split(', ').includes(method)))) {
      const { status, headers, body } = await undeclared(path.replaceAll(/\{\w+\}/g, '1'), { method });
      expect([method, status, headers.get('Allow')?.split(', ').sort().join(', ')]).toEqual([method, 405, allow]);
      if (method !== 'HEAD') expect(body.code).toBe('method_not_allowed');
    }
  });
});

/** What is made or changed by POST. */
const CHANGED_BY_POST =
  /^\/v1\/(datasets|datasets\/upload|features|api-keys|api-keys\/\{id\}\/(rotate|revoke)|admin\/.*)$/;

describe('a change of one version', () => {
  const changes = paths.flatMap(([path, declared]) =>
    declared
      .filter((method) => /^(PATCH|PUT|DELETE)$/.test(method) || (method === 'POST' && CHANGED_BY_POST.test(path)))
      .map((method) => [method, path] as const),
  );

  it.each(some(changes))(
    '%s %s is refused, because nothing that is changed has an entity tag',
    async (method, path) => {
      const { session } = await person();
      const answer = async (tags: string, name = 'If-Match') => {
        const caller = /^\/v1\/(api-keys|account|webhook-endpoints)/.test(path) ? session : MASTER;
        const headers = { ...caller, 'Content-Type': 'application/json', [name]: tags };
        return api(path.replaceAll(/\{\w+\}/g, '1'), { method, headers, body: '{}' });
      };
      const { status, body } = await answer('"1"');
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
      expect(body.message).toContain('(got "\\"1\\"")');
      expect((await answer('*')).status).not.toBe(412);
      expect((await answer('Thu, 01 Jan 1970 00:00:00 GMT', 'If-Unmodified-Since')).status).toBe(412);
    },
  );
});
