import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, type Tab, tabsOf } from './support/chromium.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function open(path: string, options?: BrowserContextOptions): Promise<Tab> {
  const tab = await newTab(options);
  await tab.page.goto(path);
  return tab;
}

const widthOf = ({ page }: Tab) => page.evaluate(() => document.documentElement.scrollWidth);

describe('the page at the root', () => {
  it('is for browsers; whoever asks for JSON, or for nothing in particular, is given JSON', async () => {
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

  it('leads to reference, map and dashboard, and answers a first question', async () => {
    const { page, problems } = await open('/');
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Parañaque');
    await page.getByLabel('Name of a city or municipality').fill('vigan');
    await page.getByRole('button', { name: 'Look up' }).click();
    await expect.poll(() => page.locator('#answer').textContent()).toContain('City of Vigan');
    expect(await page.locator('#command').textContent()).toBe(`curl '${origin}/v1/municities/search?limit=2&q=vigan'`);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'landing-1280');
    for (const [name, path] of [
      ['Read the reference', '/docs'],
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

  it('fits a phone', async () => {
    const tab = await open('/', PHONE);
    await expect.poll(() => tab.page.locator('#answer').textContent()).toContain('City of Parañaque');
    expect(await widthOf(tab)).toBe(390);
    await keepPicture(tab.page, 'landing-390');
    expect(tab.problems).toEqual([]);
  });
});

describe('the reference', () => {
  it('shows every operation of the document, and every code of an error', async () => {
    const { page, problems } = await open('/docs');
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
    // Operations are all of one make: two are looked at, since all take half a minute.
    await page.evaluate(() => {
      const rest = '.operation:not(#list_municities, #create_dataset), .schema ~ .schema';
      for (const element of document.querySelectorAll(rest)) element.remove();
    });
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('finds an operation by typing, and leads to it, by the keyboard alone', async () => {
    const { page, problems } = await open('/docs');
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
    expect(page.url()).toBe(`${origin}/docs#reverse_geocode`);
    expect(problems).toEqual([]);
  });

  it('shows requests in the language that was chosen, everywhere', async () => {
    const { page, problems } = await open('/docs#list_provinces');
    const shown = () => page.locator('#get_region .samples [role=tabpanel]:visible').textContent();
    expect(await shown()).toMatch(/^curl /);
    await page.locator('#list_provinces').getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toMatch(/^const response = await fetch/);
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toMatch(/^import requests/);
    expect(problems).toEqual([]);
  });

  it('sends a request in place, with a key that it keeps in the tab', async () => {
    const { page, problems } = await open('/docs#reverse_geocode');
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

  it('fits a phone, with its contents behind a button', async () => {
    const tab = await open('/docs', PHONE);
    const { page, problems } = tab;
    expect(await widthOf(tab)).toBe(390);
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
