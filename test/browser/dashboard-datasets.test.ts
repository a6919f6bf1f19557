import { readFile } from 'node:fs/promises';
import { zipSync } from 'fflate';
import mapshaper from 'mapshaper';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { EXPORT_FORMATS } from '../../pages/shared/export-formats.ts';
import { writeSheets } from '../support/workbooks.ts';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { dashboardIn, surprises } from './support/dashboard.ts';

/** The part of the OpenAPI document that names formats. */
interface Document {
  readonly paths: Record<string, { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }>;
}

const { origin } = inject('devStack');
const openDashboard = dashboardIn(tabsOf(origin));

const point = (i: number) => ({
  type: 'Feature',
  properties: { number: i },
  geometry: { type: 'Point', coordinates: [123.8 + (i % 100) / 1000, 10.3 + i / 1_000_000] },
});

const collectionOf = (count: number) =>
  Buffer.from(
    JSON.stringify({ type: 'FeatureCollection', features: Array.from({ length: count }, (_, i) => point(i)) }),
  );

/** Chooses a file as a person does. */
async function choose(page: Page, name: string, content: Uint8Array | string): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
  await page.getByLabel(/^Choose a file/).setInputFiles(file);
}

/** The zip archive of a shapefile with the features of a collection. */
async function zippedShapefile(collection: Uint8Array): Promise<Uint8Array> {
  const input = { 'in.json': collection };
  const written = await mapshaper.applyCommands('-i in.json -o format=shapefile wells.shp', input);
  const files = Object.entries(written).map(([name, content]) => [name, new Uint8Array(Buffer.from(content))]);
  return zipSync(Object.fromEntries(files));
}

/** Drops files somewhere on the page. */
async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const dataTransfer = await page.evaluateHandle((contents) => {
    const dropped = new DataTransfer();
    for (const [name, content] of Object.entries(contents)) dropped.items.add(new File([content], name));
    return dropped;
  }, files);
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

const send = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click();
const refusal = (page: Page) => page.locator('#upload-error').textContent();

/** Accepts what is likely on Match, gives the rest no code, and makes the map, which opens in another tab. */
async function madeMap(page: Page): Promise<Page> {
  await page.getByRole('button', { name: /^Accept all likely/ }).click();
  if (await page.getByRole('button', { name: 'To check 1' }).isVisible()) await page.keyboard.press('0');
  const make = page.getByRole('button', { name: 'Make the map' });
  const [map] = await Promise.all([page.context().waitForEvent('page'), make.click()]);
  await map.waitForURL(/#\/datasets\//);
  return map;
}

describe('the datasets of the dashboard', () => {
  it('uploads a file, shows its progress, and opens the dataset on the map', async () => {
    const { page, problems } = await openDashboard();
    await page.getByText('You have no datasets yet.').waitFor();
    const shown: number[] = [];
    await page.exposeFunction('progressed', (value: number) => shown.push(value));
    await page.evaluate(() => {
      const progress = document.querySelector('progress');
      const { progressed } = globalThis as unknown as { progressed(value: number): void };
      if (progress) new MutationObserver(() => progressed(progress.value)).observe(progress, { attributes: true });
    });
    // One button is filled: that of the next step.
    const filled = () =>
      page
        .locator('#upload :is(label.button, button)')
        .filter({ visible: true })
        .evaluateAll((all) => {
          const colorOf = (it: Element | null) => it && getComputedStyle(it).backgroundColor;
          const plain = colorOf(document.querySelector('#new-webhook'));
          return all.filter((it) => colorOf(it) !== plain).map((it) => it.textContent);
        });
    expect(await filled()).toEqual(['Choose a file']);
    await choose(page, 'wells.geojson', collectionOf(20_000));
    expect(await filled()).toEqual(['Upload']);
    await send(page);
    await page.getByRole('row', { name: /^wells Only you 20,000/ }).waitFor();
    expect(Math.max(...shown)).toBe(1);
    expect(await page.locator('#upload-done').textContent()).toContain('20,000 features are stored');
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'dashboard-datasets-1280');

    await page.getByRole('link', { name: 'Open on the map: wells' }).click();
    await expect.poll(() => page.url()).toMatch(/\/explore#\/datasets\/[0-9a-f-]{36}$/);
    await expect.poll(() => page.locator('h1').textContent()).toBe('wells');
    await page.locator('#map:not([data-drawn=""])').waitFor({ state: 'attached' });
    await keepPicture(page, 'explore-dataset-1280');
    expect(problems).toEqual([]);
  });

  it('says that a file is stored only beside a list that has it', async () => {
    const { page, problems } = await openDashboard();
    await page.getByText('You have no datasets yet.').waitFor();
    const beside = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const done = document.querySelector('#upload-done') as Element;
          const see = () => resolve(document.querySelector('#datasets')?.textContent ?? '');
          new MutationObserver(() => done.textContent?.includes('stored') && see()).observe(done, { childList: true });
        }),
    );
    await choose(page, 'wells.geojson', collectionOf(2));
    await send(page);
    expect(await beside).toMatch(/wells.*Open on the map/);
    expect(problems).toEqual([]);
  });

  it('says what a dropped file is and what is stored of it, and stores the features of a shapefile too', async () => {
    const { page, problems } = await openDashboard({ ...PHONE, colorScheme: 'dark' });
    await drop(page, { 'a.csv': 'lat,lon\n1,2', 'b.csv': 'lat,lon\n1,2' });
    expect(await refusal(page)).toContain('one file at a time');
    await drop(page, { 'scan.shp': 'PK' });
    expect(await page.locator('#upload-plan').textContent()).toMatch(/scan\.shp.*no format.*one zip archive/s);
    expect(await page.getByLabel('Keep the file only').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Use the example' }).click();
    expect(await page.locator('#upload-plan').textContent()).toMatch(/cities\.csv.*CSV.*features will be stored/s);

    const archive = await zippedShapefile(collectionOf(3));
    await choose(page, 'wells.zip', archive);
    expect(await page.locator('#upload-plan').textContent()).toMatch(/zipped shapefile.*features will be stored/s);
    expect([await seriousFaults(page), await widthOf(page)]).toEqual([[], 390]);
    await keepPicture(page, 'dashboard-upload-390-dark');
    await page.getByLabel('Name of the dataset').fill('Deep wells');
    await send(page);
    await page.getByRole('row', { name: /^Deep wells (Who can read it: )?Only you (Features: )?3/ }).waitFor();

    await choose(page, 'wells.zip', archive);
    await page.getByLabel('Keep the file only').check();
    expect(await page.locator('#upload-plan').textContent()).toContain('The file alone will be stored');
    await send(page);
    await page.getByRole('row', { name: /^wells file only/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it('says why a file is refused, with the place and what stands there, and takes it without its features', async () => {
    const { page, problems } = await openDashboard();
    await choose(page, 'broken.csv', 'name,lat,lon\nTalisay,10.2,123.8\nNaga,north,123.7\n');
    await send(page);
    await expect.poll(() => refusal(page)).toContain('1 of 2 rows of broken.csv has a problem.');
    expect(await refusal(page)).toContain('In line 3: lat must be a number (got "north").');
    expect(await page.locator('#upload-error pre').textContent()).toBe('Naga,north,123.7');
    expect(await seriousFaults(page, '#upload')).toEqual([]);
    await choose(
      page,
      'clinics.csv',
      'name,lat,lon\nTalisay,10.2,123.8\nNaga,north,123.7\nCebu,10.3\nArgao,9.9,123.6\n',
    );
    await send(page);
    await expect.poll(() => refusal(page)).toContain('2 of 4 rows of clinics.csv have a problem.');
    expect(await page.locator('#upload-error tbody tr').allTextContents()).toEqual([
      'line 3latnorthmust be a number',
      'line 4must have 3 values, as the headings in line 1 (got 2)',
    ]);
    const word = page.locator('#upload-error tbody td').nth(1);
    // Words are not cut, however narrow the table.
    expect(await word.evaluate((cell) => getComputedStyle(cell).overflowWrap)).toBe('normal');
    expect([await seriousFaults(page, '#upload')]).toEqual([[]]);
    // One button goes on, until another file is chosen.
    expect(await page.locator('#upload button.main:visible').allTextContents()).toEqual(['Store 2, leave out 2']);
    await page.getByRole('button', { name: 'Store 2, leave out 2' }).click();
    await page.getByRole('row', { name: /^clinics (Who can read it: )?Only you (Features: )?2/ }).waitFor();
    expect(await page.locator('#upload-done').textContent()).toContain('2 were left out.');
    await choose(page, 'blank.csv', 'name,lat,lon\nTalisay,10.2,123.8\nNaga,,\n');
    await send(page);
    await page.getByRole('row', { name: /^blank (Who can read it: )?Only you (Features: )?2/ }).waitFor();
    const done =
      'blank: 2 features are stored. 1 of 2 features has no geometry, as a row without coordinates, and no map';
    expect(await page.locator('#upload-done').textContent()).toContain(done);
    await choose(
      page,
      'open.geojson',
      `{"type":"FeatureCollection","features":[\n${JSON.stringify(point(1))},\n{"type" "Feature"}]}`,
    );
    await send(page);
    await expect.poll(() => refusal(page)).toContain('In feature 2, line 3:');
    const outside = { ...point(1), geometry: { type: 'Point', coordinates: [123, 910] } };
    await choose(page, 'outside.geojson', JSON.stringify({ type: 'FeatureCollection', features: [outside] }));
    await send(page);
    await expect.poll(() => refusal(page)).toContain('A shape in outside.geojson is not valid.');
    expect(await page.locator('#upload-error :is(th, td)').allTextContents()).toEqual([
      ...['Where', 'Member', 'Value', 'What is wrong'],
      ...['feature 1', 'geometry.coordinates, item 2', '910', 'must be a latitude from -90 to 90'],
    ]);
    await page.getByRole('button', { name: 'Keep the file only' }).click();
    await page.getByRole('row', { name: /^outside file only Only you 0/ }).waitFor();
    expect(surprises(problems)).toEqual([]);
  });

  it('leads to Match where the columns of a table are to be chosen', async () => {
    const { page, problems } = await openDashboard();
    await choose(page, 'fruit.csv', 'fruit,qty\napple,1\n');
    await send(page);
    await page.getByText('fruit.csv can’t be read as CSV.').waitFor();
    expect(await refusal(page)).not.toContain('place_columns');
    expect(await seriousFaults(page, '#upload')).toEqual([]);
    await page.getByRole('button', { name: 'Choose the columns on Match' }).click();
    await page.getByText('Choose at least one column first.').waitFor();
    expect(surprises(problems)).toEqual([]);
  });

  it('takes a table of places, says how it was read, and what to do with rows that name none', async () => {
    const { page } = await openDashboard();
    await choose(page, 'poverty.csv', 'Lalawigan,rate\nCebu,22.1\nboholl,18\nAtlantis,1\n');
    await send(page);
    await page.getByText('don’t say which place they are of').waitFor();
    expect(await refusal(page)).toContain('line 4');
    // What would go in by what it is most like is listed before it does.
    expect(await page.locator('#upload-error td').allTextContents()).toEqual([
      ...['line 4', 'Lalawigan', 'Atlantis', 'names no place that is known'],
      ...['line 3', 'Lalawigan', 'boholl', 'Bohol (0701200000)'],
    ]);
    expect(await page.locator('#upload-error pre').count()).toBe(0);
    await keepPicture(page, 'dashboard-undecided');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Store 2, leave out 1' }).click();
    await page.getByRole('row', { name: /^poverty Only you 2/ }).waitFor();
    const done = page.locator('#upload-done');
    expect(await done.textContent()).toContain(
      'poverty: 2 features are stored. 1 was left out. Places were read from “Lalawigan”, 1 exactly and 1 by what they are most like. See it on the map',
    );
    expect(await done.locator('td').allTextContents()).toEqual(['line 3', 'Lalawigan', 'boholl', 'Bohol (0701200000)']);
    expect(await seriousFaults(page)).toEqual([]);
    // What was decided on Match replaces the dataset.
    const href = await page.getByRole('link', { name: 'Open on the map: poverty' }).getAttribute('href');
    await page.locator('#upload-done').getByRole('button', { name: 'Decide them on Match' }).click();
    const map = await madeMap(page);
    expect(map.url()).toContain(href as string);
  });

  it('hands a table to Match with its name and sheet, where it is decided and becomes a dataset', async () => {
    const { page, problems } = await openDashboard();
    const sheets = {
      Notes: [['Source', 'PSA']],
      Rates: [
        ['Lalawigan', 'rate'],
        ['Cebu', 22],
        ['Boholl', 18],
        ['Atlantis', 1],
      ],
    };
    await choose(page, 'rates.xlsx', writeSheets(sheets));
    await page.getByLabel('Name of the dataset').fill('Poverty');
    await send(page);
    await page.getByRole('button', { name: 'Rates' }).click();
    await page.getByRole('button', { name: 'Decide them on Match' }).click();
    await page.locator('#end-about').waitFor();
    expect(page.url()).toMatch(/\/match$/);
    expect(await page.locator('#summary').textContent()).toBe('3 rows: 1 exact, 1 likely, 1 not found.');
    const map = await madeMap(page);
    await map.getByRole('heading', { name: 'Poverty' }).first().waitFor();
    await page.goBack();
    await page.getByRole('row', { name: /^Poverty Only you 2/ }).waitFor();
    // The browser keeps the file no longer than for the way.
    await page.goto('/match#handed');
    await page.getByText('Drop a spreadsheet here').waitFor();
    expect(surprises(problems)).toEqual([]);
  });

  it('reads the sheet of a workbook that somebody chooses', async () => {
    const { page } = await openDashboard();
    const sheets = {
      Rates: [
        ['Lalawigan', 'rate'],
        ['Cebu', 1 / 3],
        ['Atlantis', 1],
      ],
      Notes: [['Source', 'PSA']],
    };
    await choose(page, 'rates.xlsx', writeSheets(sheets));
    await send(page);
    await page.getByText('rates.xlsx has several sheets.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rates' }).click();
    await page.getByText('don’t say which place they are of').waitFor();
    await page.getByRole('button', { name: 'Store 1, leave out 1' }).click();
    await page.getByRole('row', { name: /^rates Only you 1/ }).waitFor();
    expect(await page.locator('#upload-done').textContent()).toContain(
      'Places were read from “Lalawigan”, all exactly.',
    );
  });

  it('asks whether what was public before there was a choice is for everyone', async () => {
    const { page, problems } = await openDashboard();
    // No request can bring a dataset back to the time before the choice, so the records of the list are read as of then.
    let isChosen = false;
    await page.route('**/v1/datasets?*', async (route) => {
      const response = await route.fetch();
      const { data, ...others } = (await response.json()) as { data: object[] };
      const before = { is_public: true, visibility: 'accounts', visibility_chosen: false };
      await route.fulfill({
        response,
        json: { ...others, data: isChosen ? data : data.map((it) => ({ ...it, ...before })) },
      });
    });
    await page.getByRole('button', { name: 'Use the example' }).click();
    await send(page);
    await page
      .getByRole('row', { name: /^cities Whoever has an account here can read it.* Anyone with an account 7/ })
      .waitFor();
    expect(await seriousFaults(page, '#datasets')).toEqual([]);
    isChosen = true;
    await page.getByRole('button', { name: 'Open to everyone: cities' }).click();
    await page.getByRole('row', { name: /^cities Everyone 7/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Keep for accounts/ }).count()).toBe(0);
    expect(surprises(problems)).toEqual([]);
  });

  it('renames, describes, publishes, exports and deletes a dataset, by keyboard', async () => {
    const { page, problems } = await openDashboard({ permissions: ['clipboard-read', 'clipboard-write'] });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    /** Chooses an action of the menu of a dataset. */
    const act = async (action: string, name: string) => {
      await press(`More for ${name}`);
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: `${action} ${name}`, exact: true }).press('Enter');
    };
    await press('Use the example');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^cities Only you 7/ }).waitFor();

    const row = page.getByRole('row', { name: /^cities Only you 7/ });
    // What it counts is what the account stores, as it has no other dataset.
    await press('Refresh');
    const counted = await row.locator('[data-column="Stored"]').textContent();
    await page.getByRole('row', { name: `stored in datasets ${counted} of 2.1 GB` }).waitFor();
    const shown = () => row.locator('a, button').filter({ visible: true }).allTextContents();
    expect(await shown()).toEqual(['cities', 'Only you', 'Open on the map', 'More']);
    expect(await row.getByRole('link', { name: 'cities', exact: true }).getAttribute('href')).toMatch(/^\/explore#/);
    await press('More for cities');
    expect(await shown()).toEqual([
      'cities',
      'Only you',
      'Open on the map',
      'More',
      'Export',
      'Edit',
      'Share',
      'Delete',
    ]);
    const colorOf = (name: string) =>
      row.getByRole('button', { name, exact: true }).evaluate((it) => getComputedStyle(it).color);
    expect(await colorOf('Delete cities')).not.toBe(await colorOf('Share cities'));
    expect(await seriousFaults(page, '#datasets')).toEqual([]);
    await keepPicture(page, 'dashboard-menu');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Export cities');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('More for cities');
    expect(await shown()).toEqual(['cities', 'Only you', 'Open on the map', 'More']);

    await act('Edit', 'cities');
    expect(await seriousFaults(page, 'dialog[open]')).toEqual([]);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(' ');
    await press('Save');
    await page.locator('dialog[open] .error:not(:empty)').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Large cities');
    await page.getByRole('textbox', { name: 'Description' }).fill('By the census of 2020');
    await press('Save');
    await page.getByRole('row', { name: /^Large cities By the census of 2020 Only you 7/ }).waitFor();
    await expect.poll(focused).toBe('More for Large cities');

    // Who can read it leads to the same dialog as the menu.
    await press('Only you');
    await page.getByRole('dialog', { name: 'Share “Large cities”' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Only you');
    await act('Share', 'Large cities');
    expect(await page.getByRole('radio', { name: 'Only you', exact: true }).isChecked()).toBe(true);
    // What saves and what closes stand together, below all that the dialog says.
    const ofDialog = page.locator('dialog[open]');
    expect((await ofDialog.getByRole('button').allTextContents()).slice(-2)).toEqual(['Save', 'Close']);
    await ofDialog.getByLabel('Features as GeoJSON, with a key', { exact: true }).waitFor();
    await keepPicture(page, 'dashboard-share');
    await page.getByRole('radio', { name: /^Everyone with the address/ }).press('Space');
    await press('Save');
    await page.getByText('Saved. Everyone with the address').waitFor();
    await ofDialog.getByLabel('Features as GeoJSON', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Open the map to embed it' }).getAttribute('href')).toMatch(
      /#\/datasets\//,
    );
    expect(await seriousFaults(page, 'dialog[open]')).toEqual([]);
    // What was saved before is not said beside what could not be saved.
    const failure = { status: 500, json: { message: 'This failed.', code: 'internal_error' } };
    await page.route('**/v1/datasets/*', (route) => route.fulfill(failure));
    await page.getByRole('radio', { name: 'Only you', exact: true }).press('Space');
    await press('Save');
    await page.getByText('This failed.').waitFor();
    expect(await page.getByText('Saved.').count()).toBe(0);
    await page.unroute('**/v1/datasets/*');
    await press('Copy: On the map');
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toMatch(/^http.*\/explore#\/datasets\/[0-9a-f-]{36}$/);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('More for Large cities');
    const read = await fetch(`${origin}/v1/datasets/${address.slice(-36)}`);
    expect(await read.json()).toMatchObject({ data: { name: 'Large cities', visibility: 'everyone' } });

    await act('Export', 'Large cities');
    expect(await seriousFaults(page, 'dialog[open]')).toEqual([]);
    const saved: [string, string][] = [];
    // Every format that the service has is offered.
    const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
    const parameters = paths['/v1/datasets/{id}/export']?.get.parameters ?? [];
    const formats = parameters.flatMap(({ name, schema }) => (name === 'format' ? (schema.enum ?? []) : []));
    expect(EXPORT_FORMATS.map(({ format }) => format).sort()).toEqual([...formats].sort());
    for (const format of ['GeoJSON', 'CSV', 'NDJSON', 'Original file']) {
      const [download] = await Promise.all([page.waitForEvent('download'), press(format)]);
      saved.push([download.suggestedFilename(), await readFile(await download.path(), 'utf8')]);
    }
    expect(saved.map(([name]) => name)).toEqual([
      'Large cities.geojson',
      'Large cities.csv',
      'Large cities.ndjson',
      'cities.csv',
    ]);
    for (const [, text] of saved) expect(text).toContain('Zamboanga City');
    await page.keyboard.press('Escape');

    await act('Delete', 'Large cities');
    await press('Cancel');
    expect(await page.getByRole('row', { name: /^Large cities .* Everyone 7/ }).count()).toBe(1);
    expect(await page.locator('#upload-done').textContent()).toContain('7 features are stored');
    await act('Delete', 'Large cities');
    await page.getByText('Maps that show it on other pages lose it.').waitFor();
    await press('Delete');
    await page.getByText('You have no datasets yet.').waitFor();
    expect(await page.locator('#upload-done').textContent()).toBe('');
    expect(surprises(problems)).toEqual([]);
  });
});
