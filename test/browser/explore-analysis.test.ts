import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { waitForMap } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const HEADERS = { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' };

async function ask(path: string, body?: object) {
  const init = body ? { method: 'POST', headers: HEADERS, body: JSON.stringify(body) } : { headers: HEADERS };
  const answer = await fetch(`${origin}${path}`, init);
  expect(answer.status, path).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever the service answers
  return (await answer.json()) as any;
}

async function openAt(fragment: string, drawn: string, options?: BrowserContextOptions) {
  const tab = await newTab(options);
  await tab.page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
  await tab.page.goto(`/explore${fragment}`);
  await waitForMap(tab.page, drawn);
  return tab;
}

/** Opens a part of the panel, chooses a level and gives the rows that are shown then: the texts of their cells. */
async function shown(page: Page, title: string, level: string): Promise<string[][]> {
  const entry = page.locator('details.analysis', { hasText: title });
  await entry.locator('summary').click();
  await entry.getByLabel('Level').selectOption({ label: level });
  await entry.getByRole('button', { name: 'Show' }).click();
  await entry.locator('table').waitFor();
  const rows = await entry.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
}

async function boxOf(path: string): Promise<[number, number, number, number]> {
  return (await ask(`/v1/${path}`)).data.bbox;
}

it.each([undefined, PHONE])('a place has the areas around its middle, which lead on (%j)', async (options) => {
  const { page, problems } = await openAt('#/municities/0730600000', '0730600000', options);
  const rows = await shown(page, 'Areas around it', 'Cities and municipalities');
  const { centroid } = (await ask('/v1/municities/0730600000')).data;
  const { data } = await ask(`/v1/areas/within?lat=${centroid[1]}&lon=${centroid[0]}&radius_km=10&limit=100`);
  expect(rows.map(([name]) => name)).toEqual(data.map(({ name }: { name: string }) => name));
  expect(rows[0]?.[1]).toBe('here');
  expect(await seriousFaults(page)).toEqual([]);
  expect(await widthOf(page)).toBeLessThanOrEqual(options ? 390 : 1280);
  await keepPicture(page, options ? 'explore-analysis-phone' : 'explore-analysis');
  await page.locator('details.analysis tbody a').last().click();
  await page.waitForFunction((code) => location.hash.endsWith(code), data.at(-1).code);
  expect(problems).toEqual([]);
});

it('a dataset has its points by area', async () => {
  const [west, south, east, north] = await boxOf('municities/0730600000');
  const point = { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] };
  const far = { type: 'Point', coordinates: [116.5, 10] };
  const { id } = (
    await ask('/v1/datasets', { name: 'Points', features: [point, point, far].map((geom) => ({ geom })) })
  ).data;
  const { page, problems } = await openAt(`#/datasets/${id}`, id);
  const rows = await shown(page, 'Points by area', 'Cities and municipalities');
  expect(rows).toEqual([[expect.stringContaining('Cebu'), '2']]);
  await page.getByText('2 points in 1 area, 1 in none.').waitFor();
  expect(problems).toEqual([]);
});

it('a marked polygon has the areas that it covers', async () => {
  const [west, south, east, north] = await boxOf('municities/0730600000');
  const ring = [
    [west - 0.001, south - 0.001],
    [east + 0.001, south - 0.001],
    [east + 0.001, north + 0.001],
    [west - 0.001, north + 0.001],
    [west - 0.001, south - 0.001],
  ];
  const geom = { type: 'Polygon', coordinates: [ring] };
  const { id } = (await ask('/v1/datasets', { name: 'Polygon', features: [{ geom, properties: { name: 'Box' } }] }))
    .data;
  const feature = (await ask(`/v1/features/dataset/${id}`)).data[0].id;
  const { page, problems } = await openAt(`#/datasets/${id}?feature=${feature}`, id);
  const rows = await shown(page, 'Areas that it covers', 'Cities and municipalities');
  const { data } = await ask('/v1/areas/covered', { geometry: geom });
  expect(rows.map(([name]) => name)).toEqual(data.map(({ name }: { name: string }) => name));
  expect(rows[0]?.[1]).toBe('100 %');
  await page.getByText('people live in it').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});
