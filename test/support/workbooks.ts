import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Cell } from '../../pages/match/table.ts';
import { writeWorkbook } from '../../pages/match/workbook-writer.ts';

/** Writes a workbook (`.xlsx`) of several sheets, by their names in their order. */
export function writeSheets(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Uint8Array {
  const names = Object.keys(sheets);
  const parts = unzipSync(writeWorkbook([]));
  for (const [i, rows] of Object.values(sheets).entries()) {
    const sheet = unzipSync(writeWorkbook(rows))['xl/worksheets/sheet1.xml'];
    if (sheet) parts[`xl/worksheets/sheet${i + 1}.xml`] = sheet;
  }
  // Each element that names the only sheet is repeated for every sheet.
  const repeat = (part: string, element: RegExp, of: (element: string, name: string, number: number) => string) => {
    const xml = strFromU8(parts[part] as Uint8Array);
    const all = (found: string) => names.map((name, i) => of(found, name, i + 1)).join('');
    parts[part] = strToU8(xml.replace(element, all));
  };
  const numbered = (element: string, number: number) => element.replace('sheet1.xml', `sheet${number}.xml`);
  repeat('[Content_Types].xml', /<Override PartName="\/xl\/worksheets\/[^>]*>/, (it, _, n) => numbered(it, n));
  repeat('xl/_rels/workbook.xml.rels', /<Relationship Id="r1"[^>]*>/, (it, _, n) =>
    numbered(it, n).replace('"r1"', `"sheet${n}"`),
  );
  repeat('xl/workbook.xml', /<sheet name[^>]*>/, (_, name, n) => {
    return `<sheet name="${name.replaceAll('&', '&amp;')}" sheetId="${n}" r:id="sheet${n}"/>`;
  });
  return zipSync(parts, { level: 1 });
}
