import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page, Request } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { readWorkbook } from '../../pages/match/workbook-reader.ts';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { fillKey, signInBy } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** The name of the file that the page offers. */
const nameOf = (page: Page) => page.locator('#name').textContent();

const pick = (page: Page, name: string) => page.locator('label.choice', { hasText: name }).click();

/** Refuses requests to the API as if too many had been made. */
const refuse = (page: Page, seconds: string, isRefused: (request: Request) => boolean) =>
  page.route('**/v1/**', (route) =>
    isRefused(route.request())
      ? route.fulfill({ status: 429, headers: { 'Retry-After': seconds }, json: { message: 'x', code: 'x' } })
      : route.fallback(),
  );

/** Expects that each list has something to choose, each group too, and that there is a file. */
async function expectChoices(page: Page): Promise<void> {
  const sizes = await page
    .locator('#picker')
    .locator('select, fieldset')
    .evaluateAll((all) =>
      all.map((it) => [it.id, it.checkVisibility() && it.querySelectorAll('option, input').length > 0]),
    );
  expect(Object.fromEntries(sizes)).toEqual({ area: true, edition: true, level: true, boundaries: true, format: true });
  expect(await page.locator('#download').isVisible()).toBe(true);
  expect(await seriousFaults(page)).toEqual([]);
}

describe('the page /downloads', () => {
  it('says when too much was asked, has the whole country to choose meanwhile, and reads again by itself', async () => {
    const { page } = await newTab(PHONE);
    let asked = 0;
    await refuse(page, '4', (request) => request.url().includes('/v1/provinces?') && ++asked === 1);
    await page.goto('/downloads?area=0702200000');
    const notice = page.locator('#notice');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(
      /^Too many requests came from here without signing in: try again in 4 seconds, or sign in to go on now\. Regions and provinces of this edition come then: this page tries again by itself\./,
    );
    await expectChoices(page);
    await pick(page, 'Barangays');
    expect(await nameOf(page)).toMatch(/^2026-3q-\d+\.PH\.barangays\.xlsx$/);
    // Then it is of the province that the URL names, with what was picked.
    await expect.poll(() => nameOf(page)).toMatch(/^2026-3q-\d+\.0702200000\.barangays\.xlsx$/);
    expect([await notice.isVisible(), asked]).toEqual([false, 2]);
    expect(await page.locator('#attribution').textContent()).toMatch(/^Cite as: Philippine Statistics Authority/);
    expect(await widthOf(page)).toBe(390);
  });

  it('saves tables of the newest edition where all lists are refused, and says why a table is', async () => {
    const { page } = await newTab(PHONE);
    let isOver = true;
    await refuse(page, '300', (request) => {
      const isFile = request.url().includes('/v1/downloads/areas/');
      return request.headers().authorization === undefined && !(isFile && isOver);
    });
    await page.goto('/downloads?edition=2023-4q&boundaries=simple');
    const notice = page.locator('#notice');
    await notice.waitFor();
    expect(await notice.textContent()).toContain(
      ' Provinces, boundaries and other editions come then: this page tries again by itself. ',
    );
    await expectChoices(page);
    expect([await widthOf(page), await page.locator('#all').isVisible()]).toEqual([390, false]);
    await keepPicture(page, 'downloads-refused-390');
    await pick(page, 'Regions');
    await pick(page, 'CSV');
    const link = page.getByRole('link', { name: 'Download', exact: true });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toMatch(/^2026-3q-\d+\.PH\.regions\.csv$/);
    expect((await readFile(await file.path(), 'utf8')).trim().split('\r\n')).toHaveLength(19);

    isOver = false;
    await link.click();
    const status = page.locator('#status');
    await expect
      .poll(() => status.textContent())
      .toBe(
        'Too many requests came from here without signing in: try again in 300 seconds, or sign in to go on now. Sign in',
      );
    expect(await seriousFaults(page)).toEqual([]);
    await status.getByRole('button', { name: 'Sign in' }).click();
    const [again] = await Promise.all([page.waitForEvent('download'), fillKey(page, masterToken)]);
    expect(again.suggestedFilename()).toBe(file.suggestedFilename());
    // The rest is read too: the edition that the URL names, with what was picked.
    await expect.poll(() => nameOf(page)).toMatch(/^2023-4q-\d+\.regions\.csv$/);
    expect([await page.getByLabel('Edition').inputValue(), await notice.isVisible()]).toEqual(['2023-4q', false]);
  });

  it('reads at once after too many requests where somebody signs in, or presses the button', async () => {
    const { page } = await newTab();
    let isRefused = true;
    const isProvinces = (request: Request) => request.url().includes('/v1/provinces?');
    await refuse(page, '300', (request) => isProvinces(request) && request.headers().authorization === undefined);
    await page.goto('/downloads');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await fillKey(page, masterToken);
    await page.getByLabel('Where').selectOption('Cebu');
    expect(
      await page.locator('#notice, dialog[open]').evaluateAll((all) => all.map((it) => it.checkVisibility())),
    ).toEqual([false]);
    const { page: other } = await newTab();
    await refuse(other, '300', (request) => isRefused && isProvinces(request));
    await other.goto('/downloads');
    const again = other.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    isRefused = false;
    await again.click();
    await other.getByLabel('Where').selectOption('Cebu');
  });

  it('says that a key is wrong where reading needs one, and forgets it', async () => {
    const { page } = await newTab();
    await refuse(page, '300', (request) => request.headers().authorization === undefined);
    await page.goto('/downloads');
    const notice = page.locator('#notice');
    const signIn = notice.getByRole('button', { name: 'Sign in' });
    await signIn.click();
    await fillKey(page, 'wrong');
    await expect.poll(() => page.locator('#token-error').textContent()).not.toBe('');
    expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBe('');
    await page.getByRole('button', { name: 'Not now' }).click();
    await signIn.click();
    await fillKey(page, masterToken);
    await page.getByLabel('Where').selectOption('Cebu');
    expect(await notice.isVisible()).toBe(false);
  });

  it('keeps what the URL names where something is picked while it is read again', async () => {
    const { page } = await newTab();
    let asked = 0;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/v1/provinces?*', async (route) => {
      asked++;
      if (asked > 1) await held;
      await route.fallback();
    });
    let refused = 0;
    await refuse(page, '2', (request) => request.url().includes('/v1/editions') && ++refused === 1);
    await page.goto('/downloads?area=0702200000&edition=2023-4q');
    await page.locator('#notice').waitFor();
    asked = 1;
    await expect.poll(() => asked).toBe(2);
    expect(await page.getByLabel('Edition').inputValue()).toBe('2023-4q');
    await pick(page, 'Barangays');
    expect(new URL(page.url()).search).toBe('?area=0702200000&edition=2023-4q&level=barangay');
    goOn();
    await expect.poll(() => nameOf(page)).toMatch(/^2023-4q[-\d]*\.0702200000\.barangays\.xlsx$/);
    expect([await page.getByLabel('Where').inputValue(), asked]).toEqual(['0702200000', 2]);
  });

  it('keeps a place that is found and an edition that is picked before all is read', async () => {
    const { page } = await newTab();
    let asked = 0;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/v1/provinces?*', async (route) => {
      asked++;
      await held;
      await route.fallback();
    });
    await page.goto('/downloads?boundaries=simple&format=shp');
    await expect.poll(() => asked).toBe(1);
    await page.getByRole('combobox', { name: 'Find a region, province, city or municipality' }).fill('baguio');
    await page
      .getByRole('option', { name: /Baguio/ })
      .first()
      .click();
    await expect
      .poll(() => new URL(page.url()).search)
      .toMatch(/^\?boundaries=simple&format=shp&area=\d{10}&level=barangay$/);
    await page.getByLabel('Edition').selectOption('2023-4q');
    await expect.poll(() => asked).toBe(2);
    goOn();
    await expect.poll(() => nameOf(page)).toMatch(/^2023-4q[-\d]*\.\d{10}\.barangays\.simple\.shp\.zip$/);
    expect(await page.getByLabel('Where').locator('option:checked').textContent()).toMatch(/Baguio/);
  });

  it('keeps the area of the URL where another edition is picked while the first is read', async () => {
    const { page } = await newTab();
    const waiting: (() => void)[] = [];
    await page.route('**/v1/provinces?*', async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await route.fallback();
    });
    await page.goto('/downloads?area=0702200000');
    await expect.poll(() => waiting.length).toBe(1);
    await page.getByLabel('Edition').selectOption('2023-4q');
    await expect.poll(() => waiting.length).toBe(2);
    waiting[0]?.();
    // The file that is shown meanwhile is of the country.
    await expect.poll(() => nameOf(page)).toContain('2023-4q');
    expect(new URL(page.url()).search).toBe('?area=0702200000&edition=2023-4q');
    waiting[1]?.();
    await expect.poll(() => nameOf(page)).toMatch(/^2023-4q[-\d]*\.0702200000\.municities\.xlsx$/);
  });

  it('offers to sign in where a search is asked too much, and searches again then', async () => {
    const { page } = await newTab();
    let sessions = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v1/downloads/sessions')) sessions++;
    });
    await page.goto('/downloads');
    await page.locator('#download').waitFor();
    await refuse(
      page,
      '42',
      (request) => request.url().includes('q=') && request.headers().authorization === undefined,
    );
    await page.getByRole('combobox', { name: 'Find a region, province, city or municipality' }).fill('cebu');
    const status = page.locator('#find-status');
    await expect.poll(() => status.textContent()).toMatch(/or sign in to go on now\. Sign in$/);
    const link = status.getByRole('link', { name: 'Sign in' });
    expect(await link.getAttribute('href')).toBe('/dashboard#back');
    expect(await seriousFaults(page)).toEqual([]);
    await signInBy(page, link);
    await page.locator('#found').getByRole('option', { name: /Cebu/ }).first().waitFor();
    expect([await status.textContent(), sessions]).toEqual(['', 0]);
  });

  it('begins with a table that is saved by one button, without a key', async () => {
    const { page, problems } = await newTab();
    await page.goto('/downloads');
    const link = page.getByRole('link', { name: 'Download', exact: true });
    await link.waitFor();
    expect(await nameOf(page)).toMatch(/^2026-3q-\d+\.PH\.municities\.xlsx$/);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'downloads-1280');
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toBe(await nameOf(page));
    const { sheets } = (await readWorkbook(new Uint8Array(await readFile(await file.path())).buffer)) as unknown as {
      sheets: { rows: unknown[][] }[];
    };
    expect(sheets[0]?.rows).toHaveLength(1643);
    const dataset = JSON.parse((await page.locator('#dataset').textContent()) ?? '');
    expect(dataset).toMatchObject({ version: expect.any(String), dateModified: expect.stringMatching(/^\d{4}-/) });
    const described = dataset.distribution.filter((it: { sha256?: string }) => it.sha256 !== undefined);
    // A table of each level.
    expect(described).toHaveLength(5);
    for (const { contentUrl, contentSize } of described) {
      const { status, headers } = await fetch(contentUrl, { method: 'HEAD' });
      expect([status, headers.get('Content-Length')]).toEqual([200, contentSize]);
    }
    expect(problems).toEqual([]);
  });

  it('shows the places that are found over all of the picker', async () => {
    const { page } = await newTab({ viewport: { width: 1280, height: 800 } });
    await page.goto('/downloads');
    const field = page.getByRole('combobox', { name: 'Find a region, province, city or municipality' });
    await field.fill('san isidro');
    await page.locator('#found [role=option]').first().waitFor();
    for (let row = 0; row < 8; row++) await field.press('ArrowDown');
    const [sheet, list] = await Promise.all(['.sheet', '#found'].map((it) => page.locator(it).boundingBox()));
    expect(list && sheet && list.y + list.height > sheet.y + sheet.height).toBe(true);
    // What is over the edge of the picker is not cut there.
    const at = { x: (list?.x ?? 0) + 40, y: (sheet?.y ?? 0) + (sheet?.height ?? 0) + 4 };
    const isSeen = ({ x, y }: typeof at) => document.elementFromPoint(x, y)?.closest('#found') !== null;
    expect(await page.evaluate(isSeen, at)).toBe(true);
  });

  it('finds a city among those of its name, and says how many areas a file has', async () => {
    const { page, problems } = await newTab(PHONE);
    await page.goto('/downloads');
    const facts = page.locator('#facts');
    await expect.poll(() => facts.textContent()).toMatch(/^1,642 cities and municipalities\. /);
    const field = page.getByRole('combobox', { name: 'Find a region, province, city or municipality' });
    await field.fill('san isidro');
    await page
      .locator('#found')
      .getByRole('option', { name: /Nueva Ecija/ })
      .waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await field.press('ArrowDown');
    while (!(await page.locator('[role=option][aria-selected=true]').textContent())?.includes('Nueva Ecija'))
      await field.press('ArrowDown');
    await field.press('Enter');
    await expect.poll(() => page.locator('#what').textContent()).toBe('Barangays of San Isidro, Nueva Ecija, Excel');
    expect(await page.getByLabel('Where').locator('option:checked').textContent()).toBe('San Isidro, Nueva Ecija');
    await expect.poll(() => facts.textContent()).toMatch(/^\d+ barangays\. It is made when you download it\.$/);
    await pick(page, 'Medium');
    await expect
      .poll(() => facts.textContent())
      .toMatch(
        /^\d+ barangays, but for those without a boundary \([\d,]+ in the whole country\)\. It is made when you download it\.$/,
      );
    expect(await page.getByText('TopoJSON comes for the whole country only.').isVisible()).toBe(true);
    // Its name breaks between its parts.
    const parts = page.locator('#name span');
    const heights = await parts.evaluateAll((all) => all.map((it) => it.getClientRects().length));
    expect([await parts.last().textContent(), heights]).toEqual(['.gpkg', [1, 1, 1, 1, 1]]);
    await pick(page, 'None');
    await expect.poll(() => page.getByText('TopoJSON comes for').isVisible()).toBe(false);
    await pick(page, 'Medium');
    await page.reload();
    await expect.poll(() => page.locator('#what').textContent()).toContain('San Isidro, Nueva Ecija');
    await page.goto('/downloads?area=0701200000&boundaries=simple');
    await expect.poll(() => facts.textContent()).toMatch(/^All 48 cities and municipalities\. /);
    expect([await widthOf(page), problems]).toEqual([390, []]);
  });

  it('leads by keyboard to the Shapefile of a province, whose address can be linked, and saves it with a key', async () => {
    const { page, problems } = await newTab({ colorScheme: 'dark' });
    await page.goto('/downloads');
    await page.getByLabel('Where').selectOption('Cebu');
    // Editions are called as on the map.
    expect(await page.getByLabel('Edition').locator('option').allTextContents()).toEqual(
      expect.arrayContaining(['3Q 2026', 'July 2025']),
    );
    await page.getByRole('radio', { name: 'Cities and municipalities' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('radio', { name: 'None' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('radio', { name: 'GeoPackage' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe('shp');
    const name = /^2026-3q-\d+\.0702200000\.barangays\.simple\.shp\.zip$/;
    expect(await nameOf(page)).toMatch(name);
    expect(new URL(page.url()).search).toBe('?area=0702200000&level=barangay&boundaries=simple&format=shp');
    await page.reload();
    await page.getByRole('button', { name: 'Sign in and download' }).waitFor();
    expect(await nameOf(page)).toMatch(name);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'downloads-province');
    await page.getByRole('button', { name: 'Sign in and download' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), fillKey(page, masterToken)]);
    expect(file.suggestedFilename()).toMatch(name);
    const files = unzipSync(new Uint8Array(await readFile(await file.path())));
    expect(Object.keys(files)).toContain('barangays.shp');
    // Its long name stays in the card.
    const status = page.locator('#status');
    expect(await status.textContent()).toMatch(/ \(\d+(\.\d+)? [kM]B\) is saved\.$/);
    expect(await status.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true);
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('goes to where people sign in by one press, and follows when they sign out there', async () => {
    const { page, problems } = await newTab();
    await page.goto('/downloads?area=0702200000&level=barangay&boundaries=simple&format=shp');
    const asking = page.getByRole('button', { name: 'Sign in and download' });
    await asking.waitFor();
    const [file, dashboard] = await Promise.all([page.waitForEvent('download'), signInBy(page, asking)]);
    expect(file.suggestedFilename()).toMatch(/\.0702200000\.barangays\.simple\.shp\.zip$/);
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    await dashboard.getByRole('button', { name: 'Sign out' }).click();
    await asking.waitFor();
    expect(problems).toEqual([]);
  });

  it('has for every part of the country and every edition the levels, boundaries and formats that there are', async () => {
    const { page, problems } = await newTab();
    await page.goto('/downloads?boundaries=detailed&level=province&format=fgb');
    await page.locator('#download').waitFor();
    const offered = (group: string) =>
      page.locator(`#${group} input`).evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value));
    // Of the country, detailed boundaries are in the files that were made with the release.
    expect(await nameOf(page)).toMatch(/\.provinces\.detailed\.fgb$/);
    expect(await offered('format')).toEqual(['geojson', 'fgb', 'parquet']);
    await page.getByLabel('Where').selectOption('1300000000');
    expect(await offered('level')).toEqual(['region', 'municity', 'submunicipality', 'barangay']);
    await pick(page, 'Barangays');
    expect(await offered('format')).toEqual(['gpkg', 'shp', 'geojson', 'fgb', 'parquet']);
    await page.getByLabel('Edition').selectOption('2023-4q');
    await expect.poll(() => nameOf(page)).toMatch(/\.1300000000\.barangays\.detailed\.fgb$/);
    await page.getByLabel('Where').selectOption('PH');
    expect(await offered('level')).toEqual(['region', 'province', 'municity', 'submunicipality', 'barangay']);
    expect(problems).toEqual([]);
  });

  it('opens layers with a key, whose session stands in the lines for tools that are copied', async () => {
    const { page, problems } = await newTab({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/downloads?level=region&boundaries=simple&format=fgb');
    await page.getByRole('button', { name: 'Get a session' }).click();
    await fillKey(page, masterToken);
    await page.getByText('Copied lines work for an hour, for whoever has them.').waitFor();
    expect(await page.getByText('ogr2ogr').first().textContent()).toContain('/vsicurl/');
    await page.getByRole('button', { name: 'Copy the line for curl' }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const { status, headers } = await fetch(/"(.*)"/.exec(line)?.[1] ?? '', { headers: { Range: 'bytes=0-2' } });
    expect([status, headers.get('Content-Type')]).toEqual([206, 'application/vnd.flatgeobuf']);
    expect(problems).toEqual([]);
  });

  it('lists all files of whole levels behind a disclosure, each with its hash behind another', async () => {
    const { page, problems } = await newTab();
    await page.goto('/downloads');
    await page.locator('#download').waitFor();
    const provinces = page.getByRole('region', { name: 'Provinces', exact: true });
    expect(await provinces.isVisible()).toBe(false);
    await page.getByText('All files of whole levels').click();
    await provinces.getByText('82 areas').first().waitFor();
    const hash = provinces.locator('.line code').first();
    expect(await hash.isVisible()).toBe(false);
    await provinces.getByText('SHA-256').first().click();
    expect(await hash.textContent()).toMatch(/^[0-9a-f]{64}$/);
    expect(await seriousFaults(page)).toEqual([]);
    const link = provinces.getByRole('link', { name: /provinces\.csv$/ });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toHaveLength(84);
    expect(problems).toEqual([]);
  });

  it('fits the width of a phone', async () => {
    const { page, problems } = await newTab(PHONE);
    await page.goto('/downloads?area=0702200000&level=barangay&boundaries=medium&format=gpkg');
    await page.locator('#download').waitFor();
    expect(await widthOf(page)).toBe(390);
    await page.getByText('All files of whole levels').click();
    await page.getByText('82 areas').first().waitFor();
    expect(await widthOf(page)).toBe(390);
    await keepPicture(page, 'downloads-390');
    expect(problems).toEqual([]);
  });

  it('and robots.txt, the icon and schema.org’s Dataset are there', async () => {
    const robots = await (await fetch(`${origin}/robots.txt`)).text();
    expect(robots).toContain('Disallow: /v1/');
    expect((await fetch(`${origin}/favicon.ico`)).headers.get('Content-Type')).toContain('image/');
    for (const path of ['/', '/downloads']) {
      const html = await (await fetch(origin + path, { headers: { Accept: 'text/html' } })).text();
      const [, json = ''] = /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/.exec(html) ?? [];
      expect(JSON.parse(json)).toMatchObject({ '@type': 'Dataset', name: expect.any(String) });
    }
  });
});
