import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { coloursOf, keepPicture, PHONE, saved, tabsOf, widthOf } from './support/chromium.ts';
import { clickOnMap, explorerIn, heading, waitForCoarseMap, waitForMap } from './support/explorer.ts';

// The explorer through time: its history is that of data/psgc. test/browser/support/older-edition.ts says what the older
// edition has that is loaded.

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const { openWithKey, openWithoutKey } = explorerIn(newTab, masterToken);

describe('the history of a place', () => {
  it('tells each change in a sentence, with links to the area as it was', async () => {
    const { page, problems } = await openWithKey('#/municities/1830200000');
    const history = page.locator('.history');
    await expect
      .poll(() => history.locator('li').allTextContents())
      .toEqual([expect.stringMatching(/^2Q 2024Moved.* from code 0630200000 to 1830200000\.$/)]);
    const then = history.getByRole('link', { name: '0630200000' });
    expect(await then.getAttribute('href')).toBe('#/municities/0630200000?edition=2024-04');
    await page.goto('/explore#/municities/0630200000?edition=2023-4q');
    await expect.poll(() => page.locator('#ancestors a').allTextContents()).toContain('Western Visayas');
    await expect.poll(() => history.locator('li').count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);

    for (const [fragment, sentence] of [
      ['#/municities/1705323000', '1Q 2025Renamed from Rizal to Dr. Jose P. Rizal.'],
      [
        '#/barangays/1380100189',
        '3Q 2024Came out of the split of Barangay 176 1380100176.Barangay 176 divided into 176-A to 176-F',
      ],
      ['#/municities/1380300000', 'History4Q 2023Gave land to City of Taguig 1381500000.Each change stands'],
      [
        '#/municities/0730600000',
        'HistoryNothing has changed since 1Q 2023, the earliest edition here. Changes before it are not recorded.',
      ],
    ]) {
      await page.goto(`/explore${fragment}`);
      await expect.poll(() => history.textContent()).toContain(sentence);
    }
    // What moved had parents in editions that no release answers for.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('is told of a code that an edition does not have, with a way on', async () => {
    const { page, problems } = await openWithoutKey('#/regions/1800000000?edition=2023-4q');
    await expect.poll(() => heading(page)).toBe('Region 1800000000');
    expect(await page.locator('#kind').textContent()).toBe('Not in 4Q 2023');
    await expect
      .poll(() => page.locator('.history li').textContent())
      .toBe(
        '2Q 2024Created out of parts of Region VI (Western Visayas) 0600000000 and Region VII (Central Visayas) 0700000000.',
      );
    await page.getByRole('link', { name: 'See it in the current edition' }).click();
    await expect.poll(() => heading(page)).toBe('Negros Island Region (NIR)');
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('can be read again where the service could not tell', async () => {
    const { page } = await newTab();
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    const failing = { status: 503, json: { message: 'The store does not answer.', code: 'storage_unavailable' } };
    await page.route('**/v1/changes/**', (route) => route.fulfill(failing), { times: 1 });
    await page.goto('/explore#/municities/1830200000');
    const history = page.locator('.history');
    await expect.poll(() => history.textContent()).toContain('The store does not answer. Try again in a moment.');
    await history.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => history.textContent()).toContain('2Q 2024Moved');
  });
});

describe('the edition', () => {
  it('is chosen, kept in the address and by back and forward, and marked in sight', async () => {
    const { page, problems } = await openWithKey('#/regions/0600000000');
    const mark = page.locator('#not-current');
    const edition = page.getByLabel('Edition');
    const options = await edition.locator('option').allTextContents();
    expect([options.length, options.slice(0, 5)]).toEqual([
      13,
      ['3Q 2026, current', '1Q 2026', '4Q 2025', '3Q 2025', 'July 2025'],
    ]);
    expect(await mark.isVisible()).toBe(false);
    const provinces = page.getByRole('link', { name: 'Negros Occidental' });
    expect(await provinces.count()).toBe(0);

    await edition.selectOption('4Q 2023');
    await waitForMap(page, '0600000000?edition=2023-4q');
    expect(page.url()).toBe(`${origin}/explore#/regions/0600000000?edition=2023-4q`);
    expect(await page.title()).toBe('Region VI (Western Visayas) in 4Q 2023 · Philippines');
    expect(await mark.textContent()).toBe('You see 4Q 2023. Back to 3Q 2026');
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(30);
    await keepPicture(page, 'explore-older-1280');
    expect(await seriousFaults(page)).toEqual([]);

    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await provinces.first().click();
    await waitForMap(page, '0604500000?edition=2023-4q');
    expect(await page.locator('#ancestors a').allTextContents()).toEqual(['Philippines', 'Western Visayas']);
    const city = await clickOnMap(page);
    await expect.poll(() => heading(page)).toBe(city);
    expect(page.url()).toMatch(/#\/municities\/06\d{8}\?edition=2023-4q$/);
    await waitForMap(page, `${page.url().slice(-26, -16)}?edition=2023-4q`);
    // Tiles are of the current edition.
    expect(requests.filter((url) => url.includes('.mvt'))).toEqual([]);

    await page.goBack();
    await page.goBack();
    await expect.poll(() => heading(page)).toBe('Region VI (Western Visayas)');
    await page.goBack();
    await expect.poll(() => mark.isVisible()).toBe(false);
    await waitForMap(page, '0600000000');
    expect(await edition.inputValue()).toBe('2026-3q');
    await page.goForward();
    await expect.poll(() => mark.isVisible()).toBe(true);
    await mark.getByRole('link', { name: 'Back to 3Q 2026' }).click();
    await waitForMap(page, '0600000000');
    expect(page.url()).toBe(`${origin}/explore#/regions/0600000000`);
    // What moved had parents in editions that no release answers for.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('is that of the search, and of the code in the address', async () => {
    const { page, problems } = await openWithKey('#/?edition=2023-4q');
    await page.keyboard.press('/');
    await page.keyboard.type('bacolod');
    await page.getByRole('option', { name: /^City of Bacolod/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${origin}/explore#/municities/0630200000?edition=2023-4q`);
    await expect.poll(() => page.locator('.places a').count()).toBe(61);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    const command = await page.locator('.download pre').textContent();
    expect(command).toContain('/v1/municities/0630200000?format=geojson&geometry=medium&edition=2023-4q');
    const { download } = await saved(page, 'CSV');
    expect(download.suggestedFilename()).toBe('0630200000-areas-2023-4q.csv');
    // The same place has another code in the current edition.
    await page.getByRole('link', { name: 'Back to 3Q 2026' }).click();
    await expect.poll(() => page.url()).toBe(`${origin}/explore#/municities/1830200000`);
    await page.goto('/explore#/municities/1830200000?edition=2026-3q');
    await expect.poll(() => page.url()).toBe(`${origin}/explore#/municities/1830200000`);
    await page.goto('/explore#/provinces/0702200000?edition=2019-1q');
    await expect.poll(() => page.locator('#notice').textContent()).toContain('2023-4q');
    await page.locator('#notice').getByRole('link', { name: 'See it in the current edition' }).click();
    await expect.poll(() => heading(page)).toBe('Cebu');
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('is no choice where there is only one, or where the service could not tell', async () => {
    const only = [{ id: '2026-3q', active: true }];
    for (const answer of [
      { json: { data: only, error: null } },
      { status: 503, json: { message: 'Not now.', code: 'storage_unavailable' } },
    ]) {
      const { page } = await newTab();
      await page.route('**/v1/editions', (route) => route.fulfill(answer));
      await page.goto('/explore#/provinces/0702200000');
      await expect.poll(() => heading(page)).toBe('Cebu');
      expect(await page.locator('#editions').isVisible()).toBe(false);
      const failed = 'status' in answer;
      await expect.poll(() => page.locator('.history').isVisible()).toBe(failed);
      await page.goto('/explore#/changes');
      const said = failed ? page.locator('#notice') : page.locator('#record');
      await expect.poll(() => said.textContent()).toContain(failed ? 'Not now.' : 'Only one edition is loaded');
    }
  });
});

describe('an edition without boundaries', () => {
  /** Takes the boundaries of 4Q 2023 away. */
  async function takeBoundaries(page: Page): Promise<void> {
    await page.route('**/v1/**', async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get('edition') !== '2023-4q') return route.fallback();
      if (url.pathname === '/v1/downloads/overview')
        return route.fulfill({ status: 404, json: { message: 'None.', code: 'edition_not_found' } });
      const response = await route.fetch();
      const json = JSON.parse(await response.text(), (key, value) =>
        ['bbox', 'centroid', 'area_km2', 'density_km2'].includes(key) ? null : value,
      );
      if (url.pathname === '/v1/sources') {
        json.data.boundaries = 'none';
        json.data.sources = json.data.sources.filter(({ part }: { part: string }) => part !== 'boundaries');
      }
      return route.fulfill({ response, json });
    });
  }

  it('is drawn on the land of today, with the border of what has not changed, and offers no map of what has none', async () => {
    const { page, problems } = await newTab();
    await takeBoundaries(page);
    await page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    const notice = page.locator('#map-notice');
    const buttons = page.locator('.use-buttons button');
    await page.goto('/explore#/?edition=2023-4q');
    await waitForMap(page, 'all?edition=2023-4q');
    await expect
      .poll(() => notice.textContent())
      .toBe('No boundaries of 4Q 2023 are loaded here. The land is today’s. The lists lead everywhere too.');
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(3);
    await expect.poll(() => page.locator('#credit').textContent()).toContain(' · Boundaries: ');

    // Cebu has the same code and border today. Negros Occidental was given to another region and has another code.
    await page.goto('/explore#/provinces/0702200000?edition=2023-4q');
    await waitForMap(page, '0702200000?edition=2023-4q');
    await expect
      .poll(() => notice.textContent())
      .toBe('No boundaries of 4Q 2023 are loaded here. The border is today’s: no change of it is recorded since.');
    expect(await buttons.allTextContents()).toEqual(['Copy link', 'Data']);
    const seen = await coloursOf(page, '#map canvas');
    await page.goto('/explore#/provinces/0604500000?edition=2023-4q');
    await waitForMap(page, '0604500000?edition=2023-4q');
    await expect.poll(() => notice.textContent()).toContain('The land is today’s.');
    expect(await coloursOf(page, '#map canvas')).toBeLessThan(seen);
    expect(problems).toEqual([]);
  });

  it('is no empty sea without a key either', async () => {
    const { page, problems } = await newTab();
    await takeBoundaries(page);
    await page.goto('/explore#/?edition=2023-4q');
    await waitForCoarseMap(page, 'all?edition=2023-4q');
    await expect.poll(() => page.locator('#map-notice').textContent()).toContain('The land is today’s.');
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(3);
    // No name of today stands in it, and no region of it leads to one of another time.
    expect(await page.locator('#first-map svg').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('what changed between two editions', () => {
  it('is a list by kind, which leads to places, and a map in the colours of the kinds', async () => {
    const { page, problems } = await openWithKey();
    await page.getByRole('link', { name: 'What changed' }).click();
    await waitForMap(page, 'changes');
    expect(page.url()).toBe(`${origin}/explore#/changes/2026-1q/2026-3q`);
    await page.goto('/explore#/changes/2024-04/2026-3q');
    await expect.poll(() => page.locator('#kind').textContent()).toBe('April 2024 to 3Q 2026, 1,891 changes');
    await waitForMap(page, 'changes');
    const groups = page.locator('#record details');
    const summaries = ['New 2', 'Merged 1', 'Split 2', 'Moved 5', 'Redrawn 7', 'Recoded 1,844'];
    await expect.poll(() => groups.locator('summary').allTextContents()).toEqual([...summaries, expect.any(String)]);
    expect(await groups.locator('li').count()).toBe(0);
    const legend = page.locator('#legend');
    // Only barangays were merged and split.
    const kinds = ['New', 'Moved', 'Redrawn', 'Recoded', 'Renamed'];
    await expect.poll(() => legend.locator('li').allTextContents()).toEqual(kinds);
    expect(await legend.textContent()).toContain('Barangays are drawn if you choose their level.');
    // Two editions are compared, so that none is the one that is shown.
    const edition = page.getByLabel('Edition');
    expect(await edition.inputValue()).toBe('');
    expect(await edition.locator('option:checked').textContent()).toBe('two compared');
    // A notice stands beside the legend.
    await page.evaluate(() => {
      const notice = document.querySelector<HTMLElement>('#map-notice');
      if (notice)
        notice.textContent = 'A notice that is as long as one of boundaries that can’t be drawn is. '.repeat(2);
      if (notice) notice.hidden = false;
    });
    for (const width of [1280, 990, 800]) {
      await page.setViewportSize({ width, height: 900 });
      const [one, other] = [await legend.boundingBox(), await page.locator('#map-notice').boundingBox()];
      if (!one || !other) throw new Error('One of them is hidden.');
      const isBeside = one.x + one.width <= other.x || one.y + one.height <= other.y;
      expect(isBeside, String(width)).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await coloursOf(page, '#map canvas')).toBeGreaterThan(10);
    await keepPicture(page, 'explore-changes-1280');
    expect(await seriousFaults(page)).toEqual([]);

    await page.getByLabel('Kind').selectOption('Recoded (1,844)');
    await waitForMap(page, 'changes');
    await expect.poll(() => groups.locator('li').count()).toBe(100);
    await page.getByRole('button', { name: 'Show more of 1,844' }).click();
    await expect.poll(() => groups.locator('li').count()).toBeGreaterThan(100);
    await page.getByLabel('Kind').selectOption('Moved (5)');
    await expect.poll(() => legend.locator('li').allTextContents()).toEqual(['Moved']);
    await waitForMap(page, 'changes');
    const moved = await clickOnMap(page, / · moved$/);
    await expect.poll(() => heading(page)).toBe(moved.replace(' · moved', ''));
    expect(page.url()).toMatch(/\/explore#\/(provinces|municities)\/\d{10}$/);
    await page.goBack();
    await expect.poll(() => page.getByLabel('Kind').inputValue()).toBe('moved');
    await page.goto('/explore#/changes/2024-4q/2025-1q?level=municity&kind=renamed');
    await expect
      .poll(() => groups.locator('li').allTextContents())
      .toContain('Rizal → Dr. Jose P. RizalCity or municipality · 1705323000');
    await groups.getByRole('link', { name: 'Dr. Jose P. Rizal' }).click();
    await expect.poll(() => heading(page)).toBe('Dr. Jose P. Rizal');
    expect(await page.locator('#changes-form').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('is a list without a key, filtered with the keyboard alone', async () => {
    const { page, problems } = await openWithoutKey('#/changes/2024-04/2026-3q?level=municity');
    await expect.poll(() => page.locator('#record li').count()).toBeGreaterThan(80);
    expect(page.url()).toBe(`${origin}/explore#/changes/2024-04/2026-3q?level=municity`);
    await page.getByRole('button', { name: 'Sign in to see these areas in colours' }).waitFor();
    expect(await page.locator('#map-notice').isVisible()).toBe(false);
    const kind = page.getByLabel('Kind');
    await kind.focus();
    await page.keyboard.type('Moved');
    await expect.poll(() => page.url()).toContain('kind=moved');
    await expect
      .poll(() => page.locator('#record li').allTextContents())
      .toEqual([expect.stringContaining('City of BacolodCity or municipality · 0630200000 → 1830200000')]);
    expect(await kind.evaluate((select) => select === document.activeElement)).toBe(true);
    await page.getByLabel('Level').selectOption('Regions');
    await expect.poll(() => page.locator('#record').textContent()).toContain('Nothing of this kind and level changed');
    await page.route(
      '**/v1/changes?*',
      (route) => route.fulfill({ status: 503, json: { message: 'Not now.', code: 'storage_unavailable' } }),
      {
        times: 1,
      },
    );
    await page.getByLabel('Level').selectOption('Provinces');
    await page.locator('#notice').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('#kind').textContent()).toContain('4 changes');
    expect(problems.filter((problem) => !problem.includes('503'))).toEqual([]);
  });

  it('fits the width of a phone, as does an older edition', async () => {
    const { page, problems } = await openWithKey('#/changes', PHONE);
    await waitForMap(page, 'changes');
    expect(await widthOf(page)).toBe(390);
    await keepPicture(page, 'explore-changes-390');
    await page.getByLabel('Edition').selectOption('4Q 2023');
    await waitForMap(page, 'all?edition=2023-4q');
    expect(await widthOf(page)).toBe(390);
    expect(await page.locator('#not-current').isVisible()).toBe(true);
    await page.locator('#grip').tap();
    const [bar, panel] = [await page.locator('#bar').boundingBox(), await page.locator('#panel').boundingBox()];
    expect(panel?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
    await keepPicture(page, 'explore-older-390');
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
