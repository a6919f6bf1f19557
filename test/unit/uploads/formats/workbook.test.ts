import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { writeWorkbook } from '../../../../pages/match/workbook-writer.ts';
import { writeSheets } from '../../../support/workbooks.ts';
import { readStored } from '../read.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const HEAD = ['lon', 'lat', 'name'];

/** A workbook written by hand: its only sheet, and whatever else is different in it. */
function workbookOf(rows: string, other: Record<string, string> = {}): Uint8Array {
  const relations = (list: readonly string[][]) =>
    `<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const parts = {
    '_rels/.rels': relations([['a', 'officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([
      ['s', 'worksheet', '/xl/worksheets/sheet1.xml'],
      ['t', 'sharedStrings', 'sharedStrings.xml'],
      ['u', 'styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="s"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    ...other,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])) as Zippable);
}

const inline = (...texts: string[]) =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

/** The same archive with its parts stored as they are. */
const stored = (archive: Uint8Array) =>
  zipSync(Object.fromEntries(Object.entries(unzipSync(archive)).map(([name, part]) => [name, [part, { level: 0 }]])));

const propertiesOf = async (bytes: Uint8Array, options = {}) =>
  (await readStored('a.xlsx', bytes, 4326, options)).features.map(({ properties }) => properties);

describe('a workbook', () => {
  it('is read as a table whose first row has the names of its columns', async () => {
    const bytes = writeWorkbook([HEAD, [121, 14.5, 'Ñ & <b>'], [], [122.25, -1, null]]);
    expect((await readStored('a.xlsx', bytes)).features).toEqual([
      {
        geometry: { type: 'Point', coordinates: [121, 14.5] },
        properties: { lon: '121', lat: '14.5', name: 'Ñ & <b>' },
      },
      { geometry: { type: 'Point', coordinates: [122.25, -1] }, properties: { lon: '122.25', lat: '-1', name: null } },
    ]);
  });

  it('has days and times as ISO 8601, truth as Excel exports it, and formulas as their values', async () => {
    const cells = [
      '<c s="1"><v>45351</v></c><c s="1"><v>45351.5</v></c><c s="1"><v>0.25</v></c><c s="2"><v>59</v></c><c s="2"><v>61</v></c>',
      '<c t="b"><v>1</v></c><c><f>A1*2</f><v>0.1</v></c><c t="str"><f>A1</f><v>of it</v></c><c t="e"><v>#N/A</v></c>',
      '<c s="3"><v>102801000</v></c><c s="4"><v>1.5E-2</v></c><c s="5"><v>12.5</v></c>',
    ].join('');
    const names = [
      'day',
      'both',
      'time',
      'before',
      'after',
      'true',
      'formula',
      'text',
      'error',
      'code',
      'pesos',
      'small',
    ];
    const head = inline('lon', 'lat', ...names);
    const formats = ['General', 'm/d/yy', 'yyyy\\-mm', '0000000000', '"days "#,##0.00', '[Red]0.0'];
    const styles = `<styleSheet><numFmts>${formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('')}</cellXfs></styleSheet>`;
    const bytes = workbookOf(`${head}<row><c/><c/>${cells}</row>`, { 'xl/styles.xml': styles });
    expect(await propertiesOf(bytes)).toEqual([
      {
        ...{ lon: null, lat: null, day: '2024-02-29', both: '2024-02-29T12:00:00', time: '06:00:00' },
        ...{ before: '1900-02-28', after: '1900-03-01', true: 'TRUE', formula: '0.1', text: 'of it', error: null },
        ...{ code: '0102801000', pesos: '0.015', small: '12.5' },
      },
    ]);
    const later = workbookOf(`${head}<row><c/><c/><c s="1"><v>0</v></c></row>`, {
      'xl/styles.xml': styles,
      'xl/workbook.xml': `<workbook xmlns:q="${OFFICE}"><workbookPr date1904="1"/><sheets><sheet name="A" q:id="s"/></sheets></workbook>`,
    });
    expect(await propertiesOf(later)).toMatchObject([{ day: '1904-01-01' }]);
  });

  it('has times, hours and codes as their formats say, and numbers of other formats as they are', async () => {
    const cells: readonly (readonly [code: string, value: string, text: string])[] = [
      ['h:mm', '0', '00:00:00'],
      ['h:mm:ss', '0.999999', '23:59:59'],
      ['h:mm AM/PM', '0.354166666666667', '08:30:00'],
      ['[h]:mm', '1.5', '36:00:00'],
      ['yyyy-mm-dd hh:mm:ss.000', '2958465.999999', '9999-12-31T23:59:59'],
      ['yyyy-mm-dd', '2958466', '2958466'],
      ['yyyy-mm-dd', '0', '0'],
      ['mmm', '45351', '2024-02-29'],
      ['Standard', '5', '5'],
      ['0.0 h', '3', '3'],
      ['#,##0.00', '12345678901234567', '12345678901234567'],
      ['0000000000;@', '102801000', '0102801000'],
      ['"PSGC" 0000000000', '102801000', '0102801000'],
    ];
    const names = cells.map((_, i) => `c${i}`);
    const formats = cells.map(
      ([code], i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    );
    const styles = `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs>${cells.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('')}</cellXfs></styleSheet>`;
    const row = `<row><c/><c/>${cells.map(([, value], i) => `<c s="${i}"><v>${value}</v></c>`).join('')}</row>`;
    const [found] = await propertiesOf(workbookOf(inline('lon', 'lat', ...names) + row, { 'xl/styles.xml': styles }));
    expect(names.map((name) => found?.[name])).toEqual(cells.map(([, , text]) => text));
  });

  it('gives back days, times and numbers as the service writes them', async () => {
    const values = [
      new Date('1899-12-30T00:00:00Z'),
      new Date('2026-11-28T00:00:00Z'),
      new Date('2026-11-28T08:30:15Z'),
      1 / 3,
    ];
    const [found] = await propertiesOf(
      writeWorkbook([
        [...HEAD.slice(0, 2), 'a', 'b', 'c', 'd'],
        [1, 2, ...values],
      ]),
    );
    expect(found).toMatchObject({ a: '00:00:00', b: '2026-11-28', c: '2026-11-28T08:30:15', d: '0.3333333333333333' });
  });

  it('has the texts that its cells share, of several runs and without how to say them', async () => {
    const shared = `<sst xmlns="${MAIN}"><si><t>lon</t></si><si><t>lat</t></si><si><r><t xml:space="preserve">Na</t></r><r><t>ga</t></r><rPh sb="0" eb="1"><t>nope</t></rPh></si><si><t>a_x000D_b</t></si></sst>`;
    const cell = (at: string, text: number) => `<c r="${at}" t="s"><v>${text}</v></c>`;
    const rows = `<row r="3">${cell('A3', 0)}${cell('C3', 1)}${cell('B3', 2)}</row><row r="9">${cell('B9', 3)}</row>`;
    expect(await propertiesOf(workbookOf(rows, { 'xl/sharedStrings.xml': shared }))).toEqual([
      { lon: null, Naga: 'a\rb', lat: null },
    ]);
  });

  it('of several sheets is read from the one that has something in it, or that is named', async () => {
    const rows = [HEAD, [1, 2, 'x']];
    const one = writeSheets({ Empty: [], Places: rows, 'Also empty': [[null]] });
    expect(await propertiesOf(one)).toHaveLength(1);
    const two = writeSheets({ First: rows, 'A & B': [HEAD, [1, 2, 'y']] });
    await expect(readStored('a.xlsx', two)).rejects.toThrow(
      'has more than one layer in it: "First", "A & B"; name one in the field layer',
    );
    expect(await propertiesOf(two, { layer: 'A & B' })).toMatchObject([{ name: 'y' }]);
    await expect(readStored('a.xlsx', two, 4326, { layer: 'C' })).rejects.toThrow('has not one layer "C" in it');
  });

  it('may have titles of one cell above its table, and be a table of one column', async () => {
    const titled = [['Table 1. Wells'], [], ['Province of Cebu'], HEAD, [1, 2, 'x']];
    expect(await propertiesOf(writeWorkbook(titled))).toEqual([{ lon: '1', lat: '2', name: 'x' }]);
    const column = [['wkt'], ...Array.from({ length: 12 }, (_, i) => [`POINT (${i} 1)`])];
    expect((await readStored('a.xlsx', writeWorkbook(column))).features).toHaveLength(12);
  });

  it('is refused with the row of a fault, or with what it is', async () => {
    const refused = (bytes: Uint8Array) =>
      readStored('a.xlsx', bytes).then(
        () => 'was read',
        ({ message, location }: Error & { location?: string }) => [location, message].join(': '),
      );
    expect(await refused(writeWorkbook([HEAD, [], [1, 'n/a', 'x']]))).toBe('row 3: lat must be a number (got "n/a")');
    expect(
      await refused(workbookOf(`${inline(...HEAD)}<row><c t="e"><v>#N/A</v></c><c t="e"><v>#N/A</v></c></row>`)),
    ).toBe('row 2: lon must be a number (got "#N/A")');
    expect(await refused(writeWorkbook([HEAD, [1, 2, 'x', 'more']]))).toBe(
      'row 2: must have 3 values, as the headings in row 1 (got 4)',
    );
    expect(
      await refused(
        writeWorkbook([
          ['lon', null, 'lat'],
          [1, 2, 3],
        ]),
      ),
    ).toBe('row 1: column 2 has no name');
    expect(await refused(writeWorkbook([]))).toMatch(/holds no table/);
    expect(await refused(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3))).toMatch(/protected with a password/);
    expect(await refused(zipSync({ 'a.txt': strToU8('x') }))).toMatch(/is no workbook/);
    expect(await refused(workbookOf(`<row><c r="ZZZ1" t="str"><v>x</v></c></row>`))).toBe(
      'row 1: has a cell outside of its first 1000 columns',
    );
    expect(await refused(workbookOf(`${inline('lon', 'lat')}<row r="7"><c><f>A1</f><v/></c></row>`))).toMatch(
      /^row 7: has a formula without its value/,
    );
    expect(await refused(workbookOf('<row r="2"><c r="7" t="str"><v>x</v></c></row>'))).toMatch(
      /^row 2: has a cell out/,
    );
    expect(await refused(workbookOf('<row r="2"><c t="s"><v>3</v></c></row>'))).toBe(
      'row 2: has a cell whose text is not in the workbook',
    );
    const bomb = '<!DOCTYPE x [<!ENTITY a "b">]><sst><si><t>&a;</t></si></sst>';
    expect(await refused(workbookOf('', { 'xl/sharedStrings.xml': bomb }))).toMatch(/document type/);
  });

  it.each<[string, { shared?: string; rows?: string }, RegExp]>([
    [
      'texts that its cells share',
      { shared: `${`<si><t>${'x'.repeat(500_000)}</t></si>`.repeat(40)}` },
      /save the sheet as CSV/,
    ],
    [
      'one of these, of many runs',
      { shared: `<si>${`<r><t>${'x'.repeat(500_000)}</t></r>`.repeat(40)}</si>` },
      /save the sheet as CSV/,
    ],
    [
      'a cell of many runs',
      { rows: `<row r="2"><c t="inlineStr"><is>${`<r><t>${'x'.repeat(500_000)}</t></r>`.repeat(3)}</is></c></row>` },
      /has a cell of more than 1048576 characters/,
    ],
  ])('is refused for %s, which need too much memory or time', async (_, { shared = '', rows = '' }, refusal) => {
    const bytes = workbookOf(inline(...HEAD) + rows, { 'xl/sharedStrings.xml': `<sst>${shared}</sst>` });
    await expect(readStored('a.xlsx', stored(bytes))).rejects.toThrow(refusal);
  });

  it('is refused for cells that share a text, and are much more than the file', async () => {
    const shared = { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(60_000)}</t></si></sst>` };
    const bytes = workbookOf(inline(...HEAD) + '<row><c/><c/><c t="s"><v>0</v></c></row>'.repeat(300), shared);
    await expect(readStored('a.xlsx', bytes)).rejects.toThrow(/characters in a sheet of its size/);
  });

  it('is read once where many sheets name one part', async () => {
    const sheets = Array.from({ length: 500 }, (_, i) => `<sheet name="S${i}" q:id="s"/>`).join('');
    const book = { 'xl/workbook.xml': `<workbook xmlns:q="${OFFICE}"><sheets>${sheets}</sheets></workbook>` };
    const empty = '<row/>'.repeat(20_000);
    await expect(readStored('a.xlsx', stored(workbookOf(empty, book)))).rejects.toThrow('no sheet that is shown has');
  });

  it('says what it took for titles', async () => {
    const rows = [['Table 1'], ['More'], ['a', 'b'], [1, 2]];
    await expect(readStored('a.xlsx', writeWorkbook(rows))).rejects.toMatchObject({
      message: expect.stringContaining('must have columns of coordinates'),
      location: 'row 3, below titles in 2 rows',
    });
  });
});
