import { z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AppContext } from '../context.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import { pageResponse } from '../http/pages.ts';
import { Router } from '../operation.ts';
import { withProvider } from './policy.ts';

/** How long the endpoint of the development server may take, milliseconds. */
const SIGN_IN_TIMEOUT_MS = 5000;

/** The longest body of a sign-in, which is an email address, bytes. */
const MAX_EMAIL_BYTES = 320;

/** The dashboard page and its sign-in. They are no part of the API and are not in the OpenAPI document. */
export function dashboardRoutes(): Router {
  const router = signedInPage('dashboard');

  router.get('/sign-in', (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(signInOf(c.var.config));
  });

  router.post('/sign-in', bodyLimit({ maxSize: MAX_EMAIL_BYTES }), ownPage, async (c) => {
    const url = signInUrl(c);
    const email = await c.req.text();
    const answer = await fetch(url, { method: 'POST', body: email, signal: AbortSignal.timeout(SIGN_IN_TIMEOUT_MS) });
    c.header('Cache-Control', 'no-store');
    return c.json((await answer.json()) as object, answer.ok ? 200 : 422);
  });

  return router;
}

/** A page whose policy lets the identity provider's script in, which keeps its users signed in. */
export function signedInPage(name: string): Router {
  const router = new Router();
  router.get('/', async (c) => {
    const page = await pageResponse(c, c.env.ASSETS, name);
    const host = providerHost(c.var.config);
    const policy = page.headers.get('Content-Security-Policy');
    if (host && policy) page.headers.set('Content-Security-Policy', withProvider(policy, host));
    return page;
  });
  return router;
}

/** How people sign in here: with a click on the developer's machine, through the identity provider, or with a token. */
function signInOf(config: Config): object {
  if (config.LOCAL_SIGN_IN_URL !== undefined) return { way: 'local' };
  const host = providerHost(config);
  return host === undefined
    ? { way: 'token' }
    : { way: 'provider', publishable_key: config.IDENTITY_PUBLISHABLE_KEY, host };
}

/** The host that serves the identity provider's script. The publishable key contains it. */
function providerHost({ IDENTITY_PUBLISHABLE_KEY: key }: Config): string | undefined {
  return key === undefined ? undefined : atob(key.split('_')[2] ?? '').slice(0, -1);
}

/** The names of this machine that the local server is reached by. */
const LOCAL_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** @throws DomainError `route_not_found` where one signs in otherwise */
function signInUrl(c: AppContext): string {
  const { LOCAL_SIGN_IN_URL: url } = c.var.config;
  if (url === undefined) throw new DomainError('route_not_found', 'One signs in through the identity provider.');
  return url;
}

/**
 * Refuses pages of other origins, which could sign in as the developer from the same browser. To the browser a page is of
 * the same origin also where its name was made to lead to this machine after the page was loaded (DNS rebinding), so the
 * name must be one of this machine.
 */
const ownPage = zValidator(
  'header',
  z.object({ host: z.string().regex(LOCAL_HOST).optional(), 'sec-fetch-site': z.literal('same-origin') }),
  ({ success }, c: Context) => {
    signInUrl(c as AppContext);
    if (success && LOCAL_HOST.test(new URL(c.req.url).host)) return;
    throw new DomainError('admin_only', 'Only the dashboard of this server may sign in here.');
  },
);
