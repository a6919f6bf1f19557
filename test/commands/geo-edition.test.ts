import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Cell } from '../../pages/match/table.ts';
import { addEdition } from '../../scripts/pipeline/psgc/add-edition.ts';
import { HISTORY_FOLDER, publicationOf, readHistory } from '../../scripts/pipeline/psgc/history.ts';
import { factsByCode, spansOf, textsOf, writeHistory } from '../../scripts/pipeline/psgc/history-files.ts';
import type { Publication } from '../../scripts/pipeline/psgc/publication.ts';
import { type Columns, findColumns } from '../../scripts/pipeline/psgc/workbook-columns.ts';
import { readRows } from '../../scripts/pipeline/psgc/workbook-rows.ts';
import { writeSheets } from '../support/workbooks.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/geo-edition.ts', import.meta.url));
const FILES = ['editions.csv', 'areas.csv', 'population.csv', 'source.json'];
const HEADINGS = [
  ...['10-digit PSGC', 'Name', 'Correspondence Code', 'Geographic Level', 'Old names', 'City Class'],
  ...['Income\r\nClassification', 'Urban / Rural\r\n(based on 2020 CPH)', '2015 Population', '2020 Population'],
];

const history = await readHistory();
let directory: string;
let data: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-edition-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
beforeEach(async () => {
  data = await mkdtemp(join(directory, 'data-'));
  await cp(HISTORY_FOLDER, data, { recursive: true });
});

function run(...args: string[]): ReturnType<typeof runIn> {
  return runIn(data, ...args);
}

function runIn(folder: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args, '--data', folder], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** The rows of a workbook with the list of an edition, below its headings. */
function rowsOf(id: string, years: readonly number[] = [2015, 2020]): Cell[][] {
  const texts = new Map(history.spans.map((span) => [`${span.code} ${span.first}`, span]));
  const index = history.editions.findIndex((it) => it.id === id);
  const oldNames = new Map(
    [...texts.values()].flatMap(({ code, first, last, oldNames }) =>
      first <= index && index <= last ? [[code, oldNames]] : [],
    ),
  );
  return publicationOf(history, id).rows.map((row) => [
    ...[row.code, row.name, row.correspondence, row.level, oldNames.get(row.code) ?? null],
    ...[row.cityClass, row.incomeClass, row.urbanRural],
    ...years.map((year) => row.populations.find((census) => census.year === year)?.population ?? null),
  ]);
}

async function workbook(name: string, day: string, rows: Cell[][], headings: Cell[] = HEADINGS): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, writeSheets({ Metadata: [['Publication date:', day]], PSGC: [headings, ...rows] }));
  return file;
}

/** The files, without what source.json says of the files that they were made of: tests make them of others. */
async function contents(): Promise<string[]> {
  const texts = await Promise.all(FILES.map((name) => readFile(join(data, name), 'utf8')));
  const { inputs, gathered, ...described } = JSON.parse(texts.pop() as string);
  return [...texts, JSON.stringify(described)];
}

const described = async () => JSON.parse(await readFile(join(data, 'source.json'), 'utf8'));
const hashOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** Writes the history without one edition. */
async function withoutEdition(id: string): Promise<void> {
  const at = history.editions.findIndex((it) => it.id === id);
  const all = factsByCode(history);
  for (const [code, facts] of all) all.set(code, facts.toSpliced(at, 1));
  await writeHistory(data, { ...history, editions: history.editions.toSpliced(at, 1), spans: spansOf(all) });
}

describe('geo:edition -- add', () => {
  it('writes an edition that was taken out again, between others, byte for byte', async () => {
    const before = await contents();
    await withoutEdition('2023-4q');
    expect((await contents())[1]).not.toBe(before[1]);
    expect((await described()).missing).toBe('2Q 2023, 3Q 2023, 4Q 2023, 1Q 2024 and 2Q 2026');
    const file = await workbook('PSGC-4Q-2023-Publication-Datafile.xlsx', '31 December 2023', rowsOf('2023-4q'));
    const { code, stdout } = await run('add', file);
    expect(stdout).toContain('PSGC 4Q 2023 (2023-4q), as of 2023-12-31: 43,756 areas');
    expect(stdout).toMatch(/^28 new since 2023-1q:$/m);
    expect(stdout).toMatch(/^54 gone since 2023-1q:$/m);
    expect(stdout).toContain('0907226000 Bacungan → Leon T. Postigo');
    expect(code).toBe(0);
    expect(await contents()).toEqual(before);
    const { inputs, gathered } = await described();
    const name = 'PSGC-4Q-2023-Publication-Datafile.xlsx';
    expect(inputs.filter((it: { file: string }) => it.file === name)).toEqual([
      { file: name, sha256: await hashOf(file) },
    ]);
    expect(gathered.at(-1)).toMatchObject({ what: 'Edition 4Q 2023', from: expect.stringContaining(name) });
    // Once more it is there already. Residents that the list has otherwise stay as they are known.
    const others = rowsOf('2023-4q').map((row) => (row[0] === '1381500038' ? row.toSpliced(9, 1, 44_536) : row));
    const again = await run('add', await workbook(name, '31 December 2023', others));
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('has the same edition already')]);
    expect(again.stdout).toContain('1381500038 West Rembo: 29649 stays, and the list has 44536 in 2020');
    expect(await contents()).toEqual(before);
  });

  it('adds an interim list as the newest with what is different, and a census that is new', async () => {
    const years = [2020, 2030];
    const rows = rowsOf('2026-3q', years).filter(([code]) => code !== '0102801001');
    const row = (code: string) => rows.find(([it]) => it === code) as Cell[];
    row('0102802000')[1] = 'Bagong Bacarra';
    row('0102803000')[1] = 'Ba-doc';
    row('0102802000')[6] = '5th';
    row('0102802000')[9] = 33_333;
    rows.push(['0102802999', 'Bagumbuhay', null, 'Bgy', null, null, null, 'R', null, 7]);
    const headings = [...HEADINGS.slice(0, 8), '2020 Population', '2030 Population'];
    const file = await workbook('list.xlsx', '', rows, headings);
    const { code, stdout } = await run('add', file, '--edition', 'November 2026');
    expect([code, stdout]).toEqual([0, expect.stringContaining('PSGC November 2026 (2026-11), as of 2026-11-30')]);
    for (const line of [
      '1 new since 2026-3q:\n  0102802999 Bagumbuhay',
      '1 gone since 2026-3q:\n  0102801001 Adams',
      '1 renamed since 2026-3q:\n  0102802000 Bacarra → Bagong Bacarra',
      '1 respelled since 2026-3q:\n  0102803000 Badoc → Ba-doc',
      '1 reclassified since 2026-3q:\n  0102802000 Bagong Bacarra: Mun 2nd → Mun 5th',
    ]) {
      expect(stdout).toContain(line);
    }
    const added = await readHistory(data);
    expect(added.editions.at(-1)).toMatchObject({ id: '2026-11', census: 2030, areas: 43_766 });
    expect(publicationOf(added, '2026-11').rows.find((it) => it.code === '0102802000')).toMatchObject({
      name: 'Bagong Bacarra',
      formerNames: ['Bacarra'],
      population: 33_333,
    });
    expect(publicationOf(added, '2026-3q').rows).toEqual(publicationOf(history, '2026-3q').rows);
    expect((await run('check')).stdout).toContain('2026-11  2026-11-30  43,766 areas');
  });

  it('takes a list of a day within a quarter for an interim one, and has room for that of the quarter', async () => {
    const october = await run('add', await workbook('list.xlsx', '31 October 2026', rowsOf('2026-3q')));
    expect([october.code, october.stdout]).toEqual([
      0,
      expect.stringContaining('PSGC October 2026 (2026-10), as of 2026-10-31'),
    ]);
    const quarter = await run('add', await workbook('list.xlsx', '31 December 2026', rowsOf('2026-3q')));
    expect([quarter.code, quarter.stdout]).toEqual([0, expect.stringContaining('(2026-4q), as of 2026-12-31')]);
    expect((await readHistory(data)).editions.slice(-2)).toMatchObject([
      { id: '2026-10', asOf: '2026-10-31' },
      { id: '2026-4q', asOf: '2026-12-31' },
    ]);
  });

  it('adds a list without a province that is said to be gone, and knows the codes that follow another', () => {
    const list = (id: string, prefixes: string[]) => {
      const publication = { ...publicationOf(history, id), edition: '4Q 2026', publishedOn: null };
      return {
        ...publication,
        rows: publication.rows.filter(({ code }) => !prefixes.some((it) => code.startsWith(it))),
      };
    };
    const add = (prefixes: string[], allowGone: string[] = []) =>
      addEdition(history, list('2026-3q', prefixes), { source: 'a list', allowGone });
    expect(() => add(['02009', '18302'])).toThrow(
      /0200900000: Batanes is gone[\s\S]+1830200000: City of Bacolod is gone/,
    );
    expect(() => add(['02009'], ['0200900000', '0102800000'])).toThrow('0102800000: is given with --allow-gone');
    expect(add(['02009'], ['0200900000']).differences.gone).toHaveLength(36);
    // Negros and Siquijor had other regions, and Sulu too.
    const older = {
      ...history,
      editions: history.editions.slice(0, 2),
      spans: history.spans.filter(({ first }) => first < 2),
    };
    expect(addEdition(older, list('2026-3q', []), { source: 'a list' }).differences.gone).not.toEqual([]);
  });

  it('refuses a day that is none of the edition', () => {
    const publication = { ...publicationOf(history, '2026-3q'), edition: '4Q 2026', publishedOn: '2026-10-31' };
    expect(() => addEdition(history, publication, { source: 'a list' })).toThrow(
      'as of 2026-10-31, which is no day of the edition 2026-4q: say which it is with --edition',
    );
  });

  it('refuses another list of an edition, and writes nothing', async () => {
    const before = await contents();
    const rows = changed('0102801000', 1, 'Adan');
    const { code, stderr } = await run('add', await workbook('PSGC.xlsx', '30 September 2026', rows));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is there already')]);
    expect(stderr).toContain('Nothing was written.');
    expect(await contents()).toEqual(before);
  });

  const without = (code: string) => rowsOf('2026-3q').filter(([it]) => it !== code);
  const changed = (code: string, column: number, cell: Cell) =>
    rowsOf('2026-3q').map((row) => (row[0] === code ? row.with(column, cell) : row));
  it.each<[string, string, () => Cell[][]]>([
    ['orphans', 'is an orphan', () => without('0102801000')],
    ['a garbled name', 'is garbled', () => changed('0102801000', 1, 'AdÃ±ams')],
    [
      'a code that stands twice',
      'have the same code',
      () => [
        ...changed('0102801002', 0, '0102801001'),
        ['0102801001', 'Adams', '012801001', 'Bgy', null, null, null, 'R', 1, 1],
      ],
    ],
    ['a part of the country', 'areas of the level Bgy', () => rowsOf('2026-3q').slice(0, 20_000)],
    ['a level that is missing', 'has no regions', () => rowsOf('2026-3q').filter(([, , , it]) => it !== 'Reg')],
    ['a column that is missing', 'no income classes', () => rowsOf('2026-3q').map((row) => row.with(6, null))],
    ['residents that are missing', 'no residents of any census', () => rowsOf('2026-3q', [])],
    [
      'a province that is missing with all that lies in it',
      '0200900000: Batanes is gone, and nothing says what became of it',
      () => rowsOf('2026-3q').filter(([code]) => !`${code}`.startsWith('02009')),
    ],
  ])('refuses %s', (_, why, rows) => {
    const list = rows();
    const cells = [list[0]?.length === 8 ? HEADINGS.slice(0, 8) : HEADINGS, ...list];
    const { source } = publicationOf(history, '2026-3q');
    const publication: Publication = {
      ...{ edition: '4Q 2026', publishedOn: '2026-12-31', source, problems: [], summary: [] },
      ...readRows('PSGC', cells, { columns: findColumns(cells) as Columns }),
    };
    expect(() => addEdition(history, publication, { source: 'a list' })).toThrow(why);
  });
});

describe('geo:edition -- gather', () => {
  /** Writes the history as lists were gathered: with marks, dashes, wrong capitals and rows that are no areas. */
  async function tables(areas = (id: string, count: number) => count + (id === '2023-1q' ? 1 : 0)): Promise<string> {
    const folder = await mkdtemp(join(directory, 'tables-'));
    const texts = textsOf(history);
    const lines = (texts['areas.csv'] as string).split('\n').flatMap((line) => {
      const [code, , name] = line.split(',');
      if (code === '0603006029') return line.replace('Fuentes', 'Fuentes *');
      if (code === '0102801000') return line.replace(name as string, `${name} `).replace(',,,', ',-,-,');
      if (line !== '1903638000,Mun,Tagoloan II,153638000,,,3rd,,2025-2q,') return line;
      return [
        '1903638000,Mun,Tagoloan Ii,153638000,,,3rd,,2025-2q,2025-07',
        '1903638000,Mun,Tagoloan II,153638000,,,3rd,,2025-3q,',
        '1999900000,,Special Geographic Area,,,,,,2023-1q,2023-1q',
      ];
    });
    const editions = history.editions.map(({ id, asOf, areas: count }) => `${id},${asOf},${areas(id, count)}`);
    const population = (texts['population.csv'] as string)
      .replace(/^(0102801001,\d+),\d+,/m, '$1,,')
      .replace('\n1999901000', '\n1999900000,,,214703\n1999901000');
    await writeFile(join(folder, 'areas.csv'), lines.join('\n'));
    await writeFile(join(folder, 'editions.csv'), `${['edition,as_of,areas', ...editions].join('\n')}\n`);
    await writeFile(join(folder, 'population.csv'), population);
    return folder;
  }

  it('makes the files of gathered tables, and of a workbook with the residents that they lack, byte for byte', async () => {
    const before = await contents();
    const folder = await tables();
    const file = await workbook('PSGC-4Q-2023-Publication-Datafile.xlsx', '31 December 2023', rowsOf('2023-4q'));
    const { code, stdout, stderr } = await run('gather', folder, file);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('2026-3q  2026-09-30  43,766 areas');
    expect(await contents()).toEqual(before);
    const names = ['areas.csv', 'editions.csv', 'population.csv'].map((name) => join(folder, name));
    expect((await described()).inputs).toEqual(
      await Promise.all([...names, file].map(async (it) => ({ file: basename(it), sha256: await hashOf(it) }))),
    );
    // Without the workbook the residents stay unknown.
    expect((await run('gather', folder)).code).toBe(0);
    expect((await contents())[2]).not.toBe(before[2]);
  });

  it('says what a folder without files should have', async () => {
    const { code, stderr } = await runIn(join(directory, 'empty'), 'gather', await tables());
    expect([code, stderr]).toEqual([1, expect.stringMatching(/empty\/editions\.csv is missing\. .*data\/psgc/)]);
    const noTables = await run('gather', join(directory, 'empty'));
    expect([noTables.code, noTables.stderr]).toEqual([
      1,
      expect.stringMatching(/empty\/editions\.csv is missing\. .*areas\.csv and population\.csv/),
    ]);
    await rm(join(data, 'source.json'));
    const checked = await run('check');
    expect([checked.code, checked.stderr]).toEqual([
      1,
      expect.stringMatching(/source\.json is missing\. .*data\/psgc/),
    ]);
  });

  it('refuses tables that are not whole, and writes nothing', async () => {
    const before = await contents();
    const { code, stderr } = await run('gather', await tables((_, count) => count));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/areas\.csv, line 1: 43783 rows are in 2023-1q, and 43782 by editions\.csv/),
    ]);
    expect(await contents()).toEqual(before);
  });
});

describe('geo:edition -- check', () => {
  it('finds nothing in the repository, and lists its editions', async () => {
    const { code, stdout } = await run('check');
    expect([code, stdout.split('\n').length]).toEqual([0, history.editions.length + 1]);
  });

  it.each([
    [
      'spans that overlap',
      'areas.csv',
      /^0102801000,Mun,Adams,(.*),2025-1q$/m,
      '0102801000,Mun,Adams,$1,',
      /line \d+: 0102801000 begins with 2025-2q/,
    ],
    ['a count that differs', 'editions.csv', /43756/, '43757', /43756 areas are in 2023-4q, and 43757 by editions.csv/],
    ['an edition that is not there', 'areas.csv', /,2026-3q,$/m, ',2026-2q,', /editions.csv has no edition "2026-2q"/],
    ['another text than its hash', 'editions.csv', /barangay 2026/, 'barangay 2027', /the SHA-256 of editions.csv is/],
    ['no number', 'population.csv', /5026128/, 'many', /population.csv, line 2: "many" is no number/],
  ] as const)('finds %s', async (_, name, wanted, put, says) => {
    const file = join(data, name);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(wanted);
    await writeFile(file, text.replace(wanted, put));
    const { code, stderr } = await run('check');
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
  });

  it('finds spans that could be one', async () => {
    const { spans } = history;
    const at = spans.findIndex(({ first, last }) => first === 0 && last === 12);
    const span = spans[at] as (typeof spans)[number];
    const cut = spans.toSpliced(at, 1, { ...span, last: 5 }, { ...span, first: 6 });
    await writeHistory(data, { ...history, spans: cut });
    expect(await readFile(join(data, 'areas.csv'), 'utf8')).toBe(textsOf({ ...history, spans: cut })['areas.csv']);
    const { code, stderr } = await run('check');
    expect([code, stderr]).toEqual([1, expect.stringContaining('areas.csv, line 2')]);
  });
});
