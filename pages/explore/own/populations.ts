import type { Column, Row } from './rows.ts';
import { numberOf, textOf } from './values.ts';

/** Names of columns with the residents of an area. */
const NAME = /^(total[ _]?)?(pop|population|residents|inhabitants|popn|populasyon)([ _-]?(total|20\d\d))?$/i;

/** A code of the PSGC, ten digits. Files with numbers have lost its leading zero. */
const CODE = /^\d{9,10}$/;

/** Reads an answer of the service as JSON. */
type ReadJson = (path: string) => Promise<unknown>;

interface Page {
  readonly data: readonly { readonly code: string; readonly population: number | null }[];
  readonly meta: { readonly next: number | null };
}

/**
 * The residents of each feature: those of a column of its own or, of areas that are named by codes of the PSGC, those
 * that the service knows.
 *
 * @returns a list with a number for each row; NaN where it is not known
 */
export async function populationsOf(
  rows: readonly Row[],
  columns: readonly Column[],
  read: ReadJson,
): Promise<Float64Array> {
  const own = columns.find(({ name, isNumeric }) => isNumeric && NAME.test(name));
  if (own) return Float64Array.from(rows, ({ properties }) => numberOf(properties[own.name]) ?? Number.NaN);
  const coded = codeColumn(rows, columns);
  if (!coded) return new Float64Array(rows.length).fill(Number.NaN);
  const codes = rows.map(({ properties }) => codeOf(properties[coded.name]) ?? '');
  const known = new Map<string, number>();
  const readAll = async (paths: Iterable<string>) => {
    for (const path of new Set(paths)) {
      for (let page: number | null = 1; page !== null; ) {
        const { data, meta } = (await read(`${path}limit=100&page=${page}`)) as Page;
        for (const { code, population } of data) if (population !== null) known.set(code, population);
        page = meta.next;
      }
    }
  };
  const large = codes.filter((code) => code.endsWith('00000'));
  await readAll(large.map((code) => (code.endsWith('00000000') ? '/v1/regions?' : '/v1/provinces?')));
  // A city that belongs to no province has the code of a province.
  const others = codes.filter((code) => code.endsWith('000') && !code.endsWith('00000000') && !known.has(code));
  await readAll(others.map((code) => `/v1/municities?region=${code.slice(0, 2)}00000000&`));
  return Float64Array.from(codes, (code) => known.get(code) ?? Number.NaN);
}

/** The column in which every value is a code of the PSGC. */
function codeColumn(rows: readonly Row[], columns: readonly Column[]): Column | undefined {
  return columns.find(({ name }) => {
    const values = rows.map(({ properties }) => textOf(properties[name])).filter((text) => text !== '');
    return values.length > 0 && values.every((text) => codeOf(text) !== undefined);
  });
}

function codeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return CODE.test(text) ? text.padStart(10, '0') : undefined;
}
