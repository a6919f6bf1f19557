import { strToU8, type Zippable, zipSync } from 'fflate';
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
        ({ message, place }: Error & { place?: string }) => [place, message].join(': '),
      );
    expect(await refused(writeWorkbook([HEAD, [], [1, 'n/a', 'x']]))).toBe('row 3: lat must be a number (got "n/a")');
    expect(await refused(writeWorkbook([HEAD, [1, 2, 'x', 'more']]))).toBe(
      'row 2: must have 3 values, as the first line has (got 4)',
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

  it('is refused where the texts that its cells share need too much memory', async () => {
    const shared = `<sst>${`<si><t>${'x'.repeat(500_000)}${Math.random()}</t></si>`.repeat(40)}</sst>`;
    const bytes = zipSync({
      '_rels/.rels': strToU8(`<r><Relationship Type="/officeDocument" Target="w.xml"/></r>`),
      '_rels/w.xml.rels': strToU8(`<r><Relationship Type="/sharedStrings" Target="s.xml"/></r>`),
      'w.xml': strToU8('<workbook/>'),
      's.xml': [strToU8(shared), { level: 0 }],
    });
    await expect(readStored('a.xlsx', bytes)).rejects.toThrow('save the sheet as CSV');
  });
});
