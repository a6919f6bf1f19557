import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { coloursOf, keepPicture, type Tab, tabsOf } from './support/chromium.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

async function tab(options?: BrowserContextOptions): Promise<Tab> {
  const opened = await newTab(options);
  return opened;
}

/** Opens the page at a fragment with a key, and waits until the map is drawn. */
async function explore(fragment = '', options?: BrowserContextOptions): Promise<Tab> {
  const opened = await tab(options);
  await opened.page.goto(`/explore${fragment}`);
  await enter(opened.page, masterToken);
  return opened;
}

/** Opens the page at a fragment without a key, as far as names go. */
async function read(fragment = ''): Promise<Tab> {
  const opened = await tab();
  await opened.page.goto(`/explore${fragment}`);
  await opened.page.getByRole('button', { name: 'Names only' }).click();
  await opened.page.locator('dialog').waitFor({ state: 'hidden' });
  return opened;
}

async function enter(page: Page, token: string): Promise<void> {
  await page.getByLabel('Key or token').fill(token);
  await page.getByRole('button', { name: 'Open the map' }).click();
  await page.locator('dialog').waitFor({ state: 'hidden' });
  await drawn(page);
}

function drawn(page: Page, what?: string): Promise<void> {
  const wanted = what === undefined ? ':not([data-drawn=""])' : `[data-drawn="${what}"]`;
  return page.locator(`#map${wanted}`).waitFor({ state: 'attached' });
}

function heading(page: Page): Promise<string | null> {
  return page.locator('h1').textContent();
}

/** Moves the pointer over the map from its middle outwards until it names an area, and clicks there. */
async function clickOnMap(page: Page, name?: string): Promise<string> {
  const box = await page.locator('#map').boundingBox();
  if (!box) throw new Error('There is no map.');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (let offset = 0; offset < box.width / 2 - 4; offset += 8) {
    for (const x of [middle.x + offset, middle.x - offset]) {
      await page.mouse.move(x, middle.y + 20);
      const shown = await page.locator('#hover:not([hidden])').allTextContents();
      if (shown[0] === undefined || (name !== undefined && shown[0] !== name)) continue;
      await page.mouse.click(x, middle.y + 20);
      return shown[0];
    }
  }
  throw new Error(`The map shows no ${name ?? 'area'} on its middle line.`);
}

describe('the page /explore', () => {
  it('asks for a key once, says what is wrong with a bad one, and keeps a good one in the tab only', async () => {
    const { page, problems } = await tab();
    await page.goto('/explore');
    await page.getByLabel('Key or token').fill('not-a-token');
    await page.getByRole('button', { name: 'Open the map' }).click();
    await expect.poll(() => page.getByRole('alert').first().textContent()).toMatch(/Enter a key that is valid\.$/);
    expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);

    const tileRequests: Record<string, string>[] = [];
    page.context().on('request', (request) => {
      if (request.url().endsWith('.mvt') || request.url().includes('.mvt?')) tileRequests.push(request.headers());
    });
    await enter(page, masterToken);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(page.url()).toBe(`${origin}/explore`);
    expect(tileRequests.length).toBeGreaterThan(0);
    expect(tileRequests.filter(({ authorization }) => authorization)).toEqual([]);

    await page.reload();
    await drawn(page);
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await keepPicture(page, 'explore-1280');
    expect(await heading(page)).toBe('Philippines');
    // The sea, the grid, the land in six tints, edges, labels and what lies between them.
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(30);
    expect(problems).toEqual([]);
  });

  it('leads down to a barangay by clicks on the map, and back by the history', async () => {
    const { page, problems } = await explore();
    await clickOnMap(page, 'Region IX (Zamboanga Peninsula)');
    await drawn(page, '0900000000');
    const province = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(province);
    expect(page.url()).toMatch(/#\/provinces\/09\d{8}$/);
    await drawn(page, page.url().slice(-10));
    const municity = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(municity);
    expect(page.url()).toMatch(/#\/municities\/09\d{8}$/);
    await drawn(page, page.url().slice(-10));
    // There are no tiles of barangays: these come as GeoJSON.
    const barangay = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(barangay);
    expect(page.url()).toMatch(/#\/barangays\/09\d{8}$/);
    await drawn(page, page.url().slice(-10));
    await keepPicture(page, 'explore-barangay-1280');

    await page.goBack();
    await expect.poll(() => heading(page)).toBe(municity);
    await page.goForward();
    await expect.poll(() => heading(page)).toBe(barangay);
    expect(problems).toEqual([]);
  });

  it('leads down by the keyboard alone', async () => {
    const { page, problems } = await read();
    await page.keyboard.press('/');
    expect(await page.locator(':focus').getAttribute('role')).toBe('combobox');
    await page.keyboard.type('siargao');
    const option = page.getByRole('option', { name: /^Dapa/ });
    await option.waitFor();
    expect(await option.textContent()).toContain('Siargao');
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page)).toBe('Dapa');
    expect(page.url()).toBe(`${origin}/explore#/municities/1606707000`);

    const first = page.locator('.places a').first();
    const name = await first.locator('.name').textContent();
    for (let i = 0; i < 20 && !(await first.evaluate((link) => link === document.activeElement)); i += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page)).toBe(name);
    expect(await page.locator(':focus').textContent()).toBe(name);

    const address = page.url();
    await page.locator('#skip').press('Enter');
    expect(await page.locator(':focus').textContent()).toBe(name);
    expect(page.url()).toBe(address);
    expect(problems).toEqual([]);
  });

  it('searches for what is typed and not for what was typed before', async () => {
    const { page, problems } = await read();
    await page.keyboard.press('/');
    await page.keyboard.type('siargao');
    await page.getByRole('option', { name: /^Dapa/ }).waitFor();
    await page.locator('#search').selectText();
    await page.keyboard.type('bohol');
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page)).toBe('Bohol');
    expect(await page.locator('#findings').isVisible()).toBe(false);
    // What is typed and left opens nothing later.
    await page.locator('#search').selectText();
    await page.keyboard.type('siquijor');
    await page.locator('#search').blur();
    await sleep(1500);
    expect(await page.locator('#findings').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('shows the place that was asked for last, however late the country comes', async () => {
    const { page, problems } = await tab();
    let answered = false;
    await page.route('**/v1/regions?limit=100', async (route) => {
      await sleep(1500);
      await route.continue();
      answered = true;
    });
    await page.goto('/explore');
    await page.evaluate(() => {
      location.hash = '#/provinces/0702200000';
    });
    await expect.poll(() => heading(page)).toBe('Cebu');
    await expect.poll(() => answered).toBe(true);
    await sleep(500);
    expect(await heading(page)).toBe('Cebu');
    expect(problems).toEqual([]);
  });

  it('shows a place with its parents, neighbours, command and file', async () => {
    const { page, problems } = await explore('#/municities/0730600000');
    expect(await page.locator('#ancestors a').allTextContents()).toEqual(['Philippines', 'Central Visayas', 'Cebu']);
    await expect.poll(() => page.locator('.neighbours a').count()).toBeGreaterThan(0);
    expect(await page.locator('.download pre').textContent()).toContain(
      `'${origin}/v1/municities/0730600000?format=geojson&geometry=medium'`,
    );
    expect(await page.locator('body').innerHTML()).not.toContain(masterToken);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download GeoJSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('municities-0730600000-medium.geojson');
    const feature = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(feature).toMatchObject({ type: 'Feature', id: '0730600000', geometry: { type: 'Polygon' } });
    expect(problems).toEqual([]);
  });

  it('leads from a former code to the area of today, and says so where an area is none', async () => {
    const { page, problems } = await read('#/provinces/0604500000');
    await expect.poll(() => heading(page)).toBe('Negros Occidental');
    expect(page.url()).toBe(`${origin}/explore#/provinces/1804500000`);
    await page.goto('/explore#/provinces/9999900000');
    await expect.poll(() => page.locator('#notice').textContent()).toContain('9999900000');
    // Maguindanao became two provinces.
    await page.goto('/explore#/provinces/1903800000');
    await expect.poll(() => page.locator('#notice a').allTextContents()).toEqual(['1908700000', '1908800000']);
    await page.locator('#notice a').last().click();
    await expect.poll(() => heading(page)).toBe('Maguindanao del Sur');
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('renews the session of its tiles before it ends', async () => {
    const { page, problems } = await tab();
    await page.clock.install();
    await page.goto('/explore');
    await enter(page, masterToken);
    const renewal = page.waitForRequest((request) => request.url().endsWith('/v1/tiles/sessions'));
    await page.clock.fastForward('50:00');
    await renewal;
    expect(problems).toEqual([]);
  });

  it('keeps a good key where the session of its tiles ends early, and asks for one other', async () => {
    const { page, problems } = await explore();
    const context = page.context();
    const asked: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/v1/tiles/sessions')) asked.push(request.url());
    });
    let ended: string | null = null;
    let refused = 0;
    let read = 0;
    await context.route('**/*.mvt?*', async (route) => {
      const session = new URL(route.request().url()).searchParams.get('session');
      ended ??= session;
      if (session !== ended) {
        read += 1;
        return route.continue();
      }
      refused += 1;
      // Some are refused when there is another session already.
      await sleep(refused * 400);
      return route.fulfill({
        status: 401,
        json: { message: 'The session has expired.', code: 'tile_session_expired' },
      });
    });
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => refused > 1 && read >= refused).toBe(true);
    expect(asked).toHaveLength(1);
    expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBe(masterToken);
    expect(await page.locator('dialog').isVisible()).toBe(false);
    expect(await page.locator('#notice').isVisible()).toBe(false);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('says what could not be read where it is seen, and reads it again', async () => {
    const { page } = await explore('#/regions/0700000000');
    await page.locator('#about').scrollIntoViewIfNeeded();
    await page.context().route('**/*.mvt?*', (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const notice = page.locator('#notice');
    await expect.poll(() => notice.textContent()).toContain('The service can’t be reached. Check the connection');
    const [shown, panel] = [await notice.boundingBox(), await page.locator('#panel').boundingBox()];
    expect(shown?.y).toBeGreaterThanOrEqual(panel?.y ?? Number.NaN);
    await page.context().unroute('**/*.mvt?*');
    const tile = page
      .context()
      .waitForEvent('response', (response) => response.url().includes('.mvt?') && response.ok());
    await notice.getByRole('button', { name: 'Try again' }).click();
    await tile;
    expect(await notice.isVisible()).toBe(false);
  });

  it('begins with what there is, and tries again what there is not', async () => {
    const { page } = await tab({ viewport: { width: 390, height: 844 } });
    const failing = ['**/v1/sources', '**/v1/tiles/sessions'];
    for (const address of failing) {
      await page.route(address, (route) => route.fulfill({ status: 503, json: { message: 'Not now.' } }), { times: 1 });
    }
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto('/explore');
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).waitFor();
    await expect.poll(() => page.locator('#about').textContent()).toContain('Not now.');
    await page.locator('#about').getByRole('button', { name: 'Try again' }).click();
    // On a phone there is no other place for it.
    await expect.poll(() => page.locator('#about').textContent()).toContain('Philippine Statistics Authority');
    await expect.poll(() => page.locator('#map-notice').textContent()).toContain('There is no map. Not now.');
    await page.locator('#map-notice').getByRole('button', { name: 'Try again' }).click();
    await drawn(page);
    expect(await page.locator('#map-notice').isVisible()).toBe(false);
  });

  it('leads everywhere by its lists where the browser can not draw', async () => {
    const { page, problems } = await tab();
    await page.addInitScript((token) => {
      sessionStorage.setItem('token', token);
      HTMLCanvasElement.prototype.getContext = () => null;
    }, masterToken);
    await page.goto('/explore');
    await expect.poll(() => page.locator('#map-notice').textContent()).toContain('it has no WebGL');
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).click();
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    expect(problems).toEqual([]);
  });

  it('fits a phone: the panel is a sheet, and nothing is wider than the window', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page, problems } = await explore('#/regions/0700000000', phone);
    await keepPicture(page, 'explore-390');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const height = async () => (await page.locator('#panel').boundingBox())?.height ?? 0;
    const half = await height();
    await page.locator('#grip').tap();
    await expect.poll(height).toBeGreaterThan(half + 200);
    await keepPicture(page, 'explore-sheet-390');
    await page.locator('#grip').tap();
    await expect.poll(height).toBeLessThan(half - 100);
    expect(problems).toEqual([]);
  });

  it('shows names without a key, and says when there were too many requests', async () => {
    const { page, address, problems } = await read();
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).click();
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    expect(problems).toEqual([]);
    const headers = { 'CF-Connecting-IP': address };
    for (let status = 200; status !== 429; ) status = (await fetch(`${origin}/v1/regions`, { headers })).status;
    await page.getByRole('link', { name: 'Bohol' }).click();
    await expect.poll(() => page.locator('#notice').textContent()).toMatch(/Try again in \d+ seconds?\. With a key/);
  });

  it('is served with a policy that lets in nothing from elsewhere, and its parts for ever', async () => {
    const answer = await fetch(`${origin}/explore`);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const html = await answer.text();
    const [script] = /\/assets\/[^"]+\.js/.exec(html) ?? [];
    const part = await fetch(`${origin}${script}`);
    expect(part.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${origin}/`)).headers.get('Content-Type')).toContain('application/json');
  });
});
