import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { readWorkbook } from '../../pages/match/workbook-reader.ts';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, pixelsOf, saved, tabsOf, widthOf } from './support/chromium.ts';
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
  const km = Number(await page.getByLabel('Within').inputValue());
  const { data } = await ask(`/v1/areas/within?lat=${centroid[1]}&lon=${centroid[0]}&radius_km=${km}&limit=100`);
  expect(rows.map(([name]) => name)).toEqual(data.map(({ name }: { name: string }) => name));
  expect(rows[0]?.[1]).toBe(data[0].population.toLocaleString('en'));
  expect(rows[0]?.[2]).toBe('here');
  const { download, bytes } = await saved(page, `Excel, ${data.length} areas`);
  expect(download.suggestedFilename()).toMatch(/^Areas around .+\.xlsx$/);
  const read = await readWorkbook(new Uint8Array(bytes).buffer);
  const [headings, ...listed] = read.fault === undefined ? (read.sheets[0]?.rows ?? []) : [];
  expect(headings).toEqual(['PSGC code', 'City or municipality', 'Residents', 'Away, m']);
  expect(listed.map(([code]) => code)).toEqual(data.map(({ code }: { code: string }) => code));
  expect(await seriousFaults(page)).toEqual([]);
  expect(await widthOf(page)).toBeLessThanOrEqual(options ? 390 : 1280);
  await keepPicture(page, options ? 'explore-analysis-phone' : 'explore-analysis');
  await page.locator('details.analysis tbody a').last().click();
  await page.waitForFunction((code) => location.hash.endsWith(code), data.at(-1).code);
  expect(problems).toEqual([]);
});

it('a barangay has the barangays around it, which the map marks and shows with the circle', async () => {
  const { page, problems } = await openAt('#/barangays/0730600010', '0730600010', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { centroid } = (await ask('/v1/barangays/0730600010')).data;
  const entry = page.locator('details.analysis', { hasText: 'Areas around it' });
  await entry.locator('summary').click();
  expect(await entry.getByLabel('Level').inputValue()).toBe('barangay');
  const widest = await entry.getByLabel('Within').locator('option').last().getAttribute('value');
  await entry.getByLabel('Within').selectOption(widest);
  const counted = async () => {
    const canvas = await page.locator('#map canvas').screenshot();
    const [circle = 0] = await pixelsOf(page, canvas, ['rgb(168, 50, 31)']);
    return circle;
  };
  await entry.getByRole('button', { name: 'Show' }).click();
  await entry.locator('table').waitFor();
  // The address of the map as it is now has the circle in it.
  const [lon, lat] = centroid;
  const box = async () => {
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('the map as it is now').waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    return (new URLSearchParams(address.split('?')[1]).get('bbox') ?? '').split(',').map(Number);
  };
  const high = Number(widest) / 110.6;
  await expect
    .poll(async () => {
      const [west = 0, south = 0, east = 0, north = 0] = await box();
      return [south <= lat - high, north >= lat + high, west < lon - high, east > lon + high, north - south < high * 5];
    })
    .toEqual([true, true, true, true, true]);
  await waitForMap(page, '0730600010');
  await expect.poll(counted).toBeGreaterThan(400);
  await keepPicture(page, 'explore-around');
  expect(problems).toEqual([]);
});

describe('a shape that is drawn on the map', () => {
  /** Opens the part of the panel, and gives the shape and the level of each question that the page asks. */
  async function openDrawing(options?: BrowserContextOptions) {
    const tab = await openAt('#/provinces/0702200000', '0702200000', options);
    const asked: { geometry: { coordinates: [number, number][][] } }[] = [];
    tab.page.on('request', (request) => {
      if (request.url().includes('/v1/areas/covered')) asked.push(request.postDataJSON());
    });
    const entry = tab.page.locator('details.analysis', { hasText: 'Areas in a shape that you draw' });
    await entry.locator('summary').click();
    const box = await tab.page.locator('#map').boundingBox();
    if (!box) throw new Error('There is no map.');
    return { ...tab, asked, entry, middle: { x: box.x + box.width / 2, y: box.y + box.height / 2 } };
  }

  const namesIn = (entry: Locator) => entry.locator('tbody th').allTextContents();
  async function namesOf(question: object) {
    return (await ask('/v1/areas/covered', question)).data.map(({ name }: { name: string }) => name);
  }

  it('is a box by two clicks, which choose no place, and Escape gives it up', async () => {
    const { page, problems, asked, entry, middle } = await openDrawing();
    await entry.getByRole('button', { name: 'Show' }).click();
    await entry.getByText('Draw a box or a polygon first.').waitFor();
    const draw = entry.getByRole('button', { name: 'Draw a box' });
    await draw.click();
    await entry.getByText('Set a corner.').waitFor();
    await page.mouse.click(middle.x - 40, middle.y - 40);
    await entry.getByText('Set the corner across from it.').waitFor();
    await page.keyboard.press('Escape');
    await draw.click();
    await page.mouse.click(middle.x - 40, middle.y - 60);
    await page.mouse.click(middle.x + 60, middle.y + 20);
    await entry.locator('table').waitFor();
    expect(asked).toHaveLength(1);
    const ring = asked[0]?.geometry.coordinates[0] ?? [];
    const [[west = 0, south = 0] = [], [east = 0] = [], [, north = 0] = []] = ring;
    expect(ring).toHaveLength(5);
    expect([west < east, south < north]).toEqual([true, true]);
    expect(await namesIn(entry)).toEqual(await namesOf(asked[0] ?? {}));
    expect(page.url()).toContain('#/provinces/0702200000');
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'explore-drawn-box');
    // The map chooses places again.
    await page.mouse.click(middle.x, middle.y);
    await page.waitForFunction(() => !location.hash.endsWith('0702200000'));
    expect(problems).toEqual([]);
  });

  it('is a box by dragging, which leaves the map where it is', async () => {
    const { page, problems, asked, entry, middle } = await openDrawing();
    await entry.getByRole('button', { name: 'Draw a box' }).click();
    await entry.getByText('Drag across the map.').waitFor();
    await page.mouse.move(middle.x - 40, middle.y - 60);
    await page.mouse.down();
    await page.mouse.move(middle.x, middle.y, { steps: 4 });
    await page.mouse.move(middle.x + 60, middle.y + 20, { steps: 4 });
    await page.mouse.up();
    await entry.locator('table').waitFor();
    const ring = asked[0]?.geometry.coordinates[0] ?? [];
    // By two clicks in the same places of the same map it is the same box.
    await entry.getByRole('button', { name: 'Draw a box' }).click();
    await page.mouse.click(middle.x - 40, middle.y - 60);
    await page.mouse.click(middle.x + 60, middle.y + 20);
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]?.geometry.coordinates[0]).toEqual(ring);
    expect(ring).toHaveLength(5);
    expect(page.url()).toContain('#/provinces/0702200000');
    expect(problems).toEqual([]);
  });

  it('that is drawn anew before its answer is there shows the answer of the new one alone', async () => {
    const { page, asked, entry, middle } = await openDrawing();
    const released = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/v1/areas/covered*', async (route) => {
      requests += 1;
      // The answer for the first shape comes last.
      const isHeld = requests === 1;
      const response = await route.fetch();
      if (isHeld) await released.promise;
      await route.fulfill({ response });
    });
    const drawBox = async (side: number) => {
      await entry.getByRole('button', { name: 'Draw a box' }).click();
      await entry.getByText('Set a corner.').waitFor();
      await page.mouse.click(middle.x - side, middle.y - side);
      await page.mouse.click(middle.x + side, middle.y + side);
    };
    await drawBox(60);
    await expect.poll(() => asked.length).toBe(1);
    await drawBox(20);
    await entry.locator('table').waitFor();
    const [first, second] = await Promise.all(asked.map(namesOf));
    expect(first).not.toEqual(second);
    const late = page.waitForResponse((response) => response.request().postDataJSON()?.geometry !== undefined);
    released.resolve();
    await (await late).finished();
    await page.waitForTimeout(200);
    expect([await namesIn(entry), asked.length]).toEqual([second, 2]);
    expect(await entry.getByRole('button', { name: 'Show' }).isEnabled()).toBe(true);
  });

  it('whose lines cross is refused in words for people', async () => {
    const { page, entry, middle } = await openDrawing();
    await entry.getByRole('button', { name: 'Draw a polygon' }).click();
    const corners = [
      [-60, -60],
      [60, 20],
      [60, -60],
      [-60, 20],
      [-60, 20],
    ] as const;
    for (const [x, y] of corners) {
      await page.mouse.click(middle.x + x, middle.y + y);
      await page.waitForTimeout(400);
    }
    await entry.getByText('The lines of this shape cross each other').waitFor();
    expect(await entry.textContent()).toContain('Draw it again, once around the area.');
    expect(await entry.textContent()).not.toMatch(/geometry|coordinates/);
  });

  it('takes the answer of the one before away, and so does another level', async () => {
    const { page, entry, middle } = await openDrawing();
    const drawBox = async () => {
      await entry.getByRole('button', { name: 'Draw a box' }).click();
      await entry.getByText('Set a corner.').waitFor();
    };
    await drawBox();
    await page.mouse.click(middle.x - 40, middle.y - 60);
    await page.mouse.click(middle.x + 60, middle.y + 20);
    await entry.locator('table').waitFor();
    await entry.getByLabel('Level').selectOption({ label: 'Provinces' });
    expect(await entry.locator('table').count()).toBe(0);
    await entry.getByRole('button', { name: 'Show' }).click();
    await entry.getByText('Those of the highly urbanised cities in a province are counted with it.').waitFor();
    expect(await entry.locator('thead th').first().textContent()).toBe('Province');
    await drawBox();
    expect([await entry.locator('table').count(), await entry.getByText('people live in it').count()]).toEqual([0, 0]);
  });

  it('is a polygon with the keyboard, whose last corner is set twice', async () => {
    const { page, problems, asked, entry } = await openDrawing();
    await entry.getByRole('button', { name: 'Draw a polygon' }).press('Enter');
    await entry.getByText('Set the first corner.').waitFor();
    const cross = page.locator('#cross-name');
    await expect.poll(() => cross.textContent()).toBe('Corner 1');
    // In one line.
    expect((await cross.boundingBox())?.height).toBeLessThan(32);
    for (const move of ['ArrowUp', 'ArrowRight', 'ArrowDown', undefined]) {
      await page.keyboard.press('Enter');
      if (!move) break;
      await page.keyboard.press(move);
      await page.waitForTimeout(400);
    }
    // The fourth is taken back.
    await page.keyboard.press('Backspace');
    await page.keyboard.press('ArrowUp');
    await page.waitForTimeout(400);
    await expect.poll(() => cross.textContent()).toBe('The end');
    await page.keyboard.press('Enter');
    await entry.locator('table').waitFor();
    expect(asked.map(({ geometry }) => geometry.coordinates[0]?.length)).toEqual([4]);
    expect(await namesIn(entry)).toEqual(await namesOf(asked[0] ?? {}));
    expect(problems).toEqual([]);
  });

  it('is a box with the keyboard, whose second corner is set anew where it makes none', async () => {
    const { page, asked, entry } = await openDrawing();
    await entry.getByRole('button', { name: 'Draw a box' }).press('Enter');
    await entry.getByText('Set a corner.').waitFor();
    for (const move of ['ArrowRight', 'ArrowDown', undefined]) {
      await page.keyboard.press('Enter');
      if (!move) break;
      await page.keyboard.press(move);
      await page.waitForTimeout(400);
    }
    await entry.locator('table').waitFor();
    expect(asked.map(({ geometry }) => geometry.coordinates[0]?.length)).toEqual([5]);
  });

  it('is drawn on a phone, whose sheet makes room for it', async () => {
    const { page, asked, entry } = await openDrawing(PHONE);
    await entry.getByRole('button', { name: 'Draw a box' }).tap();
    await entry.getByText('Set a corner.').waitFor({ state: 'attached' });
    await page.touchscreen.tap(120, 200);
    await page.waitForTimeout(400);
    await page.touchscreen.tap(220, 320);
    await entry.locator('table').waitFor({ state: 'attached' });
    expect(asked).toHaveLength(1);
    expect(await widthOf(page)).toBeLessThanOrEqual(390);
    await keepPicture(page, 'explore-drawn-phone');
  });

  describe('with fingers', () => {
    type Finger = readonly [x: number, y: number];

    /** Opens a phone that draws a box, and gives what fingers do on it. */
    async function openPhone() {
      const tab = await openDrawing(PHONE);
      const session = await tab.page.context().newCDPSession(tab.page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: Finger[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });
      const draw = async () => {
        await tab.entry.getByRole('button', { name: 'Draw a box' }).tap();
        await tab.entry.getByText('Set a corner.').waitFor({ state: 'attached' });
      };
      const tapTwice = async () => {
        await tab.page.touchscreen.tap(120, 200);
        await tab.page.waitForTimeout(400);
        await tab.page.touchscreen.tap(220, 320);
      };
      return { ...tab, touch, draw, tapTwice, ringAt: (index: number) => tab.asked[index]?.geometry.coordinates[0] };
    }

    it('is dragged by one, which leaves the map where it is', async () => {
      const { problems, asked, touch, draw, tapTwice, ringAt } = await openPhone();
      await draw();
      await touch('touchStart', [120, 200]);
      for (const part of [0.3, 0.6, 1]) await touch('touchMove', [120 + 100 * part, 200 + 120 * part]);
      await touch('touchEnd');
      await expect.poll(() => asked.length).toBe(1);
      // By two taps in the same places of the same map it is the same box.
      await draw();
      await tapTwice();
      await expect.poll(() => asked.length).toBe(2);
      expect(ringAt(0)).toHaveLength(5);
      expect(ringAt(1)).toEqual(ringAt(0));
      expect(problems).toEqual([]);
    });

    it('is not begun by two, which move the map', async () => {
      const { page, asked, entry, touch, draw, tapTwice, ringAt } = await openPhone();
      await draw();
      // One finger comes first, and moves before the other does.
      await touch('touchStart', [150, 220]);
      await touch('touchMove', [170, 240]);
      await touch('touchMove', [190, 260]);
      await touch('touchStart', [190, 260], [230, 300]);
      for (const far of [20, 40, 60]) await touch('touchMove', [190 - far, 260 - far], [230 + far, 300 + far]);
      await touch('touchEnd');
      await page.waitForTimeout(600);
      expect(asked).toHaveLength(0);
      expect(await entry.textContent()).toContain('Set a corner.');
      await tapTwice();
      await expect.poll(() => asked.length).toBe(1);
      // What the taps give again.
      await draw();
      await tapTwice();
      await expect.poll(() => asked.length).toBe(2);
      expect(ringAt(0)).toEqual(ringAt(1));
    });

    it('has a corner where one taps that is not quite still', async () => {
      const { page, asked, entry, touch, draw } = await openPhone();
      await draw();
      await touch('touchStart', [120, 200]);
      await touch('touchMove', [123, 202]);
      await touch('touchMove', [126, 204]);
      await touch('touchEnd');
      await entry.getByText('Set the corner across from it.').waitFor({ state: 'attached' });
      expect(asked).toHaveLength(0);
      await page.waitForTimeout(400);
      await page.touchscreen.tap(220, 320);
      await expect.poll(() => asked.length).toBe(1);
    });
  });
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
  // The same on the map, and still in the table.
  await page.getByRole('link', { name: 'Show the counts in colours on the map' }).click();
  await page.getByText('The map counts by detailed boundaries. Outside of them: 1.').waitFor();
  await page.getByText('2 points in 1 area, 1 in none.').waitFor();
  expect(await page.getByLabel('Count points in').inputValue()).toBe('municity');
  await expect.poll(() => page.locator('#legend .legend-head span').first().textContent()).toBe('points');
  const legend = await page.locator('#legend li').allTextContents();
  expect([legend[0]?.slice(0, 2), legend[1]]).toEqual(['0 ', '2 1']);
  // The land under the coarse areas is as coarse, or its coast would be seen beside them.
  const tiles: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/tiles/regions') && tiles.push(request.url()));
  await page.reload();
  await waitForMap(page, id);
  await expect.poll(() => page.locator('#legend .legend-head span').first().textContent()).toBe('points');
  expect(tiles).toEqual([]);
  expect(problems).toEqual([]);
});

it('points in Metro Manila are said to lie in no province, whatever areas the map has', async () => {
  const [west, south, east, north] = await boxOf('municities/1380600000');
  const geom = { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] };
  const { id } = (await ask('/v1/datasets', { name: 'Points', features: [{ geom }] })).data;
  const { page } = await openAt(`#/datasets/${id}?color=points&areas=region`, id);
  const entry = page.locator('details.analysis', { hasText: 'Points by area' });
  await entry.locator('summary').click();
  await entry.getByLabel('Level').selectOption({ label: 'Provinces' });
  await entry.getByRole('button', { name: 'Show' }).click();
  await entry.getByText('Metro Manila has no provinces: its points lie in none.').waitFor();
});

describe('the map and the table of points by area', () => {
  /** A dataset in a map of provinces: the boundary of Basilan has no Isabela City in it, whose points count for Basilan. */
  async function openProvinces(coarse?: 'large' | 'refused') {
    const points = await Promise.all(
      ['municities/0730600000', 'municities/0730600000', 'municities/0990101000'].map(async (path) => {
        const [west, south, east, north] = await boxOf(path);
        return [(west + east) / 2, (south + north) / 2];
      }),
    );
    const features = [...points, [116.5, 10]].map((coordinates) => ({ geom: { type: 'Point', coordinates } }));
    const { id } = (await ask('/v1/datasets', { name: 'Points', features })).data;
    const tab = await newTab();
    await tab.page.addInitScript((token) => sessionStorage.setItem('token', token), masterToken);
    if (coarse === 'large')
      await tab.page.route(`**/v1/datasets/${id}`, async (route) => {
        const answer = await route.fetch();
        const { data } = (await answer.json()) as { data: object };
        await route.fulfill({ response: answer, json: { data: { ...data, feature_count: 5001 } } });
      });
    const counted: string[] = [];
    await tab.page.route('**/counts?*', (route) => {
      counted.push(route.request().url());
      return coarse === 'refused' ? route.fulfill({ status: 404, json: REFUSED }) : route.continue();
    });
    await tab.page.goto(`/explore#/datasets/${id}?color=points&areas=province&method=natural`);
    await waitForMap(tab.page, id);
    const legend = () => tab.page.locator('#legend li').allTextContents();
    const asCoarse = async () => {
      await tab.page.getByText('The map counts by coarse boundaries. Outside of them: 2.').waitFor();
      await expect.poll(async () => (await legend()).slice(1)).toEqual(['2 1']);
      await tab.page.locator('#legend').getByText('Points are counted by coarse boundaries').waitFor();
    };
    const cells = async () => {
      const rows = await tab.page.locator('details.analysis[open] tbody tr').all();
      return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
    };
    return { ...tab, id, counted, legend, asCoarse, cells };
  }
  const REFUSED = { code: 'x', message: 'There are no boundaries.' };
  const EXACT = 'The map counts by detailed boundaries. Outside of them: 1.';

  it('are exact at first where the service may be asked, in one request for both', async () => {
    const { page, id, counted, legend, cells, problems } = await openProvinces();
    await page.getByText(EXACT).waitFor();
    await expect.poll(async () => (await legend()).slice(1)).toEqual(['1 1', '2 1']);
    expect(await page.getByRole('button', { name: 'Count exactly' }).count()).toBe(0);
    expect(await page.locator('#legend').textContent()).not.toContain('coarse');
    // The point outside lies at sea.
    expect(await page.getByText('Metro Manila has no provinces').count()).toBe(0);
    await page.locator('details.analysis summary', { hasText: 'Points by area' }).click();
    await expect.poll(cells).toEqual([
      ['Cebu', '2'],
      ['Basilan', '1'],
    ]);
    await page.getByText('3 points in 2 areas, 1 in none.', { exact: true }).waitFor();
    expect(await page.getByText('Metro Manila has no provinces').count()).toBe(0);
    // Other choices of the same map take no other request.
    await page.evaluate(() => {
      location.hash += '&rows=sum';
    });
    await page.waitForFunction(() => document.querySelector('details.analysis[open]') === null);
    await waitForMap(page, id);
    await page.getByText(EXACT).waitFor();
    expect(counted).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('say that they are coarse, and why, where the service refuses', async () => {
    const { page, asCoarse } = await openProvinces('refused');
    await asCoarse();
    await page.locator('details.analysis[open]').getByText('There are no boundaries.').waitFor();
  });

  it('agree once the map is to count exactly, and so does its address', async () => {
    const { page, id, legend, asCoarse, cells, problems } = await openProvinces('large');
    await asCoarse();
    await page.getByRole('button', { name: 'Count exactly' }).click();
    for (const _ of ['first', 'opened anew']) {
      await page.getByText(EXACT).waitFor();
      await expect.poll(async () => (await legend()).slice(1)).toEqual(['1 1', '2 1']);
      await expect.poll(cells).toEqual([
        ['Cebu', '2'],
        ['Basilan', '1'],
      ]);
      await page.getByText('3 points in 2 areas, 1 in none.').waitFor();
      await page.reload();
      await waitForMap(page, id);
    }
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByText('By residents', { exact: true }).click();
    await page.getByText('Residents of provinces are those of all cities and municipalities in them').waitFor();
    await keepPicture(page, 'explore-exact-counts');
    expect(problems).toEqual([]);
  });

  it('agree once the table is shown, which stays where it is read', async () => {
    const { page, counted, legend, asCoarse, cells, problems } = await openProvinces('large');
    await asCoarse();
    expect((await shown(page, 'Points by area', 'Provinces')).length).toBe(2);
    await page.getByText(EXACT).waitFor();
    await expect.poll(async () => (await legend()).slice(1)).toEqual(['1 1', '2 1']);
    await expect.poll(cells).toEqual([
      ['Cebu', '2'],
      ['Basilan', '1'],
    ]);
    expect(counted).toHaveLength(1);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Points by area');
    expect(problems).toEqual([]);
  });
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
  expect(rows[0]?.[1]).toBe('100\u00a0%');
  await page.getByText('people live in it').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});
