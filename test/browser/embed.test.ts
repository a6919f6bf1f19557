import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { coloursOf, keepPicture, PHONE, pixelsOf, tabsOf, widthOf } from './support/chromium.ts';
import { newSession, surprises } from './support/dashboard.ts';
import { waitForMap } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** Another site, whose pages are what the tests put into `html`. */
let html = '';
const server = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(
    `<!doctype html><html lang="en"><title>A blog</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${html}</html>`,
  );
});
let site = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // By its other name this machine is another site, not only another origin.
  site = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Creates 100 wells in four places of Cebu. The first stands alone. */
async function newWells(input: object = { visibility: 'everyone' }): Promise<string> {
  const features = Array.from({ length: 100 }, (_, index) => ({
    geom: { type: 'Point', coordinates: index === 0 ? [123.5, 10.5] : [123.8 + (index % 3) / 50, 10.2] },
    properties: { name: `Well <b>${index}</b>`, kind: index % 4 === 0 ? 'dug' : 'drilled', depth_m: index },
  }));
  const response = await fetch(`${origin}/v1/datasets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Wells & springs', description: 'Of Cebu', features, ...input }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

const frameOf = (fragment: string, size = 'width="100%" height="450"') =>
  `<body style="margin: 0"><h1>About wells</h1><iframe src="${origin}/embed${fragment}" title="Wells" style="border: 0" ${size}></iframe>`;

/** Opens a page of the other site. Its own requests are no problem. */
async function openSite(page: string, options?: BrowserContextOptions) {
  const tab = await newTab(options);
  html = page;
  const authorized: string[] = [];
  tab.page.on('request', (request) => {
    if (request.headers().authorization !== undefined) authorized.push(request.url());
  });
  await tab.page.goto(site);
  const frame = tab.page.frames()[1] as Frame;
  const problems = () => tab.problems.filter((problem) => !problem.startsWith(`left the origin: ${site}`));
  return { ...tab, frame, problems, authorized };
}

const drawn = (frame: Frame | Page) => frame.locator('#map[data-drawn="true"]').waitFor({ state: 'attached' });
const legend = (frame: Frame | Page) => frame.locator('#legend li').allTextContents();
const facts = (frame: Frame | Page) => frame.locator('#facts:not([hidden]) dd').allTextContents();
const sentence = (frame: Frame | Page) => frame.locator('#status').textContent();

/** Clicks on the middle of the map. */
async function clickMiddle(page: Page): Promise<void> {
  const frame = await page.locator('iframe').boundingBox();
  const map = await page.frameLocator('iframe').locator('#map').boundingBox();
  if (!frame || !map) throw new Error('There is no map.');
  await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2);
}

/** The id of the feature that stands alone. */
async function firstFeature(id: string): Promise<string> {
  const answer = (await (await fetch(`${origin}/embed/datasets/${id}`)).json()) as { features: { id: string }[] };
  return answer.features[0]?.id ?? '';
}

describe('a map on a page of another site', () => {
  it.each([
    ['1280', {}],
    ['390', { ...PHONE, colorScheme: 'dark' as const }],
  ])(
    'is drawn as its address says, with legend, facts, sources and a way to the explorer: %s',
    async (width, options) => {
      const id = await newWells();
      const fragment = `#/datasets/${id}?color=kind&size=depth_m&feature=${await firstFeature(id)}`;
      const { page, frame, problems, authorized } = await openSite(frameOf(fragment.replaceAll('&', '&amp;')), options);
      await drawn(frame);
      expect(await frame.title()).toBe('Wells & springs');
      expect(await frame.locator('h1').textContent()).toBe('Wells & springs');
      expect(await legend(frame)).toEqual(['drilled 75', 'dug 25']);
      expect(await frame.locator('#legend .sizes > span').allTextContents()).toEqual(['depth_m', '2', '20', '50']);
      const circles = await frame.locator('#legend .circle').all();
      expect(await Promise.all(circles.map(async (one) => (await one.boundingBox())?.width))).toEqual([10, 18, 24]);
      // The feature of the address is marked and in the middle, so a click there finds it again.
      expect(await facts(frame)).toEqual(['Well <b>0</b>', 'dug', '0']);
      await frame.getByRole('button', { name: 'Close' }).click();
      expect(await facts(frame)).toEqual([]);
      await drawn(frame);
      await clickMiddle(page);
      await expect.poll(() => facts(frame)).toEqual(['Well <b>0</b>', 'dug', '0']);
      await drawn(frame);
      expect(await coloursOf(frame as never, '#map canvas')).toBeGreaterThan(20);
      const link = frame.getByRole('link', { name: 'Open in the explorer' });
      expect(await link.evaluate((a: HTMLAnchorElement) => [a.href, a.target, a.rel])).toEqual([
        ...[`${origin}/explore${fragment}`, '_blank', 'noopener'],
      ]);
      await frame.locator('#credit').waitFor();
      expect(await frame.locator('#sources').textContent()).toMatch(/^Areas: Philippine Statistics[^;]*$/);
      expect(await seriousFaults(frame)).toEqual([]);
      await keepPicture(page, `embed-${width}`);
      expect(await widthOf(page)).toBe(Number(width));
      expect(authorized).toEqual([]);
      expect(problems()).toEqual([]);
    },
  );

  it('says in its credit that borders are simplified where it is seen, and invites nobody to sign in', async () => {
    const close = await openSite(frameOf('#/municities/0730600000?bbox=123.88,10.3,123.92,10.33'));
    await drawn(close.frame);
    expect(await close.frame.locator('#credit').textContent()).toContain(' · Borders are simplified.');
    expect(await close.frame.locator('body').textContent()).not.toContain('Sign in');
    const far = await openSite(frameOf('#/provinces/0702200000'));
    await drawn(far.frame);
    expect(await far.frame.locator('#credit').textContent()).not.toContain('simplified');
  });

  it('lets no text of a dataset reorder the page, and marks no feature that is filtered out', async () => {
    const feature = {
      geom: { type: 'Point', coordinates: [123.5, 10.5] },
      properties: { kind: 'dug \u202egnol' },
    };
    const id = await newWells({ visibility: 'everyone', name: 'Wells \u202eyb', features: [feature] });
    const marked = `#/datasets/${id}?color=kind&amp;feature=${await firstFeature(id)}`;
    const shown = await openSite(frameOf(marked));
    await drawn(shown.frame);
    expect(await shown.frame.title()).toBe('Wells \ufffdyb');
    expect(await shown.frame.locator('h1 bdi').textContent()).toBe('Wells \ufffdyb');
    expect(await facts(shown.frame)).toEqual(['dug \ufffdgnol']);
    expect(await legend(shown.frame)).toEqual(['dug \ufffdgnol 1']);
    expect(shown.problems()).toEqual([]);

    const filters = encodeURIComponent(JSON.stringify([['kind', { values: ['drilled'] }]]));
    const filtered = await openSite(frameOf(`${marked}&amp;filters=${filters}`));
    await drawn(filtered.frame);
    expect(await facts(filtered.frame)).toEqual([]);
  });

  it('fits a frame of 300 by 200 pixels, and is used with the keyboard alone', async () => {
    const id = await newWells();
    const fragment = `#/datasets/${id}?color=kind&amp;feature=${await firstFeature(id)}`;
    const { page, frame, problems } = await openSite(frameOf(fragment, 'width="300" height="200"'));
    await drawn(frame);
    await keepPicture(page, 'embed-300-facts');
    // What has no room is scrolled, and lies over nothing.
    const bottomOf = async (selector: string) =>
      frame.locator(selector).evaluate((it) => it.getBoundingClientRect().bottom);
    const top = await frame.locator('#properties').evaluate((it) => it.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(await bottomOf('#close-facts'));
    expect(await bottomOf('#properties .scroller')).toBeLessThanOrEqual(await bottomOf('#facts'));
    expect(await seriousFaults(frame)).toEqual([]);
    await frame.getByRole('button', { name: 'Close' }).press('Enter');
    await drawn(frame);
    await keepPicture(page, 'embed-300');
    expect(
      await frame.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]),
    ).toEqual(await frame.evaluate(() => [innerWidth, innerHeight]));
    const canvas = frame.locator('#map canvas');
    await canvas.press('Enter');
    expect(await facts(frame)).toEqual(['Well <b>0</b>', 'dug', '0']);
    const focused = () => frame.evaluate(() => document.activeElement?.tagName);
    expect(await focused()).toBe('BUTTON');
    await page.keyboard.press('Escape');
    expect(await facts(frame)).toEqual([]);
    expect(await focused()).toBe('CANVAS');
    const summary = frame.locator('#legend summary');
    expect(await frame.locator('#legend ul').isVisible()).toBe(false);
    await summary.press('Enter');
    expect(await frame.locator('#legend ul').isVisible()).toBe(true);
    expect(await seriousFaults(frame)).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it.each([
    ['beside a wide map', 'width="720" height="480"', {}],
    ['below the map of a phone', 'width="100%" height="560"', PHONE],
  ])(
    'shows the facts %s, so that they cover no data, and marks a small area with a thin line',
    async (_, size, options) => {
      const square = (west: number, south: number, side: number) => {
        const [east, north] = [west + side, south + side];
        const [southWest, northEast] = [
          [west, south],
          [east, north],
        ];
        return [southWest, [east, south], northEast, [west, north], southWest];
      };
      const features = [square(121, 11.6, 1), square(117, 5, 2), square(124, 17, 2)].map((ring, index) => ({
        geom: { type: 'Polygon', coordinates: [ring] },
        properties: { name: `Square ${index}`, kind: index === 0 ? 'small' : 'large' },
      }));
      const id = await newWells({ visibility: 'everyone', features });
      const { page, frame, problems } = await openSite(frameOf(`#/datasets/${id}?color=kind`, size), options);
      // A sentence says that the map comes, until it is there.
      await frame.locator('#over.quiet').waitFor({ state: 'attached' });
      expect(await frame.locator('#map').getAttribute('data-drawn')).toBe('true');
      const small = frame.locator('#legend li', { hasText: 'small' }).locator('.swatch');
      const color = await small.evaluate((it) => getComputedStyle(it).backgroundColor);
      const pixels = async () =>
        (await pixelsOf(page, await frame.locator('#map canvas').screenshot(), [color]))[0] ?? 0;
      const before = await pixels();
      const map = async () => {
        const box = await frame.locator('#map').boundingBox();
        if (!box) throw new Error('There is no map.');
        return box;
      };
      const { x, y, width, height } = await map();
      const isPhone = options === PHONE;
      // The middle of all squares, in Web Mercator.
      const middle = { x: x + width / 2, y: y + height / 2 };
      if (isPhone) await page.touchscreen.tap(middle.x, middle.y);
      else {
        await page.mouse.move(middle.x, middle.y);
        await expect.poll(() => frame.locator('#hover').textContent()).toMatch(/^Square 0/);
        await page.mouse.click(middle.x, middle.y);
      }
      await expect.poll(() => facts(frame)).toEqual(['Square 0', 'small']);
      if (isPhone) expect(await frame.locator('#hover').isVisible()).toBe(false);
      const [area, card] = [await map(), await frame.locator('#facts').boundingBox()];
      expect((card?.x ?? 0) >= area.x + area.width || (card?.y ?? 0) >= area.y + area.height).toBe(true);
      expect(await frame.locator('#legend').isVisible()).toBe(true);
      await drawn(frame);
      // The lower a map becomes, the smaller its areas are.
      const share = (area.height / height) ** 2;
      expect((await pixels()) / before / share).toBeGreaterThan(isPhone ? 0.6 : 0.85);
      expect(await seriousFaults(frame)).toEqual([]);
      await keepPicture(page, `embed-card-${isPhone ? 'phone' : 'wide'}`);
      expect(problems()).toEqual([]);
    },
  );

  it('shows the same part of the world where its frame grows', async () => {
    const features = ['West', 'East'].map((name, i) => ({
      geom: { type: 'Point', coordinates: [120 + 4 * i, 12] },
      properties: { name },
    }));
    const id = await newWells({ visibility: 'everyone', features });
    const { page, frame, problems } = await openSite(frameOf(`#/datasets/${id}`, 'width="300" height="200"'));
    await drawn(frame);
    await page
      .locator('iframe')
      .evaluate((it: HTMLIFrameElement) => Object.assign(it, { width: '900', height: '600' }));
    const westOfAll = async () => {
      const map = await frame.locator('#map').boundingBox();
      if (!map) throw new Error('There is no map.');
      await page.mouse.click(map.x + 36, map.y + map.height / 2);
      return facts(frame);
    };
    await expect.poll(westOfAll).toContain('West');
    expect(problems()).toEqual([]);
  });

  it('uses no token of the browser, and no storage, which browsers may refuse to a frame', async () => {
    const id = await newWells();
    const tab = await newTab();
    await tab.page.addInitScript((token) => {
      sessionStorage.setItem('token', token);
      localStorage.setItem('token', token);
      for (const name of ['sessionStorage', 'localStorage', 'BroadcastChannel', 'indexedDB', 'caches']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException(`The page has touched ${name}`, 'SecurityError');
          },
        });
      }
    }, masterToken);
    const authorized: string[] = [];
    const asked: string[] = [];
    const counted: string[] = [];
    const scripts: Promise<string>[] = [];
    tab.page.on('response', (response) => {
      if (response.headers().ratelimit !== undefined) counted.push(new URL(response.url()).pathname);
      if (response.url().endsWith('.js')) scripts.push(response.text());
    });
    tab.page.on('request', (request) => {
      asked.push(new URL(request.url()).pathname);
      if (request.headers().authorization !== undefined) authorized.push(request.url());
    });
    await tab.page.goto(`/embed#/datasets/${id}?color=kind`);
    await drawn(tab.page);
    await tab.page.locator('#credit').waitFor();
    expect(asked.filter((path) => !path.startsWith('/assets/')).sort()).toEqual([
      ...['/embed', `/embed/datasets/${id}`, '/v1/downloads/overview'],
    ]);
    // So thirty maps are opened in a minute behind one address.
    expect(counted).toEqual([`/embed/datasets/${id}`]);
    expect(authorized).toEqual([]);
    // It has no code for it either.
    const code = (await Promise.all(scripts)).join('');
    expect(code.length).toBeGreaterThan(100_000);
    expect(code.match(/sessionStorage|localStorage|BroadcastChannel|Authorization|\/dashboard/g)).toBeNull();
    // A private dataset of whoever has the token is not shown to them either.
    const own = await newWells({ is_public: false });
    await tab.page.goto(`/embed#/datasets/${own}`);
    await expect.poll(() => sentence(tab.page)).toBe('This dataset is not for everyone, or is no longer there.');
    expect(authorized).toEqual([]);
    expect(surprises(tab.problems)).toEqual([]);
  });

  it('says in one sentence what is wrong, without a word of the dataset', async () => {
    const isPrivate = await newWells({ is_public: false });
    const expectSentence = async (fragment: string, expected: string | RegExp) => {
      const { page, frame, problems } = await openSite(frameOf(fragment, 'width="300" height="200"'));
      await expect.poll(() => sentence(frame)).toMatch(expected);
      expect(await frame.locator('h1').textContent()).toBe('Map of a dataset');
      expect(await seriousFaults(frame)).toEqual([]);
      expect(surprises(problems())).toEqual([]);
      return page;
    };
    const gone = /^This dataset is not for everyone, or is no longer there\.$/;
    await keepPicture(await expectSentence(`#/datasets/${isPrivate}`, gone), 'embed-error');
    await expectSentence(`#/datasets/${crypto.randomUUID()}`, gone);
    await expectSentence(`#/datasets/${'-'.repeat(36)}`, gone);
    await expectSentence('', /^The address of this map names no dataset\.$/);
  });

  it('says what it needs in a frame with sandbox', async () => {
    const html = frameOf(`#/datasets/${await newWells()}`, 'sandbox="allow-scripts"');
    // With a header that is not the browser's own, the scripts of another origin would be asked for in another way.
    const { frame } = await openSite(html, { extraHTTPHeaders: {} });
    await expect.poll(() => sentence(frame)).toContain('allow-same-origin');
  });

  it('says that a dataset has no features yet', async () => {
    const { frame, problems } = await openSite(
      frameOf(`#/datasets/${await newWells({ visibility: 'everyone', features: [] })}`),
    );
    await expect.poll(() => sentence(frame)).toBe('This dataset has no rows yet.');
    expect(await frame.locator('h1').textContent()).toBe('Wells & springs');
    expect(await frame.locator('#legend').isVisible()).toBe(false);
    await drawn(frame);
    expect(await seriousFaults(frame)).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('is too large for everybody beyond 20 MiB, which the explorer says to who may read all of it', async () => {
    const form = new FormData();
    const properties = { text: 'x'.repeat(1024 * 1024) };
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [123, 10] }, properties };
    form.set('file', new Blob([`${JSON.stringify(feature)}\n`.repeat(21)]), 'large.ndjson');
    const headers = { Authorization: `Bearer ${masterToken}` };
    const uploaded = await fetch(`${origin}/v1/datasets/upload`, { method: 'POST', headers, body: form });
    const { id } = ((await uploaded.json()) as { data: { id: string } }).data;
    const init = { method: 'PATCH', headers: { ...headers, 'Content-Type': 'application/json' } };
    await fetch(`${origin}/v1/datasets/${id}`, { ...init, body: '{"visibility":"everyone"}' });
    const { page } = await newTab();
    await page.goto(`/embed#/datasets/${id}`);
    await expect.poll(() => sentence(page)).toBe('This dataset is too large to be shown here.');
    await page.evaluate((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto(`/explore#/datasets/${id}`);
    await page.getByRole('button', { name: 'Embed' }).click();
    await page.getByText('It is too large for that').waitFor();
  });

  it('can be tried again where too much was asked, or the service was away', async () => {
    const id = await newWells();
    const { page, address } = await newTab();
    const ask = () => fetch(`${origin}/v1/regions?limit=1`, { headers: { 'CF-Connecting-IP': address } });
    await Promise.all(Array.from({ length: 30 }, ask));
    await page.goto(`/embed#/datasets/${id}`);
    await expect
      .poll(() => sentence(page))
      .toMatch(/^Many maps were opened from your network\. Try again in \d+ seconds?\.$/);
    await page.setExtraHTTPHeaders({ 'CF-Connecting-IP': '10.9.8.7' });
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => sentence(page)).toBe('The map can’t be reached at the moment.');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await drawn(page);
    expect(await sentence(page)).toBe('');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('is the only page that other sites can show', async () => {
    for (const path of ['/explore', '/dashboard', '/match', '/docs', '/downloads', '/']) {
      const { page, frame } = await openSite(`<iframe src="${origin}${path}" title="Page"></iframe>`);
      await expect.poll(() => frame.url(), { message: path }).toBe('chrome-error://chromewebdata/');
      await page.close();
    }
    const policies = async (path: string) => {
      const { headers } = await fetch(origin + path, { headers: { Accept: 'text/html' } });
      const policy = headers.get('Content-Security-Policy') ?? '';
      return policy.split(/[;,] */).filter((directive) => /^(default-src|frame-ancestors)/.test(directive));
    };
    for (const path of ['/explore', '/explore?/embed', '/dashboard', '/docs/regions'])
      expect([path, await policies(path)]).toEqual([path, ["default-src 'none'", "frame-ancestors 'none'"]]);
    for (const path of ['/embed', '/embed/', '/embed?x=1'])
      expect([path, await policies(path)]).toEqual([path, ["default-src 'none'"]]);
  });

  it('shows its map in a page that is opened as a file too', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'embed-'));
    const file = join(directory, 'page.html');
    await writeFile(file, `<!doctype html><title>Saved</title>${frameOf('#/')}`);
    const { page } = await newTab();
    await page.goto(pathToFileURL(file).href);
    await drawn(page.frames()[1] as Frame);
    await rm(directory, { recursive: true });
  });
});

describe('the explorer', () => {
  it('shows a public dataset without a key, and gives the line that shows it elsewhere as it is shown now', async () => {
    const id = await newWells();
    const { page, problems } = await newTab({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`/explore#/datasets/${id}`);
    await page.locator(`#map[data-drawn="${id}"]`).waitFor({ state: 'attached' });
    expect(await page.locator('h1').textContent()).toBe('Wells & springs');
    expect(await page.locator('#kind').textContent()).toBe('Public dataset, 100 points');
    await page.getByLabel('Colour by').selectOption('kind');
    await page.getByLabel('Find in the rows').fill('<b>1');
    await expect.poll(() => page.url()).toContain('find=');
    await page.getByRole('button', { name: 'Embed' }).click();
    const field = page.getByLabel('HTML to paste into a page');
    const height = await page.getByLabel('Height, pixels').inputValue();
    expect(await field.inputValue()).toContain(
      `&amp;theme=light" title="Wells &amp; springs" width="100%" height="${height}"`,
    );
    // The preview is the embed itself, in its theme and at the width of a phone.
    const preview = page.frameLocator('.use-preview iframe');
    const background = () => preview.locator('body').evaluate((it) => getComputedStyle(it).backgroundColor);
    await expect.poll(background).toBe('rgb(251, 249, 244)');
    await page.getByLabel('Preview at a width of').selectOption('320 pixels');
    await page.getByLabel('Colours').selectOption('Dark');
    await expect.poll(background).toBe('rgb(23, 29, 32)');
    await preview.locator('#map[data-drawn="true"]').waitFor({ state: 'attached' });
    expect(await preview.locator('body').evaluate(() => innerWidth)).toBe(320);
    expect(await field.inputValue()).toContain('&amp;theme=dark"');
    await page.getByLabel('Colours').selectOption('As the reader’s device');
    await page.getByLabel('Height, pixels').fill('450');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).toBe(
      `<iframe src="${origin}/embed#/datasets/${id}?color=kind&amp;find=%3Cb%3E1" title="Wells &amp; springs" width="100%" height="450" style="border: 0" loading="lazy"></iframe>`,
    );
    expect(await page.getByLabel('HTML to paste into a page').inputValue()).toBe(line);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-embed');
    expect(problems).toEqual([]);
    const shown = await openSite(line);
    await drawn(shown.frame);
    expect(await legend(shown.frame)).toEqual(['drilled 9', 'dug 2']);
    expect(shown.problems()).toEqual([]);
  });

  it('shows a public dataset also to who has a key without the scope, and says of a private one what the key lacks', async () => {
    const session = await newSession(origin, `${crypto.randomUUID()}@example.com`);
    const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Maps', scopes: ['read:boundaries'] });
    const made = await fetch(`${origin}/v1/api-keys`, { method: 'POST', headers, body });
    const { data } = (await made.json()) as { data: { key: string } };
    const [id, isPrivate] = await Promise.all([newWells(), newWells({ is_public: false })]);
    const { page, problems } = await newTab();
    await page.addInitScript((token) => sessionStorage.setItem('token', token), data.key);
    await page.goto(`/explore#/datasets/${id}?color=kind`);
    await waitForMap(page, id);
    expect(await page.locator('h1').textContent()).toBe('Wells & springs');
    expect(await page.locator('#kind').textContent()).toBe('Public dataset, 100 points');
    await page.goto(`/explore#/datasets/${isPrivate}`);
    await expect.poll(() => page.locator('#notice').textContent()).toContain('lacks the scope "read:datasets"');
    expect(await page.locator('h1').textContent()).toBe('A dataset');
    expect(surprises(problems)).toEqual([]);
  });

  it('offers no button to who cannot change who reads the dataset', async () => {
    const id = await newWells({ visibility: 'accounts' });
    const session = await newSession(origin, `${crypto.randomUUID()}@example.com`);
    const { page, problems } = await newTab();
    await page.addInitScript((token) => sessionStorage.setItem('token', token), session);
    await page.goto(`/explore#/datasets/${id}`);
    await waitForMap(page, id);
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const section = page.getByRole('dialog', { name: 'Embed the map' });
    expect(await section.textContent()).toContain('Now only people with an account can read this one.');
    expect(await section.getByRole('button', { name: 'Make it readable by everyone' }).count()).toBe(0);
    expect(surprises(problems)).toEqual([]);
  });

  it('says of a private dataset whose link is copied that only its owner can open it, and opens it', async () => {
    const id = await newWells({ is_public: false });
    const other = await newTab();
    await other.page.goto(`/explore#/datasets/${id}`);
    const notice = other.page.getByText(
      'This map is not public, or is no longer there. Sign in as its owner, or ask the owner to open it.',
    );
    await notice.waitFor();
    expect(await notice.getByRole('button').textContent()).toBe('Sign in');
    const { page, problems } = await newTab();
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto(`/explore#/datasets/${id}`);
    await waitForMap(page, id);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Only you can open it.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make it readable by everyone' }).click();
    await page.getByText('Everybody who has the address can open it now.').waitFor();
    expect((await fetch(`${origin}/embed/datasets/${id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Everybody who has the address').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('says of a private dataset that it must be for everyone first, and opens it', async () => {
    const id = await newWells({ is_public: false });
    const { page, problems } = await newTab(PHONE);
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto(`/explore#/datasets/${id}`);
    await waitForMap(page, id);
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const section = page.getByRole('dialog', { name: 'Embed the map' });
    expect(await section.textContent()).toContain(
      'Other sites can show a dataset that everyone can read. Now only you can read this one.',
    );
    // It is as high as what it says.
    expect((await section.boundingBox())?.height).toBeLessThan(320);
    expect(await section.getByRole('link', { name: 'dashboard' }).getAttribute('href')).toBe('/dashboard');
    expect(await section.textContent()).toContain('Whoever has its address can then read all of its rows and columns');
    expect(await section.locator('textarea').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    expect((await fetch(`${origin}/embed/datasets/${id}`)).status).toBe(404);
    await section.getByRole('button', { name: 'Make it readable by everyone' }).press('Enter');
    const line = section.getByLabel('HTML to paste into a page');
    await line.waitFor();
    expect(await line.inputValue()).toContain(`/embed#/datasets/${id}`);
    expect((await fetch(`${origin}/embed/datasets/${id}`)).status).toBe(200);
    // It is open from now on.
    await section.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    await line.waitFor();
    expect(problems).toEqual([]);
  });
});
