import type { Page } from 'playwright-core';
import { withProvider } from '../../../src/dashboard/policy.ts';

export const PROVIDER_HOST = 'clerk.geo.example';

/** What the script of the identity provider does as far as the dashboard sees, for a user who has signed in there. */
function script(sessionOf: string): string {
  return `{
    const start = () => new Promise((resolve, reject) => {
      // The true one keeps its session alive in such a worker.
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
 * Puts an identity provider between a page and its service, which then says that one signs in there and lets the
 * provider's script in, as it does where it is configured.
 *
 * @param newToken a session of its user, asked for anew each time that the page wants one
 */
export async function standInProvider(page: Page, newToken: () => Promise<string>): Promise<void> {
  const sessionOf = `https://${PROVIDER_HOST}/session`;
  let signedIn = false;
  await page.route('**/dashboard', async (route) => {
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
