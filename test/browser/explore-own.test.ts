import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { heading, waitForMap } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

/** Opens a dataset with a key, and waits until the map is drawn. */
async function openDataset(id: string, query = '', options?: BrowserContextOptions) {
  const tab = await newTab(options);
  await tab.page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
  await tab.page.goto(`/explore#/datasets/${id}${query}`);
  await waitForMap(tab.page, id);
  return tab;
}

const MARKUP = '<img src=x onerror=alert(1)>';

/** Creates 400 wells in Cebu; the last has markup in its name. */
async function newWells(): Promise<string> {
  const features = Array.from({ length: 400 }, (_, index) => ({
    geom: { type: 'Point', coordinates: [123.7 + (index % 20) / 100, 10.2 + Math.floor(index / 20) / 100] },
    properties: {
      name: index === 399 ? MARKUP : `Well ${index + 1}`,
      kind: index % 4 === 0 ? 'dug' : 'drilled',
      depth_m: index + 1,
    },
  }));
  const response = await fetch(`${origin}/v1/datasets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Wells', features }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

const legend = (page: Page) => page.locator('#legend li').allTextContents();
const facts = async (page: Page) => (await page.locator('.own-feature dd').allTextContents()).sort();
const status = (page: Page) => page.locator('#record p[role="status"]').first();

describe('the map of a dataset', () => {
  it('lists, finds, sorts, colours and marks features, and its address shows the same again', async () => {
    const id = await newWells();
    const { page, problems } = await openDataset(id);
    expect(await heading(page)).toBe('Wells');
    // Only the rows in sight are in the page.
    expect(await page.locator('.own-table tbody tr').count()).toBeLessThan(40);

    await page.getByRole('button', { name: 'depth_m', exact: true }).click();
    await page.getByRole('button', { name: 'depth_m', exact: true }).click();
    const first = page.locator('.own-table tbody tr[aria-rowindex="2"]');
    await expect.poll(() => first.textContent()).toContain(MARKUP);
    expect(await page.locator('.own-table img').count()).toBe(0);
    await page.locator('.own-table').evaluate((table) => table.scrollTo(0, 200 * 32));
    await page.locator('.own-table tr[aria-rowindex="204"]').waitFor();

    await page.getByLabel('Colour by').selectOption('kind');
    expect(await legend(page)).toEqual(['drilled 300', 'dug 100']);
    await page.getByLabel('Colour by').selectOption('depth_m');
    expect(await legend(page)).toEqual([
      '1 to 80 80',
      '81 to 160 80',
      '161 to 240 80',
      '241 to 320 80',
      '321 to 400 80',
    ]);
    await page.getByLabel('Size by').selectOption('depth_m');
    await page.getByLabel('Find in the features').fill('well 39');
    await expect.poll(() => status(page).textContent()).toBe('11 of 400 listed');
    await page.getByRole('button', { name: 'Show feature 1', exact: true }).press('Enter');
    await expect.poll(() => facts(page)).toEqual(['399', 'Well 399', 'drilled']);
    await waitForMap(page, id);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-own-1280');

    const address = page.url();
    expect(new URL(address).hash).toMatch(
      new RegExp(`^#/datasets/${id}\\?color=depth_m&size=depth_m&find=well\\+39&sort=depth_m&order=desc&feature=`),
    );
    await page.reload();
    await waitForMap(page, id);
    expect(page.url()).toBe(address);
    expect(await status(page).textContent()).toBe('11 of 400 listed');
    expect(await facts(page)).toContain('Well 399');
    expect(await page.locator('.own-table tr[aria-current]').count()).toBe(1);
    expect(await legend(page)).toHaveLength(5);

    await page.getByRole('button', { name: 'Unmark' }).click();
    await waitForMap(page, id);
    // The marked point was fitted, so it lies in the middle of the map.
    const map = await page.locator('#map').boundingBox();
    if (!map) throw new Error('There is no map.');
    const over = (await page.locator('#over-map').boundingBox())?.height ?? 0;
    const under = (await page.locator('#credit').boundingBox())?.height ?? 0;
    await page.mouse.click(map.x + map.width / 2, map.y + (map.height + over - under) / 2);
    await expect.poll(() => facts(page)).toContain('Well 399');

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Wells.csv');
    expect(await readFile(await file.path(), 'utf8')).toContain('Well 399');
    expect(problems).toEqual([]);
  });

  it('fits a phone in the dark', async () => {
    const id = await newWells();
    const { page, problems } = await openDataset(id, '?color=kind', { ...PHONE, colorScheme: 'dark' });
    expect(await legend(page)).toEqual(['drilled 300', 'dug 100']);
    expect(await page.locator('#legend').isVisible()).toBe(true);
    expect(await widthOf(page)).toBe(390);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-own-390');
    expect(problems).toEqual([]);
  });
});
