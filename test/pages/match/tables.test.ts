import { describe, expect, it } from 'vitest';
import { readPasted, readTextFile, TableFault } from '../../../pages/match/read-text.ts';
import { type Cell, columnsOf, findHeadings, type Sheet, tableOf, textOf } from '../../../pages/match/table.ts';
import { placeColumns } from '../../../src/match/columns.ts';

type Part = string | ArrayBuffer | Uint8Array<ArrayBuffer>;

function read(...parts: Part[]) {
  return readTextFile(new Blob(parts), 'places');
}

/** A text in UTF-16 with its mark. */
function utf16(text: string, littleEndian: boolean): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(2 * text.length + 2));
  for (const [i, char] of [...`\ufeff${text}`].entries()) view.setUint16(2 * i, char.charCodeAt(0), littleEndian);
  return view.buffer;
}

const rowsOf = ({ sheets }: { sheets: readonly Sheet[] }) => sheets[0]?.rows;

describe('a file of text', () => {
  it('is read in UTF-8, UTF-16 and Windows-1252, and says which it was where that is not plain', async () => {
    const rows = [['Town'], ['Parañaque']];
    const text = 'Town\nParañaque\n';
    const cases: [Part, RegExp | undefined][] = [
      [text, undefined],
      [`\ufeff${text}`, undefined],
      [utf16(text, true), /UTF-16/],
      [utf16(text, false), /UTF-16/],
      [Uint8Array.from([...text].map((char) => char.charCodeAt(0))), /Windows-1252/],
    ];
    for (const [file, said] of cases) {
      const source = await read(file);
      expect(rowsOf(source)).toEqual(rows);
      if (said) expect(source.notes.join()).toMatch(said);
      else expect(source.notes).toEqual([]);
    }
  });

  it('may have commas, semicolons or tabs, quotes and line feeds in them, and empty lines', async () => {
    const semicolons = await read('Town;Note\r\n"San; Juan";"a ""b""\nc"\r\n\r\nVigan;\r\n');
    expect(rowsOf(semicolons)).toEqual([['Town', 'Note'], ['San; Juan', 'a "b"\nc'], [], ['Vigan', '']]);
    expect(semicolons.separator).toBe(';');
    expect(rowsOf(await read('Town\tNote\nVigan\t1,5'))).toEqual([
      ['Town', 'Note'],
      ['Vigan', '1,5'],
    ]);
  });

  it('may begin with the line by which Excel knows the separator, also where it was pasted', async () => {
    const text = 'sep=;\r\nTown;Note\r\nSan Juan, Batangas;1,5\r\n';
    for (const source of [await read(`\ufeff${text}`), await read(utf16(text, true)), readPasted(text)]) {
      expect(rowsOf(source)).toEqual([
        ['Town', 'Note'],
        ['San Juan, Batangas', '1,5'],
      ]);
      expect(source.separator).toBe(';');
    }
    await expect(read('sep=;\nTown\n"Vigan')).rejects.toThrow(/Line 3 can’t be read/);
  });

  it('is refused in a sentence where it can not be read', async () => {
    const cases: [string, RegExp][] = [
      ['\n\n', /nothing in it/],
      ['Town\n"Vigan', /Line 2 can’t be read: a quote is not closed/],
      ['T\0o\0w\0n\0', /CSV UTF-8/],
      [`Town\n${'Vigan\n'.repeat(100_001)}`, /more than 100,000 rows/],
    ];
    for (const [text, said] of cases) {
      const fault = await read(text).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(TableFault);
      expect((fault as Error).message).toMatch(said);
    }
  });
});

describe('text that is pasted', () => {
  it('has the cells of a spreadsheet, or is CSV if its first line is', () => {
    const cases: [string, string[][]][] = [
      [
        'Address, in full\tNo\n1, Rizal St, Pasig\t2',
        [
          ['Address, in full', 'No'],
          ['1, Rizal St, Pasig', '2'],
        ],
      ],
      ['Address\nSan Juan, Batangas\n', [['Address'], ['San Juan, Batangas']]],
      [
        'Town,Province\nVigan,"Ilocos Sur"',
        [
          ['Town', 'Province'],
          ['Vigan', 'Ilocos Sur'],
        ],
      ],
    ];
    for (const [text, rows] of cases) expect(rowsOf(readPasted(text))).toEqual(rows);
    expect(readPasted('Town\tProvince\n').separator).toBe(',');
  });
});

describe('a table', () => {
  const sheet = (rows: Cell[][]): Sheet => ({ name: '', rows });

  it('begins at the headings that are known, or at the first row with text', () => {
    expect(findHeadings(sheet([['List of members'], [], ['No', 'Province', 'Brgy'], ['1', 'Cebu', 'Poblacion']]))).toBe(
      2,
    );
    expect(findHeadings(sheet([[null], ['a', 'b']]))).toBe(1);
    expect(findHeadings(sheet([['Talaan'], ['Munisipyo / Lungsod', 'Tala'], ['Argao', '']]))).toBe(1);
  });

  it('has no headings in a row with a code of the PSGC, whatever words stand in it', () => {
    const alcoy = ['Alcoy', '0702202000', 'Municipality', 'Cebu'];
    expect(findHeadings(sheet([['name', 'no', 'kind', 'in'], alcoy]))).toBe(0);
    expect(findHeadings(sheet([['Alcoy', 702202000, 'Municipality', 'Cebu'], alcoy]))).toBe(undefined);
    expect(findHeadings(sheet([['List'], ['Town', 'Code'], alcoy]))).toBe(1);
  });

  it('has no place in a column of words for types, and codes in a column of that name', () => {
    const typed = (...rows: Cell[][]) => columnsOf(tableOf(sheet([['Name', 'Code', 'Municipality'], ...rows]), 0));
    const alcoy = ['Alcoy', '0702202000', 'Municipality'];
    expect(typed(alcoy, ['Bogo', 702211000, ' City '], ['', '', ''])).toEqual({ code: [1], text: [0] });
    expect(typed(alcoy, ['Bogo', 702211000, 'Alcoy'])).toEqual({ municity: [2], code: [1] });
    expect(typed(['Ana', 'A-17', 'Mun.'], ['Ben', '', 'BRGY'])).toEqual({});
    // A single word may be the name of a form that was not filled in.
    expect(typed(['Ana', 'A-17', 'City'])).toEqual({ municity: [2] });
    expect(placeColumns(['Town'], { municity: 'Town' }, [['City'], ['City']])).toEqual({ municity: [0] });
  });

  it('has a heading for every cell, and says which rows are longer than the headings', () => {
    const table = tableOf(sheet([['Members'], [], ['Town', 'Note'], ['Vigan'], ['Pasig', 'a', 'b'], [], ['  ']]), 2);
    expect(table.headings).toEqual(['Town', 'Note', 'Column 3']);
    expect(table.rows).toEqual([
      ['Vigan', null, null],
      ['Pasig', 'a', 'b'],
    ]);
    expect(table.firstRow).toBe(4);
    expect(table.notes.join()).toMatch(/above the headings.*Row 5 has more cells/);
  });

  it('says that something above the headings is left out only if something stands there', () => {
    expect(tableOf(sheet([[''], ['Town'], ['Vigan']]), 1).notes).toEqual([]);
    expect(tableOf(sheet([['Members'], ['Town'], ['Vigan']]), 1).notes).toEqual([
      'What stands above the headings is left out.',
    ]);
  });

  it('may have no headings', () => {
    expect(tableOf(sheet([['Vigan', 'Ilocos Sur']]), undefined)).toEqual({
      headings: ['Column 1', 'Column 2'],
      rows: [['Vigan', 'Ilocos Sur']],
      firstRow: 1,
      notes: [],
    });
  });

  it('shows numbers and dates as text', () => {
    const cells = [
      702206027,
      0.5,
      true,
      null,
      new Date('2024-02-29'),
      new Date('2024-02-29T13:30:00Z'),
      new Date('1899-12-30T08:05:00Z'),
      // What the reader of workbooks makes of 08:30 in Excel.
      new Date('2024-02-29T08:29:59.999Z'),
    ];
    expect(cells.map(textOf)).toEqual([
      '702206027',
      '0.5',
      'true',
      '',
      '2024-02-29',
      '2024-02-29 13:30:00',
      '08:05:00',
      '2024-02-29 08:30:00',
    ]);
  });

  it('has its columns recognised as the service does', () => {
    expect(placeColumns(['No', 'Lalawigan', 'City/Municipality', 'Brgy.', 'Address'])).toEqual({
      province: [1],
      municity: [2],
      barangay: [3],
    });
    expect(placeColumns(['No', 'Remarks'])).toEqual({});
    expect(placeColumns(['No', 'Code', 'Name', 'p_name'])).toEqual({});
    expect(placeColumns(['Name', 'Province', 'Location'])).toEqual({ province: [1], text: [2] });
  });
});
