import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, type Tab, tabsOf, widthOf } from './support/chromium.ts';

const { origin } = inject('devStack');
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

  it('links to the reference, matching, the map and the dashboard, and looks up a name', async () => {
    const { page, problems } = await open();
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Parañaque');
    await page.getByLabel('Name of a city or municipality').fill('vigan');
    await page.getByRole('button', { name: 'Look up' }).click();
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Vigan');
    expect(await page.locator('#command').textContent()).toBe(`curl '${origin}/v1/municities/search?limit=2&q=vigan'`);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'landing-1280');
    for (const [name, path] of [
      ['Read the reference', '/docs'],
      ['Match a spreadsheet', '/match'],
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

  it('fits the width of a phone', async () => {
    const tab = await open(PHONE);
    await expect.poll(() => tab.page.locator('#answer').textContent()).toContain('City of Parañaque');
    expect(await widthOf(tab.page)).toBe(390);
    await keepPicture(tab.page, 'landing-390');
    expect(tab.problems).toEqual([]);
  });
});
