import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { readWorkbook } from '../../pages/match/workbook-reader.ts';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { fillKey } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** The name of the file that the page offers. */
const nameOf = (page: Page) => page.locator('#name').textContent();

const pick = (page: Page, name: string) => page.locator('label.choice', { hasText: name }).click();

describe('the page /downloads', () => {
  it('says when too much was asked, shows no empty choices, and reads again by itself', async () => {
    const { page } = await newTab(PHONE);
    let refused = 0;
    await page.route('**/v1/provinces?*', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      const body = { message: 'Too many requests.', code: 'rate_limit_exceeded' };
      await route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: body });
    });
    await page.goto('/downloads');
    const notice = page.locator('#notice');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(
      /^Too many requests came from here without signing in: try again in 2 seconds, or sign in .* This page tries again by itself\./,
    );
    // Nothing empty stands below it.
    for (const empty of ['.sheet', '#tools', '#all']) expect(await page.locator(empty).isVisible()).toBe(false);
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator('#download').waitFor();
    expect([await notice.isVisible(), await page.locator('#level label').count(), refused]).toEqual([false, 5, 2]);
    expect(await page.locator('#attribution').textContent()).toMatch(/^Cite as: Philippine Statistics Authority/);
    expect(await widthOf(page)).toBe(390);
  });

  it('reads at once after too many requests where somebody signs in, or presses the button', async () => {
    const { page } = await newTab();
    let isRefused = true;
    await page.route('**/v1/provinces?*', (route) =>
      isRefused && route.request().headers().authorization === undefined
        ? route.fulfill({ status: 429, headers: { 'Retry-After': '300' }, json: { message: 'x', code: 'x' } })
        : route.continue(),
    );
    await page.goto('/downloads');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await fillKey(page, masterToken);
    await page.locator('#download').waitFor();
    expect(
      await page.locator('#notice, dialog[open]').evaluateAll((all) => all.map((it) => it.checkVisibility())),
    ).toEqual([false]);
    const { page: other } = await newTab();
    await other.route('**/v1/provinces?*', (route) =>
      isRefused
        ? route.fulfill({ status: 429, headers: { 'Retry-After': '300' }, json: { message: 'x', code: 'x' } })
        : route.continue(),
    );
    await other.goto('/downloads');
    const again = other.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    isRefused = false;
    await again.click();
    await other.locator('#download').waitFor();
  });

  it('offers to sign in where a search is asked too much', async () => {
    const { page } = await newTab();
    await page.goto('/downloads');
    await page.locator('#download').waitFor();
    await page.route(/\/v1\/.*\bq=/, (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '42' }, json: { message: 'x', code: 'x' } }),
    );
    await page.getByRole('combobox', { name: 'Find a region, province, city or municipality' }).fill('cebu');
    const status = page.locator('#find-status');
    await expect.poll(() => status.textContent()).toMatch(/or sign in to go on now\. Sign in$/);
    expect(await status.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/dashboard');
    expect(await seriousFaults(page)).toEqual([]);
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
        /^Of \d+ barangays, those with a boundary: [\d,]+ in the whole country have none\. It is made when you download it\.$/,
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
    await page.getByText(/^Addresses of layers work for an hour/).waitFor();
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
