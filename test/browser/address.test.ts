import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { installClient, packClient, ROOT } from '../clients/installed.ts';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf } from './support/chromium.ts';

// The address field as docs/address-forms.md has it: the file of the package, in forms of another origin without a script.

const { origin } = inject('devStack');

/** The most that the field weighs, bytes. */
const WEIGHT = 8192;

let folder: string;
let project: string;
let server: Server;
let blocks: string[];
/** The page that the server has. The browser lets no page that a test has made up ask a service on this machine. */
let html = '';
/** The body of each form that was sent. */
let sent: URLSearchParams[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pgds-address-'));
  project = await installClient(await packClient(folder));
  const text = await readFile(join(ROOT, 'docs/address-forms.md'), 'utf8');
  blocks = [...text.matchAll(/^```(?:html|sh)\n([\s\S]+?)^```$/gm)].map(([, code = '']) =>
    code.replaceAll('http://127.0.0.1:8787', origin),
  );
  server = createServer(async (request, response) => {
    const { url = '', method } = request;
    if (method === 'POST') sent.push(new URLSearchParams(Buffer.concat(await request.toArray()).toString()));
    const isScript = url.endsWith('/psgc-client/dist/address.js');
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? await readFile(join(project, url)) : method === 'POST' ? 'Thanks' : html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server?.close();
  for (const directory of [folder, project]) await rm(directory, { recursive: true, force: true });
});

const openTab = tabsOf(origin);

/** Opens a form of the document, changed by somebody who pasted it. */
async function open(block: 0 | 1, change = (html: string) => html, options?: BrowserContextOptions): Promise<Page> {
  // The browser would ask the service about a header that a page adds.
  const { page, address } = await openTab({ ...options, extraHTTPHeaders: {} });
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await page.route('**/v1/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'CF-Connecting-IP': address } }),
  );
  html = change(blocks[block] ?? '');
  sent = [];
  await page.goto(here);
  return page;
}

const field = (page: Page) => page.getByRole('combobox').first();
const said = (page: Page) => page.getByRole('status').textContent();
const isValid = (page: Page) => page.evaluate(() => document.querySelector('form')?.matches(':valid'));
/** The fields of the form, those that are empty left out. */
const fields = (page: Page) =>
  page.evaluate(() => {
    const all = [...new FormData(document.querySelector('form') ?? undefined)];
    return Object.fromEntries(all.filter(([, value]) => value !== ''));
  });

const SAN_ISIDRO = {
  psgc_region: '0400000000',
  psgc_province: '0405800000',
  psgc_municity: '0405805000',
  psgc_submunicipality: '',
  psgc_barangay: '0405805015',
  psgc_code: '0405805015',
  psgc_label: 'San Isidro, Cainta, Rizal',
};

it('the file of the address field is small and stands alone', async () => {
  const file = await readFile(join(project, 'node_modules/psgc-client/dist/address.js'));
  expect(file.length).toBeLessThan(WEIGHT);
  expect(String(file)).not.toMatch(/\bimport\b/);
});

describe('the address field', () => {
  it('is chosen by the keyboard alone, and sends codes and label', async () => {
    const page = await open(0);
    await page.keyboard.press('Tab');
    await page.keyboard.type('san isidro, cai');
    await page.getByRole('option').first().waitFor();
    await expect.poll(() => said(page)).toMatch(/^\d found\.$/);
    expect(await seriousFaults(page, 'form')).toEqual([]);
    await keepPicture(page, 'address-list');
    expect(await page.locator('mark').allTextContents()).toEqual(['San', 'Isidro', 'Cai']);
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect((await page.getByRole('option').first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press('ArrowDown');
    const option = page.getByRole('option', { selected: true });
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await page.keyboard.press('Home');
    expect(await option.count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await field(page).inputValue()).toBe('San Isidro, Cainta, Rizal');
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByText('Thanks').waitFor();
    expect(sent.map((body) => Object.fromEntries(body))).toEqual([SAN_ISIDRO]);
  });

  it('has the name of its label, which leads to it', async () => {
    const page = await open(0);
    await page.locator('label').click();
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await page.getByRole('combobox', { name: 'Barangay' }).count()).toBe(1);
  });

  it('keeps the form until a place is chosen, and forgets it when the form is cleared', async () => {
    const page = await open(0);
    await page.getByRole('button', { name: 'Order' }).click();
    await expect.poll(() => said(page)).toBe('Choose a barangay from the list.');
    await field(page).fill('lahug');
    await page.getByRole('option').first().waitFor();
    await field(page).press('Escape');
    await page.getByRole('button', { name: 'Order' }).click();
    expect([sent, await isValid(page), await said(page)]).toEqual([[], false, 'Choose a barangay from the list.']);
    await field(page).fill('lahug, cebu');
    await page.getByRole('option', { name: 'Lahug, Cebu City, Cebu' }).click();
    expect([await isValid(page), (await fields(page)).psgc_label]).toEqual([true, 'Lahug, Cebu City, Cebu']);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect([await field(page).inputValue(), await fields(page), await isValid(page)]).toEqual(['', {}, false]);
  });

  it('may not be left with a text that is no place, required or not', async () => {
    const page = await open(0, (html) => html.replace(' required', ''));
    expect(await isValid(page)).toBe(true);
    await field(page).fill('qqqqqqqq');
    await expect.poll(() => said(page)).toBe('Nothing found.');
    await field(page).press('Tab');
    expect([await isValid(page), await said(page)]).toEqual([false, 'Choose a barangay from the list.']);
    await field(page).press('Escape');
    expect([await isValid(page), await field(page).inputValue()]).toEqual([true, '']);
  });

  it('shows the label of a code, and returns to it', async () => {
    const page = await open(0, (html) => html.replace('required', 'value="1380601001" level="barangay"'));
    await expect.poll(() => field(page).inputValue()).toBe('Barangay 1, Tondo I/II, Manila, Metro Manila');
    expect(await fields(page)).toMatchObject({ psgc_region: '1300000000', psgc_submunicipality: '1380601000' });
    expect(await fields(page)).not.toHaveProperty('psgc_province');
    await field(page).fill('x');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('Barangay 1, Tondo I/II, Manila, Metro Manila');
  });

  it('keeps a code whose label can’t be loaded', async () => {
    const page = await open(0, (html) =>
      html.replace('required', 'value="0405805015"').replace(/base-url="[^"]+/, '$&/x'),
    );
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await fields(page)).toEqual({ psgc_code: '0405805015', psgc_label: '0405805015' });
  });

  it('is disabled with its fieldset, and sends nothing then', async () => {
    const page = await open(0, (html) => html.replace(/<psgc-address.+/, '<fieldset disabled>$&</fieldset>'));
    expect([await field(page).isDisabled(), await fields(page)]).toEqual([true, {}]);
    await page.evaluate(() => document.querySelector('fieldset')?.removeAttribute('disabled'));
    expect(await field(page).isDisabled()).toBe(false);
  });

  it('is restored when somebody comes back', async () => {
    const page = await open(0);
    await field(page).fill('san isidro, cai');
    await page.getByRole('option').first().click();
    await page.evaluate(() => document.querySelector('form')?.requestSubmit());
    await page.getByText('Thanks').waitFor();
    await page.goBack();
    await expect.poll(() => field(page).inputValue()).toBe('San Isidro, Cainta, Rizal');
    expect(await fields(page)).toMatchObject({ psgc_code: '0405805015' });
  });

  it('asks when typing pauses, and drops answers that come late', async () => {
    const page = await open(0);
    const asked: string[] = [];
    await page.route('**/v1/suggest**', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? '';
      asked.push(q);
      if (q === 'lah') await sleep(1000);
      await route.fallback().catch(() => undefined);
    });
    await field(page).pressSequentially('lah');
    await expect.poll(() => asked).toEqual(['lah']);
    await field(page).pressSequentially('ug, cebu');
    await page.getByRole('option', { name: 'Lahug, Cebu City, Cebu' }).waitFor();
    const before = await page.getByRole('option').allTextContents();
    await sleep(1200);
    expect([await page.getByRole('option').allTextContents(), asked]).toEqual([before, ['lah', 'lahug, cebu']]);
    // What was answered is not asked again.
    await field(page).press('Backspace');
    await expect.poll(() => asked.length).toBe(3);
    await field(page).press('u');
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(before);
    expect(asked.length).toBe(3);
  });

  it('does not ask while a word is composed', async () => {
    const page = await open(0);
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/v1/') && asked.push(request.url()));
    await field(page).focus();
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'lahug', selectionStart: 5, selectionEnd: 5 });
    await sleep(400);
    expect([await field(page).inputValue(), asked]).toEqual(['lahug', []]);
    await session.send('Input.insertText', { text: 'lahug' });
    await page.getByRole('option').first().waitFor();
    expect(asked.length).toBe(1);
  });

  it.each<[string, Parameters<Route['fulfill']>[0] | undefined, string]>([
    [
      'the limit is used up',
      { status: 429, headers: { 'Retry-After': '7' }, json: {} },
      'Too many requests. Wait 7 seconds.',
    ],
    ['the service fails', { status: 503, json: { message: 'Internal' } }, 'The service is not available.'],
    ['the request is refused', { status: 401, json: { message: 'The key is revoked.' } }, 'The key is revoked.'],
    ['there is no connection', undefined, 'No connection.'],
  ])('says that %s, and tries again', async (_, answer, sentence) => {
    const page = await open(0);
    const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' };
    const refuse = (route: Route) =>
      answer ? route.fulfill({ ...answer, headers: { ...headers, ...answer.headers } }) : route.abort();
    await page.route('**/v1/suggest**', refuse);
    await field(page).fill('lahug');
    await expect.poll(() => said(page)).toBe(sentence);
    expect(await seriousFaults(page, 'form')).toEqual([]);
    await page.unroute('**/v1/suggest**', refuse);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('sends no request, and no key, where others could read it', async () => {
    const page = await open(0, (html) => html.replace(origin, 'http://geo.example" api-key="secret'));
    await field(page).fill('lahug');
    await expect.poll(() => said(page)).toBe('base-url must be https.');
  });

  it('fits a phone, dark and light', async () => {
    const page = await open(0, undefined, { ...PHONE, colorScheme: 'dark' });
    await field(page).fill('san isidro');
    await page.getByRole('option').first().waitFor();
    expect(await seriousFaults(page, 'form')).toEqual([]);
    await keepPicture(page, 'address-390');
  });
});

describe('the drop-downs', () => {
  const choose = async (page: Page, label: string, text: string) => {
    const select = page.getByLabel(label, { exact: true });
    await select.getByText(text, { exact: true }).waitFor({ state: 'attached' });
    await select.selectOption(text);
  };
  const REST = ['City or municipality', 'Barangay'] as const;

  it('lead from the region to the barangay, and send what the field sends', async () => {
    const page = await open(1);
    expect(await page.getByRole('group', { name: 'Home' }).count()).toBe(1);
    await choose(page, 'Region', 'Region IV-A (CALABARZON)');
    await choose(page, 'Province', 'Rizal');
    await page.getByRole('button', { name: 'Register' }).click();
    expect([sent, await said(page)]).toEqual([[], 'Choose a barangay from the list.']);
    await choose(page, REST[0], 'Cainta');
    await choose(page, REST[1], 'San Isidro');
    await expect.poll(() => isValid(page)).toBe(true);
    expect(await seriousFaults(page, 'form')).toEqual([]);
    await keepPicture(page, 'address-cascade');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Thanks').waitFor();
    const named = Object.entries(SAN_ISIDRO).map(([name, value]) => [name.replace('psgc', 'home'), value]);
    expect(sent.map((body) => Object.fromEntries(body))).toEqual([Object.fromEntries(named)]);
  });

  it('have all barangays of a city that lies in no province', async () => {
    const page = await open(1);
    await choose(page, 'Region', 'National Capital Region (NCR)');
    await choose(page, REST[0], 'City of Manila');
    await choose(page, REST[1], 'Barangay 905');
    await expect.poll(() => fields(page)).toMatchObject({ home_municity: '1380600000' });
    expect(await page.getByLabel('Province').isVisible()).toBe(false);
    expect(await page.getByLabel('Barangay').locator('option').count()).toBe(898);
  });

  it('have cities that lie in another region, and a place that is chosen at first', async () => {
    const page = await open(1, (html) => html.replace('required', 'level="municity" value="0990101000"'));
    await choose(page, 'Region', 'Region IX (Zamboanga Peninsula)');
    await choose(page, 'Province', 'Independent city');
    await choose(page, REST[0], 'City of Isabela');
    await expect.poll(() => fields(page)).toMatchObject({ home_code: '0990101000', home_region: '0900000000' });
  });

  it('show a code and stay within an area', async () => {
    const page = await open(1, (html) => html.replace('required', 'value="0405805015" within="0405800000"'));
    const barangay = page.getByLabel('Barangay');
    await expect.poll(() => barangay.locator('option:checked').textContent()).toBe('San Isidro');
    expect(await Promise.all(['Region', 'Province'].map((it) => page.getByLabel(it).isDisabled()))).toEqual([
      true,
      true,
    ]);
    await barangay.selectOption('');
    expect([await fields(page), await isValid(page)]).toEqual([{}, false]);
  });
});

it('the check of a code on a server answers with all that contains it', async () => {
  const [, address = ''] = /^curl '([^']+)'$/m.exec(blocks[2] ?? '') ?? [];
  const { data } = (await (await fetch(address)).json()) as { data: Record<string, { name: string }> };
  expect([data.province?.name, data.municity?.name]).toEqual(['Rizal', 'Cainta']);
  expect((await fetch(address.replace('0405805015', '0405805999'))).status).toBe(404);
});
