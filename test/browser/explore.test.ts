import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { coloursOf, keepPicture, PHONE, pixelsOf, saved, tabsOf, widthOf } from './support/chromium.ts';
import {
  clickOnMap,
  closeDialog,
  explorerIn,
  fillKey,
  heading,
  openPicture,
  savedPicture,
  signInBy,
  waitForCoarseMap,
  waitForMap,
} from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const { openWithKey, openWithoutKey, enterKey } = explorerIn(newTab, masterToken);

/** The names of what a picture is of, without those of areas around it. */
const namesIn = (svg: string) => [...svg.matchAll(/<text x[^>]*middle" stroke[^>]*>([^<]*)</g)].map(([, name]) => name);

describe('the page /explore', () => {
  it('signs in on the dashboard in another tab, and goes on by itself', async () => {
    const { page, problems } = await newTab();
    await page.goto('/explore#/provinces/0702200000');
    const signIn = page.getByRole('button', { name: 'Sign in for boundaries' });
    const dashboard = await signInBy(page, signIn);
    await waitForMap(page, '0702200000');
    expect(await page.locator('dialog').isVisible()).toBe(false);
    expect(await signIn.isVisible()).toBe(false);
    // Who signs out there sees here what everybody sees.
    await dashboard.getByRole('button', { name: 'Sign out' }).click();
    await waitForCoarseMap(page, '0702200000');
    await signIn.waitFor();
    await dashboard.close();
    expect(problems).toEqual([]);
  });

  it('asks for a key when somebody signs in, shows why a bad one is refused, and stores a good one in the tab only', async () => {
    const { page, problems } = await newTab();
    await page.goto('/explore');
    await page.getByRole('button', { name: 'Sign in for boundaries' }).click();
    await fillKey(page, 'not-a-token');
    await expect.poll(() => page.getByRole('alert').first().textContent()).toMatch(/Enter a key that is valid\.$/);
    expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);

    const tileRequests: Record<string, string>[] = [];
    page.context().on('request', (request) => {
      if (request.url().endsWith('.mvt') || request.url().includes('.mvt?')) tileRequests.push(request.headers());
    });
    await page.getByRole('button', { name: 'Not now' }).click();
    await enterKey(page);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(page.url()).toBe(`${origin}/explore`);
    expect(tileRequests.length).toBeGreaterThan(0);
    expect(tileRequests.filter(({ authorization }) => authorization)).toEqual([]);

    await page.reload();
    await waitForMap(page);
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await keepPicture(page, 'explore-1280');
    expect(await heading(page)).toBe('Philippines');
    // The sea, the grid, the land in six tints, edges, labels, and the colours between them.
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(30);
    expect(problems).toEqual([]);
  });

  it('goes down to a barangay by clicks on the map, and back by the history', async () => {
    const { page, problems } = await openWithKey();
    await clickOnMap(page, 'Region IX (Zamboanga Peninsula)');
    await waitForMap(page, '0900000000');
    const province = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(province);
    expect(page.url()).toMatch(/#\/provinces\/09\d{8}$/);
    await waitForMap(page, page.url().slice(-10));
    const municity = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(municity);
    expect(page.url()).toMatch(/#\/municities\/09\d{8}$/);
    await waitForMap(page, page.url().slice(-10));
    // Barangays have no tiles, so they are drawn from GeoJSON.
    const barangay = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(barangay);
    expect(page.url()).toMatch(/#\/barangays\/09\d{8}$/);
    await waitForMap(page, page.url().slice(-10));
    await keepPicture(page, 'explore-barangay-1280');

    await page.goBack();
    await expect.poll(() => heading(page)).toBe(municity);
    await page.goForward();
    await expect.poll(() => heading(page)).toBe(barangay);
    expect(problems).toEqual([]);
  });

  it('lists in a region what together has all of its residents', async () => {
    const { page, problems } = await openWithoutKey('#/regions/0700000000');
    const amount = (text: string | null) => Number(text?.replaceAll(',', ''));
    const residents = page.locator('#record dt', { hasText: 'Residents' }).locator('+ dd');
    await residents.waitFor();
    const listed = page.locator('#record section:has(.of-places) .population');
    const sum = (await listed.allTextContents()).reduce((all, text) => all + amount(text), 0);
    expect(sum).toBe(amount((await residents.textContent())?.split(' ')[0] ?? ''));
    await page.getByRole('heading', { name: 'Counted in no province' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('goes down with the keyboard alone', async () => {
    const { page, problems } = await openWithoutKey();
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
    await page.locator('.skip').press('Enter');
    expect(await page.locator(':focus').textContent()).toBe(name);
    expect(page.url()).toBe(address);
    expect(problems).toEqual([]);
  });

  it('searches for the text that is typed, not for an earlier one', async () => {
    const { page, problems } = await openWithoutKey();
    await page.keyboard.press('/');
    await page.keyboard.type('siargao');
    await page.getByRole('option', { name: /^Dapa/ }).waitFor();
    await page.locator('#search').selectText();
    await page.keyboard.type('bohol');
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page)).toBe('Bohol');
    expect(await page.locator('#findings').isVisible()).toBe(false);
    // A search that is left before it is done opens no list later.
    await page.locator('#search').selectText();
    await page.keyboard.type('siquijor');
    await page.locator('#search').blur();
    await sleep(1500);
    expect(await page.locator('#findings').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('shows the place that was opened last, even if the answer for the country comes after it', async () => {
    const { page, problems } = await newTab();
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

  it('shows a place with its ancestors, its neighbours, the command, and the file to download', async () => {
    const { page, problems } = await openWithKey('#/municities/0730600000');
    expect(await page.locator('#ancestors a').allTextContents()).toEqual(['Philippines', 'Central Visayas', 'Cebu']);
    await expect.poll(() => page.locator('.neighbours a').count()).toBeGreaterThan(0);
    expect(await page.locator('.facts').first().textContent()).toMatch(
      /Area[\d,]+ km²Density[\d,]+ residents per km²Income class1st/,
    );
    expect(await page.locator('.download').count()).toBe(0);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    expect(await page.locator('.download pre').textContent()).toContain('Bearer $API_KEY');
    expect(await page.locator('.download pre').textContent()).toContain(
      `'${origin}/v1/municities/0730600000?format=geojson&geometry=medium'`,
    );
    expect(await page.locator('body').innerHTML()).not.toContain(masterToken);
    const buttons = page.locator('.use-map .use-buttons button');
    expect(new Set(await buttons.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))).size).toBe(1);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download GeoJSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('municities-0730600000-medium.geojson');
    const feature = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(feature).toMatchObject({ type: 'Feature', id: '0730600000', geometry: { type: 'Polygon' } });
    expect(problems).toEqual([]);
  });

  it.each([
    ['with a key', true],
    ['without a key', false],
  ])('saves the map of a province with its municipalities, %s', async (_, hasKey) => {
    const open = hasKey ? openWithKey : openWithoutKey;
    const { page, problems } = await open('#/provinces/0702200000');
    const svg = (await savedPicture(page, 'SVG')).bytes.toString();
    // The areas of the drawn country are narrow and their points in a row, so that most names stand elsewhere in them.
    const [first, ...others] = namesIn(svg);
    expect(first).toBe('City of Cebu');
    expect(others).toContain('City of Toledo');
    expect(svg.split('fill="#d3bccf"').length - 1).toBeGreaterThanOrEqual(50);
    await page.goto('/explore#/regions/0700000000');
    await expect.poll(() => heading(page)).toContain('Central Visayas');
    const { bytes: png } = await savedPicture(page, 'PNG');
    const [pixels] = await pixelsOf(page, png, ['rgb(211, 188, 207)']);
    expect(pixels).toBeGreaterThan(100_000);
    expect(problems).toEqual([]);
  });

  it('saves the map of a barangay with its name, its neighbours and where it lies', async () => {
    const { page, problems } = await openWithKey('#/barangays/0730600010');
    const name = (await heading(page)) ?? '';
    await openPicture(page);
    await keepPicture(page, 'explore-barangay-picture');
    await closeDialog(page);
    const svg = (await savedPicture(page, 'SVG')).bytes.toString();
    expect(namesIn(svg)).toEqual([name]);
    // The land of the regions, and that of the barangays and larger areas beside it with their borders.
    expect(
      svg.match(/<path d="[^"]+" fill="#\w+" stroke="#\w+" stroke-width="0.5" stroke-linejoin="round"/g),
    ).toHaveLength(2);
    // The frame around it on the small map of the country.
    expect(svg).toMatch(/<rect [^>]*fill="none" stroke="#a8321f"/);
    expect(problems).toEqual([]);
  });

  it.each([
    ['provinces', '0702200000', 50, '0702201000'],
    ['regions', '0700000000', 2, '0702200000'],
    ['municities', '0730600000', 80, '0730600001'],
  ])('saves the boundaries of the areas in one of the %s', async (level, code, count, first) => {
    const { page, problems } = await openWithKey(`#/${level}/${code}`);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    const { bytes } = await saved(page, 'GeoJSON');
    const csv = (await saved(page, 'CSV')).bytes.toString();
    expect(csv).toMatch(/^\ufeffcode,name,.*,area_km2,density_km2,/);
    expect(csv.split('\r\n').find((line) => line.startsWith(first))).toMatch(/,20\d\d,[\d.]+,[\d.]+,0700000000,/);
    const { features } = JSON.parse(bytes.toString()) as GeoJSON.FeatureCollection;
    expect(features.length).toBeGreaterThanOrEqual(count);
    expect(features.find(({ properties }) => properties?.code === first)?.geometry.type).toMatch(/Polygon$/);
    expect(problems).toEqual([]);
  });

  it('opens the current area for a former code, and links to the successors of an abolished one', async () => {
    const { page, problems } = await openWithoutKey('#/provinces/0604500000');
    await expect.poll(() => heading(page)).toBe('Negros Occidental');
    expect(page.url()).toBe(`${origin}/explore#/provinces/1804500000`);
    // The part of the world that a link shows stays in it.
    await page.goto('/explore#/provinces/0604500000?bbox=122,9.5,123.5,11');
    await expect.poll(() => page.url()).toBe(`${origin}/explore#/provinces/1804500000?bbox=122%2C9.5%2C123.5%2C11`);
    await page.goto('/explore#/provinces/9999900000');
    await expect.poll(() => page.locator('#notice').textContent()).toContain('9999900000');
    // Maguindanao became two provinces.
    await page.goto('/explore#/provinces/1903800000');
    await expect.poll(() => page.locator('#notice a').allTextContents()).toEqual(['1908700000', '1908800000']);
    await page.locator('#notice a').last().click();
    await expect.poll(() => heading(page)).toBe('Maguindanao del Sur');
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('renews the tile session before it expires', async () => {
    const { page, problems } = await newTab();
    await page.clock.install();
    await page.goto('/explore');
    await enterKey(page);
    const renewal = page.waitForRequest((request) => request.url().endsWith('/v1/tiles/sessions'));
    await page.clock.fastForward('50:00');
    await renewal;
    expect(problems).toEqual([]);
  });

  it('keeps a valid key if the tile session ends early, and requests one new session', async () => {
    const { page, problems } = await openWithKey();
    const context = page.context();
    const requested: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/v1/tiles/sessions')) requested.push(request.url());
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
      // Some answers come when the page has a new session already.
      await sleep(refused * 400);
      return route.fulfill({
        status: 401,
        json: { message: 'The session has expired.', code: 'tile_session_expired' },
      });
    });
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => refused > 1 && read >= refused).toBe(true);
    expect(requested).toHaveLength(1);
    expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBe(masterToken);
    expect(await page.locator('dialog').isVisible()).toBe(false);
    expect(await page.locator('#notice').isVisible()).toBe(false);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('shows in sight what could not be read, and reads it again', async () => {
    const { page } = await openWithKey('#/regions/0700000000');
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

  it('starts with what it could read, and retries the rest', async () => {
    const { page } = await newTab({ viewport: { width: 390, height: 844 } });
    const failing = ['**/v1/sources', '**/v1/tiles/sessions'];
    for (const address of failing) {
      await page.route(
        address,
        (route) => route.fulfill({ status: 503, json: { message: 'Not now.', code: 'storage_unavailable' } }),
        { times: 1 },
      );
    }
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto('/explore');
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).waitFor();
    const unread = 'It could not be read where the data comes from.';
    await expect.poll(() => page.locator('#about').textContent()).toContain(unread);
    await page.locator('#about').getByRole('button', { name: 'Try again' }).click();
    // On a phone the credit is shown nowhere else.
    await expect.poll(() => page.locator('#about').textContent()).toContain('Philippine Statistics Authority');
    await expect
      .poll(() => page.locator('#map-notice').textContent())
      .toContain('Barangays and finer boundaries can’t be drawn. Not now.');
    await page.locator('#map-notice').getByRole('button', { name: 'Try again' }).click();
    await waitForMap(page);
    expect(await page.locator('#map-notice').isVisible()).toBe(false);
  });

  it('leads to every place by its lists if the browser can not draw', async () => {
    const { page, problems } = await newTab();
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

  it('offers to load the page again if the map can not be opened for another reason', async () => {
    const { page } = await newTab();
    await page.addInitScript((token) => {
      sessionStorage.setItem('token', token);
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
        if (args[0].startsWith('webgl')) throw new Error('Lost.');
        return getContext.apply(this, args);
      } as typeof getContext;
    }, masterToken);
    await page.goto('/explore');
    const notice = page.locator('#map-notice');
    await expect.poll(() => notice.textContent()).toBe('The map could not be opened.Load the page again');
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).click();
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
  });

  it('fits the width of a phone, where the panel is a sheet', async () => {
    const { page, problems } = await openWithKey('#/regions/0700000000', PHONE);
    await keepPicture(page, 'explore-390');
    expect(await widthOf(page)).toBe(390);
    const height = async () => (await page.locator('#panel').boundingBox())?.height ?? 0;
    const half = await height();
    await page.locator('#grip').tap();
    await expect.poll(height).toBeGreaterThan(half + 200);
    await keepPicture(page, 'explore-sheet-390');
    await page.locator('#grip').tap();
    await expect.poll(height).toBeLessThan(half - 100);
    expect(problems).toEqual([]);
  });

  it('shows names without a key, and says when to try again after too many requests', async () => {
    const { page, address, problems } = await openWithoutKey();
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).click();
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    expect(problems).toEqual([]);
    const headers = { 'CF-Connecting-IP': address };
    for (let status = 200; status !== 429; ) status = (await fetch(`${origin}/v1/regions`, { headers })).status;
    await page.getByRole('link', { name: 'Bohol' }).click();
    await expect
      .poll(() => page.locator('#notice').textContent())
      .toMatch(
        /^Too many requests came from here without signing in: try again in \d+ seconds?, or sign in to go on now\. This page tries again by itself\./,
      );
  });

  it('has a picture, a frame and data of the whole country', async () => {
    const { page, problems } = await openWithKey();
    const buttons = page.locator('.use-buttons button');
    expect(await buttons.allTextContents()).toEqual(['Copy link', 'Picture', 'Embed', 'Data', 'Print']);
    const svg = (await savedPicture(page, 'SVG')).bytes.toString();
    expect(svg).toContain('>Philippines<');
    expect(svg).toContain('>CALABARZON<');
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const line = await page.getByLabel('HTML to paste into a page').inputValue();
    expect(line).toContain(`src="${origin}/embed#/?theme=light" title="Philippines"`);
    const frame = page.frameLocator('dialog[open] iframe');
    await expect.poll(() => frame.locator('h1').textContent()).toBe('Philippines');
    await frame.locator('#map[data-drawn="true"]').waitFor({ state: 'attached' });
    await closeDialog(page);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    const csv = (await saved(page, 'CSV')).bytes.toString();
    expect(csv).toContain('0700000000,Region VII (Central Visayas)');
    const { features } = JSON.parse((await saved(page, 'GeoJSON')).bytes.toString()) as GeoJSON.FeatureCollection;
    expect(features.find(({ properties }) => properties?.code === '0700000000')?.geometry.type).toMatch(/Polygon$/);
    expect(problems).toEqual([]);
  });

  it('says over the map and among the facts that a place has no boundary, and offers no map of it', async () => {
    const { page, problems } = await newTab();
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.route('**/v1/barangays/0730600010', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const without = { bbox: null, centroid: null, area_km2: null, density_km2: null };
      await route.fulfill({ response, json: { data: { ...data, ...without }, error: null } });
    });
    await page.goto('/explore#/barangays/0730600010');
    await expect
      .poll(() => page.locator('#map-notice').textContent())
      .toMatch(/ has no boundary here\. The map shows what is around it\.$/);
    expect(await page.locator('.facts').textContent()).toContain('BoundaryNot known here');
    expect(await page.locator('.use-buttons button').allTextContents()).toEqual(['Copy link', 'Data']);
    expect(problems).toEqual([]);
  });

  it('keeps what a notice over the map covers in links and pictures, and the buttons of the map beside it', async () => {
    const { page } = await openWithKey('#/provinces/0702200000', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const view = async () => {
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByText('the map as it is now').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      return (new URLSearchParams(copied.split('?')[1]).get('bbox') ?? '').split(',').map(Number);
    };
    const before = await view();
    await page.evaluate(() => {
      const notice = document.querySelector<HTMLElement>('#map-notice');
      if (notice)
        notice.textContent = 'A notice that is as long as one of boundaries that can’t be drawn is. '.repeat(2);
      if (notice) notice.hidden = false;
    });
    // A tenth of a degree is some ten pixels here.
    expect((await view())[3]).toBeGreaterThan((before[3] ?? 0) - 0.1);
    await page.setViewportSize({ width: 390, height: 844 });
    const [notice, zoom] = [
      await page.locator('#map-notice').boundingBox(),
      await page.locator('.maplibregl-ctrl-zoom-in').boundingBox(),
    ];
    expect((notice?.x ?? 0) + (notice?.width ?? 0)).toBeLessThanOrEqual(zoom?.x ?? 0);
  });

  it('goes on by itself when the service may be asked again, unless that takes long', async () => {
    const { page } = await openWithoutKey();
    const notice = page.locator('#notice');
    const refuse = (seconds: string) => ({
      status: 429,
      headers: { 'Retry-After': seconds },
      json: { message: 'Too many.', code: 'x' },
    });
    await page.route('**/v1/provinces/0701200000*', (route) => route.fulfill(refuse('2')), { times: 1 });
    await page.goto('/explore#/provinces/0701200000');
    await expect.poll(() => notice.textContent()).toContain('try again in 2 seconds');
    expect(await notice.textContent()).toContain('This page tries again by itself.');
    await expect.poll(() => heading(page)).toBe('Bohol');
    expect(await notice.isVisible()).toBe(false);
    await page.route('**/v1/provinces/0702200000*', (route) => route.fulfill(refuse('61')));
    await page.goto('/explore#/provinces/0702200000');
    await expect.poll(() => notice.textContent()).toContain('try again in 61 seconds');
    expect(await notice.textContent()).not.toContain('by itself');
  });

  it('says once why nothing could be read', async () => {
    const { page } = await newTab();
    const refusal = { status: 429, headers: { 'Retry-After': '60' }, json: { message: 'Too many.', code: 'x' } };
    await page.route('**/v1/**', (route) => route.fulfill(refusal));
    await page.goto('/explore');
    await page.getByText('It could not be read where the data comes from.').waitFor();
    await page.locator('#notice').waitFor();
    expect(
      await page
        .getByText(/Too many requests/)
        .filter({ visible: true })
        .count(),
    ).toBe(1);
  });

  it('is served with a security policy that lets in nothing from other origins, and its assets may be cached for ever', async () => {
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
