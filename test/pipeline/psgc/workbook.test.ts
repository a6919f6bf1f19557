import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../scripts/pipeline/psgc/cells.ts';
import { readFootnotes } from '../../../scripts/pipeline/psgc/footnotes.ts';
import { readSummary } from '../../../scripts/pipeline/psgc/summary.ts';
import { findColumns } from '../../../scripts/pipeline/psgc/workbook-columns.ts';
import { editionOf, editionOfName, publicationDate } from '../../../scripts/pipeline/psgc/workbook-edition.ts';
import { populationOf, readRows } from '../../../scripts/pipeline/psgc/workbook-rows.ts';

/** The header row of 4Q 2023, line breaks and unnamed footnote columns included. */
const HEADERS_2023: Cell[] = [
  '10-digit PSGC',
  'Name',
  'Correspondence Code',
  'Geographic Level',
  'Old names',
  'City Class',
  'Income\r\nClassification',
  'Urban / Rural\r\n(based on 2020 CPH)',
  '2015 Population',
  null,
  '2020 Population',
  null,
  'Status',
];

const HEADERS_2026: Cell[] = [
  '10-digit PSGC',
  'Name ',
  'Correspondence Code',
  'Geographic Level',
  'Old names',
  'City Class',
  'Income Classification\n(DOF DO No. 074.2024)',
  'Urban / Rural\n(based on 2020 CPH)',
  '2024 Population',
  null,
  'Status',
];

function read(headers: Cell[], ...rows: Cell[][]) {
  return readWith(new Map(), headers, ...rows);
}

function readWith(footnotes: Map<string, string>, headers: Cell[], ...rows: Cell[][]) {
  const sheet = [headers, ...rows];
  const columns = findColumns(sheet);
  if (!columns) throw new Error('no columns');
  return readRows('PSGC', sheet, { columns, footnotes });
}

describe('findColumns', () => {
  it('takes every population of 4Q 2023', () => {
    expect(findColumns([HEADERS_2023])).toEqual({
      headerRow: 0,
      code: 0,
      name: 1,
      correspondence: 2,
      level: 3,
      formerNames: 4,
      cityClass: 5,
      incomeClass: 6,
      urbanRural: 7,
      populations: [
        { column: 8, year: 2015 },
        { column: 10, year: 2020 },
      ],
      unnamed: [9, 11],
      faults: [],
    });
  });

  it('finds the columns of 1Q 2026, wherever the header row stands', () => {
    expect(findColumns([[null, 'PSGC'], [], HEADERS_2026])).toMatchObject({
      headerRow: 2,
      code: 0,
      populations: [{ column: 8, year: 2024 }],
    });
  });

  it.each([
    ['Population (2024 POPCEN)', 'Income Class'],
    ['2024\nPopulation 1/', 'INCOME CLASSIFICATION*'],
  ])('finds the population under %j', (population, income) => {
    const found = findColumns([['PSGC Code', 'Area Name', 'Level', population, income]]);
    expect(found).toMatchObject({ populations: [{ column: 3, year: 2024 }], incomeClass: 4 });
  });

  it.each([
    [['Code', 'Correspondence Code', '10-digit PSGC'], 2],
    [['9-digit PSGC', '10-digit PSGC'], 1],
    [['Code', 'PSGC Code'], 1],
    [['Correspondence Code', 'Code'], 1],
  ])('takes the codes of %j from the surest heading', (codes, code) => {
    expect(findColumns([[...codes, 'Name', 'Level']])?.code).toBe(code);
  });

  it.each([
    ['2024 POPCEN', 2024],
    ['2020 CPH', 2020],
    ['Census 2015', 2015],
    ['2020 Census of Population and Housing', 2020],
    ['Population (based on the 2020 CPH)', 2020],
    ['Urban / Rural (based on 2020 Census of Population)', undefined],
    ['Classification (based on 2020 Census of Population)', undefined],
    ['Population growth rate 2015-2020', undefined],
    ['Households (2020 Census)', undefined],
  ])('takes %j for the population of %s', (heading, year) => {
    const found = findColumns([['Code', 'Name', 'Level', heading]]);
    expect(found?.populations).toEqual(year === undefined ? [] : [{ column: 3, year }]);
  });

  it('reports missing headings, headings without a year, and a second column of a census', () => {
    const found = findColumns([['Code', 'Name', 'Level', 'Population', '2020 Population', '2020 CPH', 'Old names']]);
    expect(found).toMatchObject({ populations: [{ column: 4, year: 2020 }] });
    expect(found?.faults).toEqual([
      'there is no column of correspondence codes, which stay unknown',
      'there is no column of city classes, which stay unknown',
      'there is no column of urban or rural, which stay unknown',
      'there is no column of income classes, which stay unknown',
      'the heading "population" names no year; its column is left out',
      'a second column has the population of 2020; it is left out',
    ]);
    const without = findColumns([['Code', 'Name', 'Level']]);
    expect(without?.faults.at(-1)).toBe('there is no column of populations with a year, which stay unknown');
  });

  it('finds none on another sheet', () => {
    expect(findColumns([['CODE', null, 'REGION', 'PROV.']])).toBeNull();
  });
});

describe('readRows', () => {
  it('reads a row of 4Q 2023', () => {
    const { rows } = read(HEADERS_2023, [
      '0731100000',
      'City of  Lapu-Lapu ',
      '072226000',
      'City',
      'Opon',
      'HUC',
      '1st',
      null,
      408_112,
      null,
      497_604,
      null,
      null,
    ]);
    expect(rows).toEqual([
      {
        at: 'PSGC row 2',
        code: '0731100000',
        name: 'City of Lapu-Lapu',
        correspondence: '072226000',
        level: 'City',
        formerNames: ['Opon'],
        cityClass: 'HUC',
        urbanRural: null,
        population: 497_604,
        populations: [
          { year: 2015, population: 408_112 },
          { year: 2020, population: 497_604 },
        ],
        incomeClass: '1st',
        notes: [],
      },
    ]);
  });

  it('reads a row of 1Q 2026', () => {
    const cells = ['1908801001', 'Dicalongan', '153801004', 'Bgy', null, null, null, 'R', 1234, null, 'Pob.'];
    expect(read(HEADERS_2026, cells).rows[0]).toMatchObject({ population: 1234, urbanRural: 'R', cityClass: null });
  });

  it('puts back the zero that a code kept as a number has lost', () => {
    const { rows } = read(HEADERS_2023, [105501001, 'Allabon', 15501001, 'Bgy']);
    expect(rows[0]).toMatchObject({ code: '0105501001', correspondence: '015501001' });
  });

  it('takes an absent or dashed correspondence code as none', () => {
    const { rows } = read(HEADERS_2023, ['0301420060', 'Muzon East', null, 'Bgy'], ['0301420061', 'Muzon', '-', 'Bgy']);
    expect(rows.map((row) => row.correspondence)).toEqual([null, null]);
  });

  it('gives a row the footnotes that its marks name, and tidies marks from its name', () => {
    const footnotes = readFootnotes([
      [['Notes:'], ['a/ including Kalaw'], ['3/', 'renamed from Rizal'], ['E.', 'Column']],
    ]);
    const { rows } = readWith(footnotes, HEADERS_2023, [
      '0105501001',
      'Allabon 3/',
      null,
      'Bgy',
      null,
      null,
      null,
      null,
      10,
      'a/',
      '12 zz/',
      null,
      null,
    ]);
    expect(rows[0]).toMatchObject({
      name: 'Allabon',
      population: 12,
      notes: ['3/ renamed from Rizal', 'a/ including Kalaw'],
    });
  });

  it.each([
    ['San Jose 1/ 2/', 'San Jose', ['1/', '2/'], []],
    ['Naibuan 3/, 4/', 'Naibuan', ['3/', '4/'], []],
    ['Naibuan3/', 'Naibuan', ['3/'], []],
    ['Bagid* 3/4/', 'Bagid', ['3/', '4/'], []],
    ['Naibuan 9/ 3/', 'Naibuan', ['3/'], ['the footnote mark "9/", which no footnote explains']],
    ['Naibuan9/', 'Naibuan9/', [], ['a slash at the end of its name, which belongs to no footnote']],
    ['Tondo I/II', 'Tondo I/II', [], []],
  ])('reads the footnote marks of %j', (published, name, marks, faults) => {
    const footnotes = readFootnotes([['1/ one', '2/ two', '3/ three', '4/ four'].map((line) => [line])]);
    const { rows, warnings } = readWith(footnotes, HEADERS_2023, ['0105501001', published, null, 'Bgy']);
    expect(rows[0]).toMatchObject({ name, notes: marks.map((mark) => expect.stringContaining(mark)) });
    expect(rows[0]?.notes).toHaveLength(marks.length);
    expect(warnings.map(({ what }) => what)).toEqual(faults.map((it) => `0105501001 ${published} has ${it}`));
  });

  it('keeps marks out of the other cells of a row', () => {
    const footnotes = readFootnotes([['a/ an', '1/ one', '2/ two', '3/ three'].map((line) => [line])]);
    const cells = [
      '0105518000',
      'City of Dagupan',
      '015518000',
      'City a/',
      'Bacnotan 1/\nDagupan2/',
      'ICC 3/',
      '2nd 1/',
    ];
    const { rows, warnings, ignored } = readWith(footnotes, HEADERS_2023, [...cells, null, '174,302 2/', null, 'x']);
    expect(rows[0]).toMatchObject({
      ...{ level: 'City', formerNames: ['Bacnotan', 'Dagupan'], cityClass: 'ICC', incomeClass: '2nd' },
      populations: [{ year: 2015, population: 174_302 }],
      notes: ['a/ an', '1/ one', '2/ two', '3/ three'],
    });
    expect(warnings).toEqual([]);
    expect(ignored.map(({ why }) => why)).toEqual(['its population of 2020 "x" is no number; taken as unknown']);
  });

  it('leaves out a row that stands twice', () => {
    const cells: Cell[] = ['0105501001', 'Allabon', null, 'BGY'];
    const { rows, ignored } = read(HEADERS_2023, cells, cells);
    expect(rows.map(({ level }) => level)).toEqual(['Bgy']);
    expect(ignored.map(({ why }) => why)).toEqual(['the same row stands twice']);
  });

  it('separates former names at slashes and semicolons, not at commas and ampersands', () => {
    const names = (cell: string) => read(HEADERS_2023, ['0105501001', 'A', null, 'Bgy', cell]).rows[0]?.formerNames;
    expect(names('Sayad/Bimekel ')).toEqual(['Sayad', 'Bimekel']);
    expect(names('First; Second*;First')).toEqual(['First', 'Second']);
    expect(names('Quirino-Magsaysay, Lower')).toEqual(['Quirino-Magsaysay, Lower']);
    expect(names('Barangays 1 & 4')).toEqual(['Barangays 1 & 4']);
    expect(names('-')).toEqual([]);
  });

  it('leaves out districts, special province codes and broken rows, and says why', () => {
    const { rows, ignored, warnings } = read(
      HEADERS_2023,
      [null, 'NCR, Second District (Not a Province)', 137_400_000, 'Dist'],
      ['0990100000', 'City of Isabela (Not a Province)', '099700000', null],
      ['1999900000', 'Interim Province Code for 63 barangays', null, 'Prov'],
      ['1303900000', 'NCR, City of Manila, First District (Not a Province)', null, 'Prov'],
      ['0000000000', '', null, null],
      [null, null, null, null],
    );
    expect(rows).toEqual([]);
    expect(warnings).toEqual([]);
    expect(ignored.map((it) => it.why)).toEqual([
      'a district of the National Capital Region, not part of the ten-digit PSGC',
      'a special province code, not a province',
      'a special province code, not a province',
      'not a province, as its name says',
      'a row without code and geographic level',
    ]);
  });

  it('reports a cell that it can’t read, and goes on without it', () => {
    const { rows, warnings } = read(
      HEADERS_2023,
      ['0105501001', 'Allabon', null, 'Purok'],
      ['0105501002', 'Aloleng', null, null],
      ['0105518000', 'City of Dagupan', '015518000', 'City', null, 'XYZ'],
      ['0105519000', 'Somewhere', '01551900A', 'Mun'],
    );
    expect(rows.map(({ level }) => level)).toEqual(['Bgy', 'Bgy', 'City', 'Mun']);
    expect(warnings).toEqual([
      { at: 'PSGC row 2', what: '0105501001 Allabon has the geographic level "Purok"; taken as Bgy by its code' },
      { at: 'PSGC row 3', what: '0105501002 Aloleng has the geographic level ""; taken as Bgy by its code' },
      { at: 'PSGC row 4', what: '0105518000 City of Dagupan has the city class "XYZ"; taken as unknown' },
      { at: 'PSGC row 5', what: '0105519000 Somewhere has the correspondence code "01551900A"; left out' },
    ]);
  });

  it('lists the names it repaired', () => {
    const { repairs } = read(
      HEADERS_2023,
      ['1903638000', 'Tagoloan Ii ', null, 'Mun'],
      ['1705306000', "Brooke'S Point", null, 'Mun'],
      ['1206316000', "T'Boli ", null, 'Mun'],
      ['1907004015', 'Bagid*', null, 'Bgy'],
    );
    expect(repairs).toEqual([
      '1903638000: Tagoloan Ii → Tagoloan II',
      "1705306000: Brooke'S Point → Brooke's Point",
      '1907004015: Bagid* → Bagid',
    ]);
  });
});

describe('populationOf', () => {
  it.each<[Cell, number | null | undefined]>([
    [354_503, 354_503],
    ['354,503', 354_503],
    ['(excluding CITY OF BUTUAN) 354,503', 354_503],
    ['(excluding the cities of CEBU, LAPU-LAPU, AND MANDAUE) 3,325,385', 3_325_385],
    ['1,234 y/', 1234],
    ['-', null],
    [null, null],
    ['', null],
    ['#VALUE!', null],
    ['unknown', undefined],
    [1.5, undefined],
    [-1, undefined],
  ])('reads %j as %j', (cell, expected) => {
    expect(populationOf(cell)).toBe(expected);
  });
});

describe('editionOf', () => {
  it.each<[Cell, string | null]>([
    ['31 December 2023', '4Q 2023'],
    ['31 March 2026', '1Q 2026'],
    ['30 June 2025', '2Q 2025'],
    [new Date('2025-09-30'), '3Q 2025'],
    ['31 October 2026', 'October 2026'],
    ['29 December 2026', 'December 2026'],
    ['soon', null],
    [null, null],
  ])('reads the publication date %j as %j', (cell, expected) => {
    const day = publicationDate([
      ['Title:', 'PSGC'],
      ['Publication date:', cell],
    ]);
    expect(day && editionOf(day)).toBe(expected);
  });

  it('finds no day without metadata, and takes the edition from the name of the file', () => {
    expect(publicationDate([])).toBeNull();
    expect(editionOfName('PSGC-1Q-2026-Publication-Datafile.xlsx')).toBe('1Q 2026');
    expect(editionOfName('list.xlsx')).toBeNull();
  });
});

describe('readSummary', () => {
  it('reads the national summary and leaves out its total and notes', () => {
    const rows: Cell[][] = [
      ['NATIONAL SUMMARY'],
      ['CODE', null, 'REGION', 'PROV.', 'CITIES', 'MUN.', 'BGY.', 'POPULATION\r\n(2015 POPCEN)'],
      [null, null, 'PHILIPPINES', 82, 149, 1485, 42_001],
      [1_300_000_000, null, 'National Capital Region (NCR)', '-', 16, 1, 1710],
      ['0100000000', null, 'Region I (Ilocos Region)', 4, 9, 116, '3,267'],
      ['a', 'Population counts for regions do not add up'],
    ];
    expect(readSummary(rows)).toEqual([
      { region: '1300000000', provinces: 0, cities: 16, municipalities: 1, barangays: 1710 },
      { region: '0100000000', provinces: 4, cities: 9, municipalities: 116, barangays: 3267 },
    ]);
  });

  it('gives nothing for a workbook without one, or without one of its columns', () => {
    expect(readSummary([])).toEqual([]);
    expect(
      readSummary([
        ['CODE', 'PROV.', 'CITIES', 'BGY.'],
        ['0100000000', 4, 9, 3267],
      ]),
    ).toEqual([]);
  });
});
