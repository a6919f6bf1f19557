import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Download, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { freshAddress } from '../../support/addresses.ts';
import { TIMEOUT_MS } from '../../support/timeouts.ts';

const ARTEFACTS = fileURLToPath(new URL('../../../test-results/', import.meta.url));

/** Where distributions install Chromium. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Draws WebGL without a graphics card. With the page drawn as WebGL too, a map would take five times as long. */
const FLAGS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];

/** What Chromium says of every map that is drawn without a graphics card. */
const OF_DRAWING = /GL Driver Message .* GPU stall due to ReadPixels/;

/** A container runs as root, for whom the sandbox is not available. */
const AS_ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** The window of a phone, for a context of the browser. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Starts Chromium for the tests of a file. Returns a function that opens a tab with empty storage, which is closed after
 * the test.
 */
export function tabsOf(origin: string): (options?: BrowserContextOptions) => Promise<Tab> {
  let browser: Browser;
  const tabs: Tab[] = [];
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });
  return async (options) => {
    const tab = await openTab(browser, origin, options);
    tabs.push(tab);
    return tab;
  };
}

/** @throws Error that says what to install */
function startChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error(
      'These tests drive Chromium, which is not in its usual places: install it (.ci/browser does so on Debian) or set CHROMIUM to its path.',
    );
  }
  return chromium.launch({ executablePath, args: [...FLAGS, ...AS_ROOT] });
}

/** A tab, with a list of everything that went wrong in it. */
export interface Tab {
  page: Page;
  /** The network address of its requests. Every tab has its own, so that none uses up the limit of another. */
  address: string;
  /** Messages of the console, exceptions, and requests that left the origin or failed. */
  problems: string[];
  close(): Promise<void>;
}

async function openTab(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const address = freshAddress();
  const context = await browser.newContext({
    baseURL: origin,
    // The local runtime keeps this header, and adds it only if it is missing.
    extraHTTPHeaders: { 'CF-Connecting-IP': address },
    viewport: { width: 1280, height: 800 },
    // Movements are left out, because every frame would be drawn by the processor.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  listen(page, problems);
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) problems.push(`left the origin: ${url}`);
  });
  context.on('requestfailed', (request) => {
    // The page itself aborts requests whose answers it no longer needs.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()}`);
  });
  return { page, address, problems, close: () => context.close() };
}

/** Adds what a page writes to its console. */
export function listen(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (!OF_DRAWING.test(message.text())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
}

/** Saves a screenshot of the tab in test-results/, where somebody wants to look at it. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env.KEEP_PICTURES) return;
  await mkdir(ARTEFACTS, { recursive: true });
  await page.screenshot({ path: `${ARTEFACTS}${name}.png` });
}

/** The width of the whole page, pixels. It is more than the window's if the page scrolls sideways. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** The number of colours in the picture of an element. */
export async function coloursOf(page: Page, selector: string): Promise<number> {
  const picture = await page.locator(selector).screenshot();
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    if (!canvas) return 0;
    canvas.drawImage(image, 0, 0);
    return new Set(new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, picture.toString('base64'));
}

/** How many pixels of a picture have each of some colours, as `rgb(1, 2, 3)`. */
export function pixelsOf(page: Page, picture: Buffer, colors: readonly string[]): Promise<number[]> {
  return page.evaluate(
    async ([base64, wanted]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data = [] } = context?.getImageData(0, 0, image.width, image.height) ?? {};
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const color = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      return wanted.map((color) => counts.get(color) ?? 0);
    },
    [picture.toString('base64'), [...colors]] as const,
  );
}

/** Presses a button that saves a file. */
export async function saved(page: Page, name: string): Promise<{ download: Download; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).press('Enter'),
  ]);
  return { download, bytes: await readFile(await download.path()) };
}
