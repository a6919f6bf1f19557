import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { tabsOf } from './support/chromium.ts';
import { clickOnMap, explorerIn, heading, waitForCoarseMap, waitForMap } from './support/explorer.ts';

// What the map of the explorer shows and says, and how it comes back after the line was broken.

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const { openWithKey, openWithoutKey } = explorerIn(newTab, masterToken);

describe('the keyboard on the map', () => {
  it('names what is in the middle, and Enter chooses it', async () => {
    const { page, problems } = await openWithoutKey();
    await page.locator('#map canvas').focus();
    const said = page.locator('#announcement');
    for (let i = 0; i < 8 && !(await said.textContent())?.includes('Enter chooses it'); i += 1) {
      await page.keyboard.press(i % 2 === 0 ? 'ArrowDown' : 'ArrowLeft');
      await page.waitForTimeout(400);
    }
    const [, name = ''] = /^(.+)\. Enter chooses it\.$/.exec((await said.textContent()) ?? '') ?? [];
    expect(name).not.toBe('');
    expect(await page.locator('#cross-name').textContent()).toBe(name);
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page)).toBe(name);
    expect(await said.textContent()).toContain(name);
    await waitForCoarseMap(page, page.url().slice(-10));
    // The cross goes with the focus, and a pointer has none.
    await page.locator('#search').focus();
    expect(await page.locator('#cross').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('says so where nothing is in the middle, and Enter then chooses nothing', async () => {
    const { page } = await openWithoutKey();
    await page.locator('#map canvas').focus();
    for (let i = 0; i < 6; i += 1) await page.keyboard.press('ArrowLeft');
    const said = page.locator('#announcement');
    await expect.poll(() => said.textContent()).toBe('Nothing is in the middle of the map.');
    await page.keyboard.press('Enter');
    expect(await heading(page)).toBe('Philippines');
  });
});

describe('what is read', () => {
  it('is seen to be loaded over the map, until the map is drawn', async () => {
    const { page, problems } = await newTab();
    const held = Promise.withResolvers<void>();
    await page.route('**/map-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/explore#/provinces/0702200000');
    await expect.poll(() => heading(page)).toBe('Cebu');
    const busy = page.locator('#map-busy');
    await busy.waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    held.resolve();
    await waitForCoarseMap(page, '0702200000');
    expect(await busy.isVisible()).toBe(false);

    const answered = Promise.withResolvers<void>();
    await page.route('**/v1/provinces/0701200000', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.evaluate(() => {
      location.hash = '#/provinces/0701200000';
    });
    await busy.waitFor();
    answered.resolve();
    await expect.poll(() => heading(page)).toBe('Bohol');
    await waitForCoarseMap(page, '0701200000');
    expect(await busy.isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('comes back by itself after the line was broken: places, the map and search', async () => {
    const { page } = await openWithKey('#/regions/0700000000');
    await expect.poll(() => page.locator('.neighbours[aria-busy]').count()).toBe(0);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const notice = page.locator('#notice');
    await expect.poll(() => notice.textContent()).toContain('The service can’t be reached.');
    await page.getByRole('link', { name: 'Bohol' }).click();
    await page.locator('#search').fill('siquijor');
    const status = page.locator('#search-status');
    await expect.poll(() => status.textContent()).toContain('The service can’t be reached.');
    expect(await heading(page)).toContain('Region VII');

    const tile = page
      .context()
      .waitForEvent('response', (response) => response.url().includes('.mvt?') && response.ok());
    await page.context().setOffline(false);
    await expect.poll(() => heading(page)).toBe('Bohol');
    await tile;
    await page
      .getByRole('option', { name: /^Siquijor/ })
      .first()
      .waitFor();
    await waitForMap(page, '0701200000');
    expect(await notice.isVisible()).toBe(false);
  });

  it('says nothing of a search that was given up, once the line is back', async () => {
    const { page } = await newTab();
    await page.goto('/explore');
    const region = page.getByRole('link', { name: 'Region VII (Central Visayas)' });
    await region.waitFor();
    await page.context().setOffline(true);
    const [search, status] = [page.locator('#search'), page.locator('#search-status')];
    await search.fill('bohol');
    await expect.poll(() => status.textContent()).toContain('The service can’t be reached.');
    await search.press('Escape');
    expect([await search.inputValue(), await status.textContent()]).toEqual(['', '']);
    await search.fill('siquijor');
    await expect.poll(() => status.textContent()).toContain('The service can’t be reached.');
    await region.click();
    await page.context().setOffline(false);
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    await expect.poll(() => status.textContent()).toBe('');
    expect(await page.locator('#findings').isVisible()).toBe(false);
  });

  it('comes back by itself where the line was broken before the map was opened', async () => {
    const { page } = await newTab();
    await page.goto('/explore');
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Region VII (Central Visayas)' }).click();
    await expect.poll(() => page.locator('#notice').textContent()).toContain('The service can’t be reached.');
    await page.context().setOffline(false);
    await expect.poll(() => heading(page)).toBe('Region VII (Central Visayas)');
    await waitForCoarseMap(page, '0700000000');
    expect(await page.locator('#notice').isVisible()).toBe(false);
    expect(await page.locator('#map-notice').isVisible()).toBe(false);
  });
});

describe('the City of Manila', () => {
  it('is shown by its districts, and each of them by its barangays', async () => {
    const { page, problems } = await openWithKey('#/municities/1380600000');
    await waitForMap(page, '1380600000');
    expect(await page.locator('#record h2').allTextContents()).toContain('Sub-municipalities 14');
    const districts = await page.locator('.places .name').allTextContents();
    expect(districts).toContain('Tondo I/II');
    const district = 'Tondo I/II';
    await page.locator('.places .name', { hasText: district }).click();
    await expect.poll(() => heading(page)).toBe(district);
    expect(page.url()).toMatch(/#\/submunicipalities\/13806\d{5}$/);
    expect(await page.locator('#ancestors a').allTextContents()).toContain('City of Manila');
    await waitForMap(page, page.url().slice(-10));
    const barangay = await clickOnMap(page, /^Barangay/);
    await expect.poll(() => heading(page)).toBe(barangay);
    expect(await page.locator('#ancestors a').allTextContents()).toContain(district);
    expect(problems).toEqual([]);
  });

  it('is shown by its districts without a key too', async () => {
    const { page, problems } = await openWithoutKey('#/municities/1380600000');
    await waitForCoarseMap(page, '1380600000');
    const districts = await page.locator('.places .name').allTextContents();
    const district = await clickOnMap(page, new RegExp(districts.join('|')));
    await expect.poll(() => heading(page)).toBe(district);
    expect(problems).toEqual([]);
  });
});
