import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { fillKey } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

describe('the pages of OGC API', () => {
  it('lead from the landing page to a feature and its shape', async () => {
    const { page, problems } = await newTab();
    await page.goto('/ogc');
    await page.getByRole('link', { name: 'The collections' }).click();
    await page.getByRole('link', { name: 'provinces-simple', exact: true }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'ogc-collections');
    await page.getByRole('link', { name: 'provinces-simple', exact: true }).click();
    await page.getByRole('link', { name: 'The features' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await fillKey(page, masterToken);
    await page.getByRole('group', { name: 'A map of 10 features' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(10);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'ogc-items');
    const [first] = await page.locator('tbody tr td:first-child').allTextContents();
    await page.getByRole('link', { name: 'The next page' }).click();
    await page.waitForFunction(
      (code) => !document.querySelector('tbody')?.textContent?.includes(code as string),
      first,
    );
    await page.locator('tbody tr td:first-child a').first().click();
    await page.getByRole('rowheader', { name: 'name', exact: true }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'OGC API' }).click();
    await page.getByRole('heading', { name: 'Philippine Geographic Data Service' }).waitFor();
    // The first answer with features was a refusal.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('fit a phone, also in the dark', async () => {
    const { page, problems } = await newTab({ ...PHONE, colorScheme: 'dark' });
    for (const path of ['/ogc', '/ogc/collections', '/ogc/collections/barangays/queryables', '/ogc/conformance']) {
      await page.goto(path);
      await page.locator('main:not([aria-busy])').waitFor();
      expect(await widthOf(page), path).toBeLessThanOrEqual(390);
      expect(await seriousFaults(page), path).toEqual([]);
    }
    await keepPicture(page, 'ogc-390');
    expect(problems).toEqual([]);
  });
});
