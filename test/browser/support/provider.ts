import type { Page } from 'playwright-core';
import { withProvider } from '../../../src/dashboard/policy.ts';

export const PROVIDER_HOST = 'clerk.geo.example';

/** A stand-in for the identity provider's script, with the parts that the dashboard uses. */
function script(sessionOf: string): string {
  return `{
    const start = () => new Promise((resolve, reject) => {
      // The real script keeps its session alive in such a worker.
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' })));
      worker.onmessage = () => { worker.terminate(); resolve(); };
      worker.onerror = () => reject(new Error('The worker did not start.'));
    });
    const session = { getToken: async () => (await fetch('${sessionOf}')).text() };
    window.Clerk = {
      session: undefined,
      load: async () => {
        await start();
        window.Clerk.session = await session.getToken() ? session : null;
      },
      user: { primaryEmailAddress: { emailAddress: 'maria@example.com' } },
      redirectToSignIn: async () => { await fetch('${sessionOf}', { method: 'POST' }); location.reload(); },
      signOut: async (done) => {
        await fetch('${sessionOf}', { method: 'DELETE' });
        window.Clerk.session = null;
        done();
      },
    };
  }`;
}

/**
 * Replaces the identity provider for a page. The service then answers as if the provider were configured: people sign in
 * there, and the security policy lets its script in.
 *
 * @param newToken called for a new session token each time that the page requests one
 */
export async function standInProvider(page: Page, newToken: () => Promise<string>): Promise<void> {
  const sessionOf = `https://${PROVIDER_HOST}/session`;
  let signedIn = false;
  await page.route(/\/(dashboard|match)$/, async (route) => {
    const response = await route.fetch();
    const policy = withProvider(response.headers()['content-security-policy'] ?? '', PROVIDER_HOST);
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
  await page.route('**/dashboard/sign-in', (route) =>
    route.fulfill({ json: { way: 'provider', publishable_key: 'pk_test_x', host: PROVIDER_HOST } }),
  );
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'GET, POST, DELETE' };
  await page.route(`https://${PROVIDER_HOST}/**`, async (route) => {
    const method = route.request().method();
    if (route.request().url() !== sessionOf) {
      await route.fulfill({ headers, contentType: 'text/javascript', body: script(sessionOf) });
      return;
    }
    if (method === 'POST') signedIn = true;
    if (method === 'DELETE') signedIn = false;
    await route.fulfill({ headers, body: signedIn ? await newToken() : '' });
  });
}
