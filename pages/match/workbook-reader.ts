import { unzipSync, zipSync } from 'fflate';
import readExcelFile from 'read-excel-file/universal';
import type { Cell } from './table.ts';
import type { Answers } from './workbook-tasks.ts';

/** How large the parts of a workbook may be together when they are unpacked, bytes. */
const MAX_UNPACKED = 400_000_000;

class TooLarge extends Error {}

/** Reads all sheets of a workbook (`.xlsx`): formulas as their last values, dates as dates, text with its spaces. */
export async function readWorkbook(bytes: ArrayBuffer): Promise<Answers['read']> {
  try {
    const sheets = await readExcelFile(unpacked(bytes), { trim: false });
    return { sheets: sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as Cell[][] })) };
  } catch (error) {
    return { fault: error instanceof TooLarge ? 'rows' : 'file' };
  }
}

/**
 * The workbook with its parts stored, not deflated. The library inflates large parts in web workers that it makes of texts,
 * which the security policy of the pages does not let in, and it would wait for them for ever. What is stored, it takes.
 */
function unpacked(bytes: ArrayBuffer): ArrayBuffer {
  let sum = 0;
  const parts = unzipSync(new Uint8Array(bytes), {
    filter: ({ name, originalSize }) => {
      const isRead = name.endsWith('.xml') || name.endsWith('.rels');
      if (isRead) sum += originalSize;
      if (sum > MAX_UNPACKED) throw new TooLarge();
      return isRead;
    },
  });
  return zipSync(parts, { level: 0 }).buffer as ArrayBuffer;
}
