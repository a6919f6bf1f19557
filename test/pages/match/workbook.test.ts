import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../pages/match/table.ts';
import { readWorkbook } from '../../../pages/match/workbook-reader.ts';
import { writeWorkbook } from '../../../pages/match/workbook-writer.ts';

describe('a workbook', () => {
  it('comes back as it was written: text as text, numbers, dates', async () => {
    const rows = [
      ['Code', 'Name', 'Count', 'Day', 'Moment', 'Sure', 'Time'],
      [
        '0702205035',
        ' <Peñafrancia> & "Sons"\n=1+1',
        12.5,
        new Date('2024-02-29'),
        new Date('2024-02-29T06:00:00Z'),
        true,
        null,
      ],
      ['=HYPERLINK("x")', null, 0, null, null, false, new Date('1899-12-30T06:00:00Z')],
    ];
    expect(await readWorkbook(writeWorkbook(rows).buffer)).toEqual({ sheets: [{ name: 'PSGC', rows }] });
  });

  it('has the times of a day to the second, whatever fraction of a day each is', async () => {
    const times = Array.from({ length: 96 }, (_, i) => new Date(Date.UTC(2024, 1, 29) + i * 900_000));
    const read = await readWorkbook(writeWorkbook([['Moment'], ...times.map((time) => [time])]).buffer);
    const [, ...moments] = ('sheets' in read && read.sheets?.[0]?.rows) || [];
    expect(moments.map(([cell]) => textOf(cell))).toEqual(times.map(textOf));
  });

  it('may have many columns and large parts', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) =>
      Array.from({ length: 28 }, (_, at) => `Barangay ${at} of ${i}`),
    );
    expect(await readWorkbook(writeWorkbook(rows).buffer)).toEqual({ sheets: [{ name: 'PSGC', rows }] });
  });

  it('is refused where it is damaged or no workbook', async () => {
    const whole = writeWorkbook([['Town']]);
    for (const bytes of [
      whole.slice(0, whole.length - 40),
      zipSync({ 'a.xml': new Uint8Array(3) }),
      new Uint8Array(9),
    ]) {
      expect(await readWorkbook(bytes.slice().buffer)).toEqual({ fault: 'file' });
    }
  });
});
