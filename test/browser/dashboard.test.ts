import { readFile } from 'node:fs/promises';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, type Tab, tabsOf, widthOf } from './support/chromium.ts';
import { createKey, dashboardIn, newSession, surprises } from './support/dashboard.ts';
import { PROVIDER_HOST, standInProvider } from './support/provider.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const openDashboard = dashboardIn(newTab);

/** Opens the dashboard where people sign in through an identity provider. */
async function openWithProvider(): Promise<Tab> {
  const tab = await newTab();
  const email = `${crypto.randomUUID()}@example.com`;
  await standInProvider(tab.page, () => newSession(origin, email));
  await tab.page.goto('/dashboard');
  return tab;
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
    await page.getByRole('button', { name: 'Send it from here' }).click();
    await page.getByText(/^200 in \d+ ms: .*Cebu/).waitFor();
    await page.getByRole('button', { name: 'Copy the line' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`Bearer ${key}" `);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect.poll(() => page.content()).not.toContain(key);
    // What was sent is counted by itself.
    await page.getByText(/^Requests have come in\. .* ten seconds later/).waitFor();
    await page.getByRole('img', { name: 'Requests per day: 1 in all' }).waitFor();
    expect(await statusWith(key)).toBe(200);

    await page.getByRole('button', { name: 'Revoke Flood map' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await statusWith(key)).toBe(401);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('exports all data of an account, and deletes it after its address was typed', async () => {
    const { page, problems } = await openDashboard();
    const key = await createKey(page, 'Last');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export your data' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('account.json');
    const exported = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(exported.api_keys.map(({ name }: { name: string }) => name)).toEqual(['Last']);
    await page.getByText(/^account\.json is saved: /).waitFor();
    await keepPicture(page, 'dashboard-account');

    await page.getByRole('button', { name: 'Delete the account' }).click();
    const agree = page.getByRole('button', { name: 'Delete everything' });
    expect(await agree.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill('somebody@example.com');
    expect(await agree.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill(exported.account.email.toUpperCase());
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'dashboard-account-deletion');
    await agree.click();
    await page.getByText('Your account is deleted.').waitFor();
    expect(await statusWith(key)).toBe(401);
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
    await page.getByLabel('Name', { exact: true }).fill('Reader');
    await page.getByRole('radio', { name: 'only' }).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect.poll(() => page.locator('#key-error').textContent()).toContain('at least one');
    await page.getByLabel('read:datasets').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('#secret-dialog[open]').waitFor();
    const key = (await page.locator('#secret').textContent()) ?? '';
    expect(await statusWith(key)).toBe(403);
    expect(problems).toEqual([]);
  });

  it('shows the requests with keys by day, status, key and endpoint, and why some failed', async () => {
    const { page, problems } = await openDashboard({ ...PHONE, colorScheme: 'dark' });
    const busy = await createKey(page, 'Busy');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Paste this into a terminal').waitFor();
    const calm = await createKey(page, 'Calm');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    for (let i = 0; i < 3; i += 1) expect(await statusWith(busy, '/v1/provinces?limit=1')).toBe(200);
    expect(await statusWith(busy, '/v1/municities')).toBe(400);
    expect(await statusWith(calm, '/v1/regions?limit=0')).toBe(422);
    // Usage is written in batches, every ten seconds.
    const token = await page.evaluate(() => sessionStorage.getItem('token'));
    const counted = async () => {
      const response = await fetch(`${origin}/v1/api-keys/stats`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await response.json()) as { total_requests: number }).total_requests;
    };
    await expect.poll(counted, { interval: 500 }).toBe(5);
    await page.getByRole('button', { name: 'Refresh' }).click();
    // The keys are read again too: neither expires, and both were used.
    const nevers = async () => (await page.locator('#keys').textContent())?.match(/never/g);
    await expect.poll(nevers).toEqual(['never', 'never']);
    const rows = (name: string | RegExp) => page.getByRole('row', { name }).count();
    await page.getByRole('img', { name: 'Requests per day: 5 in all' }).waitFor();
    expect(await page.locator('.legend').textContent()).toMatch(/3 succeeded.*2 client errors.*0 server errors/);
    expect([await rows('/v1/provinces 3'), await rows('200 OK 3'), await rows('422 invalid input 1')]).toEqual([
      1, 1, 1,
    ]);
    expect(await rows('Busy 4, 1 failed')).toBe(1);
    expect(await rows(/\/v1\/municities .*Busy .*400 missing_province .*by parent.* 1$/)).toBe(1);
    expect(await rows(/\/v1\/regions .*Calm .*422 ZodError .* 1$/)).toBe(1);
    await page.getByText('Days as a table').click();
    expect(await rows(/2\d{3} 5 3 2 0$/)).toBe(1);
    expect([await seriousFaults(page), await widthOf(page)]).toEqual([[], 390]);
    await keepPicture(page, 'dashboard-usage-390-dark');

    await page.getByLabel('Of', { exact: true }).selectOption('Calm');
    await page.getByRole('img', { name: 'Requests per day: 1 in all' }).waitFor();
    expect([await rows(/missing_province/), await rows(/ZodError/)]).toEqual([0, 1]);
    expect(problems).toEqual([]);
  });

  it('says of each part why it can not be shown, and tries again', async () => {
    const { page, problems } = await openDashboard();
    const fault = { message: 'The database can not be reached.', code: 'database_unavailable' };
    // The database of this server can't be stopped, so the answer of one without it is given here.
    const answer = { status: 503, headers: { 'Retry-After': '5' }, json: fault };
    await page.route('**/v1/{api-keys,datasets?*}', (route) => route.fulfill(answer));
    await page.reload();
    await page
      .getByText('Your keys can’t be shown. The database can not be reached. Try again in 5 seconds.')
      .waitFor();
    await page.getByText('Your datasets can’t be shown.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.unroute('**/v1/{api-keys,datasets?*}');
    await page.locator('#keys').getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.getByText('Your datasets can’t be shown.').count()).toBe(1);
    await page.locator('#datasets').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('You have no datasets yet.').waitFor();
    expect(surprises(problems)).toEqual([]);
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
    // Without a copy the key would be lost, so the dialog stays open and asks, however often Escape is pressed.
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
    await page.getByText('You have not copied the key yet.').waitFor();
    expect(await page.locator('#secret').textContent()).toBe(key);
    expect(await seriousFaults(page, '#secret-dialog')).toEqual([]);
    await tabTo('Close without it');
    await page.locator('#secret-dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => page.content()).not.toContain(key);
    expect(await statusWith(key)).toBe(200);
    await tabTo('Revoke');
    await tabTo('Revoke');
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await statusWith(key)).toBe(401);
    expect(problems).toEqual([]);
  });

  it('stores the session in the open tabs only, and forgets it in all of them at the sign-out', async () => {
    const { page, problems } = await openDashboard();
    await page.reload();
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(page.url()).toBe(`${origin}/dashboard`);
    const other = await page.context().newPage();
    await other.goto('/dashboard');
    await other.getByText('You have no keys yet.').waitFor();
    // A tab that has renewed its token has another one of the same person.
    const renewed = await newSession(origin, (await page.locator('#who').textContent()) ?? '');
    expect(await other.evaluate(() => sessionStorage.getItem('token'))).not.toBe(renewed);
    await other.evaluate((token) => sessionStorage.setItem('token', token), renewed);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await other.locator('#signed-in').isVisible()).toBe(false);
    for (const tab of [page, other]) expect(await tab.evaluate(() => sessionStorage.length)).toBe(0);
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

  it('fits the width of a phone', async () => {
    const { page, problems } = await openDashboard(PHONE);
    await createKey(page, 'On the way');
    await keepPicture(page, 'dashboard-secret-390');
    await page.getByRole('button', { name: 'I have copied it' }).tap();
    expect(await widthOf(page)).toBe(390);
    await keepPicture(page, 'dashboard-390');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Account' }).click();
    await expect
      .poll(() => page.locator('#account-title').evaluate((it) => it.getBoundingClientRect().top))
      .toBeLessThan(844);
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
