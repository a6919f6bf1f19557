import { describe, expect, inject, it } from 'vitest';
import { tabsOf } from './support/chromium.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** How often the page asks. */
const POLL_MS = 2000;

/** What is said where the map of the country is not made yet. */
const MISSING = { status: 404, json: { code: 'overview_not_found', message: 'There is no map yet.' } };

interface Server {
  /** What it answers when it is asked what it is preparing; undefined where it doesn't answer. */
  says: object | null | undefined;
  /** How often it was asked. */
  asked: number;
}

describe('the bar of what is being prepared', () => {
  it('stays while the server doesn’t answer, and the page is loaded again once, when all has come', async () => {
    const { page } = await newTab();
    const server: Server = { says: [{ what: 'files', progress: 0.4 }], asked: 0 };
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/v1/downloads/overview', (route) => route.fulfill(MISSING));
    await page.route('**/healthcheck', (route) => {
      server.asked += 1;
      if (server.says === undefined) return route.abort('connectionrefused');
      return route.fulfill({ json: { status: 'ok', preparing: server.says } });
    });
    await page.goto('/');
    const bar = page.getByRole('status').filter({ hasText: 'Preparing' });
    const shown = () => bar.locator('progress').getAttribute('value');
    await bar.waitFor();
    expect(await bar.textContent()).toBe('Preparing the map of the country and the files');
    expect(await shown()).toBe('0.4');

    server.says = undefined;
    const before = server.asked;
    // The second one is sent when the page has looked at what came of the first.
    await expect.poll(() => server.asked).toBeGreaterThan(before + 1);
    expect([await bar.count(), loads]).toEqual([1, 1]);
    expect(await shown()).toBe('0.4');

    server.says = [{ what: 'files', progress: 0.8 }];
    await expect.poll(shown).toBe('0.8');
    expect(loads).toBe(1);

    // The map is still missing then, as where making it failed: it is asked for once more, and not waited for.
    const asked = server.asked;
    server.says = null;
    await expect.poll(() => server.asked).toBe(asked + 2);
    await page.waitForTimeout(2 * POLL_MS);
    expect([await bar.count(), loads, server.asked]).toEqual([0, 2, asked + 2]);
  });

  it('is shown where a map with a key has no tiles yet', async () => {
    const { page } = await newTab();
    await page.route('**/healthcheck', (route) =>
      route.fulfill({ json: { status: 'ok', preparing: [{ what: 'tiles', progress: 0.6 }] } }),
    );
    await page.route('**/v1/tiles/sessions', async (route) => {
      const answer = await (await route.fetch()).json();
      return route.fulfill({ json: { ...answer, data: { ...answer.data, layers: [] } } });
    });
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto('/explore');
    const bar = page.getByRole('status').filter({ hasText: 'Preparing' });
    await bar.waitFor();
    expect(await bar.textContent()).toBe('Preparing the map of all levels');
  });
});
