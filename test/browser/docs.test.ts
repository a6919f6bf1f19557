import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, type Tab, tabsOf, widthOf } from './support/chromium.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** @param fragment of the operation to open at */
async function open(fragment = '', options?: BrowserContextOptions): Promise<Tab> {
  const tab = await newTab(options);
  await tab.page.goto(`/docs${fragment}`);
  return tab;
}

describe('the reference', () => {
  it('shows every operation of the OpenAPI document, and every error code', async () => {
    const { page, problems } = await open();
    const { paths, info } = await (await fetch(`${origin}/openapi.json`)).json();
    const expected = Object.entries<Record<string, { operationId: string; summary: string }>>(paths)
      .filter(([path]) => /^\/v1\//.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId, summary }]) => [operationId, summary, method, path]),
      );
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.operation')].map((section) => [
        section.id,
        section.querySelector('h3')?.textContent,
        section.dataset.method,
        section.querySelector('.address code')?.textContent,
      ]),
    );
    expect(expected.length).toBeGreaterThan(60);
    expect(shown).toEqual(expect.arrayContaining(expected));
    const codes = [...info.description.matchAll(/^\| \d{3} \| `([a-z_]+)` \|/gm)];
    expect(codes.length).toBeGreaterThan(30);
    const guide = (await page.locator('.guide').textContent()) ?? '';
    for (const [, code] of codes) expect(guide).toContain(code);
    expect(guide).toContain(`curl '${origin}/v1/regions'`);
    await keepPicture(page, 'docs-1280');
    // All operations are built alike. Two are checked, because checking all takes half a minute.
    await page.evaluate(() => {
      const rest = '.operation:not(#list_municities, #create_dataset), .schema ~ .schema';
      for (const element of document.querySelectorAll(rest)) element.remove();
    });
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('finds an operation by typing and opens it, with the keyboard alone', async () => {
    const { page, problems } = await open();
    const links = page.locator('.contents li:visible a');
    const before = await links.count();
    await page.getByRole('searchbox', { name: 'Find an operation' }).focus();
    await page.keyboard.type('reverse');
    await expect.poll(() => links.count()).toBeLessThan(before);
    expect(await links.allTextContents()).toEqual([
      'GETFind what lies at a point',
      'POSTFind what lies at many points',
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${origin}/docs#reverse_geocode`);
    expect(problems).toEqual([]);
  });

  it('shows every sample in the language that was chosen for one', async () => {
    const { page, problems } = await open('#list_provinces');
    const shown = () => page.locator('#get_region .samples [role=tabpanel]:visible').textContent();
    expect(await shown()).toMatch(/^curl /);
    await page.locator('#list_provinces').getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toMatch(/^const response = await fetch/);
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toMatch(/^import requests/);
    expect(problems).toEqual([]);
  });

  it('sends a request with a key that is stored in the tab only', async () => {
    const { page, problems } = await open('#reverse_geocode');
    const operation = page.locator('#get_province');
    await operation.getByRole('button', { name: 'Try it' }).click();
    await operation.getByLabel('GET address').fill('/v1/provinces/0702200000?format=geojson');
    await operation.getByLabel('Key or session').fill(masterToken);
    await operation.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => operation.locator('.trial-answer').textContent()).toContain('"name": "Cebu"');
    expect(await operation.locator('.trial-answer strong').textContent()).toBe('200');
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(page.url()).not.toContain(masterToken);
    expect(await seriousFaults(page, '#get_province')).toEqual([]);

    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await operation.getByLabel('GET address').fill('https://elsewhere.example/v1/regions');
    await operation.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => operation.locator('.trial-answer').textContent()).toContain('must be one of this service');
    expect(requests).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('fits the width of a phone, with its contents behind a button', async () => {
    const { page, problems } = await open('', PHONE);
    expect(await widthOf(page)).toBe(390);
    await page.getByRole('button', { name: 'Contents' }).tap();
    await keepPicture(page, 'docs-contents-390');
    await page.locator('.contents').getByRole('link', { name: 'List provinces' }).tap();
    expect(page.url()).toBe(`${origin}/docs#list_provinces`);
    expect(await page.locator('#contents-body').isVisible()).toBe(false);
    await keepPicture(page, 'docs-390');
    expect(await seriousFaults(page, '.contents')).toEqual([]);
    expect(problems).toEqual([]);
  });
});
