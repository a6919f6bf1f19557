import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, pixelsOf, saved, tabsOf, widthOf } from './support/chromium.ts';
import { newSession } from './support/dashboard.ts';
import { closeDialog, openPicture, savedPicture, waitForCoarseMap, waitForMap } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);
const bearer = { Authorization: `Bearer ${masterToken}` };

/** Another site, which shows what is pasted into it. */
let html = '';
const server = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  const head =
    '<title>A report</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">';
  response.end(`<!doctype html><html lang="en">${head}<body style="margin: 0"><h1>Cases</h1>${html}</body></html>`);
});
let site = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Uploads a table of provinces as it is typed, with a number for each but one, which becomes a dataset of their areas. */
async function newProvinces(
  token = masterToken,
  column = 'cases',
): Promise<{ id: string; count: number; provinces: string[] }> {
  const { data: provinces } = (await (await fetch(`${origin}/v1/provinces?limit=100`)).json()) as {
    data: { name: string }[];
  };
  const rows = provinces.map(({ name }, index) =>
    [name, index === 0 ? '' : `"${(900 + 37 * index).toLocaleString('en')}"`, (index % 9) - 4].join(),
  );
  const bearer = { Authorization: `Bearer ${token}` };
  const form = new FormData();
  form.set('file', new Blob([[`Province,${column},change`, ...rows].join('\n')]), 'cases.csv');
  const uploaded = await fetch(`${origin}/v1/datasets/upload`, { method: 'POST', headers: bearer, body: form });
  const { data } = (await uploaded.json()) as { data: { id: string } };
  const init = { method: 'PATCH', headers: { ...bearer, 'Content-Type': 'application/json' } };
  await fetch(`${origin}/v1/datasets/${data.id}`, { ...init, body: '{"visibility":"everyone","name":"Cases"}' });
  return { id: data.id, count: provinces.length, provinces: provinces.map(({ name }) => name) };
}

async function openDataset(id: string, query = '', options?: BrowserContextOptions, key = masterToken) {
  const tab = await newTab({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  await tab.page.addInitScript((token) => sessionStorage.setItem('token', token), key);
  await tab.page.goto(`/explore#/datasets/${id}${query}`);
  await waitForMap(tab.page, id);
  return tab;
}

/** Opens a page of the other site with what is pasted into it. */
async function openSite(pasted: string, options?: BrowserContextOptions) {
  const tab = await newTab(options);
  html = pasted;
  await tab.page.goto(site);
  const frame = tab.page.frames()[1] as Frame;
  await frame.locator('#map[data-drawn="true"]').waitFor({ state: 'attached' });
  const problems = () => tab.problems.filter((problem) => !problem.startsWith(`left the origin: ${site}`));
  return { ...tab, frame, problems };
}

const legend = (page: Frame | Page) => page.locator('#legend li').allTextContents();
/** What the colours show, and what is counted. */
const head = (page: Frame | Page) => page.locator('#legend .legend-head').textContent();
/** The colours of the classes, without that of features without a value, which is hatched. */
const swatches = (page: Frame | Page) => page.locator('#legend .swatch:not(.hatched, .grey)').evaluateAll(backgrounds);
const backgrounds = (all: Element[]) => all.map((it) => getComputedStyle(it).backgroundColor);

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not to be seen.');
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

/** Chooses an option with the keyboard. */
async function choose(field: Locator, option: string): Promise<void> {
  await field.focus();
  await field.page().keyboard.type(option);
}

describe('a choropleth', () => {
  it.each([
    ['1280', {}],
    ['390', { ...PHONE, colorScheme: 'dark' as const }],
  ])(
    'is made of a dataset with the keyboard, drawn as its legend says, printed and embedded: %s',
    async (width, options) => {
      const { id, count } = await newProvinces();
      const { page, problems } = await openDataset(id, '', options);
      // The first column of amounts has colours by itself, under the name of the dataset. Metro Manila is no province.
      await expect.poll(() => legend(page)).toHaveLength(6);
      expect(new URL(page.url()).hash).toBe(`#/datasets/${id}?color=cases`);
      expect(await page.locator('#legend h2').textContent()).toBe('Cases');
      expect(await head(page)).toBe('cases areas');
      expect(await page.locator('#legend .no-data').textContent()).toBe('Not in the data');
      expect(await page.locator('#credit').textContent()).toMatch(/^Areas: Philippine Statistics/);
      await choose(page.getByLabel('Colour by'), 'Nothing');
      await page.locator('#legend').waitFor({ state: 'hidden' });
      await page.reload();
      await waitForMap(page, id);
      expect(await page.locator('#legend').isVisible()).toBe(false);
      await choose(page.getByLabel('Colour by'), 'cases');
      await expect.poll(() => legend(page)).toHaveLength(6);
      await page.getByRole('radio', { name: 'By residents' }).press('Space');
      await expect.poll(() => head(page)).toBe('cases per 1,000 residents areas');
      expect(await page.getByRole('radio', { name: 'Per 1,000 residents' }).isChecked()).toBe(true);
      await page.getByText('without highly urbanised cities').waitFor();
      // The table has the rate beside the number, under the title of the legend.
      const headings = page.locator('.own-table thead th');
      await expect.poll(async () => (await headings.allTextContents())[3]).toBe('cases per 1,000 residents');
      const cells = await page.locator('.own-table tr[aria-rowindex="3"] td').allTextContents();
      expect([cells[2], Number(cells[3]) > 0]).toEqual(['937', true]);
      await page.getByText('Classes and colours').press('Enter');
      await choose(page.getByRole('combobox', { name: 'Classes', exact: true }), 'Natural');
      await choose(page.getByRole('combobox', { name: 'How many' }), '4');
      await page.getByRole('radio', { name: 'Oranges' }).press('Space');
      await page.getByText('Title, source, notes and labels').press('Enter');
      for (const [label, text] of [
        ['Title', 'Cases <b>by province</b>'],
        ['Source', 'Survey of 2024'],
        ['Notes', 'One province did not report.'],
        ['Label of no value', 'No report'],
      ] as const) {
        await page.getByLabel(label, { exact: true }).fill(text);
        await page.keyboard.press('Tab');
      }
      await expect.poll(() => legend(page)).toHaveLength(5);
      await expect.poll(async () => (await legend(page)).at(-1)).toBe('No report 1');
      // In the order in which a map is made: the column, classes, colours, texts, labels, and then what is looked for in it.
      const asked = page.locator('.own-choices label, .own-symbology :is(legend, summary), .own-filter label');
      expect(await asked.evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent))).toEqual([
        ...['Colour by', 'Numbers', 'Classes and colours', 'Colours from low to high'],
        ...['Colours to both sides of a middle', 'Title, source, notes and labels', 'Find in the rows', 'Filter by'],
      ]);
      const written = page.locator('.own-symbology details', { hasText: 'Title, source' }).locator('label');
      expect(await written.evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent))).toEqual([
        ...['Title', 'Subtitle', 'Source', 'Notes'],
        ...[...[1, 2, 3, 4].map((place) => `Label of class ${place}`), 'Label of no value'],
        ...['Label of land not chosen', 'Label of land not in the data', 'Word for what is counted'],
      ]);
      expect(await page.locator('#legend h2').textContent()).toBe('Cases <b>by province</b>');
      // The map has one title. On a phone the legend, at the head of the panel, has it.
      expect(await page.locator('h1').textContent()).toBe('Cases <b>by province</b>');
      expect(await page.locator('#kind').textContent()).toMatch(/^Cases · .+ areas$/);
      const isSeen = ((await page.locator('h1').boundingBox())?.width ?? 0) > 1;
      expect(isSeen).toBe(width === '1280');
      // No choice is cut, and each scheme has its name beside it.
      const cut = await page.locator('.own-symbology select').evaluateAll((all) =>
        all.flatMap((select) => {
          const free = select.cloneNode(true) as HTMLSelectElement;
          free.style.cssText = 'position: absolute; width: auto';
          select.after(free);
          const needed = free.offsetWidth;
          free.remove();
          return needed > (select as HTMLSelectElement).offsetWidth ? [select.parentElement?.textContent] : [];
        }),
      );
      expect(cut).toEqual([]);
      const names = await page
        .locator('.own-schemes label > span:last-child')
        .evaluateAll((all) =>
          all.map((it) => [
            it.textContent,
            it.getBoundingClientRect().width > 20 && it.scrollWidth <= it.clientWidth + 1,
          ]),
        );
      expect(names).toHaveLength(8);
      expect(names.filter(([name, isWhole]) => !name || isWhole === false)).toEqual([]);
      expect(await page.locator('#legend .words').allTextContents()).toEqual([
        ...['One province did not report.', 'Source: Survey of 2024'],
      ]);
      await waitForMap(page, id);
      const colors = await swatches(page);
      const light = ['rgb(254, 237, 222)', 'rgb(253, 190, 133)', 'rgb(253, 141, 60)', 'rgb(217, 71, 1)'];
      // What stands out on a dark map is bright.
      const dark = light.toReversed();
      expect(colors).toEqual('colorScheme' in options ? dark : light);
      expect(await page.locator('.own-schemes label:has(:checked) .toned').evaluateAll(backgrounds)).toEqual(colors);
      const shown = await page.locator('#map canvas').screenshot();
      for (const pixels of await pixelsOf(page, shown, colors)) expect(pixels).toBeGreaterThan(20);
      expect(await widthOf(page)).toBe(Number(width));
      expect(await seriousFaults(page)).toEqual([]);
      await keepPicture(page, `choropleth-${width}`);
      // The legend has the source already.
      expect(await page.locator('#credit').textContent()).toMatch(/^Areas: (?!.*Survey)/);

      await page.getByRole('button', { name: 'Copy link' }).press('Enter');
      await page.getByText('Copied: the address').waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(new URL(link).hash).toMatch(/rate=population&method=natural&classes=4&scheme=Oranges.*bbox=/);

      await openPicture(page);
      expect(await page.getByLabel('Size').inputValue()).toBe('portrait');
      expect(await seriousFaults(page)).toEqual([]);
      await keepPicture(page, `choropleth-sheet-${width}`);
      const { download, bytes: png } = await saved(page, 'PNG');
      expect(download.suggestedFilename()).toBe('Cases b by province b.png');
      // A4 at 300 dots per inch.
      expect([16, 20].map((at) => png.readUInt32BE(at)).sort()).toEqual([2481, 3509]);
      for (const pixels of await pixelsOf(page, png, colors)) expect(pixels).toBeGreaterThan(200);
      await choose(page.getByLabel('Size'), 'Slide');
      const subtitle = page.getByRole('dialog').getByLabel('Subtitle');
      await subtitle.fill('Per 1,000 residents');
      await page.keyboard.press('Tab');
      const { bytes } = await saved(page, 'SVG');
      await closeDialog(page);
      expect(bytes.toString()).toContain('width="1280" height="720"');
      // What is written on the sheet stands on the map too.
      await expect.poll(() => page.url()).toContain('subtitle=Per+1%2C000+residents');
      await expect.poll(() => page.locator('#legend .words').first().textContent()).toBe('Per 1,000 residents');
      const svg = bytes.toString();
      for (const words of [
        'Cases &lt;b&gt;by province',
        'Source: Survey of 2024',
        'Per 1,000 residents',
        'No report',
        'Not in the data',
        'Philippine Statistics',
      ])
        expect([words, svg.includes(words)]).toEqual([words, true]);
      expect(svg.match(/<path /g)?.length).toBeGreaterThan(count - 5);
      // A picture lies on white paper, so it has the colours of a light map.
      const inLegend = [...svg.matchAll(/ fill="(#[0-9a-f]{6})" stroke="#5b6367" stroke-width="0.5"/g)];
      expect(inLegend.slice(0, 4).map(([, color]) => color)).toEqual(['#feedde', '#fdbe85', '#fd8d3c', '#d94701']);

      let load = () => {};
      const isWanted = new Promise<void>((resolve) => {
        load = resolve;
      });
      await page.route(/\/embed([#?]|$)/, async (route) => {
        await isWanted;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Embed', exact: true }).press('Enter');
      const field = page.getByLabel('HTML to paste into a page');
      const line = await field.inputValue();
      await field.focus();
      expect(await field.evaluate((it) => it.scrollTop)).toBe(0);
      const wait = page.getByText('Loading the preview…');
      await wait.waitFor();
      load();
      await wait.waitFor({ state: 'detached' });
      expect(await seriousFaults(page)).toEqual([]);
      expect(problems).toEqual([]);

      const other = await openSite(line, options);
      expect(await other.frame.locator('h1').textContent()).toBe('Cases <b>by province</b>');
      expect(await legend(other.frame)).toEqual(await legend(page));
      expect(await other.frame.locator('#legend').textContent()).toContain('Source: Survey of 2024');
      expect(await other.frame.locator('#subtitle').textContent()).toBe('Per 1,000 residents');
      expect(await other.frame.locator('#legend .words').count()).toBe(2);
      expect(await other.frame.locator('#sources').textContent()).toMatch(/^Areas: (?!.*Survey)/);
      expect(await swatches(other.frame)).toEqual(light);
      const [map, beside] = await Promise.all(['#map', '.side'].map((part) => boxOf(other.frame.locator(part))));
      expect((map?.right ?? 0) <= (beside?.left ?? 0) || (map?.bottom ?? 0) <= (beside?.top ?? 0)).toBe(true);
      const embedded = await other.frame.locator('#map canvas').screenshot();
      for (const pixels of await pixelsOf(other.page, embedded, colors)) expect(pixels).toBeGreaterThan(5);
      expect(await seriousFaults(other.frame)).toEqual([]);
      await keepPicture(other.page, `choropleth-embed-${width}`);
      const inDark = await openSite(line.replace('theme=light', 'theme=dark'));
      expect(await swatches(inDark.frame)).toEqual(dark);
      const darkMap = await inDark.frame.locator('#map canvas').screenshot();
      for (const pixels of await pixelsOf(inDark.page, darkMap, dark)) expect(pixels).toBeGreaterThan(5);
      await keepPicture(inDark.page, `choropleth-embed-dark-${width}`);
      expect([...other.problems(), ...inDark.problems()]).toEqual([]);

      // The link shows the same again, in another tab.
      const again = await openDataset(id, new URL(link).hash.replace(`#/datasets/${id}`, ''), options);
      expect(await legend(again.page)).toEqual(await legend(page));
      expect(await again.page.getByRole('radio', { name: 'Per 1,000 residents' }).isChecked()).toBe(true);
    },
  );

  it('names what the pointer is over above its legend, and nothing where a finger is', async () => {
    const { id } = await newProvinces();
    const { page, problems } = await openDataset(id, '?color=cases');
    const [map, legendBox] = await Promise.all(['#map', '#legend'].map((part) => boxOf(page.locator(part))));
    if (!map || !legendBox) throw new Error('There is no map.');
    const hint = page.locator('#hover');
    const seen: string[] = [];
    // Just beyond the middle of the map the words stand to the left of the pointer, where the legend is.
    for (let y = legendBox.top + 10; y < legendBox.bottom - 40; y += 8) {
      await page.mouse.move((map.left + map.right) / 2 + 3, y);
      await page.mouse.move((map.left + map.right) / 2 + 4, y);
      if (!(await hint.isVisible())) continue;
      await hint.evaluate((it) => {
        it.style.minWidth = '250px';
      });
      await page.mouse.move((map.left + map.right) / 2 + 3, y);
      const box = await boxOf(hint);
      if (box.left >= legendBox.right) continue;
      seen.push(
        await hint.evaluate((it) => {
          it.style.pointerEvents = 'auto';
          const { left, top, height } = it.getBoundingClientRect();
          return document.elementFromPoint(left + 8, top + height / 2)?.id ?? '';
        }),
      );
      break;
    }
    expect(seen).toEqual(['hover']);
    const phone = await openDataset(id, '?color=cases', PHONE);
    const marked = phone.page.locator('.own-feature h2');
    const there = await boxOf(phone.page.locator('#map'));
    for (let y = 220; y < 480 && (await marked.count()) === 0; y += 12) {
      await phone.page.touchscreen.tap((there.left + there.right) / 2, y);
      await phone.page.waitForTimeout(150);
      expect(await phone.page.locator('#hover').isVisible()).toBe(false);
    }
    // What is marked has its name.
    expect(await marked.textContent()).not.toMatch(/^(Marked row)?$/);
    expect([...problems, ...phone.problems]).toEqual([]);
  });

  it('has two sides around a middle, and breaks of the author', async () => {
    const { id } = await newProvinces();
    const { page, problems } = await openDataset(id, '?color=change&method=own&breaks=-1,2&scheme=RdBu');
    expect((await legend(page)).map((text) => text.replace(/ \d+$/, ''))).toEqual([
      'under −1',
      '−1 to under 2',
      '2 to 4',
    ]);
    expect(await swatches(page)).toEqual(['rgb(239, 138, 98)', 'rgb(255, 255, 191)', 'rgb(103, 169, 207)']);
    await page.getByText('Classes and colours').click();
    const middle = page.getByRole('spinbutton', { name: 'Middle' });
    expect(await middle.getAttribute('placeholder')).toBe('0');
    await middle.fill('5');
    await page.keyboard.press('Tab');
    await expect.poll(() => swatches(page)).toHaveLength(3);
    await expect.poll(async () => (await swatches(page))[2]).not.toBe('rgb(103, 169, 207)');
    // Beside its name each scheme has the colours that the map has.
    const strip = page.locator('.own-schemes label:has(:checked) .toned');
    expect(await strip.evaluateAll(backgrounds)).toEqual(await swatches(page));
    await page.getByRole('textbox', { name: 'Breaks' }).fill('0, abc');
    await page.keyboard.press('Tab');
    await expect.poll(() => legend(page)).toHaveLength(2);
    await page.getByText('“abc” is no number and is left out.').waitFor();
    await page.getByRole('radio', { name: 'Per km²' }).check();
    await expect.poll(() => head(page)).toBe('change per km² areas');
    expect(problems).toEqual([]);
  });

  it('shows only the chosen classes of a rate, and its numbers on the areas, here, in pictures and embedded', async () => {
    const { id, count, provinces } = await newProvinces();
    const { page, problems } = await openDataset(id, '?color=cases&rate=area&classes=3');
    const status = page.locator('.own-status');
    await expect.poll(() => legend(page)).toHaveLength(4);
    const classes = page.locator('#legend button');
    const sizes = (await legend(page)).map((text) => Number(/\d+$/.exec(text)));
    expect(sizes[3]).toBe(1);
    const colors = await swatches(page);
    const pixels = async () => pixelsOf(page, await page.locator('#map canvas').screenshot(), colors);
    const [all1 = 0, all2 = 0, all3 = 0] = await pixels();
    await classes.nth(0).press('Enter');
    await expect.poll(() => status.textContent()).toBe(`${sizes[0]} of ${count} listed`);
    await waitForMap(page, id);
    // The legend, which lies over the map, has all colours still.
    const [of1 = 0, of2 = 0, of3 = 0] = await pixels();
    expect([of1 > all1 / 2, of2 < all2 / 4, of3 < all3 / 4]).toEqual([true, true, true]);
    await classes.nth(3).press('Enter');
    await expect.poll(() => status.textContent()).toBe(`${(sizes[0] ?? 0) + 1} of ${count} listed`);
    await expect
      .poll(() => classes.evaluateAll((all) => all.map((it) => it.ariaPressed)))
      .toEqual(['true', 'false', 'false', 'true']);
    await page.getByText('Classes and colours').click();
    const box = page.getByRole('checkbox', { name: 'Values on the areas' });
    await box.check();
    await page.getByText(/^\d+ of \d+ have room at this zoom\. Zoom in for the rest\.$/).waitFor({ state: 'attached' });
    await box.uncheck();
    await waitForMap(page, id);
    // Names and numbers stand on areas that have room for them, as one does that fills the map.
    const whole = (await savedPicture(page, 'SVG')).bytes.toString();
    // The first has no value.
    await page.locator('.own-table tbody tr:not([aria-hidden])').nth(1).click();
    await waitForMap(page, id);
    const plain = (await savedPicture(page, 'SVG')).bytes.toString();
    await box.check();
    await waitForMap(page, id);
    expect(new URL(page.url()).hash).toMatch(/&values=true&.*shown=1%2C4$/);
    await keepPicture(page, 'choropleth-values');
    const svg = (await savedPicture(page, 'SVG')).bytes.toString();
    const labelsIn = (text: string) => [...text.matchAll(/<text x[^>]*>([^<]*)<\/text>/g)].map(([, one = '']) => one);
    const names = [...labelsIn(whole), ...labelsIn(plain)];
    expect(labelsIn(plain).length).toBeGreaterThan(0);
    expect(names.filter((name) => !provinces.includes(name))).toEqual([]);
    // The numbers are those of the class, with three digits at most.
    const [least = 0, most = 0] = (/^(\S+) to (?:under )?(\S+)/.exec((await legend(page))[0] ?? '') ?? [])
      .slice(1)
      .map(Number);
    // The area without a value has its name alone.
    const numbers = labelsIn(svg)
      .filter((label) => !provinces.includes(label))
      .map((label) => Number(label.replaceAll(',', '')));
    expect(numbers.length).toBeGreaterThan(0);
    for (const one of numbers) expect([one, one >= least && one <= most]).toEqual([one, true]);
    expect(await seriousFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const { frame, problems: others } = await openSite(await page.getByLabel('HTML to paste into a page').inputValue());
    expect(await legend(frame)).toEqual(await legend(page));
    const inFrame = await pixelsOf(page, await frame.locator('#map canvas').screenshot(), colors);
    expect(inFrame.map((pixels) => pixels > 5)).toEqual([true, false, false]);
    await closeDialog(page);

    // Other classes have other areas.
    await choose(page.getByRole('combobox', { name: 'How many' }), '4');
    await expect.poll(() => status.textContent()).toBe(`${count} listed`);
    expect([...problems, ...others()]).toEqual([]);
  });

  it('has what colours it beside the names in its table, whose headings are whole', async () => {
    const column = 'bilang ng mga mahihirap na pamilya sa lalawigan';
    const { id, provinces } = await newProvinces(masterToken, column);
    for (const width of [1280, 390]) {
      const { page } = await openDataset(id, '?color=change', { viewport: { width, height: 844 } });
      const headings = page.locator('.own-table thead th');
      expect((await headings.allTextContents()).slice(0, 4)).toEqual(['Row', 'Province', 'change', column]);
      const [table, change] = await Promise.all([
        page.locator('.own-table').boundingBox(),
        headings.nth(2).boundingBox(),
      ]);
      const end = (box: typeof table) => (box?.x ?? 0) + (box?.width ?? 0);
      expect(end(change)).toBeLessThanOrEqual(end(table));
      const cut = await page
        .locator('.own-table th')
        .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
      expect(cut).toBe(0);
      await choose(page.getByLabel('Colour by'), column);
      await expect
        .poll(async () => (await headings.allTextContents()).slice(1, 4))
        .toEqual(['Province', column, 'change']);
      // So is what the colours show.
      expect(await head(page)).toBe(`${column} areas`);
      // Without the others, their land is said to be not chosen.
      await page.getByLabel('Find in the rows').fill(provinces[1] ?? '');
      await expect.poll(() => page.locator('#legend .no-data').textContent()).toBe('Not chosen');
      await page.getByLabel('Find in the rows').fill('');
      await expect.poll(() => page.locator('#legend .no-data').textContent()).toBe('Not in the data');
      const first = page.locator('.own-table tr[aria-rowindex="3"] td');
      expect((await first.allTextContents()).slice(1, 4)).toEqual([provinces[1], '937', '−3']);
      await keepPicture(page, `choropleth-table-${width}`);
    }
  });

  it('is kept with its dataset by its owner, and shown so without a word in the address', async () => {
    const session = await newSession(origin, `${crypto.randomUUID()}@example.com`);
    const { id } = await newProvinces(session);
    const { page, problems } = await openDataset(
      id,
      '?color=cases&rate=area&classes=3&scheme=Purples&title=Kept',
      {},
      session,
    );
    await expect.poll(() => legend(page)).toHaveLength(4);
    const kept = await legend(page);
    await page.getByRole('button', { name: 'Keep this style' }).press('Enter');
    await page.getByText('Saved: links and embeds').waitFor();
    const plain = `#/datasets/${id}`;
    expect(new URL(page.url()).hash).toBe(plain);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const line = await page.getByLabel('HTML to paste into a page').inputValue();
    expect(line).toContain(`/embed${plain}?theme=light"`);
    const { frame, problems: others } = await openSite(line);
    expect(await frame.locator('h1').textContent()).toBe('Kept');
    expect(await legend(frame)).toEqual(kept);
    // Another reader, without a key.
    const reader = await newTab();
    await reader.page.goto(`/explore${plain}`);
    await waitForCoarseMap(reader.page, id);
    expect(await legend(reader.page)).toEqual(kept);
    expect(await reader.page.getByRole('button', { name: 'Keep this style' }).count()).toBe(0);
    // An address that says what the colours show says all of the style.
    await reader.page.goto(`/explore${plain}?color=change`);
    await expect.poll(() => legend(reader.page)).toHaveLength(5);
    expect(new URL(reader.page.url()).hash).toBe(`${plain}?color=change`);
    expect([...problems, ...others(), ...reader.problems]).toEqual([]);
  });

  it('has the colours of the other scheme at once when the device turns dark, and on paper those of the screen', async () => {
    const { id } = await newProvinces();
    const { page, problems } = await openDataset(id, '?color=cases');
    const light = await swatches(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => swatches(page)).toEqual(light.toReversed());
    await waitForMap(page, id);
    const hatched = page.locator('#legend .hatched');
    expect(await hatched.evaluateAll(backgrounds)).toEqual(['rgb(90, 98, 103)']);
    const canvas = await page.locator('#map canvas').screenshot();
    const [missing, ...pixels] = await pixelsOf(page, canvas, ['rgb(90, 98, 103)', ...light]);
    expect(missing).toBeGreaterThan(5);
    for (const each of pixels) expect(each).toBeGreaterThan(20);
    // The map on paper is that of the screen.
    await page.emulateMedia({ media: 'print' });
    expect(await swatches(page)).toEqual(light.toReversed());
    await page.emulateMedia({ media: null, colorScheme: 'light' });
    await expect.poll(() => swatches(page)).toEqual(light);
    expect(problems).toEqual([]);
  });

  it('is printed with its legend, and the table is taken as a workbook', async () => {
    const { id, count } = await newProvinces();
    const { page, problems } = await openDataset(id, '?color=cases&title=All+cases&subtitle=By+province&source=Survey');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    for (const part of ['.map-on-paper', '#legend', '#credit', '#title'])
      expect([part, await page.locator(part).isVisible()]).toEqual([part, true]);
    for (const part of ['#bar', '.own-table', '.own-symbology'])
      expect([part, await page.locator(part).isVisible()]).toEqual([part, false]);
    // The title stands once, with the subtitle of the author below it in place of what the page says of the dataset.
    const below = await page.locator('#kind').evaluate((it) => getComputedStyle(it, '::after').content);
    expect(below).toBe('"By province"');
    expect((await page.locator('#kind').boundingBox())?.height).toBeLessThan(30);
    expect(await page.locator('h1').textContent()).toBe('All cases');
    for (const part of ['#legend h2', '#legend .subtitle'])
      expect([part, await page.locator(part).count(), await page.locator(part).isVisible()]).toEqual([part, 1, false]);
    const colors = await swatches(page);
    const picture = await page.locator('.map-on-paper').screenshot();
    for (const pixels of await pixelsOf(page, picture, colors)) expect(pixels).toBeGreaterThan(20);
    const [map, key] = await Promise.all(['.map-on-paper', '#legend'].map((part) => boxOf(page.locator(part))));
    expect(key?.top).toBeGreaterThanOrEqual(map?.bottom ?? 0);
    await keepPicture(page, 'choropleth-print');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: null });
    expect(await page.locator('.map-on-paper').count()).toBe(0);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    for (const [name, fileName] of [
      ['Excel', 'Cases.xlsx'],
      ['Shapefile', 'Cases.shp.zip'],
      [`Excel, the ${count} listed rows`, 'Cases.xlsx'],
    ] as const) {
      const { bytes, download } = await saved(page, name);
      expect([name, download.suggestedFilename(), bytes.subarray(0, 2).toString()]).toEqual([name, fileName, 'PK']);
    }
    expect(problems).toEqual([]);
  });
});

describe('points', () => {
  it('are counted by provinces, in the explorer and on other sites', async () => {
    const { data } = (await (await fetch(`${origin}/v1/provinces?limit=2`)).json()) as {
      data: { name: string; centroid: [number, number] }[];
    };
    const features = data.flatMap(({ centroid }, index) =>
      Array.from({ length: 3 + index }, () => ({
        geom: { type: 'Point', coordinates: centroid },
        properties: { a: 1 },
      })),
    );
    features.push({ geom: { type: 'Point', coordinates: [90, 0] }, properties: { a: 1 } });
    const created = await fetch(`${origin}/v1/datasets`, {
      method: 'POST',
      headers: { ...bearer, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Wells', visibility: 'everyone', features }),
    });
    const { id } = ((await created.json()) as { data: { id: string } }).data;
    const first = await newTab();
    // The map of MapLibre comes after the first map, which has no colours that a legend would not explain.
    const seen = Promise.withResolvers<void>();
    await first.page.route('**/map-*.js', async (route) => {
      await seen.promise;
      await route.continue();
    });
    await first.page.goto(`/explore#/datasets/${id}`, { waitUntil: 'commit' });
    const regions = first.page.locator('#first-map [data-level]');
    await regions.first().waitFor({ state: 'attached' });
    const fills = await regions.evaluateAll((paths) => [...new Set(paths.map((path) => getComputedStyle(path).fill))]);
    expect(fills).toEqual(['rgb(228, 226, 220)']);
    seen.resolve();
    await first.page.close();

    const { page, problems } = await openDataset(id);
    await page.getByLabel('Count points in').selectOption('Provinces');
    await page.getByText('The map counts by detailed boundaries. Outside of them: 1.').waitFor();
    expect(await page.locator('#kind').textContent()).toBe('Public dataset, 8 points (1 in no area)');
    expect(await page.locator('.far-away').textContent()).toBe('1 feature lies far outside of the Philippines. ');
    await expect.poll(() => legend(page)).toEqual(['0 80', '3 1', '4 1']);
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const line = await page.getByLabel('HTML to paste into a page').inputValue();
    const { frame, problems: others } = await openSite(line);
    expect(await legend(frame)).toEqual(await legend(page));
    // Without a key nobody may ask for exact counts.
    const remark = 'Points are counted by coarse boundaries';
    expect(await frame.locator('#legend').textContent()).toContain(remark);
    expect(await page.locator('#legend').textContent()).not.toContain(remark);
    expect([...problems, ...others()]).toEqual([]);
  });
});

describe('the map of a place', () => {
  it('is drawn, taken as data and embedded without a key', async () => {
    const { page, problems } = await newTab();
    const { data } = (await (await fetch(`${origin}/v1/provinces?limit=1`)).json()) as {
      data: { code: string; name: string }[];
    };
    const [province = { code: '', name: '' }] = data;
    await page.goto(`/explore#/provinces/${province.code}`);
    await waitForCoarseMap(page, province.code);
    const { bytes } = await savedPicture(page, 'SVG');
    expect(bytes.toString()).toContain(`<title>${province.name}</title>`);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    await page.getByRole('button', { name: 'CSV', exact: true }).waitFor();
    const csv = (await saved(page, 'CSV')).bytes.toString();
    const answer = await fetch(`${origin}/v1/municities?province_code=${province.code}&limit=1`);
    const { meta } = (await answer.json()) as { meta: { total: number } };
    expect(csv.trim().split('\r\n')).toHaveLength(meta.total + 1);
    expect((await saved(page, 'Excel')).bytes.subarray(0, 2).toString()).toBe('PK');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    const field = page.getByLabel('HTML to paste into a page');
    await field.waitFor();
    const line = await field.inputValue();
    expect(problems).toEqual([]);
    const { frame, page: other, problems: others } = await openSite(line);
    expect(await frame.locator('h1').textContent()).toBe(province.name);
    expect(await frame.locator('#credit').textContent()).toMatch(/PSA|Philippine Statistics/);
    expect(await seriousFaults(frame)).toEqual([]);
    // Its municipalities are drawn.
    expect(
      await frame.evaluate(
        () => performance.getEntriesByName(`${location.origin}/v1/downloads/overview?level=municity`).length,
      ),
    ).toBe(1);
    await keepPicture(other, 'place-embed');
    expect(others()).toEqual([]);
  });
});
