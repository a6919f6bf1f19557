import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import headersOfPages from '../../pages/_headers?raw';
import worker from '../../src/worker.ts';
import { type Asking, undeclared, workerWith } from '../support/api.ts';

/** What `pages/_headers` has for every page. */
const [, POLICY = ''] = /^ {2}Content-Security-Policy: (.+)$/m.exec(headersOfPages) ?? [];

/** The platform's static assets, which the pages are built into only where a browser is to see them. */
const ASSETS = {
  fetch: async ({ url }: Request) =>
    new Response(`<title>${new URL(url).pathname}</title>`, {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY },
    }),
};

/** A request to a Worker with these variables in addition to its own. */
function ask(path: string, init: Asking = {}, variables: object = {}) {
  return workerWith({ ASSETS, ...variables })(path, init);
}

/** A request to a page or the sign-in, which the OpenAPI document doesn't have. */
function askPage(path: string, init: Asking = {}, variables: object = {}) {
  return ask(path, { ...init, undeclared: true }, variables);
}

const keyOf = (host: string) => `pk_live_${btoa(`${host}$`)}`;

describe('the root', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['application/json, text/html;q=0.9', 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['image/png', 'application/json'],
    ['', 'application/json'],
  ])('answers Accept: %s with %s, and says that it depends', async (accept, type) => {
    const { status, headers } = await ask('/', { headers: { Accept: accept } });
    expect([status, headers.get('Content-Type')]).toEqual([200, type]);
    expect(headers.get('Vary')).toContain('Accept');
    expect(headers.get('X-Request-Id')).toBeTruthy();
  });

  it('is JSON under the address /v1, whatever is accepted', async () => {
    const { headers } = await ask('/v1', { headers: { Accept: 'text/html' } });
    expect(headers.get('Content-Type')).toBe('application/json');
  });
});

describe('what is not there', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(['/nowhere', '/docs/nowhere', '/v1/nowhere'])('is a page for a browser: %s', async (path) => {
    const { status, headers, text } = await askPage(path, { headers: browser });
    expect([status, text]).toEqual([404, '<title>/404</title>']);
    expect([headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(headers.get('Content-Security-Policy')).toBe(POLICY);
    expect(headers.get('Vary')).toContain('Accept');
  });

  it.each([
    ['/nowhere', 'GET', 'application/json'],
    ['/nowhere', 'GET', '*/*'],
    ['/nowhere', 'POST', browser.Accept],
  ])('is JSON for others: %s %s %s', async (path, method, accept) => {
    const { status, body, headers } = await askPage(path, { method, headers: { Accept: accept } });
    expect([status, body.code]).toEqual([404, 'route_not_found']);
    expect(headers.get('Vary')?.includes('Accept') ?? false).toBe(method === 'GET');
  });

  it('is an outcome under /fhir', async () => {
    const { status, body } = await askPage('/fhir/Nowhere', { headers: browser });
    expect([status, body.resourceType]).toEqual([404, 'OperationOutcome']);
  });

  it('is JSON where there is no page', async () => {
    const none = { ASSETS: { fetch: async () => new Response(null, { status: 404 }) } };
    const { status, body } = await askPage('/nowhere', { headers: browser }, none);
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });
});

describe.each(['/dashboard', '/match'])('the page %s', (path) => {
  it('is served with the policy of every page', async () => {
    const { status, headers, text } = await askPage(path);
    expect([status, text]).toEqual([200, `<title>${path}</title>`]);
    expect(POLICY).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(headers.get('Content-Security-Policy')).toBe(POLICY);
  });

  it('lets the identity provider’s script and its worker in, and nothing else, where one is configured', async () => {
    const variables = { IDENTITY_PUBLISHABLE_KEY: keyOf('clerk.geo.example') };
    const { headers } = await askPage(path, {}, variables);
    const directives = (policy: string | null) => policy?.split('; ') ?? [];
    const common = directives(POLICY);
    const own = directives(headers.get('Content-Security-Policy'));
    expect(own.filter((directive) => !common.includes(directive))).toEqual([
      "script-src 'self' https://clerk.geo.example",
      "connect-src 'self' https://clerk.geo.example",
      // Its script keeps the session alive in a worker that it makes of its own text.
      "worker-src 'self' blob:",
    ]);
    expect(own.length).toBe(common.length);
  });
});

describe('the dashboard', () => {
  it('names the identity provider where one is configured', async () => {
    const variables = { IDENTITY_PUBLISHABLE_KEY: keyOf('clerk.geo.example') };
    const { body } = await askPage('/dashboard/sign-in', {}, variables);
    expect(body).toEqual({ way: 'provider', publishable_key: keyOf('clerk.geo.example'), host: 'clerk.geo.example' });
  });

  it.each([
    ['with more than a host', keyOf('clerk.geo.example; script-src *')],
    ['with a path', keyOf('clerk.geo.example/x')],
    ['without a host', 'pk_live_'],
    ['that is secret', `sk_live_${btoa('clerk.geo.example$')}`],
  ])('does not start with a publishable key %s', async (_, key) => {
    const { status, body } = await askPage('/dashboard', {}, { IDENTITY_PUBLISHABLE_KEY: key });
    expect([status, body.code]).toEqual([500, 'internal_error']);
  });

  it('asks for a token where there is no identity provider', async () => {
    const { body, headers } = await undeclared('/dashboard/sign-in');
    expect(body).toEqual({ way: 'token' });
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('creates sessions only on a developer’s machine', async () => {
    const init = { method: 'POST', body: 'maria@example.com', headers: { 'Sec-Fetch-Site': 'same-origin' } };
    const { status, body } = await askPage('/dashboard/sign-in', init);
    expect([status, body.code]).toEqual([404, 'route_not_found']);
    for (const ENVIRONMENT of ['preview', 'production']) {
      const variables = { ENVIRONMENT, LOCAL_SIGN_IN_URL: 'http://127.0.0.1:9/' };
      expect((await askPage('/dashboard/sign-in', init, variables)).status).toBe(500);
    }
    const elsewhere = { LOCAL_SIGN_IN_URL: 'http://elsewhere.example/' };
    expect((await askPage('/dashboard/sign-in', init, elsewhere)).status).toBe(500);
  });

  it('signs nobody in for a page of another origin, nor with more than an address', async () => {
    const variables = { LOCAL_SIGN_IN_URL: 'http://127.0.0.1:9/' };
    for (const site of ['cross-site', 'same-site', 'none', '']) {
      const init = { method: 'POST', body: 'maria@example.com', headers: { 'Sec-Fetch-Site': site } };
      const { status, body } = await askPage('/dashboard/sign-in', init, variables);
      expect([site, status, body.code]).toEqual([site, 403, 'admin_only']);
    }
    const own = { method: 'POST', body: 'maria@example.com', headers: { 'Sec-Fetch-Site': 'same-origin' } };
    const environment = { ...env, ASSETS, ...variables };
    const statusAt = async (address: string, headers = {}) => {
      const init = { ...own, headers: { ...own.headers, ...headers } };
      return (await worker.fetch(new Request(address, init), environment, createExecutionContext())).status;
    };
    // A page of this name is of the same origin where the name was made to lead to this machine.
    for (const host of ['evil.example:8787', '127.0.0.1.evil.example:8787', 'localhost.evil.example'])
      expect([host, await statusAt(`http://${host}/dashboard/sign-in`)]).toEqual([host, 403]);
    expect(await statusAt('http://127.0.0.1:8787/dashboard/sign-in', { Host: 'evil.example:8787' })).toBe(403);
    // Nothing listens where the session would come from.
    for (const host of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787'])
      expect([host, await statusAt(`http://${host}/dashboard/sign-in`)]).toEqual([host, 500]);
    const large = { method: 'POST', body: 'x'.repeat(1000), headers: { 'Sec-Fetch-Site': 'same-origin' } };
    expect((await askPage('/dashboard/sign-in', large, variables)).status).toBe(413);
  });
});
