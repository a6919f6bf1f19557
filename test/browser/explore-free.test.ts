import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { coloursOf, keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import {
  clickOnMap,
  explorerIn,
  heading,
  savedPicture,
  turnToMap,
  waitForCoarseMap,
  waitForMap,
} from './support/explorer.ts';

// The explorer as everybody sees it who has no key.

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const { enterKey, openWithKey, openWithoutKey } = explorerIn(newTab, masterToken);

/** What the first map may take: a line of 1.6 Mbit/s with 150 ms from request to answer shows so much within 2.5 seconds. */
const FIRST_MAP = { requests: 32, bytes: 300_000 };

describe('the page /explore without a key', () => {
  it('shows the whole country with names and search at once, and leads to the other pages', async () => {
    const { page, problems } = await newTab();
    const answers: Promise<number>[] = [];
    page.context().on('response', (response) => {
      answers.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize)
          .catch(() => 0),
      );
    });
    // The map of MapLibre comes after the first map. It waits until all that came before it is counted.
    const counted = Promise.withResolvers<void>();
    await page.route('**/map-*.js', async (route) => {
      await counted.promise;
      await route.continue();
    });
    await page.goto('/explore', { waitUntil: 'commit' });
    await page.locator('#first-map path').first().waitFor({ state: 'attached' });
    const sizes = await Promise.all(answers);
    counted.resolve();
    await turnToMap(page);
    await waitForCoarseMap(page, 'all');
    expect(await page.locator('#first-map path').count()).toBe(0);
    expect(sizes.length).toBeLessThanOrEqual(FIRST_MAP.requests);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_MAP.bytes);

    expect(await page.locator('dialog').isVisible()).toBe(false);
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(30);
    expect(await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).isVisible()).toBe(true);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.getByRole('link').allTextContents()).toEqual([
      ...['Reference', 'Match', 'Downloads', 'Map', 'Dashboard'],
    ]);
    expect(await pages.getByRole('link', { name: 'Map' }).getAttribute('aria-current')).toBe('page');
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-free-1280');
    expect(problems).toEqual([]);
  });

  it.each([
    ['1280 pixels', {}],
    ['a phone', PHONE],
  ])(
    'draws the country with its names at once at %s, and opens the map in its place when somebody turns to it',
    async (_, options) => {
      const { page, problems } = await newTab(options);
      await page.goto('/explore');
      await page.locator('#first-map text').first().waitFor({ state: 'attached' });
      await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).waitFor({ state: 'attached' });
      // All that is read by itself is read, and nothing has opened the map.
      await page.waitForLoadState('networkidle');
      expect(await page.locator('#map canvas').count()).toBe(0);

      const names = page.locator('#first-map text');
      // The regions of the schematic country are narrower than their names, so that not all have one.
      expect(await page.locator('#first-map text[font-weight="600"]').count()).toBeGreaterThan(2);
      const boxes = await names.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON() as DOMRect));
      const [map, panel] = [await page.locator('#map').boundingBox(), await page.locator('#panel').boundingBox()];
      if (!map || !panel) throw new Error('There is no map, or no panel.');
      for (const [index, box] of boxes.entries()) {
        const over = boxes.filter((other) => {
          const [wide, tall] = [Math.min(box.right, other.right), Math.min(box.bottom, other.bottom)];
          return other !== box && wide > Math.max(box.left, other.left) + 1 && tall > Math.max(box.top, other.top) + 1;
        });
        expect([index, over]).toEqual([index, []]);
        expect(box.left).toBeGreaterThanOrEqual(map.x);
        expect(box.right).toBeLessThanOrEqual(map.x + map.width);
      }
      expect(await seriousFaults(page)).toEqual([]);

      // A point well inside of a region.
      const region = await page.locator('#first-map [data-code="0900000000"]').evaluate((path: SVGGeometryElement) => {
        const { left, top, right, bottom } = path.getBoundingClientRect();
        const isIn = (x: number, y: number) => document.elementFromPoint(x, y) === path;
        for (let reach = 6; reach > 0; reach -= 1)
          for (let x = left; x < right; x += 2)
            for (let y = top; y < bottom; y += 2)
              if ([-reach, reach].every((away) => isIn(x + away, y) && isIn(x, y + away))) return [x, y] as const;
        return undefined;
      });
      if (!region) throw new Error('The drawing shows no region IX.');
      await page.mouse.move(...region);
      await waitForCoarseMap(page, 'all');
      expect(await page.locator('#first-map').innerHTML()).toBe('');
      await page.mouse.move(region[0] + 1, region[1]);
      await expect.poll(() => page.locator('#hover').textContent()).toContain('Region IX');
      expect(problems).toEqual([]);
    },
  );

  it('leads from the drawing of the country to a region, before the map is open', async () => {
    const { page, problems } = await newTab();
    await page.goto('/explore');
    const region = page.locator('#first-map [data-code="0700000000"]');
    await region.waitFor({ state: 'attached' });
    await region.dispatchEvent('click');
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    await waitForCoarseMap(page, '0700000000');
    expect(problems).toEqual([]);
  });

  it('leads from the drawing of an older edition to the regions of that edition, by a tap', async () => {
    const { page, problems } = await newTab(PHONE);
    // The edition is published here without a map of its own.
    await page.route('**/v1/downloads/overview?*', (route) =>
      route.continue({ url: `${origin}/v1/downloads/overview` }),
    );
    await page.goto('/explore#/?edition=2023-4q');
    const region = page.locator('#first-map [data-code="0600000000"]');
    await region.waitFor({ state: 'attached' });
    await region.dispatchEvent('click');
    await expect.poll(() => page.url()).toContain('#/regions/0600000000?edition=2023-4q');
    await expect.poll(() => heading(page)).toContain('Region VI');
    expect(problems).toEqual([]);
  });

  it('goes down to cities by clicks, and marks where a barangay lies that it does not draw', async () => {
    const { page, problems } = await openWithoutKey('', { colorScheme: 'dark' });
    await clickOnMap(page, 'Region IX (Zamboanga Peninsula)');
    await waitForCoarseMap(page, '0900000000');
    const province = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(province);
    expect(page.url()).toMatch(/#\/provinces\/09\d{8}$/);
    await waitForCoarseMap(page, page.url().slice(-10));
    const municity = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(municity);
    expect(page.url()).toMatch(/#\/municities\/09\d{8}$/);
    await waitForCoarseMap(page, page.url().slice(-10));
    await page.locator('.places a').first().click();
    await expect.poll(() => page.url()).toMatch(/#\/barangays\/09\d{8}$/);
    await waitForCoarseMap(page, page.url().slice(-10));
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-free-dark-1280');
    expect(problems).toEqual([]);
  });

  it('names the city of a barangay that is found, and selects the text after a choice', async () => {
    const { page, problems } = await openWithoutKey();
    await page.keyboard.press('/');
    await page.keyboard.type('guadalupe');
    const barangay = page.getByRole('option').filter({ hasText: 'Barangay ·' }).first();
    expect(await barangay.locator('.about').textContent()).toMatch(/^Barangay · .+ · .+/);
    await barangay.click();
    await expect.poll(() => page.url()).toContain('#/barangays/');
    const search = page.locator('#search');
    const selected = await search.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    );
    expect(selected).toBe(await search.inputValue());
    await page.keyboard.type('vigan');
    await page.getByRole('option', { name: /^City of Vigan/ }).click();
    await expect.poll(() => heading(page)).toBe('City of Vigan');
    expect(await search.inputValue()).toContain('Vigan');
    // The name of a place that is no longer shown would look like that of the one that is.
    await page.locator('#ancestors').getByRole('link', { name: 'Ilocos Sur' }).click();
    await expect.poll(() => heading(page)).toBe('Ilocos Sur');
    expect(await search.inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  it('draws what is chosen clear of the credits', async () => {
    const { page } = await openWithoutKey('#/regions/0900000000');
    await waitForCoarseMap(page, '0900000000');
    const [map, credit] = [await page.locator('#map').boundingBox(), await page.locator('#credit').boundingBox()];
    if (!map || !credit) throw new Error('There is no map, or no credit.');
    let x = map.x + map.width / 2 - 60;
    for (; x < map.x + map.width / 2 + 60; x += 4) {
      await page.mouse.move(x, map.y + map.height / 2);
      if (await page.locator('#hover').isVisible()) break;
    }
    let last = 0;
    for (let y = map.y + 80; y < map.y + map.height; y += 6) {
      await page.mouse.move(x, y);
      if (await page.locator('#hover').isVisible()) last = y;
    }
    expect(last).toBeGreaterThan(map.y + map.height / 2);
    expect(last).toBeLessThan(credit.y);
  });

  it('says that borders are simplified where it is seen, until somebody signs in for detailed ones', async () => {
    const { page, problems } = await openWithoutKey('#/provinces/0702200000');
    const far = page.getByRole('button', { name: 'Sign in for boundaries of barangays' });
    await far.waitFor();
    await page.evaluate(() => {
      location.hash = '#/municities/0730600000?bbox=123.88,10.3,123.92,10.33';
    });
    await waitForCoarseMap(page, '0730600000');
    const close = page.getByRole('button', { name: 'Borders are simplified. Sign in for detailed ones' });
    await close.waitFor();
    expect(await far.count()).toBe(0);
    expect(await page.locator('#credit').textContent()).not.toContain('simplified');
    const picture = async () => (await savedPicture(page, 'SVG')).bytes.toString().replaceAll(/<[^>]+>/g, ' ');
    // Nothing is said beside a picture.
    expect(await picture()).toMatch(/Borders\s+are\s+simplified\./);
    await enterKey(page);
    await waitForMap(page, '0730600000');
    expect(await close.isVisible()).toBe(false);
    expect(await page.locator('#credit').textContent()).not.toContain('simplified');
    expect(await picture()).not.toContain('simplified');
    expect(problems).toEqual([]);
  });

  it('says which independent cities the figures of a province count, and has these on one base', async () => {
    const { page, problems } = await openWithoutKey('#/provinces/0702200000');
    const factOf = (term: string) =>
      page
        .locator('.facts div')
        .filter({ has: page.locator('dt').getByText(term, { exact: true }) })
        .locator('dd');
    const textOf = (term: string) => factOf(term).textContent();
    expect(await textOf('What is counted')).toMatch(
      /^Residents, area and density without City of Cebu \([\d,]+\), City of Lapu-Lapu \([\d,]+\) and City of Mandaue \([\d,]+\)$/,
    );
    const [residents = 0, area = 0, density = 0] = await Promise.all(
      ['Residents', 'Area', 'Density'].map(async (term) =>
        Number.parseInt((await textOf(term))?.replaceAll(',', '') ?? '', 10),
      ),
    );
    expect(Math.abs(residents / area - density)).toBeLessThan(1);
    expect(await textOf('Contains')).toMatch(
      /^50 cities and municipalities\n1,066 barangays in these\nbesides, 3 independent cities$/,
    );
    for (const [edition, base] of [
      ['', 'with'],
      ['?edition=2024-2q', 'without'],
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/provinces/1908700000${edition}`);
      await expect
        .poll(() => textOf('What is counted'))
        .toMatch(new RegExp(`^Resid.* ${base} City of Cotabato \\([\\d,]+\\)$`));
    }
    expect(problems).toEqual([]);
  });

  it('shows in place of the last one that there is no such place, edition or dataset', async () => {
    const { page } = await openWithoutKey('#/provinces/0702200000');
    await expect.poll(() => heading(page)).toBe('Cebu');
    for (const [fragment, title] of [
      ['#/provinces/9999900000', 'Province 9999900000'],
      ['#/provinces/0702200000?edition=2019-1q', 'No edition 1Q 2019'],
      ['#/changes/2019-1q/2026-3q', 'No such edition'],
      [`#/datasets/${crypto.randomUUID()}`, 'A dataset'],
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash as string;
      }, fragment);
      await expect.poll(() => heading(page)).toBe(title);
      expect(await page.locator('#record').textContent()).not.toContain('Residents');
      if (fragment === '#/provinces/9999900000')
        await expect.poll(() => page.locator('#kind').textContent()).toBe('No edition has this code');
      await page.locator('#notice').locator('a, button').first().waitFor();
      expect(await page.locator('dialog').isVisible()).toBe(false);
    }
  });

  it('says so where the release was published without a map, and leads on by the lists', async () => {
    const { page, problems } = await newTab();
    const missing = { status: 404, json: { message: 'No overview.', code: 'overview_not_found' } };
    await page.route('**/v1/downloads/overview', (route) => route.fulfill(missing));
    await page.goto('/explore');
    await expect
      .poll(() => page.locator('#map-notice').textContent())
      .toBe('Without signing in there is no map yet. The lists lead everywhere too.Look again');
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).click();
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    await enterKey(page);
    expect(await page.locator('#map-notice').isVisible()).toBe(false);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('shows what could not be read of the map, and reads it again', async () => {
    const { page } = await newTab();
    await page.route(
      '**/v1/downloads/overview',
      (route) => route.fulfill({ status: 503, json: { message: 'Not now.', code: 'storage_unavailable' } }),
      {
        times: 2,
      },
    );
    await page.goto('/explore');
    const notice = page.locator('#notice');
    await expect.poll(() => notice.textContent()).toContain('Not now.');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('#map').getAttribute('data-drawn')).toBe('all');
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(30);
  });

  it('says that the map could not be loaded where its worker is gone, as after a deployment', async () => {
    const { page } = await newTab();
    await page.route('**/maplibre-gl-worker*', (route) => route.fulfill({ status: 404 }));
    await page.goto('/explore');
    const notice = page.locator('#map-notice');
    await expect.poll(() => notice.textContent()).toContain('The map could not be loaded.');
    await notice.getByRole('button', { name: 'Load the page again' }).waitFor();
    expect(await page.locator('#map canvas').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'draws the country as large as there is room between the search and the panel of a phone: %s',
    async (colorScheme) => {
      const { page, problems } = await newTab({ ...PHONE, colorScheme });
      await page.goto('/explore');
      await page.locator('#first-map text').first().waitFor({ state: 'attached' });
      await page.locator('#sign-in').waitFor();
      const country = await page
        .locator('#first-map svg g')
        .evaluate((areas) => areas.getBoundingClientRect().toJSON());
      const boxOf = async (id: string) => {
        const box = await page.locator(id).boundingBox();
        if (!box) throw new Error(`There is no ${id}.`);
        return box;
      };
      const [bar, panel, button] = [await boxOf('#bar'), await boxOf('#panel'), await boxOf('#sign-in')];
      const [top, bottom] = [bar.y + bar.height, panel.y];
      expect(country.top).toBeGreaterThanOrEqual(top);
      expect(country.bottom).toBeLessThanOrEqual(bottom);
      // The extent of the country has some sea around the schematic one.
      expect(country.height / (bottom - top)).toBeGreaterThan(0.55);
      expect(country.height).toBeGreaterThan(200);
      expect(button.x).toBeGreaterThan(country.right);
      await keepPicture(page, `explore-first-390-${colorScheme}`);
      expect(problems).toEqual([]);
    },
  );

  it('fits the width of a phone', async () => {
    const { page, problems } = await openWithoutKey('', PHONE);
    expect(await widthOf(page)).toBe(390);
    await keepPicture(page, 'explore-free-390');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in for boundaries' }).tap();
    expect(await page.locator('#token-dialog').isVisible()).toBe(true);
    expect(problems).toEqual([]);
  });
});

describe('the session of a tab', () => {
  it('follows into a new tab of the same browser, and is forgotten in all of them', async () => {
    const { page, problems } = await openWithKey();
    const other = await page.context().newPage();
    await other.goto('/explore#/municities/0730600000');
    await waitForMap(other, '0730600000');
    expect(await other.locator('#sign-in').isVisible()).toBe(false);
    expect(await other.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.locator('#sign-in').waitFor();
    for (const tab of [page, other]) {
      expect(await tab.evaluate(() => sessionStorage.getItem('token'))).toBe(null);
    }
    expect(problems).toEqual([]);
  });

  it('is not there for another browser', async () => {
    await openWithKey();
    const { page } = await openWithoutKey();
    expect(await page.locator('#sign-in').isVisible()).toBe(true);
  });
});
