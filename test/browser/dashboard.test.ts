import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, type Tab, tabsOf, widthOf } from './support/chromium.ts';
import { PROVIDER_HOST, standInProvider } from './support/provider.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** Opens the dashboard as a new user. */
async function openDashboard(options?: BrowserContextOptions): Promise<Tab> {
  const tab = await newTab(options);
  await tab.page.goto('/dashboard');
  await tab.page.getByLabel('Email address').fill(`${crypto.randomUUID()}@example.com`);
  await tab.page.getByRole('button', { name: 'Sign in on this machine' }).click();
  await tab.page.getByText('You have no keys yet.').waitFor();
  return tab;
}

/** Opens the dashboard where people sign in through an identity provider. */
async function openWithProvider(): Promise<Tab> {
  const tab = await newTab();
  const email = `${crypto.randomUUID()}@example.com`;
  await standInProvider(tab.page, () => newSession(email));
  await tab.page.goto('/dashboard');
  return tab;
}

/** Creates a key and returns its plaintext. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('#secret-dialog[open]').waitFor();
  return (await page.locator('#secret').textContent()) ?? '';
}

/** A session token from the identity provider of the development server. */
async function newSession(email: string): Promise<string> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const response = await fetch(`${origin}/dashboard/sign-in`, { method: 'POST', body: email, headers });
  return ((await response.json()) as { token: string }).token;
}

async function statusWith(key: string, path = '/v1/provinces/0702200000?format=geojson'): Promise<number> {
  const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status;
}

describe('the dashboard', () => {
  it('creates a key, shows it once, and revokes it: it is valid until then and not after', async () => {
    const { page, problems } = await openDashboard({ permissions: ['clipboard-read', 'clipboard-write'] });
    expect(await seriousFaults(page)).toEqual([]);
    const key = await createKey(page, 'Flood map');
    expect(key).toMatch(/^svc_sk_live_\w+$/);
    await page.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect.poll(() => page.content()).not.toContain(key);
    expect(await statusWith(key)).toBe(200);

    await page.getByRole('button', { name: 'Revoke Flood map' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await statusWith(key)).toBe(401);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('rotates a key: the new one is valid, and the old one for an hour more', async () => {
    const { page, problems } = await openDashboard();
    const old = await createKey(page, 'Survey');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Rotate Survey' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.locator('#secret-dialog[open]').waitFor();
    const key = (await page.locator('#secret').textContent()) ?? '';
    expect(key).not.toBe(old);
    expect([await statusWith(key), await statusWith(old)]).toEqual([200, 200]);
    expect(problems).toEqual([]);
  });

  it('limits a key to the chosen scopes, and refuses to create one for which none is chosen', async () => {
    const { page, problems } = await openDashboard();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Reader');
    await page.getByLabel('only').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect.poll(() => page.locator('#key-error').textContent()).toContain('at least one');
    await page.getByLabel('read:datasets').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('#secret-dialog[open]').waitFor();
    const key = (await page.locator('#secret').textContent()) ?? '';
    expect(await statusWith(key)).toBe(403);
    expect(problems).toEqual([]);
  });

  it('shows the requests with keys by day and by endpoint', async () => {
    const { page, problems } = await openDashboard();
    const key = await createKey(page, 'Busy');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    for (let i = 0; i < 3; i += 1) expect(await statusWith(key, '/v1/provinces?limit=1')).toBe(200);
    // Usage is written in batches, every ten seconds.
    const token = await page.evaluate(() => sessionStorage.getItem('token'));
    const counted = async () => {
      const response = await fetch(`${origin}/v1/api-keys/stats`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await response.json()) as { total_requests: number }).total_requests;
    };
    await expect.poll(counted, { interval: 500 }).toBe(3);
    await page.reload();
    await page.locator('.chart').waitFor();
    expect(await page.getByRole('row', { name: '/v1/provinces 3' }).count()).toBe(1);
    expect(await page.getByRole('img', { name: 'Requests per day: 3 in all' }).count()).toBe(1);
    await page.getByText('Days as a table').click();
    expect(await page.getByRole('row', { name: /2\d{3} 3$/ }).count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'dashboard-1280');
    expect(problems).toEqual([]);
  });

  it('works with the keyboard alone', async () => {
    const { page, problems } = await openDashboard();
    const tabTo = async (name: string) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
      for (let i = 0; i < 40 && (await focused()) !== name; i += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
      await page.keyboard.press('Enter');
    };
    await tabTo('Create a key');
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await page.locator('#secret-dialog[open]').waitFor();
    const key = (await page.locator('#secret').textContent()) ?? '';
    await page.keyboard.press('Escape');
    expect(await statusWith(key)).toBe(200);
    await tabTo('Revoke');
    await tabTo('Revoke');
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await statusWith(key)).toBe(401);
    expect(problems).toEqual([]);
  });

  it('stores the session in the tab only, and forgets it at the sign-out', async () => {
    const { page, problems } = await openDashboard();
    await page.reload();
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(page.url()).toBe(`${origin}/dashboard`);
    const other = await page.context().newPage();
    await other.goto('/dashboard');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('continues the session of an identity provider until the sign-out, although its tokens expire after a minute', async () => {
    const { page, problems } = await openWithProvider();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.locator('#who').textContent()).toBe('maria@example.com');

    // A minute later the token of the tab has expired, and the session at the provider has not.
    await page.evaluate(() => sessionStorage.setItem('token', 'not-a-token-any-more'));
    await page.reload();
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.locator('#who').textContent()).toBe('maria@example.com');
    await createKey(page, 'Later');
    await page.getByRole('button', { name: 'I have copied it' }).click();

    // The link to the map stores a new token first.
    await page.evaluate(() => sessionStorage.setItem('token', 'not-a-token-any-more'));
    await page.getByRole('link', { name: 'Map' }).click();
    await page.locator('#map:not([data-drawn=""])').waitFor({ state: 'attached' });
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await page.goBack();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('#signed-in').isVisible()).toBe(false);
    expect(problems.filter((problem) => !problem.includes(PROVIDER_HOST))).toEqual([]);
  });

  it('uploads a file, shows its progress, and opens the dataset on the map', async () => {
    const { page, problems } = await openDashboard();
    await page.getByText('You have no datasets yet.').waitFor();
    const places = Array.from({ length: 20_000 }, (_, i) => ({
      type: 'Feature',
      properties: { number: i },
      geometry: { type: 'Point', coordinates: [123.8 + (i % 100) / 1000, 10.3 + i / 1_000_000] },
    }));
    const buffer = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: places }));
    const shown: number[] = [];
    await page.exposeFunction('progressed', (value: number) => shown.push(value));
    await page.evaluate(() => {
      const progress = document.querySelector('progress');
      const { progressed } = globalThis as unknown as { progressed(value: number): void };
      if (progress) new MutationObserver(() => progressed(progress.value)).observe(progress, { attributes: true });
    });
    await page
      .getByLabel('Upload GeoJSON')
      .setInputFiles({ name: 'wells.geojson', mimeType: 'application/geo+json', buffer });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('row', { name: /^wells 20,000/ }).waitFor();
    expect(Math.max(...shown)).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'dashboard-datasets-1280');

    await page.getByRole('link', { name: 'Open on the map: wells' }).click();
    await expect.poll(() => page.url()).toMatch(/\/explore#\/datasets\/[0-9a-f-]{36}$/);
    await expect.poll(() => page.locator('h1').textContent()).toBe('wells');
    await page.locator('#map:not([data-drawn=""])').waitFor({ state: 'attached' });
    await keepPicture(page, 'explore-dataset-1280');
    expect(problems).toEqual([]);
  });

  it('shows why a file is refused', async () => {
    const { page } = await openDashboard();
    const file = { name: 'broken.geojson', mimeType: 'application/geo+json', buffer: Buffer.from('{"type":') };
    await page.getByLabel('Upload GeoJSON').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect.poll(() => page.locator('#upload-error').textContent()).toBeTruthy();
    expect(await page.getByText('You have no datasets yet.').count()).toBe(1);
  });

  it('fits the width of a phone', async () => {
    const { page, problems } = await openDashboard(PHONE);
    await createKey(page, 'On the way');
    await keepPicture(page, 'dashboard-secret-390');
    await page.getByRole('button', { name: 'I have copied it' }).tap();
    expect(await widthOf(page)).toBe(390);
    await keepPicture(page, 'dashboard-390');
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('says to the holder of the master token that it stands for no user', async () => {
    const tab = await newTab();
    await tab.page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await tab.page.goto('/dashboard');
    await expect.poll(() => tab.page.locator('#notice').textContent()).toContain('stands for no user');
  });

  it('signs nobody in from a page of another site', async () => {
    for (const site of ['cross-site', 'same-site', 'none', undefined]) {
      const headers = site === undefined ? {} : { 'Sec-Fetch-Site': site };
      const response = await fetch(`${origin}/dashboard/sign-in`, {
        method: 'POST',
        body: 'maria@example.com',
        headers,
      });
      expect([site, response.status]).toEqual([site, 403]);
    }
  });

  it('is served with a security policy that lets in nothing from other origins', async () => {
    const policy = (await fetch(`${origin}/dashboard`)).headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});
