import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, type Tab, tabsOf, widthOf } from './support/chromium.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

async function open(options?: BrowserContextOptions): Promise<Tab> {
  const tab = await newTab(options);
  await tab.page.goto('/');
  return tab;
}

describe('the page at the root', () => {
  it('is a page for browsers; a caller who accepts JSON or anything gets JSON', async () => {
    const typeFor = async (accept: string) => {
      const { headers } = await fetch(origin, { headers: { Accept: accept } });
      expect(headers.get('Vary')).toContain('Accept');
      return headers.get('Content-Type')?.split(';')[0];
    };
    expect(await typeFor('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toBe('text/html');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'image/png']) {
      expect([accept, await typeFor(accept)]).toEqual([accept, 'application/json']);
    }
  });

  it.each([
    ['/', '#served'],
    ['/docs', '#served'],
    ['/downloads', '#served'],
    ['/match', '#served'],
    ['/dashboard', '#served'],
    ['/explore', '#about'],
  ])('and others say how old the list is: %s', async (path, place) => {
    const { page, problems } = await newTab();
    await page.goto(path);
    const { data } = (await (await fetch(`${origin}/v1/sources`)).json()) as { data: { notice: string } };
    expect(data.notice).toMatch(/^PSGC list of \d+ \w+ \d{4}, .+ old/);
    await expect.poll(() => page.locator(place).textContent()).toContain(data.notice);
    expect(problems).toEqual([]);
  });

  it('begins with a search field, which opens a place of any level on the map', async () => {
    const { page, problems } = await open();
    const field = page.getByLabel('Find a region, province, city, municipality or barangay');
    await field.fill('ermita, manila');
    await page.getByRole('option', { name: 'Ermita' }).first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await field.press('Enter');
    await expect
      .poll(() => new URL(page.url()).pathname + new URL(page.url()).hash)
      .toMatch(/^\/explore#\/(?:municities|submunicipalities)\/1380608000$/);
    await page.getByRole('heading', { level: 1, name: 'Ermita' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('links to the reference, matching, the map and the dashboard, and looks up a name', async () => {
    const { page, problems } = await open();
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Parañaque');
    await page.getByLabel('Name of a city or municipality').fill('vigan');
    await page.getByRole('button', { name: 'Look up' }).click();
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Vigan');
    expect(await page.locator('#command').textContent()).toBe(`curl '${origin}/v1/municities/search?limit=2&q=vigan'`);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'landing-1280');
    expect(await page.locator('main').locator('input, a, button').first().getAttribute('id')).toBe('place');
    const filled = await page
      .locator('.ways a')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).backgroundColor !== 'rgba(0, 0, 0, 0)'));
    expect(filled).toEqual([true, false, false, false]);
    expect(await page.locator('.ways a').first().getAttribute('href')).toBe('/match');
    // The picture of what one gets is a map with its legend.
    await expect.poll(() => page.locator('#key li').count()).toBe(5);
    expect(await page.locator('#key').textContent()).toMatch(
      /^Residents per km², by region, 20\d\d[\d,]+.*Source: Phil/,
    );
    const fills = page.locator('#country [data-level="region"]');
    const colors = await fills.evaluateAll((all) => new Set(all.map((it) => getComputedStyle(it).fill)).size);
    expect(colors).toBe(5);
    // Nothing but a line stands below the map until it is asked.
    expect((await page.locator('#there').boundingBox())?.height).toBeLessThan(40);
    for (const [name, path] of [
      ['Read the reference', '/docs'],
      ['Make a map from a spreadsheet', '/match'],
      ['Open the map', '/explore'],
      ['Get an API key', '/dashboard'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      expect(await page.locator('h1').first().textContent()).toBeTruthy();
      await page.goBack();
    }
    expect(problems).toEqual([]);
  });

  it('has the country as a map that answers a click and the keyboard with what lies there', async () => {
    const { page, problems } = await open();
    const map = page.locator('#country svg');
    await map.waitFor();
    const there = page.locator('#there');
    await page.locator('#country path').nth(30).click();
    await expect.poll(() => there.locator('.name').count()).toBe(1);
    // All of the answer is seen, whatever the height of the window.
    const bottom = async () => ((box) => box && box.y + box.height)(await there.boundingBox());
    await expect.poll(bottom).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    // The colours are those of regions, and so are the lines.
    const strokeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((it) => getComputedStyle(it).stroke);
    expect([await strokeOf('#country .areas path'), await strokeOf('#country .borders path')]).toEqual([
      'none',
      expect.stringMatching(/^rgb/),
    ]);
    // It is the city or municipality in which the service finds the point.
    const [, lat, lon] =
      /(\d+\.\d+)° N, (\d+\.\d+)° E, by coarse borders/.exec((await there.textContent()) ?? '') ?? [];
    const init = { headers: { Authorization: `Bearer ${masterToken}` } };
    const point = await fetch(`${origin}/v1/geocode/reverse?lat=${lat}&lon=${lon}`, init);
    const { data } = (await point.json()) as { data: { municity: { code: string; name: string } } };
    expect(await there.locator('.name').textContent()).toBe(data.municity.name);
    expect(await there.locator('.name a').getAttribute('href')).toBe(`/explore#/municities/${data.municity.code}`);
    // The drawn regions are columns with the sea between them.
    await map.focus();
    for (let i = 0; i < 4 && !(await there.textContent())?.includes('at sea'); i += 1) {
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await expect.poll(() => there.getAttribute('aria-busy')).toBe(null);
    }
    expect(await there.textContent()).toContain('lies at sea.');
    await page.locator('#try-point').click();
    await expect.poll(() => there.textContent()).toContain('10.317° N, 123.891° E');
    await keepPicture(page, 'landing-asked-1280');
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator('#try-name').click();
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Cagayan De Oro');
    expect(problems).toEqual([]);
  });

  it('names the province of a point where no municipality is drawn, and nothing that is near it', async () => {
    const { page, problems } = await newTab();
    const missing = { status: 404, json: { message: 'There is no overview here.', code: 'overview_not_found' } };
    await page.route('**/v1/downloads/overview?level=municity', (route) => route.fulfill(missing));
    await page.goto('/');
    await page.locator('#country svg').waitFor();
    await page.locator('#country path').nth(30).click();
    const there = page.locator('#there');
    const link = there.locator('.name a');
    await expect.poll(() => link.count()).toBe(1);
    expect(await link.getAttribute('href')).toMatch(/^\/explore#\/provinces\/\d{10}$/);
    expect(await there.locator('p').nth(2).textContent()).toMatch(/^In Region /);
    expect(await there.textContent()).not.toMatch(/nearest| km/);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('shows the address field at work, with the lines to paste', async () => {
    const { page, problems } = await open();
    const part = page.locator('.address');
    await part.scrollIntoViewIfNeeded();
    await part.getByRole('combobox', { name: 'Barangay' }).fill('san isidro, cai');
    await part.getByRole('option', { name: 'San Isidro, Cainta, Rizal' }).click();
    await expect.poll(() => part.locator('#address-code').textContent()).toBe('psgc_code=0405805015');
    expect(await part.locator('#address-lines').textContent()).toContain(`base-url="${origin}"></psgc-address>`);
    expect(await seriousFaults(page, '.address')).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('names the barangay of a point to whoever has a key', async () => {
    const { page, problems } = await newTab();
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    await page.goto('/');
    await page.locator('#country svg').waitFor();
    const answer = page.waitForResponse((response) => response.url().includes('/v1/geocode/reverse'));
    await page.locator('#country path').nth(30).click();
    expect((await answer).status()).toBe(200);
    await expect.poll(() => page.locator('#there .name').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it.each([
    ['light', false],
    ['dark', true],
  ] as const)(
    'draws the class that stands out the most from the page for the highest density: %s',
    async (colorScheme, isBright) => {
      const { page } = await newTab({ colorScheme });
      await page.goto('/');
      const brightness = (name: string) =>
        page
          .locator(`#country path.${name}`)
          .first()
          .evaluate((path) => {
            const [red = 0, green = 0, blue = 0] = (getComputedStyle(path).fill.match(/\d+/g) ?? []).map(Number);
            return red + green + blue;
          });
      expect((await brightness('class-4')) > (await brightness('class-0'))).toBe(isBright);
    },
  );

  it('is whole without the map', async () => {
    const { page } = await newTab({ colorScheme: 'dark' });
    const missing = { status: 404, json: { message: 'There is no overview here.', code: 'overview_not_found' } };
    await page.route('**/v1/downloads/overview', (route) => route.fulfill(missing));
    await page.goto('/');
    await expect.poll(() => page.locator('#country p').textContent()).toBe('There is no overview here.');
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('says all of why there is no map after too many requests, and draws it where it is asked again', async () => {
    const { page } = await newTab(PHONE);
    let isRefused = true;
    await page.route('**/v1/**', (route) =>
      isRefused
        ? route.fulfill({ status: 429, headers: { 'Retry-After': '42' }, json: { message: 'x', code: 'x' } })
        : route.continue(),
    );
    await page.goto('/');
    const said = page.locator('#country p');
    const sentence =
      'Too many requests came from here without signing in: try again in 42 seconds, or sign in to go on now.';
    for (const text of [said, page.locator('#answer')]) {
      await expect.poll(() => text.textContent()).toBe(sentence);
      expect(await text.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true);
    }
    expect(await page.locator('#there').isVisible()).toBe(false);
    expect(await page.locator('#country').getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      '/dashboard#back',
    );
    expect(await seriousFaults(page)).toEqual([]);
    isRefused = false;
    await page.locator('#country').getByRole('button', { name: 'Try again' }).click();
    await page.locator('#country svg').waitFor();
    expect(await page.locator('#there').isVisible()).toBe(true);
  });

  it('fits the width of a phone', async () => {
    const tab = await open(PHONE);
    await expect.poll(() => tab.page.locator('#answer').textContent()).toContain('City of Parañaque');
    expect(await widthOf(tab.page)).toBe(390);
    await keepPicture(tab.page, 'landing-390');
    expect(tab.problems).toEqual([]);
  });
});
