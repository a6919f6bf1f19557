import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, type Tab, tabsOf, widthOf } from './support/chromium.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const WIDE = { width: 1280, height: 800 };

/** @param path below `/docs` */
async function open(path = '', options?: BrowserContextOptions): Promise<Tab> {
  const tab = await newTab(options);
  await tab.page.goto(`/docs${path}`);
  return tab;
}

/** The addresses of all pages of the reference, by their table of contents. */
function pagesOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('.contents h2 a')].map(({ pathname }) => pathname),
  );
}

describe('the reference', () => {
  it('shows every operation of the OpenAPI document on pages of some twenty screens, in both widths', async () => {
    const { page, problems } = await open();
    const { paths, info } = await (await fetch(`${origin}/openapi.json`)).json();
    const expected = Object.entries<Record<string, { operationId: string; summary: string }>>(paths)
      .filter(([path]) => /^\/v1\//.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId, summary }]) => [operationId, summary, method, path]),
      );
    const codes = [...info.description.matchAll(/^\| \d{3} \| `([a-z_]+)` \|/gm)];
    expect(codes.length).toBeGreaterThan(30);
    const guide = (await page.locator('.guide').textContent()) ?? '';
    for (const [, code] of codes) expect(guide).toContain(code);
    expect(guide).toContain(`curl '${origin}/v1/regions'`);
    await keepPicture(page, 'docs-1280');

    const shown: unknown[] = [];
    const addresses = await pagesOf(page);
    expect(addresses.length).toBeGreaterThan(15);
    for (const address of addresses) {
      await page.goto(address);
      for (const viewport of [WIDE, PHONE.viewport]) {
        await page.setViewportSize(viewport);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        expect([address, height / viewport.height <= 24, await widthOf(page)]).toEqual([address, true, viewport.width]);
      }
      const operations = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.operation')].map((section) => [
          section.id,
          section.querySelector('h2')?.textContent,
          section.dataset.method,
          section.querySelector('.address code')?.textContent,
        ]),
      );
      shown.push(...operations);
    }
    expect(expected.length).toBeGreaterThan(60);
    expect(shown).toEqual(expect.arrayContaining(expected));
    expect(problems).toEqual([]);
  });

  it('opens with a request and what it answers, and has what operators need below all else', async () => {
    const { page, problems } = await newTab();
    await page.goto('/docs');
    const [request = '', answer = ''] = await page
      .locator('.first code')
      .filter({ hasText: /\n|curl/ })
      .allTextContents();
    const [, address = ''] = /^curl '(.+)'$/.exec(request) ?? [];
    expect(address.startsWith(`${origin}/v1/`)).toBe(true);
    const real = await (await fetch(address)).json();
    expect(real).toMatchObject(JSON.parse(answer.replace(/,\s*…/, '')));
    await keepPicture(page, 'docs-1280');
    const families = page.locator('.families');
    expect(await families.getByRole('link', { name: 'Provinces' }).isVisible()).toBe(true);
    expect(await families.getByRole('link', { name: 'Admin' }).first().isVisible()).toBe(false);
    await page.getByText('For whoever runs the service').press('Enter');
    expect(await families.getByRole('link', { name: 'Admin' }).first().isVisible()).toBe(true);
    expect(await page.locator('.contents h2 a').allTextContents()).toEqual(
      expect.arrayContaining(['Guide', 'Status', 'Webhooks', 'Admin']),
    );
    const names = await page.locator('.contents h2 a').allTextContents();
    expect(names.indexOf('Webhooks')).toBeGreaterThan(names.indexOf('Status'));
    expect(problems).toEqual([]);
  });

  it('has no serious faults of accessibility in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await open('/datasets', { colorScheme });
      // All operations are built alike. One is checked with its form, because checking all takes long.
      await page.evaluate(() => {
        for (const element of document.querySelectorAll('.operation:not(#create_dataset)')) element.remove();
      });
      await page.getByRole('button', { name: 'Try it' }).click();
      for (const summary of await page.locator('#create_dataset summary').all()) await summary.click();
      expect(await seriousFaults(page)).toEqual([]);
      await keepPicture(page, `docs-operation-${colorScheme}`);
      expect(problems).toEqual([]);
    }
  });

  it('follows links from when all of it was one page', async () => {
    const { page, problems } = await open('#reverse_geocode');
    await page.waitForURL(`${origin}/docs/geocode#reverse_geocode`);
    const top = async () => (await page.locator('#reverse_geocode').boundingBox())?.y;
    await expect.poll(top).toBeLessThan(200);
    await page.goto('/docs#tag-regions');
    await page.waitForURL(`${origin}/docs/regions`);
    await page.goto('/docs#schema-DatasetInput');
    await page.waitForURL(`${origin}/docs/schemas#schema-DatasetInput`);
    await expect.poll(() => page.locator('#schema-DatasetInput').getAttribute('open')).toBe('');
    expect(problems).toEqual([]);
  });

  it('searches everything from every page, with the keyboard alone', async () => {
    const { page, problems } = await open('/regions');
    const filesRead = () =>
      page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.json')).length);
    const field = page.getByRole('combobox', { name: 'Search the reference' });
    const options = page.getByRole('option');
    const status = page.locator('#search-status');
    expect(await filesRead()).toBe(0);
    await page.keyboard.press('/');
    await expect.poll(filesRead).toBe(1);
    await page.keyboard.type('kapitbahay');
    await expect.poll(() => options.first().textContent()).toContain('List the provinces that touch a province');
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await status.textContent()).toBe(`${await options.count()} found.`);

    // A search that finds much says how much.
    await field.fill('old code');
    await expect.poll(() => status.textContent()).toMatch(/^\d{2,} found, the best 12 are listed\.$/);
    expect(await options.count()).toBe(12);
    const [id, other] = await options.evaluateAll((all) => all.map((option) => option.id));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(other);
    await page.keyboard.press('ArrowUp');
    expect(await field.getAttribute('aria-activedescendant')).toBe(id);
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    expect([await options.count(), await field.inputValue()]).toEqual([0, '']);
    await expect.poll(() => status.textContent()).toBe('');

    // It shows where the words are, and leads there.
    await page.keyboard.type('latitude');
    await expect.poll(() => options.first().locator('mark').allTextContents()).toEqual(['Latitude']);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/geocode#reverse_geocode.lat`);
    const parameter = page.locator('[id="reverse_geocode.lat"]');
    expect(await parameter.textContent()).toMatch(/^lat number/);
    const place = async () => (await parameter.boundingBox())?.y ?? 0;
    await expect.poll(place).toBeGreaterThan(57);
    expect(await place()).toBeLessThan(200);
    expect(problems).toEqual([]);
  });

  it('says what to try where a search finds nothing', async () => {
    const { page, problems } = await open('/provinces');
    const field = page.getByRole('combobox', { name: 'Search the reference' });
    const status = page.locator('#search-status');
    await field.fill('zzqqx');
    await expect.poll(() => status.textContent()).toMatch(/^Nothing in the reference has “zzqqx”\. Try fewer or other/);
    expect(await seriousFaults(page, '.contents')).toEqual([]);
    for (const link of await status.getByRole('link').all()) {
      const href = (await link.getAttribute('href')) ?? '';
      const response = await page.request.get(href);
      expect([href, response.status()]).toEqual([href, 200]);
      const id = href.split('#')[1];
      if (id) expect(await response.text()).toContain(` id="${id}"`);
    }
    const examples = await status.getByRole('button').allTextContents();
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      await field.fill('zzqqx');
      await status.getByRole('button', { name: example, exact: true }).click();
      await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(1);
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await field.inputValue()).toBe(example);
    }
    expect(problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('searches on a phone, in %s', async (colorScheme) => {
    const { page, problems } = await open('/provinces', { ...PHONE, colorScheme });
    await page.getByRole('combobox', { name: 'Search the reference' }).tap();
    await page.keyboard.type('convert old codes to new');
    const options = page.getByRole('option');
    await expect.poll(() => options.first().textContent()).toContain('/v1/crosswalk');
    const box = await page.getByRole('listbox').boundingBox();
    expect([box && box.x >= 0 && box.x + box.width <= 390, await widthOf(page)]).toEqual([true, 390]);
    expect(await seriousFaults(page, '.contents')).toEqual([]);
    await keepPicture(page, `docs-search-390-${colorScheme}`);
    await options.first().tap();
    await page.waitForURL(`${origin}/docs/editions#get_crosswalk`);
    expect(problems).toEqual([]);
  });

  it('shows every sample in the language that was chosen for one, in colours, and copies what is shown', async () => {
    const { page, problems } = await open('/provinces', { permissions: ['clipboard-read', 'clipboard-write'] });
    const sample = page.locator('#get_province .samples [role=tabpanel]:visible');
    expect(await sample.textContent()).toMatch(/^curl /);
    await page.locator('#list_provinces').getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await sample.textContent()).toMatch(/^import requests/);
    const colours = await sample
      .locator('span')
      .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
    expect(colours).toBeGreaterThan(1);
    await page.locator('#get_province').getByRole('button', { name: 'Copy the request' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe(await sample.textContent());
    await page.locator('#get_province').getByRole('button', { name: 'Copy the example' }).click();
    await expect.poll(copied).toMatch(/^\{\n {2}"data"/);
    // Sorsogon touches one province.
    await page.locator('#list_province_neighbors').getByRole('button', { name: 'Copy the example' }).click();
    await expect.poll(async () => JSON.parse(await copied()).data).toMatchObject([{ name: 'Albay', pcode: 'PH05005' }]);
    const uncopied = await page.evaluate(
      () =>
        [...document.querySelectorAll('pre')].filter((pre) => !pre.closest('.code, .samples')?.querySelector('.copy'))
          .length,
    );
    expect(uncopied).toBe(0);
    expect(problems).toEqual([]);
  });

  /** Whether the middle of an element is seen, and not outside of what it scrolls in. */
  const isInView = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };

  it('sends what a form of the parameters says, with a key that is stored in the tab only', async () => {
    const { page, problems } = await open('/provinces');
    const operation = page.locator('#get_province');
    await operation.getByRole('button', { name: 'Try it' }).click();
    await operation.getByLabel('id required').fill('0702200000');
    await operation.locator('.more summary').click();
    await operation.getByLabel('format').selectOption('geojson');
    await operation.getByLabel('Key or session').fill(masterToken);
    expect(await operation.locator('.sent code').textContent()).toBe('GET /v1/provinces/0702200000?format=geojson');
    await page.keyboard.press('Enter');
    const answer = operation.locator('.trial-answer');
    await expect.poll(() => answer.textContent()).toContain('"name": "Cebu"');
    expect(await answer.locator('strong').textContent()).toBe('200');
    expect(await answer.locator('strong').evaluate(isInView)).toBe(true);
    expect(await answer.getByRole('button', { name: /^Copy/ }).count()).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      answer.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('0702200000.geojson');
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(page.url()).not.toContain(masterToken);

    // A value stays within its place, whatever it is.
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await operation.getByLabel('id required').fill('//elsewhere.example/?a#b');
    await page.keyboard.press('Enter');
    await expect.poll(() => answer.locator('strong').textContent()).toBe('422');
    expect(requests).toEqual([`${origin}/v1/provinces/%2F%2Felsewhere.example%2F%3Fa%23b?format=geojson`]);
    problems.splice(0);

    // The next page of the tab knows the key, and sends a body and a form.
    await page.goto('/docs/datasets');
    const create = page.locator('#create_dataset');
    await create.getByRole('button', { name: 'Try it' }).click();
    expect(await create.getByLabel('Key or session').inputValue()).toBe(masterToken);
    expect(await create.getByLabel('Body, JSON').inputValue()).toContain('Evacuation centres of Argao');
    await page.goto('/docs/datasets#upload_dataset');
    const upload = page.locator('#upload_dataset');
    await upload.getByRole('button', { name: 'Try it' }).click();
    await upload.getByLabel('file required').setInputFiles({
      name: 'stations.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,lon,lat\nArgao,123.6,9.88\n'),
    });
    await upload.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => upload.locator('.trial-answer').textContent()).toMatch(/"name": "stations/);
    expect(problems).toEqual([]);
  });

  it('has the example beside what is said, and above the parameters where there is no room beside', async () => {
    const { page, problems } = await open('/provinces');
    await page.setViewportSize(WIDE);
    const topOf = async (selector: string) => (await page.locator(`#list_provinces ${selector}`).boundingBox())?.y ?? 0;
    const fields = '.fields > div:nth-child(12)';
    await page.locator(`#list_provinces ${fields}`).evaluate((it) => it.scrollIntoView({ block: 'center' }));
    expect(await topOf('h2')).toBeLessThan(0);
    expect(await topOf('.shown')).toBeGreaterThan(57);
    expect(await topOf('.shown')).toBeLessThan(100);

    await page.setViewportSize(PHONE.viewport);
    const tops = [];
    for (const selector of ['h2', '.samples', '.open-trial', '.example', '.fields']) tops.push(await topOf(selector));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    // Bytes matter less than what one gets.
    const bytes = await page.getByText('one range of bytes').first().boundingBox();
    expect(bytes?.y).toBeGreaterThan(await topOf('.example'));
    expect(problems).toEqual([]);
  });

  it('says which of two parameters must be given, also in the form', async () => {
    const { page, problems } = await open('/geocode');
    const mark = page.locator('[id="reverse_geocode.lon"] .required');
    expect(await mark.textContent()).toBe('required, or lng');
    await page.locator('#reverse_geocode').getByRole('button', { name: 'Try it' }).click();
    expect(await page.getByLabel('lon required, or lng').inputValue()).toBe('123.8907');
    expect(problems).toEqual([]);
  });

  it('fits the width of a phone, with its contents behind a button', async () => {
    const { page, problems } = await open('/provinces', PHONE);
    await page.getByRole('button', { name: 'Contents' }).tap();
    await keepPicture(page, 'docs-contents-390');
    const contents = page.locator('#contents-body');
    expect(await contents.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true);
    expect(await contents.evaluate((it) => getComputedStyle(it).backgroundAttachment)).toBe('local, scroll');
    const heights = await contents
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThan(36);
    expect(await seriousFaults(page, '.contents')).toEqual([]);
    await page.locator('.contents').getByRole('link', { name: 'List provinces' }).tap();
    expect(page.url()).toBe(`${origin}/docs/provinces#list_provinces`);
    expect(await page.locator('#contents-body').isVisible()).toBe(false);
    await keepPicture(page, 'docs-390');
    expect(problems).toEqual([]);
  });
});
