import type { SourceFeature } from './formats/format.ts';

/**
 * Properties that hold a feature's own PSGC code, in small letters without signs, best first. Where a feature also
 * carries its parents' codes (`ADM1_PCODE` to `ADM4_PCODE`), the deepest is its own.
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

/** The code of a feature as it stands there, or null where it has none. */
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

/** Digits of a P-code that stops at its level: region, province, city or municipality. */
const SHORT_PCODES: readonly number[] = [2, 5, 7];

/**
 * The codes that a published one can stand for, likeliest first, of ten digits (`RR PPP MM BBB`) or of nine (`RR PP MM
 * BBB`); none where it is no PSGC code. Numbers have lost the zero of regions 01 to 09, so nine digits can be either.
 * `PH` stands before the codes of OCHA, which write the Special Geographic Area 19 099 and not 19 999.
 */
export function candidates(published: unknown): string[] {
  const text = String(published).trim();
  // Spreadsheets and data frames make decimals of them.
  const match = /^(ph)?(\d+)(?:\.0+)?$/i.exec(text);
  const [, country, given = ''] = match ?? [];
  const digits = country && SHORT_PCODES.includes(given.length) ? given.padEnd(10, '0') : given;
  if (digits.length === 8) return [`0${digits}`];
  if (digits.length === 9) return digits.startsWith('0') ? [digits] : [`0${digits}`, digits];
  if (digits.length !== 10) return [];
  return digits.startsWith('19099') ? [digits, `19999${digits.slice(5)}`] : [digits];
}

/** A code of nine digits with the zero in place that its province's number now has; others as they are. */
export function tenDigits(code: string): string {
  return code.length === 9 ? `${code.slice(0, 2)}0${code.slice(2)}` : code;
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
