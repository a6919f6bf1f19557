import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../../pages/match/table.ts';
import { readWorkbook } from '../../../scripts/pipeline/psgc/workbook.ts';
import { writeSheets } from '../../support/workbooks.ts';

type Sheets = Readonly<Record<string, readonly (readonly Cell[])[]>>;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'pgds-workbooks-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function read(name: string, sheets: Sheets, options: { edition?: string } = {}) {
  const file = path.join(directory, name);
  await writeFile(file, writeSheets(sheets));
  return readWorkbook(file, options);
}

const metadata = (day: string): Cell[][] => [
  ['Title:', 'Philippine Standard Geographic Code (PSGC)'],
  ['Publication date:', day],
];

const SUMMARY: Cell[][] = [
  ['NATIONAL SUMMARY'],
  ['CODE', null, 'REGION', 'PROV.', 'CITIES', 'MUN.', 'BGY.'],
  [null, null, 'PHILIPPINES', 1, 0, 1, 1],
  [1_900_000_000, null, 'Bangsamoro Autonomous Region in Muslim Mindanao (BARMM)', '-', '-', '-', 1],
];

const FIRST_COLUMNS: Cell[] = ['10-digit PSGC', 'Name', 'Correspondence Code', 'Geographic Level', 'Old names'];
const CLASSES: Cell[] = ['City Class', 'Income\r\nClassification', 'Urban / Rural\r\n(based on 2020 CPH)'];

const EDITIONS: Readonly<Record<string, Sheets>> = {
  'PSGC-4Q-2022-Publication-Datafile.xlsx': {
    Metadata: metadata('31 December 2022'),
    "Nat'l Sum": SUMMARY,
    PSGC: [
      [...FIRST_COLUMNS, ...CLASSES, '2015 Population', null, '2020 Population', null, 'Status'],
      ['1900000000', 'Bangsamoro Autonomous Region In Muslim Mindanao (BARMM)', '150000000', 'Reg'],
      [null, 'NCR, Second District (Not a Province)', 137_400_000, 'Dist'],
      ['1999900000', 'Interim Province Code for 63 barangays of BARMM', null, 'Prov'],
      ['1999908000', 'Pikit Cluster III', null, 'SGU'],
      [1_999_908_008, 'Tapodoc', 124_717_017, 'Bgy', null, null, null, 'R', 2255, 'l/ n/', 1767, 'l/'],
    ],
    Notes: [['Notes:'], [null, 'l/ including 7 barangays'], [null, 'n/ including 13 barangays']],
  },
  'PSGC-4Q-2023-Publication-Datafile.xlsx': {
    Metadata: metadata('31 December 2023'),
    "Nat'l Sum": SUMMARY,
    'Prov Sum': [['CODE', 'NAME', 'PROV.', 'CITIES', 'MUN.', 'BGY.']],
    // A sheet of one region that has the columns of a list, and more blank rows than the list has rows.
    BARMM: [FIRST_COLUMNS, ['1900000000', 'BARMM', '150000000', 'Reg'], ...Array(20).fill([null, 'x'])],
    PSGC: [
      [...FIRST_COLUMNS, ...CLASSES, '2015 Population', null, '2020 Population', null, 'Status'],
      ['1999908008', 'Tapodoc', 124_717_017, 'Bgy', null, null, null, 'R', 2255, 'a/', 1767, null, 'Pob.'],
      ['1999908000', 'Pikit Cluster III', null, 'SGU'],
    ],
    Notes: [[null, 'a/ including the population count of Barangay Kalaw']],
    'Coding Structure': [],
  },
  'PSGC-1Q-2026-Publication-Datafile.xlsx': {
    Metadata: metadata('31 March 2026'),
    PSGC: [
      ['Philippine Standard Geographic Code'],
      [],
      [...FIRST_COLUMNS, 'City Class', 'Income Classification\n(DOF DO No. 074.2024)', '2024 POPCEN', null, 'Status'],
      ['1999908000', 'Tugunan 1/', null, 'Mun', 'Pikit Cluster III', null, '5th', 31_204],
      ['1999908008', 'Tapodoc', 124_717_017, 'Bgy', null, null, null, 1890],
      ['1/', 'renamed from Pikit Cluster III'],
    ],
  },
};

describe('readWorkbook', () => {
  it('reads the layout of 2022: special government units, districts, special codes with a level, two marks in a cell', async () => {
    const { edition, publishedOn, rows, ignored, summary, warnings } = await readEdition('4Q-2022');
    expect({ edition, publishedOn, warnings }).toEqual({ edition: '4Q 2022', publishedOn: '2022-12-31', warnings: [] });
    expect(rows.map(({ code, level }) => [code, level])).toEqual([
      ['1900000000', 'Reg'],
      ['1999908000', 'SGU'],
      ['1999908008', 'Bgy'],
    ]);
    expect(rows[2]).toMatchObject({
      notes: ['l/ including 7 barangays', 'n/ including 13 barangays'],
      urbanRural: 'R',
      populations: [
        { year: 2015, population: 2255 },
        { year: 2020, population: 1767 },
      ],
    });
    expect(ignored.map(({ why }) => why)).toEqual([
      'a district of the National Capital Region, not part of the ten-digit PSGC',
      'a special province code, not a province',
    ]);
    expect(summary).toEqual([{ region: '1900000000', provinces: 0, cities: 0, municipalities: 0, barangays: 1 }]);
  });

  it('reads the layout of 2023, and takes the sheet with most codes', async () => {
    const { edition, rows, warnings, source } = await readEdition('4Q-2023');
    expect({ edition, warnings }).toEqual({ edition: '4Q 2023', warnings: [] });
    expect(source.note).toContain('PSGC-4Q-2023-Publication-Datafile.xlsx');
    expect(rows.map(({ at, code }) => [at, code])).toEqual([
      ['PSGC row 2', '1999908008'],
      ['PSGC row 3', '1999908000'],
    ]);
    expect(rows[0]?.notes).toEqual(['a/ including the population count of Barangay Kalaw']);
  });

  it('reads the layout of 2026, and warns of the columns and the summary that it misses', async () => {
    const { edition, rows, censusYears, warnings } = await readEdition('1Q-2026');
    expect({ edition, censusYears }).toEqual({ edition: '1Q 2026', censusYears: [2024] });
    expect(rows[0]).toMatchObject({
      ...{ name: 'Tugunan', level: 'Mun', formerNames: ['Pikit Cluster III'], incomeClass: '5th', population: 31_204 },
      notes: ['1/ renamed from Pikit Cluster III'],
    });
    expect(warnings.map(({ what }) => what)).toEqual([
      'there is no column of urban or rural, which stay unknown',
      'there is no national summary, "Nat\'l Sum", that the list could be compared with',
    ]);
  });

  it('refuses a workbook whose name and metadata disagree, unless the edition is given', async () => {
    const [name, sheets] = ['PSGC-1Q-2024-Publication-Datafile.xlsx', editionOf('4Q-2023')];
    await expect(read(name, sheets)).rejects.toThrow(
      'its name says 1Q 2024, and the day on its sheet "Metadata", 2023-12-31, says 4Q 2023. Say which it is with --edition',
    );
    // The day is believed with the edition that it is of.
    const decided = await Promise.all(['1Q 2024', '4Q 2023'].map((edition) => read(name, sheets, { edition })));
    expect(decided.map(({ edition, publishedOn }) => [edition, publishedOn])).toEqual([
      ['1Q 2024', null],
      ['4Q 2023', '2023-12-31'],
    ]);
    await expect(read('list.xlsx', { PSGC: sheets.PSGC ?? [] })).rejects.toThrow('--edition');
    expect((await read('list.xlsx', sheets)).edition).toBe('4Q 2023');
  });

  it('refuses a list of nine-digit codes in one sentence, also where they are numbers', async () => {
    const head: Cell[] = ['Code', 'Name', 'Geographic Level', 'Population\n(2015 POPCEN)'];
    const rows: Cell[][] = [
      ['130000000', 'National Capital Region', 'Reg', 12_877_253],
      ['010000000', 'Region I', 'Reg', 5_026_128],
      ['012800000', 'Ilocos Norte', 'Prov', 593_081],
      ['012801000', 'Adams', 'Mun', 1792],
    ];
    const refused = "lists of before 2021 have nine-digit codes and can't be loaded";
    const asNumbers = rows.map(([code, ...rest]) => [Number(code), ...rest]);
    await expect(read('PSGC-4Q-2020.xlsx', { PSGC: [head, ...rows] })).rejects.toThrow(refused);
    await expect(read('PSGC-4Q-2020.xlsx', { PSGC: [head, ...asNumbers] })).rejects.toThrow(refused);
    await expect(read('PSGC-4Q-2020.xlsx', { PSGC: [head, ...rows.slice(0, 1)] })).rejects.toThrow(refused);
    await expect(read('PSGC-4Q-2020.xlsx', { Sheet: [['a', 'b']] })).rejects.toThrow(refused);
    // Codes of ten digits that are numbers have lost a zero in nine of the regions.
    const ten: Cell[][] = [
      [1_300_000_000, 'NCR', 'Reg'],
      ...[1, 2, 3].map((n) => [n * 100_000_000, `Region ${n}`, 'Reg']),
    ];
    const { rows: areas } = await read('PSGC-4Q-2021.xlsx', { PSGC: [head, ...ten] });
    expect(areas.map(({ code }) => code)).toEqual(['1300000000', '0100000000', '0200000000', '0300000000']);
  });
});

function editionOf(quarter: string): Sheets {
  return EDITIONS[`PSGC-${quarter}-Publication-Datafile.xlsx`] ?? {};
}

function readEdition(quarter: string) {
  return read(`PSGC-${quarter}-Publication-Datafile.xlsx`, editionOf(quarter));
}
