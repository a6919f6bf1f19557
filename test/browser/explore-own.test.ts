import { readFile } from 'node:fs/promises';
import type { Geometry, Position } from 'geojson';
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

/** The rest of an answer that a page is reading. */
interface Rest {
  arrive(): void;
  breakOff(): void;
}

/**
 * Opens the page at a fragment as if the line were slow: of the features of a dataset only the first half arrives, until
 * the rest is asked for.
 */
async function openSlowly(fragment: string, slow: string) {
  const tab = await newTab();
  await tab.page.addInitScript(
    ([token = '', held = '']) => {
      sessionStorage.setItem('token', token);
      const read = window.fetch;
      window.fetch = async (input, init) => {
        const response = await read(input, init);
        if (!String(input).startsWith(held)) return response;
        const bytes = new Uint8Array(await response.arrayBuffer());
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(bytes.slice(0, bytes.length / 2));
            const rest: Rest = {
              arrive() {
                controller.enqueue(bytes.slice(bytes.length / 2));
                controller.close();
              },
              breakOff: () => controller.error(new TypeError('network error')),
            };
            Object.assign(window, { rest });
          },
        });
        return new Response(body, response);
      };
    },
    [masterToken, `/v1/features/dataset/${slow}`],
  );
  await tab.page.goto(`/explore${fragment}`);
  return tab;
}

/** Waits until half of an answer has arrived. Then the other half arrives, or the line breaks. */
async function end(page: Page, how: keyof Rest): Promise<void> {
  await page.waitForFunction(() => 'rest' in window);
  await page.evaluate((name) => (window as unknown as { rest: Rest }).rest[name](), how);
}

const MARKUP = '<img src=x onerror=alert(1)>';

interface OwnFeature {
  readonly geom: Geometry;
  readonly properties: Record<string, unknown>;
}

/** Creates a dataset and gives its id. */
async function newDataset(name: string, features: readonly OwnFeature[]): Promise<string> {
  const response = await fetch(`${origin}/v1/datasets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, features }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** Creates 400 wells in Cebu; the last has markup in its name. */
function newWells(): Promise<string> {
  const features = Array.from({ length: 400 }, (_, index) => ({
    geom: { type: 'Point' as const, coordinates: [123.7 + (index % 20) / 100, 10.2 + Math.floor(index / 20) / 100] },
    properties: {
      name: index === 399 ? MARKUP : `Well ${index + 1}`,
      kind: index % 4 === 0 ? 'dug' : 'drilled',
      depth_m: index + 1,
    },
  }));
  return newDataset('Wells', features);
}

/** Creates two points beside each other, and two that are far away. */
function newPairs(): Promise<string> {
  const places = [
    [122.5, 9.5, 'south-west'],
    [123.49, 10.5, 'west'],
    [123.51, 10.5, 'east'],
    [124.5, 11.5, 'north-east'],
  ] as const;
  return newDataset(
    'Pairs',
    places.map(([lon, lat, name], index) => wellAt(lon, lat, { name, depth_m: index })),
  );
}

/** The pairs among so many points that those which lie close together cluster. */
function newClusters(): Promise<string> {
  const pair = [123.49, 123.51].map((lon, at) => wellAt(lon, 10.5, { name: ['west', 'east'][at], depth_m: at }));
  const far = Array.from({ length: 2000 }, (_, index) =>
    wellAt(index % 2 ? 122.5 : 124.5, index % 2 ? 9.5 : 11.5, { name: `far ${index}`, depth_m: index }),
  );
  return newDataset('Clusters', [...pair, ...far]);
}

function wellAt(lon: number, lat: number, properties: Record<string, unknown>) {
  return {
    geom: { type: 'Point' as const, coordinates: [lon, lat] },
    properties: { ...properties, Lat: lat, x: String(lon), kind: 7 },
  };
}

/** A square with a line across it, a point on both, and what has no place on a map. Its names are those that break things. */
function newShapes(): Promise<string> {
  const [west, south, east, north] = [123, 10, 124, 11];
  const line = [
    [west, south],
    [east, north],
  ];
  const ring = [line[0], [east, south], line[1], [west, north], line[0]] as Position[];
  return newDataset('Shapes', [
    { geom: { type: 'Polygon', coordinates: [ring] }, properties: { id: 'area', constructor: 1, cluster: true } },
    { geom: { type: 'LineString', coordinates: line as Position[] }, properties: { id: 'line', cluster_id: 7 } },
    { geom: { type: 'Point', coordinates: [123.5, 10.5] }, properties: { id: 'point', feature: { a: [1, 'x'] } } },
  ]);
}

function ringOf(west: number, south: number, east: number, north: number): Position[] {
  const first = [west, south];
  return [first, [east, south], [east, north], [west, north], first];
}

/** How many pixels of a picture are as dark as names: of all of it, and of the last before its right edge. */
function darkPixels(page: Page, picture: Buffer): Promise<{ all: number; right: number }> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const { data = [] } = context?.getImageData(0, 0, image.width, image.height) ?? {};
    const counts = { all: 0, right: 0 };
    for (let at = 0; at < data.length; at += 4) {
      if ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0) > 250) continue;
      counts.all += 1;
      if ((at / 4) % image.width >= image.width - 2) counts.right += 1;
    }
    return counts;
  }, picture.toString('base64'));
}

const legend = (page: Page) => page.locator('#legend li').allTextContents();

type Distance = readonly [right: number, down: number];

/** A place of the page, at a distance from the middle of the free part of the map. */
async function placeBeside(page: Page, [right, down]: Distance, isPhone = false) {
  const boxOf = (id: string) => page.locator(id).boundingBox();
  const [map, bar, panel, credit] = await Promise.all(['#map', '#bar', '#panel', '#credit'].map(boxOf));
  if (!map || !bar || !panel) throw new Error('The page has no map.');
  // A phone has the bar above the map and the panel below it.
  const [top, bottom] = isPhone ? [map.y + bar.height, panel.y] : [map.y, map.y + map.height - (credit?.height ?? 0)];
  return { x: map.x + map.width / 2 + right, y: (top + bottom) / 2 + down };
}

/** A small picture of the map. */
async function pictureBeside(page: Page, distance: Distance): Promise<Buffer> {
  return page.screenshot({ clip: { ...(await placeBeside(page, distance)), width: 8, height: 8 } });
}

async function clickBeside(page: Page, distance: Distance): Promise<void> {
  const { x, y } = await placeBeside(page, distance);
  await page.mouse.click(x, y);
}

async function tapBeside(page: Page, distance: Distance): Promise<void> {
  const { x, y } = await placeBeside(page, distance, true);
  await page.touchscreen.tap(x, y);
}

/** How often tiles of the features were made anew. */
const timesShown = (page: Page) => page.evaluate(() => performance.getEntriesByName('own-features-shown').length);

const facts = async (page: Page) => (await page.locator('.own-feature dd').allTextContents()).sort();
const status = (page: Page) => page.locator('.own-status');

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
    await expect.poll(() => legend(page)).toEqual(['drilled 300', 'dug 100']);
    await page.getByLabel('Colour by').selectOption('depth_m');
    await expect
      .poll(() => legend(page))
      .toEqual(['1 to 80 80', '81 to 160 80', '161 to 240 80', '241 to 320 80', '321 to 400 80']);
    await page.getByLabel('Size by').selectOption('depth_m');
    await page.getByLabel('Find in the rows').fill('well 39');
    await expect.poll(() => status(page).textContent()).toBe('11 of 400 listed');
    await page.getByRole('button', { name: 'Show row 1', exact: true }).press('Enter');
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
    await clickBeside(page, [0, 0]);
    await expect.poll(() => facts(page)).toContain('Well 399');

    await page.getByRole('button', { name: 'Data', exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Wells.csv');
    expect(await readFile(await file.path(), 'utf8')).toContain('Well 399');
    expect(problems).toEqual([]);
  });

  it('opens where most features lie, says how many lie far away, and shows them on request', async () => {
    const here = [0, 1, 2].map((at) => wellAt(123.4 + at / 20, 10.5, { name: `Well ${at}` }));
    const id = await newDataset('Mostly here', [...here, wellAt(-0.1, 51.5, { name: 'London' })]);
    const { page, problems } = await openDataset(id);
    const scale = page.locator('.maplibregl-ctrl-scale');
    await expect.poll(() => scale.textContent()).toMatch(/^\d{1,2}\u00a0km$/);
    const sentence = page.locator('.far-away');
    expect(await sentence.textContent()).toBe('1 feature lies far outside of the Philippines. Show it');
    await sentence.getByRole('button').click();
    await expect.poll(() => scale.textContent()).toMatch(/^\d,?000\u00a0km$/);
    await sentence.getByRole('button', { name: 'Back to the others' }).click();
    await expect.poll(() => scale.textContent()).toMatch(/^\d{1,2}\u00a0km$/);
    expect(await sentence.getByRole('button').textContent()).toBe('Show it');
    const none = await openDataset(await newPairs());
    expect(await none.page.locator('.far-away').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('has no name that is cut by the edge of the map', async () => {
    const ring = ringOf(123, 10, 124, 11);
    const name = 'M'.repeat(20);
    const id = await newDataset('Wide', [{ geom: { type: 'Polygon', coordinates: [ring] }, properties: { name } }]);
    const dark = async (bbox: string) => {
      const { page } = await openDataset(id, `?bbox=${bbox}`);
      // A name fades in.
      await page.waitForTimeout(1000);
      return darkPixels(page, await page.locator('#map canvas').screenshot());
    };
    const inTheMiddle = await dark('122.8,9.8,124.2,11.2');
    expect(inTheMiddle.all).toBeGreaterThan(100);
    const atTheEdge = await dark('121.5,9.8,123.51,11.2');
    expect(atTheEdge.right).toBe(0);
  });

  it('is filtered by its legend and by values, which its address has', async () => {
    const id = await newWells();
    const { page, problems } = await openDataset(id, '?color=kind');
    await page.locator('#legend').getByRole('button', { name: 'dug' }).click();
    await expect.poll(() => status(page).textContent()).toBe('100 of 400 listed');
    await expect.poll(() => legend(page)).toEqual(['drilled 0', 'dug 100']);
    expect(await page.locator('#legend [aria-pressed="true"]').allTextContents()).toEqual(['dug 100']);

    await page.getByLabel('Filter by').selectOption('depth_m');
    await page.getByRole('spinbutton', { name: 'From' }).fill('101');
    await page.getByRole('spinbutton', { name: 'To' }).fill('200');
    await page.keyboard.press('Tab');
    await expect.poll(() => status(page).textContent()).toBe('25 of 400 listed');
    await page.getByLabel('Filter by').selectOption('kind');
    await page.getByRole('checkbox', { name: 'drilled' }).press('Space');
    await expect.poll(() => status(page).textContent()).toBe('100 of 400 listed');
    await waitForMap(page, id);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-own-filters-1280');

    await page.reload();
    await waitForMap(page, id);
    expect(await status(page).textContent()).toBe('100 of 400 listed');
    expect(await legend(page)).toEqual(['drilled 75', 'dug 25']);
    await page.getByRole('button', { name: 'Remove the filter depth_m: 101 to 200' }).press('Enter');
    await expect.poll(() => status(page).textContent()).toBe('400 listed');
    expect(problems).toEqual([]);
  });

  it('says which filters of its address are of no property that it has', async () => {
    const filters = JSON.stringify([
      ['kind', { values: ['dug'] }],
      ['owner', { values: ['x'] }],
    ]);
    const { page, problems } = await openDataset(await newWells(), `?${new URLSearchParams({ filters })}`);
    const sentence = 'The address also filters by owner, a property that this dataset doesn’t have.';
    expect(await page.getByText(sentence).count()).toBe(1);
    expect(await page.getByText('The address also filters by').count()).toBe(1);
    expect(await status(page).textContent()).toBe('100 of 400 listed');
    expect(problems).toEqual([]);
  });

  it('cuts long names and values, and has the whole of them as titles', async () => {
    const [name, value] = ['depth '.repeat(20).trim(), `ñ${'a'.repeat(5000)}`];
    const features = [value, 'b', 'c', 'd', 'e'].map((one, index) => ({
      geom: { type: 'Point' as const, coordinates: [123 + index, 10] },
      properties: { [name]: one },
    }));
    const id = await newDataset('Long', features);
    const filters = JSON.stringify([[name, { values: [value, 'b', 'c', 'd', 'e'] }]]);
    const { page, problems } = await openDataset(id, `?${new URLSearchParams({ color: name, filters })}`);
    const [shortName, shortValue] = [name, value].map((text) => `${text.slice(0, 21)}…${text.slice(-10)}`);
    const words = `${shortName}: ${shortValue} or b or c or 2 more`;
    const chip = page.getByRole('button', { name: `Remove the filter ${words}` });
    expect(await chip.textContent()).toBe(words);
    const inList = (text: string) => `${text.slice(0, 53)}…${text.slice(-26)}`;
    // The legend wraps, so it has the name as a whole, and more of a value.
    expect(await page.locator('#legend .legend-head span').first().textContent()).toBe(name);
    expect(await legend(page)).toContain(`${inList(value)} 1`);
    // However long its words are, they leave a number its line.
    const count = page.locator('#legend .of-own button', { hasText: inList(value) }).locator('.quiet');
    await count.evaluate((element) => {
      element.textContent = '1,642';
    });
    expect(
      await count.evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return text.getClientRects().length;
      }),
    ).toBe(1);
    await page.getByLabel('Filter by').selectOption({ label: inList(name) });
    for (const part of ['.own-filters', '#legend', '.own-table']) {
      const named = part === '#legend' ? 0 : 1;
      expect([part, await page.locator(`${part} [title="${name}"]`).count()]).toEqual([part, named]);
      expect([part, await page.locator(`${part} [title="${value}"]`).count()]).toEqual([part, 1]);
    }
    expect(await widthOf(page)).toBe(1280);
    await keepPicture(page, 'explore-own-long-1280');
    expect(problems).toEqual([]);
  });

  it('keeps its own words in their order, whatever texts the features have', async () => {
    // It ends the isolation around it, then turns the direction of all that follows.
    const turning = '\u2069\u202egnp.exe';
    const values = [turning, 'بئر', 'بئر'];
    const features = values.map((value, index) => ({
      geom: { type: 'Point' as const, coordinates: [123 + index, 10] },
      properties: { [turning]: value },
    }));
    const id = await newDataset(`Wells ${turning}`, features);
    const filters = JSON.stringify([[turning, { values }]]);
    const { page, problems } = await openDataset(id, `?${new URLSearchParams({ color: turning, filters })}`);
    await page.getByRole('button', { name: 'Show row 1', exact: true }).press('Enter');
    await page.getByLabel('Filter by').selectOption('0');
    const shown = '��gnp.exe';
    expect(await heading(page)).toBe(`Wells ${shown}`);
    expect(await page.title()).toBe(`Wells ${shown} · Philippines`);
    expect(await facts(page)).toEqual([shown]);
    // The only text of a row is its name too.
    const counts = { '.own-filters': 2, '#legend': 3, '.own-table': 2, '.own-feature': 3, '.own-values': 2 };
    for (const [part, count] of Object.entries(counts))
      expect([part, await page.locator(`${part} bdi`, { hasText: shown }).count()]).toEqual([part, count]);
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    // A number behind a word that runs from right to left would stand before it.
    const row = page.locator('#legend li', { hasText: 'بئر' });
    const isBefore = async () => {
      const [word, count] = await Promise.all([row.locator('bdi').boundingBox(), row.locator('.quiet').boundingBox()]);
      return word && count && word.x + word.width <= count.x;
    };
    // The legend is drawn again once the points are.
    await expect.poll(isBefore).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('marks no feature that is filtered out, and says so', async () => {
    const id = await newPairs();
    const { page, problems } = await openDataset(id);
    await page.locator('.own-table tr', { hasText: 'south-west' }).getByRole('button').press('Enter');
    await expect.poll(() => facts(page)).toContain('south-west');
    await waitForMap(page, id);
    /** The edge of the ring around the marked point. */
    const ring = () => pictureBeside(page, [8, -4]);
    const marked = await ring();
    await page.getByLabel('Find in the rows').fill('north');
    await page.getByText('It is filtered out').waitFor();
    expect(await facts(page)).toEqual([]);
    await expect.poll(async () => (await ring()).equals(marked)).toBe(false);
    await page.reload();
    await waitForMap(page, id);
    await page.getByText('It is filtered out').waitFor();
    await page.getByLabel('Find in the rows').fill('');
    await expect.poll(() => facts(page)).toContain('south-west');
    await page.getByRole('button', { name: 'Unmark' }).click();
    await page.getByLabel('Find in the rows').fill('north');
    await expect.poll(() => status(page).textContent()).toBe('1 of 4 listed');
    expect(await page.getByText('It is filtered out').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('opens clusters, and marks lines and areas that are clicked', async () => {
    const pairs = await openDataset(await newClusters());
    const shownBefore = await timesShown(pairs.page);
    const explanation = pairs.page.locator('#legend').getByText('A circle with a number stands for so many points.');
    await explanation.waitFor();
    await clickBeside(pairs.page, [0, 0]);
    await explanation.waitFor({ state: 'detached' });
    // The cluster comes to the middle of the map, at zoom 11, where two hundredths of a degree are 58 pixels.
    await pairs.page.waitForTimeout(2000);
    const map = await pairs.page.locator('#map').boundingBox();
    if (!map) throw new Error('There is no map.');
    await pairs.page.mouse.click(map.x + map.width / 2 + 29, map.y + map.height / 2);
    const hint = pairs.page.locator('#hover');
    await expect.poll(() => hint.textContent()).toBe('east');
    await expect.poll(() => facts(pairs.page)).toContain('east');
    expect(
      await pairs.page.locator('.own-feature').evaluate((it) => it.getBoundingClientRect().top < innerHeight),
    ).toBe(true);
    // To mark a feature, or to move the map, makes no tiles anew.
    expect(await timesShown(pairs.page)).toBe(shownBefore);
    // The coordinates of the points, which their properties repeat, are no sizes.
    const sizes = pairs.page.getByLabel('Size by').locator('option');
    expect(await sizes.allTextContents()).toEqual(['Nothing', 'depth_m']);
    await pairs.page.getByLabel('Colour by').selectOption('name');
    await expect.poll(() => timesShown(pairs.page)).toBe(shownBefore + 1);
    expect(pairs.problems).toEqual([]);

    const shapes = await newShapes();
    const { page, problems } = await openDataset(shapes);
    for (const [beside, name] of [
      [[0, 0], 'point'],
      [[60, -60], 'line'],
      [[-60, -30], 'area'],
    ] as const) {
      await clickBeside(page, beside);
      await expect.poll(() => facts(page)).toContain(name);
    }
    // What lies on one place is shown one after another, with the keyboard too.
    await clickBeside(page, [0, 0]);
    for (const [button, name] of [
      ['1 of 3 here', 'line'],
      ['2 of 3 here', 'area'],
      ['3 of 3 here', 'point'],
    ] as const) {
      await page.getByRole('button', { name: button }).waitFor();
      if (name === 'line') await page.getByRole('button', { name: button }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => facts(page)).toContain(name);
    }
    await page.getByRole('button', { name: 'Show row 2', exact: true }).press('Enter');
    await expect.poll(() => facts(page)).toContain('line');
    expect(await page.getByRole('button', { name: 'here: show the next' }).count()).toBe(0);
    await waitForMap(page, shapes);
    await page.getByRole('button', { name: 'Unmark' }).click();
    await waitForMap(page, shapes);
    const before = await pictureBeside(page, [-60, -30]);
    await page.getByLabel('Colour by').selectOption('feature');
    await expect.poll(() => legend(page)).toEqual(['{"a":[1,"x"]} 1', 'No value 2']);
    // The map has the other colours without being moved.
    await expect.poll(async () => (await pictureBeside(page, [-60, -30])).equals(before)).toBe(false);
    expect(problems).toEqual([]);
  });

  it('marks what a finger touches', async () => {
    const { page, problems } = await openDataset(await newShapes(), '', { ...PHONE, hasTouch: true });
    // It lies on the area, a finger's breadth beside the point.
    await tapBeside(page, [13, 0]);
    await expect.poll(() => facts(page)).toContain('point');
    await page.getByRole('button', { name: '1 of 2 here' }).click();
    await expect.poll(() => facts(page)).toContain('area');
    await tapBeside(page, [26, 0]);
    await expect.poll(() => page.getByRole('button', { name: '1 of 2 here' }).count()).toBe(0);
    expect(await facts(page)).toContain('area');
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

  it('says how many features are read, and can be read again where the line broke', async () => {
    const id = await newWells();
    const { page, problems } = await openSlowly(`#/datasets/${id}`, id);
    const bar = page.getByRole('progressbar', { name: 'Rows read' });
    await expect
      .poll(() => bar.evaluate((it: HTMLProgressElement) => [it.value > 150, it.value < 250]))
      .toEqual([true, true]);
    expect(await page.locator('#record').textContent()).toMatch(/Reading its rows…\d{3} of 400$/);
    expect(await seriousFaults(page)).toEqual([]);
    // The page can be used meanwhile.
    await page.getByRole('combobox', { name: 'Find a region' }).fill('Cebu');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await end(page, 'breakOff');
    await page.getByText('The connection broke off. Check the connection, then try again.').waitFor();
    await page.evaluate(() => Reflect.deleteProperty(window, 'rest'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await bar.waitFor();
    await end(page, 'arrive');
    await waitForMap(page, id);
    expect(await status(page).textContent()).toBe('400 listed');
    expect(await bar.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is not drawn, and leaves the address alone, once another place is shown', async () => {
    const id = await newWells();
    const { page, problems } = await openSlowly('#/', id);
    await waitForMap(page, 'all');
    const goTo = (hash: string) => page.evaluate((next) => location.assign(next), hash);
    await goTo(`#/datasets/${id}`);
    await page.getByRole('progressbar').waitFor();
    // What is not answered yet would be given up.
    await page.waitForFunction(() => 'rest' in window);
    await goTo('#/');
    await page.getByRole('heading', { name: 'Philippines' }).waitFor();
    await end(page, 'arrive');
    await expect.poll(() => timesShown(page)).toBe(1);
    await page.waitForTimeout(500);
    await waitForMap(page, 'all');
    expect(await heading(page)).toBe('Philippines');
    expect(new URL(page.url()).hash).toBe('#/');
    expect(await page.locator('.own-table').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('leaves the address to the next one while that is read', async () => {
    const [first, next] = [await newWells(), await newPairs()];
    const { page, problems } = await openSlowly(`#/datasets/${first}`, next);
    await waitForMap(page, first);
    const shownBefore = await timesShown(page);
    const address = `#/datasets/${next}?color=name`;
    await page.getByLabel('Find in the rows').evaluate((field: HTMLInputElement, hash) => {
      // The search waits for a moment before it looks.
      field.value = 'well 1';
      field.dispatchEvent(new Event('input'));
      location.hash = hash;
    }, address);
    await expect.poll(() => timesShown(page)).toBe(shownBefore + 1);
    expect(new URL(page.url()).hash).toBe(address);
    await end(page, 'arrive');
    await waitForMap(page, next);
    expect(await legend(page)).toHaveLength(4);
    expect(new URL(page.url()).hash).toBe(address);
    expect(problems).toEqual([]);
  });
});
