import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf, type Input } from '../inputs.ts';

/** The folder of the ZIP codes in the repository. */
const FOLDER = join(import.meta.dirname, '../../../data/postal-codes');

/**
 * Packs ZIP codes by area, as `src/zip-codes.ts` reads them. By the third to fifth digit of their codes, there is a text of the cities
 * and municipalities whose next two digits are 00, 01 and so on, with spaces between: first the lowest ZIP code of all, then of each
 * how much higher its own are. Several have commas between them, and a hyphen from the first to the last of a row; an area without any
 * is a hyphen.
 */
export function packed(zips: ReadonlyMap<string, readonly string[]>): Record<string, string> {
  const rows = new Map<string, (readonly number[])[]>();
  for (const [code, own] of [...zips].sort(([a], [b]) => (a.slice(2) < b.slice(2) ? -1 : 1))) {
    const row = rows.get(code.slice(2, 5)) ?? [];
    row[Number(code.slice(5, 7))] = own.toSorted().map(Number);
    rows.set(code.slice(2, 5), row);
  }
  return Object.fromEntries(
    [...rows].map(([key, row]) => {
      const lowest = Math.min(...row.flat());
      const cells = Array.from(row, (own) => (own ? runsOf(own.map((zip) => zip - lowest)) : '-'));
      return [`P${key}`, [String(lowest).padStart(4, '0'), ...cells].join(' ')];
    }),
  );
}

/** Ascending numbers, of rows only the first and the last: `0-3,7`. */
function runsOf(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');
}

/** Writes the packed file and the hashes in `source.json`. Returns the bytes of the file. */
export async function writePacked(
  zips: ReadonlyMap<string, readonly string[]>,
  inputs: readonly Input[],
): Promise<number> {
  const text = `${JSON.stringify(packed(zips), undefined, 2)}\n`;
  await writeFile(join(FOLDER, 'areas.json'), text);
  const source = JSON.parse(await readFile(join(FOLDER, 'source.json'), 'utf8')) as object;
  const filled = { ...source, inputs, sha256: { 'areas.json': hashOf(text) } };
  await writeFile(join(FOLDER, 'source.json'), `${JSON.stringify(filled, undefined, 2)}\n`);
  return text.length;
}
