import type { SourceFeature } from './formats/format.ts';

/**
 * Properties that can hold a feature's own PSGC code, in lower case and without punctuation, the best one first. Where
 * a feature also carries its parents' codes (`ADM1_PCODE` to `ADM4_PCODE`), the deepest code is its own.
 */
const CODE_PROPERTIES: readonly string[] = [
  'psgc',
  'psgccode',
  'psgc10',
  '10digitpsgc',
  ...[4, 3, 2, 1].flatMap((n) => [`adm${n}psgc`, `adm${n}pcode`, `adm${n}code`]),
  'pcode',
  'code',
  'id',
];

/** The code of a feature as its file has it, or null where it has none. */
export function codeOf({ properties, id }: SourceFeature): unknown {
  const byName = new Map(
    Object.entries(properties).map(([name, value]) => [name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), value]),
  );
  for (const name of CODE_PROPERTIES) {
    const value = byName.get(name);
    if (isFilled(value)) return value;
  }
  return isFilled(id) ? id : null;
}

/** How many digits a P-code has that stops at its level: region, province, city or municipality. */
const SHORT_PCODES: readonly number[] = [2, 5, 7];

/**
 * The codes that a published code can stand for, the likeliest first. They have ten digits (`RR PPP MM BBB`) or nine
 * (`RR PP MM BBB`). Empty where the published value is no PSGC code. A code that was stored as a number has lost the
 * leading zero of regions 01 to 09, so nine digits can be either form. The codes of OCHA begin with `PH`; they write
 * the Special Geographic Area as 19 099 and not as 19 999.
 */
export function possibleCodes(published: unknown): string[] {
  const text = String(published).trim();
  // Spreadsheets and data frames turn codes into decimal numbers.
  const match = /^(ph)?(\d+)(?:\.0+)?$/i.exec(text);
  const [, country, given = ''] = match ?? [];
  const digits = country && SHORT_PCODES.includes(given.length) ? given.padEnd(10, '0') : given;
  if (digits.length === 8) return [`0${digits}`];
  if (digits.length === 9) return digits.startsWith('0') ? [digits] : [`0${digits}`, digits];
  if (digits.length !== 10) return [];
  return digits.startsWith('19099') ? [digits, `19999${digits.slice(5)}`] : [digits];
}

/** Adds to a nine-digit code the zero that the number of its province has today; other codes stay as they are. */
export function toTenDigits(code: string): string {
  return code.length === 9 ? `${code.slice(0, 2)}0${code.slice(2)}` : code;
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
