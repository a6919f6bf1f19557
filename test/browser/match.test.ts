import { readFile } from 'node:fs/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Download, Locator, Page } from 'playwright-core';
import readExcelFile from 'read-excel-file/node';
import { describe, expect, inject, it } from 'vitest';
import { writeWorkbook } from '../../pages/match/workbook-writer.ts';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, listen, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { savedPicture, signInBy } from './support/explorer.ts';
import { standInProvider } from './support/provider.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

const TYPOS = [
  'No;Province;City/Municipality;Brgy;Note',
  '1;Cebu;Argao;Poblacion;"=1+1"',
  '2;Cebu;Argaw;Poblacion;"a; b"',
  '3;Cebu;Argaw;Poblacion;the same again',
  '4;;San Juan;;',
  '5;;Qwxzt;;',
  '6;;;;nowhere',
  '',
].join('\r\n');

/** Drops a file on the page, as from a folder. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name));
      return transfer;
    },
    { name, text },
  );
  await page.dispatchEvent('#drop', 'drop', { dataTransfer });
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel('Or paste cells').fill(text);
  await page.getByRole('button', { name: 'Use these cells' }).click();
  await page.getByRole('heading', { name: 'Are these the columns?' }).waitFor();
}

async function find(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Find the codes' }).click();
}

async function findAll(page: Page): Promise<void> {
  await find(page);
  await page.getByRole('heading', { name: 'The codes', exact: true }).waitFor();
}

async function saved(page: Page, name: string): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return file;
}

/** What stands in all lines: what the rows say, how many, the best place, and how sure it is. Differences are in `**`. */
function lines(page: Page): Promise<string[][]> {
  return page
    .locator('.line')
    .evaluateAll((all) =>
      all.map((line) => [...line.children].map(({ innerHTML }) => innerHTML.replace(/<\/?mark>/g, '*'))),
    );
}

/** What stands in the line that is open. */
async function openLine(page: Page): Promise<string> {
  return (await page.locator('.line[aria-expanded=true] .typed').textContent()) ?? '';
}

async function signIn(page: Page, link: Locator): Promise<void> {
  const dashboard = await signInBy(page, link);
  await page.getByText('You are signed in').waitFor();
  await dashboard.close();
}

/** A workbook with two sheets: notes, which are many, and places below a title. */
function workbook(): Buffer {
  const notes = writeWorkbook(
    Array.from({ length: 6000 }, (_, i) => ['a note of some length, so that it is large', `${i}`]),
  );
  const places = writeWorkbook([
    ['List of members', null, null, null],
    [null, null, null, null],
    ['Member since', 'Phone', 'Prov', 'Town'],
    [new Date('2024-02-29'), 639171234567, 'Cebu', 'Argaw'],
  ]);
  const parts = unzipSync(notes);
  const edit = (path: string, from: string, to: string) => {
    parts[path] = strToU8(strFromU8(parts[path] ?? new Uint8Array()).replace(from, to));
  };
  parts['xl/worksheets/sheet2.xml'] = unzipSync(places)['xl/worksheets/sheet1.xml'] ?? new Uint8Array();
  edit('xl/workbook.xml', '</sheets>', '<sheet name="Members" sheetId="2" r:id="r3"/></sheets>');
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
  const relation = `<Relationship Id="r3" Type="${type}" Target="worksheets/sheet2.xml"/></Relationships>`;
  edit('xl/_rels/workbook.xml.rels', '</Relationships>', relation);
  return Buffer.from(zipSync(parts));
}

describe('the page /match', () => {
  it('finds codes for a CSV with typing errors, lets people choose, and gives it back with them', async () => {
    const { page, problems } = await newTab();
    const asked: { rows: object[] }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/match')) asked.push(request.postDataJSON());
    });
    await page.goto('/match');
    // It has the name of the button that leads to it.
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Make a map from a spreadsheet');
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'match-start-1280');
    await drop(page, 'members.csv', TYPOS);
    await page.getByText('members: 6 rows').waitFor();
    expect(
      await page.getByLabel('Barangay').evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text),
    ).toBe('Brgy');
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'match-check-1280');
    await findAll(page);
    // Neither notes nor numbers leave the browser, and what is the same is asked for once.
    expect(asked).toEqual([
      {
        rows: [
          { province: 'Cebu', municity: 'Argao', barangay: 'Poblacion' },
          { province: 'Cebu', municity: 'Argaw', barangay: 'Poblacion' },
          { municity: 'San Juan' },
          { municity: 'Qwxzt' },
        ],
      },
    ]);
    expect(await page.locator('#summary').textContent()).toBe(
      '6 rows: 1 exact, 2 likely, 1 ambiguous, 1 not found, 1 naming no place (row 7).',
    );
    // What is least sure comes first, and what differs is marked.
    expect(await lines(page)).toEqual([
      ['Qwxzt', '', '', 'not found'],
      ['San Juan', '', 'City of San Juan, National Capital Region (NCR), or 6 others', 'ambiguous'],
      ['Poblacion, Arga*w*, Cebu', '2 rows', 'Poblacion, Arga*o*, Cebu', 'likely: municipality spelled differently'],
    ]);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'match-result-1280');

    await page.getByRole('button', { name: 'Another place' }).click();
    // What was not found is there to be corrected, and typing takes its place.
    expect(await page.getByRole('combobox', { name: 'Find another place' }).inputValue()).toBe('Qwxzt');
    await page.keyboard.type('Vigan');
    await page.getByRole('option', { name: /City of Vigan/ }).click();
    // The next that is not decided is open. Seven of the name differ by what they lie in.
    expect(await openLine(page)).toBe('San Juan');
    const options = await page.locator('.option').allTextContents();
    expect(new Set(options).size).toBe(8);
    await page.getByRole('button', { name: 'San Juan, Batangas' }).click();
    expect(await page.locator('#latest').textContent()).toBe('“San Juan”: San Juan, Batangas.');
    // What there is can be taken before all is decided.
    expect(await page.locator('#end').textContent()).toMatch(
      /^\s*6 rows: 3 with a code, 2 with a proposed one \(downloads have it\), 1 with none\.\s+Not accepted yet: 2 likely/,
    );
    expect(await page.getByRole('button', { name: 'Download CSV' }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Accept all likely' }).click();
    expect(await page.getByRole('button', { name: 'Accept all likely' }).isVisible()).toBe(false);
    expect(await page.locator('#announcement').textContent()).toContain('Everything is decided');
    expect(await page.locator(':focus').textContent()).toBe('Make the map');
    expect(await page.locator('#end-about').textContent()).toBe('6 rows: 5 with a code, 1 with none.');
    expect(await page.locator('#filter-about').textContent()).toBe('Nothing is left to check.');
    await keepPicture(page, 'match-decided-1280');
    expect(await page.locator('#filters').getByRole('button').allTextContents()).toEqual([
      'To check 0',
      'Exact 1',
      'Accepted together 2',
      'Chosen by you 2',
      'Of a larger place 2',
      'Same place twice 3',
      'No place 1',
      'All 6',
    ]);

    const file = await saved(page, 'Download CSV');
    expect(file.suggestedFilename()).toBe('members-psgc.csv');
    const poblacion = '0702205035;barangay;Poblacion';
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toEqual([
      '\ufeffNo;Province;City/Municipality;Brgy;Note;psgc_code;psgc_level;psgc_name;psgc_match;psgc_score;psgc_candidates;psgc_notes',
      `1;Cebu;Argao;Poblacion;=1+1;${poblacion};exact;1;;`,
      `2;Cebu;Argaw;Poblacion;"a; b";${poblacion};accepted;0.999;;`,
      `3;Cebu;Argaw;Poblacion;the same again;${poblacion};accepted;0.999;;`,
      '4;;San Juan;;;0401023000;municity;San Juan;chosen;;;',
      '5;;Qwxzt;;;0102934000;municity;City of Vigan;chosen;;;',
      '6;;;;nowhere;;;;;;;',
      '',
    ]);

    await page.getByRole('button', { name: 'Change the columns' }).click();
    await page.locator('#column-barangay').selectOption('(no column)');
    await findAll(page);
    expect(asked[1]?.rows).toEqual([
      { province: 'Cebu', municity: 'Argao' },
      { province: 'Cebu', municity: 'Argaw' },
      { municity: 'San Juan' },
      { municity: 'Qwxzt' },
    ]);
    expect(problems).toEqual([]);
  });

  it('reads the sheet of a workbook that has places, and writes a workbook whose codes keep their zeros', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    expect(
      await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
    ).not.toContainEqual(expect.stringContaining('workbook'));
    await page.locator('#file').setInputFiles({ name: 'members.xlsx', mimeType: '', buffer: workbook() });
    await page.getByText('members, sheet Members: 1 row').waitFor();
    expect(await page.getByLabel('Headings', { exact: true }).inputValue()).toBe('2');
    expect(await page.locator('#preview td').allTextContents()).toEqual([
      '2024-02-29',
      '639171234567',
      'Cebu',
      'Argaw',
    ]);
    await page.getByLabel('Sheet', { exact: true }).selectOption('PSGC');
    await page.getByText('sheet PSGC: 5,999 rows').waitFor();
    await page.getByLabel('Sheet', { exact: true }).selectOption('Members');
    await findAll(page);
    const file = await saved(page, 'Download for Excel');
    expect(file.suggestedFilename()).toBe('members-psgc.xlsx');
    const [sheet] = await readExcelFile(await file.path());
    expect(sheet?.data[1]?.slice(0, 8)).toEqual([
      new Date('2024-02-29'),
      639171234567,
      'Cebu',
      'Argaw',
      '0702205000',
      'municity',
      'Argao',
      'likely',
    ]);
    expect(problems).toEqual([]);
  });

  it('waits where the limit is used up, goes on after failures, and keeps what it has when it is stopped', async () => {
    const { page } = await newTab();
    await page.clock.install();
    let answers: ('pass' | 'limit' | 'fail')[] = ['pass', 'limit'];
    const sizes: number[] = [];
    await page.route('**/v1/match', (route) => {
      const answer = answers.shift() ?? 'pass';
      if (answer === 'fail') return route.abort('internetdisconnected');
      if (answer === 'limit') {
        return route.fulfill({
          status: 429,
          headers: { 'Retry-After': '40' },
          json: { message: 'Too many.', code: 'rate_limit_exceeded' },
        });
      }
      sizes.push((route.request().postDataJSON() as { rows: unknown[] }).rows.length);
      return route.continue();
    });
    await page.goto('/match');
    await paste(page, `Province\tTown\n${Array.from({ length: 45 }, (_, i) => `Cebu\tArgao ${i}`).join('\n')}`);
    await find(page);
    await expect
      .poll(() => page.locator('#pause').textContent())
      .toMatch(/as much as goes in a minute without signing in.* in 40 seconds/);
    expect(await page.locator('#done').textContent()).toBe('20 of 45 rows');
    await keepPicture(page, 'match-pause-1280');
    // The pause is a part of the way.
    const waited = page.locator('#pause progress');
    const share = () => waited.evaluate((bar: HTMLProgressElement) => bar.position);
    expect(await share()).toBeLessThan(0.1);
    await page.clock.fastForward(20_000);
    await expect.poll(share).toBeGreaterThan(0.4);
    answers = ['pass', 'fail', 'fail', 'fail', 'fail'];
    await page.clock.fastForward(21_000);
    const pause = page.locator('#pause');
    for (let i = 0; i < 3; i += 1) {
      await expect.poll(() => pause.textContent()).toMatch(/can’t be reached\. It is tried again/);
      await page.clock.fastForward(4000);
    }
    await expect.poll(() => pause.textContent()).toMatch(/It has stopped.*Nothing is lost/);
    await page.getByRole('button', { name: 'Stop here' }).click();
    await expect.poll(() => page.locator('#rest').textContent()).toContain('5 rows were not looked up.');
    expect(await page.locator('.group').count()).toBe(40);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => page.locator('#summary').textContent()).toMatch(/^45 rows: /);
    expect(await page.locator('#rest').isVisible()).toBe(false);
    await expect.poll(() => sizes).toEqual([20, 20, 5]);
  });

  it('says before how long a list takes without signing in, where that is long', async () => {
    const { page } = await newTab();
    await page.goto('/match');
    const listOf = (count: number) =>
      `Note\tTown\n${Array.from({ length: count }, (_, i) => `a\tArgao ${i}`).join('\n')}`;
    await paste(page, listOf(600));
    const about = page.locator('#check-about');
    expect(await about.textContent()).toBe('pasted: 600 rows');
    await page.getByRole('button', { name: 'Another list' }).click();
    await paste(page, listOf(601));
    expect(await about.textContent()).toBe(
      'pasted: 601 rows. Without signing in it takes about 1 minute, with pauses; signed in, some seconds.',
    );
    // What is the same is asked for once.
    await page.locator('#column-municity').selectOption('Note');
    expect(await about.textContent()).toBe('pasted: 601 rows');
  });

  it('asks people to sign in for more than a thousand rows, and shows a long list by pages', async () => {
    const { page, problems } = await newTab();
    const sizes: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/match')) sizes.push(request.postDataJSON().rows.length);
    });
    await page.goto('/match');
    await paste(page, `Address\n${Array.from({ length: 1001 }, (_, i) => `San Juan ${i}`).join('\n')}`);
    expect(await page.locator('#check-about').textContent()).toBe(
      'pasted: 1,001 rows. Without signing in a list may have 1,000 rows.',
    );
    expect(await page.getByRole('button', { name: 'Find the codes' }).isVisible()).toBe(false);
    const signInLink = page.getByRole('link', { name: 'Sign in and find the codes' });
    // Nobody signs in for a list without columns.
    await page.locator('#column-text').selectOption('(no column)');
    await signInLink.click();
    expect(await page.locator('#check-fault').textContent()).toBe('Choose at least one column first.');
    expect(page.context().pages().length).toBe(1);
    await page.locator('#column-text').selectOption('Address');
    await signIn(page, signInLink);
    // It goes on by itself, as the tab says in which people sign in.
    await page.getByRole('heading', { name: 'The codes', exact: true }).waitFor();
    expect(sizes).toEqual([1000, 1]);
    await page.getByRole('button', { name: 'All 1,001' }).click();
    expect(await page.locator('#page-about').textContent()).toBe('Page 1 of 11');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.locator('#page-about').textContent()).toBe('Page 2 of 11');
    expect(await page.locator('.group').count()).toBe(100);
    expect(await openLine(page)).toBe('San Juan 100');
    await page.keyboard.press('k');
    expect(await page.locator('#page-about').textContent()).toBe('Page 1 of 11');
    expect(await openLine(page)).toBe('San Juan 99');
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(problems).toEqual([]);
  });

  it('is decided by single keys, and every step can be undone', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(
      page,
      'Lalawigan\tBayan\n\tSan Juan\nBatangaz City\tSAN JUAN\n\tSan  Juan\nCebu\tArgaw\nBohol\tTubigion\nCebu\tArgao',
    );
    await findAll(page);
    const states = () =>
      page.locator('.group').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.state));
    const before = await states();
    // The keys work from the heading on, which has the focus.
    await page.keyboard.press('j');
    const second = await openLine(page);
    await page.keyboard.press('ArrowUp');
    expect(await openLine(page)).not.toBe(second);
    expect(await page.locator('.line:focus .typed').textContent()).toBe(await openLine(page));
    await page.keyboard.press('0');
    expect((await states())[0]).toBe('left');
    expect(await page.locator('.best').first().textContent()).toBe('no code');
    expect(await openLine(page)).toBe(second);
    await page.keyboard.press('u');
    expect(await states()).toEqual(before);
    await page.keyboard.press('2');
    const chosen = await page.locator('.best').first().textContent();
    expect(chosen).toMatch(/San Juan, /);
    await page.keyboard.press('u');

    // A search is text, so its letters are no keys.
    await page.keyboard.press('s');
    await page.keyboard.type('Argao');
    await page.getByRole('option', { name: /Argao/ }).first().click();
    expect(await page.locator('#latest').textContent()).toContain('Argao, Cebu.');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await states()).toEqual(before);

    const accept = page.getByRole('button', { name: 'Accept all likely' });
    const said = () => page.locator('#likely-about').textContent();
    const saidBefore = await said();
    await accept.click();
    expect(await accept.isVisible()).toBe(false);
    expect(await page.locator('#latest').textContent()).toBe('Accepted together: 2 rows.');
    // What has no place is left in one step, once what is likely does not stand beside it.
    const leave = page.getByRole('button', { name: /^Leave without a code: / });
    expect(await leave.textContent()).toBe('Leave without a code: 3 rows');
    await leave.click();
    expect(await page.locator('#latest').textContent()).toBe('Left without a code: 3 rows.');
    expect(await leave.isVisible()).toBe(false);
    expect(await page.locator('#filters').textContent()).toContain('To check 0');
    await page.keyboard.press('u');
    await page.keyboard.press('u');
    expect([await accept.isVisible(), await said()]).toEqual([true, saidBefore]);
    expect(await leave.isVisible()).toBe(false);
    expect(await states()).toEqual(before);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('lists apart the rows without a town, and those whose province is not as written', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(
      page,
      'Province\tTown\nBohol\t\nCebu\t\nApayao\tCoron\nCebu\tArgaw\nCebu\tArgao\nZamboanga del Sur\tZambo City',
    );
    await findAll(page);
    expect(await page.locator('#summary').textContent()).toBe(
      '6 rows: 3 exact, 1 likely, 1 province not as written, 1 ambiguous. 2 rows have no city or municipality: they have the code of their province. The codes are of different levels: 3 cities and municipalities, 2 provinces.',
    );
    await page.getByRole('button', { name: 'Accept all likely' }).click();
    const filters = page.locator('#filters');
    expect(await filters.getByRole('button').allTextContents()).toEqual([
      ...['To check 2', 'Ambiguous 1', 'Province not as written 1', 'Exact 3', 'Accepted together 1'],
      ...['Of a larger place 2', 'Same place twice 2', 'All 6'],
    ]);
    expect((await lines(page))[0]?.[3]).toBe('one candidate, not sure');
    // It is not before likely rows are accepted that the map is what comes next.
    expect(await page.locator('#end .main:visible').allTextContents()).toEqual(['Make the map']);
    await filters.getByRole('button', { name: 'Province not as written' }).click();
    expect(await openLine(page)).toBe('Coron, Apayao');
    await filters.getByRole('button', { name: 'Of a larger place' }).click();
    expect((await lines(page)).map(([, , best, state]) => [best, state])).toEqual(
      ['Bohol', 'Cebu'].map((name) => [`${name}, Region VII (Central Visayas)`, 'exact']),
    );
    expect(await page.locator('#accept').isVisible()).toBe(false);
    await filters.getByRole('button', { name: 'Province not as written' }).click();
    await page.getByRole('button', { name: 'Accept these provinces: 1 row' }).click();
    expect(await page.locator('#latest').textContent()).toBe('Accepted together: 1 row.');
    expect(await page.locator('#filter-about').textContent()).toBe('No rows are in this list.');
    expect(await filters.getByRole('button', { name: 'To check' }).textContent()).toBe('To check 1');
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('is decided once for rows that call a place the same, and say no other province', async () => {
    const { page } = await newTab();
    await page.route('**/v1/match', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: { match: string; code: null }[] };
      // The service finds most provinces however they are spelled. Here it finds none of them.
      await route.fulfill({ response, json: { ...json, data: json.data.map(() => json.data[0]) } });
    });
    await page.goto('/match');
    await paste(page, 'Province\tTown\n\tSan Juan\nQq\tSan Juan\nZz\tsan juan\nZz\tsan juan\n\tS. Juan\n');
    await findAll(page);
    await page.keyboard.press('4');
    // The line with the most rows comes first.
    // Another province is written where it says “Qq”, and the fourth place is not what the service has first.
    await page.getByRole('button', { name: 'The same for 2 rows more, also spelled “S. Juan”' }).waitFor();
    await page.keyboard.press('a');
    expect(await page.locator('#summary').textContent()).toBe('5 rows: 4 chosen by you, 1 ambiguous.');
    await page.keyboard.press('u');
    expect(await page.locator('#summary').textContent()).toBe('5 rows: 2 chosen by you, 3 ambiguous.');
  });

  it('shows the places on the map, without signing in', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Province\tTown\nCebu\tArgao\nCebu\tArgaw\nBohol\tTubigon\n\tQwxzt');
    await findAll(page);
    const link = page.getByRole('link', { name: 'Preview the map' });
    const [map] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    const drawn: string[] = [];
    listen(map, drawn);
    await map.getByRole('heading', { name: /^Pasted list, \d+ \p{L}+$/u, level: 1 }).waitFor();
    expect(await map.locator('#kind').textContent()).toBe('Your list, 2 places');
    // The name of each is followed by the number of its rows.
    expect((await map.locator('.own-table tbody tr').allTextContents()).filter((row) => row !== '')).toEqual([
      expect.stringMatching(/^1Argao2/),
      expect.stringMatching(/^2Tubigon1/),
    ]);
    await map.locator('#map[data-drawn=matched]').waitFor({ state: 'attached' });
    expect(drawn).toEqual([]);
    expect(await seriousFaults(map)).toEqual([]);
    await keepPicture(map, 'match-map-1280');
    // The list is in the tab that it was opened in, and in no address.
    const other = await page.context().newPage();
    await other.goto(new URL(map.url()).pathname + new URL(map.url()).hash);
    await other.getByText('This tab has no list').waitFor();
    expect(problems).toEqual([]);
  });

  it('makes a map of the areas of the rows, once somebody has signed in', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Province\tRate\tpsgc\nCebu\t22.1\ta\nBohol\t18\tb\nQwxzt\t1\tc');
    await findAll(page);
    const make = page.getByRole('button', { name: 'Make the map' });
    await make.click();
    const status = page.locator('#map-status');
    const signIn = status.getByRole('link', { name: 'Sign in' });
    const [dashboard] = await Promise.all([page.context().waitForEvent('page'), signIn.click()]);
    const back = dashboard.locator('#back');
    await expect.poll(() => back.textContent()).toBe('Sign in here, and the tab that you came from goes on by itself.');
    expect(await back.isVisible()).toBe(true);
    // It goes on by itself, and opens the map.
    const [map] = await Promise.all([
      page.context().waitForEvent('page'),
      dashboard.getByRole('button', { name: 'Sign in on this machine' }).click(),
    ]);
    await expect.poll(() => back.textContent()).toContain('goes on by itself: close this one.');
    expect([await back.isVisible(), new URL(dashboard.url()).hash]).toEqual([true, '']);
    await dashboard.locator('#who').click();
    expect(await back.isVisible()).toBe(false);
    await dashboard.goto('about:blank');
    await dashboard.goto('/dashboard');
    await dashboard.locator('#datasets > *').first().waitFor();
    expect(await back.isVisible()).toBe(false);
    await map.getByRole('heading', { name: 'Rate', level: 1 }).waitFor();
    await dashboard.close();
    expect(await status.textContent()).toBe(
      '2 areas are stored. 1 without a code or a boundary was left out. Open the map',
    );
    await map.locator('.own-table tbody tr').nth(1).waitFor();
    const rows = (await map.locator('.own-table tbody tr').allTextContents()).filter((row) => row !== '');
    expect(rows.sort()).toEqual([
      expect.stringMatching(/Cebu.*0702200000/),
      expect.stringMatching(/Bohol.*0701200000/),
    ]);
    expect(problems).toEqual([]);
  });

  it('has a line for each row of usual names', async () => {
    const { page } = await newTab();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/match');
    await paste(
      page,
      'Bayan\tLalawigan\nQuezon City (District 2)\tNCR\nCotabato City\tBARMM\nMaynila\tNCR\nParanaque\tMetro Manila\nSan Juan\t',
    );
    await findAll(page);
    await page.locator('#filters').getByRole('button', { name: /^All / }).click();
    const heights = await page.locator('.line').evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
    expect(heights).toHaveLength(5);
    expect(Math.max(...heights)).toBeLessThan(45);
  });

  it('makes a map of points of a list with coordinates', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(
      page,
      'name\tlatitud\tLongitude\tx\nClinic 1\t10.3\t123.9\t7\nClinic 2\t9.8\t124.1\t8\nClinic 3\tn/a\t1\t9',
    );
    await page.getByText('The list has coordinates, in latitud and Longitude.').waitFor();
    expect(await page.getByText('No heading is known').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make a map of the points' }).click();
    const link = page.locator('#check-notes').getByRole('link', { name: 'Sign in' });
    const [dashboard] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    const [map] = await Promise.all([
      page.context().waitForEvent('page'),
      dashboard.getByRole('button', { name: 'Sign in on this machine' }).click(),
    ]);
    await map.getByRole('heading', { name: /^Pasted list, \d+ \p{L}+$/u, level: 1 }).waitFor();
    // It is called rows until they are read.
    await expect.poll(() => map.locator('#kind').textContent()).toBe('Your dataset, 2 points');
    await map.locator('.own-table tbody tr', { hasText: 'Clinic 1' }).waitFor();
    // The list is still where it was.
    await page.getByText('2 points are stored. 1 row was left out.').waitFor();
    expect(await page.locator('#check-notes td').allTextContents()).toEqual([
      ...['row 4', 'latitud', 'n/a', 'must be a number'],
    ]);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('counts points by what became of them, swaps coordinates, and opens the map without what lies far away', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await signIn(page, page.locator('#access').getByRole('link', { name: 'Sign in' }));
    await paste(
      page,
      'Station\tLat\tLong\nCebu\t123.9\t10.2\nWhere\tabc\t120\nManila\t14.6\t120.98\nNone\t\t\nLondon\t51.5\t-0.1',
    );
    const notes = page.locator('#check-notes');
    await notes.getByText('1 row looks as if latitude and longitude were swapped: row 2.').waitFor();
    await notes.getByText('1 point lies far outside of the Philippines: row 6.').waitFor();
    const make = notes.getByRole('button', { name: 'Make a map of the points' });
    const [first] = await Promise.all([page.context().waitForEvent('page'), make.click()]);
    await notes
      .getByText(
        '2 points are stored. 1 row without coordinates is stored too, and no map shows it. 2 rows were left out.',
      )
      .waitFor();
    expect(await notes.locator('td').allTextContents()).toEqual([
      ...['row 2', 'Lat', '123.9', 'must be a latitude from -90 to 90, as if longitude and latitude were swapped'],
      ...['row 3', 'Lat', 'abc', 'must be a number'],
    ]);
    expect(await seriousFaults(page)).toEqual([]);
    await first.close();
    const [map] = await Promise.all([
      page.context().waitForEvent('page'),
      notes.getByRole('button', { name: 'Swap them' }).click(),
    ]);
    await notes.getByText('3 points are stored.').waitFor();
    await notes.getByText('Latitude and longitude are swapped in row 2.').waitFor();
    expect(await notes.locator('td').allTextContents()).toEqual(['row 3', 'Lat', 'abc', 'must be a number']);
    await expect
      .poll(() => map.locator('#kind').textContent())
      .toBe('Your dataset, 3 points, and 1 row without a place');
    expect(map.url()).toMatch(/#\/datasets\/[^?]+\?bbox=120\.96,10\.18,123\.92,14\.62/);
    const all = notes.getByRole('link', { name: 'Show all of them' });
    expect(await all.getAttribute('href')).toMatch(/^\/explore#\/datasets\/[^?]+$/);
    expect(problems).toEqual([]);
  });

  it('takes the map again into the same dataset, and leads to it where the browser opens no tab', async () => {
    const { page } = await newTab();
    await page.goto('/match');
    await paste(page, 'Province\tRate\nCebu\t22.1\nTotal\t18');
    await findAll(page);
    // A total is of no place, and nobody is asked for it.
    expect(await page.locator('#summary').textContent()).toBe('2 rows: 1 exact, 1 naming no place (row 3).');
    const filters = page.locator('#filters').getByRole('button');
    expect(await filters.allTextContents()).toEqual(['To check 0', 'Exact 1', 'No place 1', 'All 2']);
    const items = page.locator('#groups > li');
    expect(await items.count()).toBe(2);
    await filters.filter({ hasText: 'No place' }).click();
    expect(await items.allTextContents()).toEqual(['Row 3: Province Total, Rate 18.']);
    await signIn(page, page.locator('#access').getByRole('link', { name: 'Sign in' }));
    await page.evaluate(() => Object.assign(globalThis, { open: () => null }));
    const make = page.getByRole('button', { name: 'Make the map' });
    const link = page.locator('#map-status').getByRole('link', { name: 'Open the map' });
    const addresses: (string | null)[] = [];
    for (let i = 0; i < 2; i += 1) {
      const stored = page.waitForResponse('**/v1/datasets/upload');
      await make.click();
      await stored;
      await link.waitFor();
      await expect.poll(() => page.locator(':focus').textContent()).toBe('Open the map');
      addresses.push(await link.getAttribute('href'));
    }
    expect(addresses[0]).toMatch(/^\/explore#\/datasets\//);
    expect(addresses[1]).toBe(addresses[0]);
  });

  it('lists the rows that have the place of another row, and leaves a search by Escape', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Province\tTown\nCebu\tArgao\nBohol\tTubigon\nCebu\tArgaw');
    await findAll(page);
    await page.getByRole('button', { name: 'Same place twice 2' }).click();
    expect((await lines(page)).map(([typed]) => typed)).toEqual(['Argao, Cebu', 'Arga*w*, Cebu']);
    await page.keyboard.press('s');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('Bo');
    for (let i = 0; i < 2; i += 1) await page.keyboard.press('Escape');
    expect(await page.locator('.line:focus').count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('brings the places that a search finds into the window, also for the last line', async () => {
    const { page, problems } = await newTab();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/match');
    await paste(
      page,
      `Town\n${Array.from({ length: 30 }, (_, at) => `Qwxzt ${'abcdefgh'.repeat(4).slice(0, at + 1)}`).join('\n')}`,
    );
    await findAll(page);
    for (const at of [14, 29]) {
      await page.locator('.line').nth(at).click();
      // The line stands at the lower edge.
      await page
        .locator('.line')
        .nth(at)
        .evaluate((line) => line.scrollIntoView({ block: 'end' }));
      await page.keyboard.press('s');
      await page.keyboard.type('San Jose');
      await page.getByRole('option').first().waitFor();
      const edges = await page
        .locator('[role=combobox]:focus, [role=listbox]:visible')
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).flatMap(({ top, bottom }) => [top, bottom]),
        );
      expect(edges).toHaveLength(4);
      expect(Math.min(...edges)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...edges)).toBeLessThanOrEqual(800);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    }
    expect(problems).toEqual([]);
  });

  it('takes the first cell of a list with one column for a place where it is one', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Quezon City\nArgao, Cebu\nMakati');
    await page.getByText('pasted: 3 rows').waitFor();
    expect(await page.getByLabel('Address, or all in one').inputValue()).toBe('0');
    await findAll(page);
    expect((await lines(page)).map(([typed]) => typed)).toContain('Quezon City');
    expect(await page.locator('#summary').textContent()).toContain('3 rows: 3 exact');
    expect(problems).toEqual([]);
  });

  it('reads a column of codes beside the names, and lists both where they are of two places', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Town\tPSGC Code\nSan Jose\t304926000\nSan Jose\t\nTalibon\t0304926000');
    expect(await page.getByLabel('PSGC code').inputValue()).toBe('1');
    await findAll(page);
    expect(await page.locator('#summary').textContent()).toContain('3 rows: 1 exact, 2 ambiguous');
    const typed = (await lines(page)).map(([text]) => text);
    expect(typed).toContain('*Talibon*, 0304926000');
    await page.locator('.line', { hasText: 'Talibon' }).click();
    const options = await page.locator('.option:visible code').allTextContents();
    expect(options).toEqual(['0304926000', '0701243000']);
    expect(problems).toEqual([]);
  });

  it('counts a total of a place among the rows that name none', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Town\tRate\nTalibon, Bohol\t1\nSubtotal, Bohol\t1\nGrand total\t1');
    await findAll(page);
    expect(await page.locator('#summary').textContent()).toContain('2 naming no place (rows 3, 4)');
    expect(problems).toEqual([]);
  });

  it('shows what the list says of provinces as a choropleth', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    await paste(page, 'Province\tCases\nCebu\t1,200\nBohol\t30\nCebu\t300');
    await findAll(page);
    const link = page.getByRole('link', { name: 'Preview the map' });
    const [map] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await map.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    // The columns of the list come before what the service says of its places.
    const columns = map.getByLabel('Colour by').locator('option');
    expect(await columns.allTextContents()).toEqual([...['Nothing', 'name', 'Cases', 'rows', 'level', 'lies in']]);
    expect(await map.getByLabel('Colour by').locator('option:checked').textContent()).toBe('Cases');
    await expect.poll(() => map.locator('#legend li').allTextContents()).toEqual(['30 1', '300 1', '1,200 1']);
    // Rows of one place are not added up by themselves, as they are not on the map of a stored list.
    await map.getByText('1 place has several rows, of which the map shows the last.').waitFor();
    await map.getByLabel('Places with several rows').selectOption({ label: 'Sum of their rows' });
    await expect.poll(() => map.locator('#legend li').allTextContents()).toEqual(['30 1', '1,500 1']);
    // Areas have a size.
    await map.getByRole('radio', { name: 'Per km²' }).check();
    // The list is called as its column, so the title says what is drawn of it, and the legend does not say it again.
    await map.getByRole('heading', { name: 'Cases per km²', level: 1 }).waitFor();
    expect(await map.locator('#legend .legend-head').textContent()).toBe(' areas');
    const { download: picture } = await savedPicture(map, 'PNG');
    expect(picture.suggestedFilename()).toBe('Cases per km².png');
    expect(await map.getByRole('button', { name: 'Embed', exact: true }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('keeps the session of the identity provider, whose tokens are valid for a minute', async () => {
    const { page } = await newTab();
    const tokens: string[] = [];
    await standInProvider(page, async () => {
      tokens.push(masterToken);
      return masterToken;
    });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('link', { name: 'Match' }).click();
    await page.getByText('You are signed in').waitFor();
    await paste(page, 'Town\nVigan');
    const before = tokens.length;
    await page.evaluate(() => sessionStorage.setItem('token', 'one-that-has-expired'));
    await findAll(page);
    expect(tokens.length).toBe(before + 1);
  });

  it('reads a file that is chosen before its script runs', async () => {
    const { page } = await newTab();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/**/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/match', { waitUntil: 'commit' });
    const file = { name: 'early.csv', mimeType: 'text/csv', buffer: Buffer.from('Town\nVigan\n') };
    await page.locator('#file').setInputFiles(file);
    release();
    await page.getByText('early: 1 row').waitFor();
  });

  it('says in a sentence what it can not read', async () => {
    const { page, problems } = await newTab();
    await page.goto('/match');
    const old = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    const cases: [string, Buffer, RegExp][] = [
      ['empty.csv', Buffer.from(''), /^The file is empty\.$/],
      ['old.xls', Buffer.from(old), /old kind \(\.xls\).*save it as \.xlsx/],
      [
        'locked.xlsx',
        Buffer.concat([Buffer.from(old), Buffer.from('EncryptedPackage', 'utf16le')]),
        /protected with a password/,
      ],
      ['broken.xlsx', workbook().subarray(0, 9000), /damaged, or no workbook/],
      ['page.xls', Buffer.from('<html><table>'), /a web page/],
      ['open.csv', Buffer.from('Town\n"Vigan\n'), /Line 2 can’t be read/],
    ];
    for (const [name, buffer, said] of cases) {
      await page.locator('#file').setInputFiles({ name, mimeType: '', buffer });
      await expect.poll(() => page.locator('#notice').textContent(), { message: name }).toMatch(said);
    }
    await drop(page, 'again.csv', 'Town,psgc_code\nVigan,1\n');
    await page.getByText('again: 1 row').waitFor();
    await find(page);
    await expect.poll(() => page.locator('#check-fault').textContent()).toContain('a column psgc_code already');
    expect(problems).toEqual([]);
  });

  it('fits a phone and works by the keyboard alone, on a list without headings', async () => {
    const { page, problems } = await newTab(PHONE);
    await page.goto('/match');
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        return element?.labels?.[0]?.textContent?.trim() ?? element?.textContent?.trim() ?? '';
      });
    const tabTo = async (name: string) => {
      for (let i = 0; i < 60 && !(await focused()).startsWith(name); i += 1) await page.keyboard.press('Tab');
      expect(await focused()).toContain(name);
    };
    await tabTo('Or paste cells');
    await page.keyboard.insertText('San Juan\tBatangas\nSan Juan\t\n');
    await tabTo('Use these cells');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Are these the columns?');
    expect(await page.locator('#check-notes').textContent()).toContain('No heading is known');
    expect(await widthOf(page)).toBe(390);
    await tabTo('Headings');
    await page.keyboard.press('End');
    expect(await page.locator('#check-about').textContent()).toBe('pasted: 2 rows');
    await tabTo('Province');
    await page.keyboard.press('End');
    await tabTo('City or municipality');
    await page.keyboard.press('ArrowDown');
    await keepPicture(page, 'match-check-390');
    await tabTo('Find the codes');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('The codes');
    // Fingers press none of the keys, which are said nowhere.
    const hints = page.locator('#result :is(#keys, kbd)');
    expect(await hints.count()).toBeGreaterThan(3);
    expect(await hints.evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(0);
    // Of all lines only the open one is reached by Tab, and its places behind it.
    await tabTo('San Juan');
    expect(await openLine(page)).toBe('San Juan');
    await tabTo('4San Juan, Batangas');
    await page.keyboard.press('Enter');
    expect(await page.locator('#announcement').textContent()).toContain('Everything is decided');
    expect(await widthOf(page)).toBe(390);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'match-result-390');
    await tabTo('All 2');
    await page.keyboard.press('Enter');
    expect(await page.locator('.group').count()).toBe(2);
    expect(await focused()).toBe('All 2');
    expect(problems).toEqual([]);
  });
});
