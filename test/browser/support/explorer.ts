import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { saved, type Tab, type tabsOf } from './chromium.ts';

/** Opens /explore in tabs. The token is entered as a person does it. */
export function explorerIn(newTab: ReturnType<typeof tabsOf>, token: string) {
  const enterKey = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /Sign in for (boundaries|detailed)/ }).click();
    await fillKey(page, token);
    await page.locator('dialog').waitFor({ state: 'hidden' });
    await waitForMap(page);
  };
  return {
    enterKey,

    /** Opens the page at a fragment with a key, and waits until the map is drawn. */
    async openWithKey(fragment = '', options?: BrowserContextOptions): Promise<Tab> {
      const opened = await newTab(options);
      await opened.page.goto(`/explore${fragment}`);
      await enterKey(opened.page);
      return opened;
    },

    /** Opens the page at a fragment without a key, and waits until the coarse map is drawn. */
    async openWithoutKey(fragment = '', options?: BrowserContextOptions): Promise<Tab> {
      const opened = await newTab(options);
      await opened.page.goto(`/explore${fragment}`);
      await turnToMap(opened.page);
      await waitForCoarseMap(opened.page);
      return opened;
    },
  };
}

/** Fills in a key in the dialog to sign in. */
export async function fillKey(page: Page, key: string): Promise<void> {
  await page.getByText('Use an API key or a session token').click();
  await page.getByLabel('Key or token').fill(key);
  await page.getByRole('button', { name: 'Use this key' }).click();
}

/** Signs in on the dashboard, to which a link of the page leads in a tab of its own. */
export async function signInBy(page: Page, link: Locator): Promise<Page> {
  const [dashboard] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await dashboard.getByLabel('Email address').fill('analyst@example.com');
  await dashboard.getByRole('button', { name: 'Sign in on this machine' }).click();
  return dashboard;
}

/** Points at the map, which opens it where a drawing of the country stands for it. */
export async function turnToMap(page: Page): Promise<void> {
  const box = await page.locator('.stage').boundingBox();
  if (!box) throw new Error('There is no map.');
  await page.mouse.move(box.x + 2, box.y + box.height / 3);
}

/** Waits until the map is drawn with a key. @param what code of the place, or id of the dataset, that is to be drawn */
export function waitForMap(page: Page, what?: string): Promise<void> {
  return waitForDrawing(page, 'full', what);
}

/** Waits until the map is drawn as everybody sees it. @param what code of the place that is to be drawn */
export function waitForCoarseMap(page: Page, what?: string): Promise<void> {
  return waitForDrawing(page, 'coarse', what);
}

function waitForDrawing(page: Page, detail: 'coarse' | 'full', what: string | undefined): Promise<void> {
  const wanted = what === undefined ? ':not([data-drawn=""])' : `[data-drawn="${what}"]`;
  return page.locator(`#map[data-detail="${detail}"]${wanted}`).waitFor({ state: 'attached' });
}

/** Opens the sheet of a map, as it is seen before it is saved. */
export async function openPicture(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Picture', exact: true }).press('Enter');
  await page.locator('dialog[open] .use-preview img[src]').waitFor();
}

/** Saves the sheet of a map and closes it. */
export async function savedPicture(page: Page, format: 'PNG' | 'SVG') {
  await openPicture(page);
  const picture = await saved(page, format);
  await closeDialog(page);
  return picture;
}

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

export function heading(page: Page): Promise<string | null> {
  return page.locator('h1').textContent();
}

/** How long the map is searched for a place, milliseconds. */
const MAX_SEARCH_MS = 45_000;

/**
 * Moves the pointer over the map from its middle outwards until it names an area that is wanted, and clicks there.
 *
 * @param wanted the whole text beside the pointer, or a pattern of it; without it the first area is clicked
 */
export async function clickOnMap(page: Page, wanted: string | RegExp = /./): Promise<string> {
  const box = await page.locator('#map').boundingBox();
  if (!box) throw new Error('There is no map.');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const isWanted = (text: string) => (typeof wanted === 'string' ? text === wanted : wanted.test(text));
  const seen = new Set<string>();
  // What is not drawn yet is found the next time.
  for (const until = Date.now() + MAX_SEARCH_MS; Date.now() < until; ) {
    for (const y of [20, 60, -20, -60, 100, -100].map((offset) => middle.y + offset)) {
      for (let offset = 0; offset < box.width / 2 - 4 && Date.now() < until; offset += 12) {
        for (const x of [middle.x + offset, middle.x - offset]) {
          await page.mouse.move(x, y);
          const [shown] = await page.locator('#hover:not([hidden])').allTextContents();
          if (shown === undefined) continue;
          seen.add(shown);
          if (!isWanted(shown)) continue;
          await page.mouse.click(x, y);
          return shown;
        }
      }
    }
  }
  throw new Error(`The map shows no ${wanted} on its middle lines, but ${[...seen].join(', ') || 'nothing'}.`);
}
