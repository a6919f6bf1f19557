import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { PHONE, tabsOf } from './support/chromium.ts';
import { turnToMap, waitForCoarseMap } from './support/explorer.ts';

// What makes a page fast wherever it is opened, in numbers that don't depend on the machine. Seconds are measured by
// `npm run lighthouse`.

const newTab = tabsOf(inject('devStack').origin);

interface Weight {
  /** Resolves when nothing more appears by itself. */
  settled: (page: Page) => Promise<unknown>;
  /** What a browser reads before it can paint the page and run its script: the page, its styles and scripts, packed. */
  bytes: number;
  /** Of everything until the page is settled. */
  requests: number;
}

const is = (selector: string) => (page: Page) => page.locator(selector).first().waitFor({ state: 'attached' });

/** The map and all that it needs. */
async function openedMap(page: Page): Promise<void> {
  await turnToMap(page);
  await waitForCoarseMap(page, 'all');
}

const PAGES: Readonly<Record<string, Weight>> = {
  '/': { settled: is('#country svg'), bytes: 23_500, requests: 17 },
  // The longest page of the reference.
  '/docs/schemas': { settled: is('#content h1'), bytes: 37_000, requests: 9 },
  '/dashboard': { settled: is('#sign-in:not([hidden])'), bytes: 38_500, requests: 15 },
  '/explore': { settled: openedMap, bytes: 49_000, requests: 39 },
  '/match': { settled: is('#access:not(:empty)'), bytes: 40_000, requests: 15 },
  '/downloads': { settled: is('#download'), bytes: 20_000, requests: 16 },
};

/** The layout shift above which Lighthouse takes points off. */
const SHIFT = 0.1;

/** How long an answer of the API takes at least, so that the page is painted before it. Milliseconds. */
const ANSWER_MS = 300;

/** Over plain HTTP browsers ask for gzip, which is a tenth larger than the brotli that they ask for elsewhere. */
const PACKED = 'gzip';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Bytes on the wire, headers among them. */
async function sizeOf(response: Response): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await response.request().sizes();
  return responseBodySize + responseHeadersSize;
}

async function openSlowly(path: string, options?: BrowserContextOptions) {
  const { page, problems } = await newTab(options);
  const responses: Response[] = [];
  page.on('response', (response) => {
    if (!response.url().startsWith('data:')) responses.push(response);
  });
  await page.route('**/v1/**', async (route) => {
    await sleep(ANSWER_MS);
    await route.continue();
  });
  await page.goto(path);
  await PAGES[path]?.settled(page);
  return { page, problems, responses };
}

/** The sum of all layout shifts so far, which is never less than what Lighthouse counts. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const shifts = (entries: PerformanceEntryList) =>
          entries.reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0);
        const observer = new PerformanceObserver((list) => resolve(shifts(list.getEntries())));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Where nothing moved, the observer is never called.
        requestAnimationFrame(() => setTimeout(() => resolve(shifts(observer.takeRecords()))));
      }),
  );
}

describe.each(Object.entries(PAGES))('the weight of %s', (path, weight) => {
  it('is small before it is painted, waits for no script, and is kept by browsers', async () => {
    const { page, problems, responses } = await openSlowly(path);
    const html = (await responses[0]?.text()) ?? '';
    const named = [
      ...html.matchAll(/<(?:link rel="(?:stylesheet|modulepreload)" href|script type="module" src)="([^"]+)"/g),
    ];
    const paths = [path, ...named.map(([, asset]) => asset)];
    const first = responses.filter((response) => paths.includes(new URL(response.url()).pathname));
    expect(first.length).toBe(paths.length);
    const bytes = (await Promise.all(first.map(sizeOf))).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(weight.bytes);
    expect(responses.length).toBeLessThanOrEqual(weight.requests);

    const blocking = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as (PerformanceResourceTiming & { renderBlockingStatus: string })[])
        .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
        .map(({ name }) => new URL(name).pathname.replace(/-[A-Z0-9]{8}\./, '.')),
    );
    expect(blocking).toEqual([expect.stringMatching(/^\/assets\/\w+\/style\.css$/)]);

    const assets = responses.filter((response) => response.url().includes('/assets/'));
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const { 'cache-control': cached, 'content-encoding': packed } = asset.headers();
      const kind = asset.request().resourceType();
      expect([asset.url(), cached]).toEqual([expect.stringMatching(/-[A-Z0-9]{8}\.\w+$/), IMMUTABLE]);
      if (kind === 'script' || kind === 'stylesheet') expect([asset.url(), packed]).toEqual([asset.url(), PACKED]);
    }
    expect(await shiftOf(page)).toBeLessThan(SHIFT);
    expect(problems).toEqual([]);
  });
});

describe.each(['/', '/explore', '/downloads'])('%s on a phone', (path) => {
  it('does not move while it is read', async () => {
    const { page } = await openSlowly(path, PHONE);
    expect(await shiftOf(page)).toBeLessThan(SHIFT);
  });
});
