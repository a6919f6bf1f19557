/**
 * The form in which names are compared: without accents, case and apostrophes, other punctuation as single spaces.
 * `%` and `_` are kept, so that somebody who searches for them finds nothing instead of everything.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’ʼ`]+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%_]+/gu, ' ')
    .trim();
}

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['st', 'saint'],
  ['gen', 'general'],
  ['pres', 'president'],
  ['brgy', 'barangay'],
  ['bgy', 'barangay'],
]);

/** A key with its abbreviations written out where another word follows: `sta maria` → `santa maria`. */
export function spelledOut(key: string): string {
  const words = key.split(' ');
  const last = words.pop();
  return [...words.map((word) => ABBREVIATIONS.get(word) ?? word), last].join(' ');
}

const PARENTHESISED = /\(([^()]+)\)\s*$/;

/** Remarks in parentheses that are no names. */
const REMARKS = new Set(['pob', 'poblacion', 'capital', 'not a province']);

/** What people call a region besides its published name. */
const REGION_NICKNAMES: ReadonlyMap<string, string[]> = new Map([['national capital region', ['metro manila']]]);

/**
 * Every key under which a published name is looked for, the whole name first:
 * `City of Parañaque` → `city of paranaque`, `paranaque`, `paranaque city`;
 * `Region VII (Central Visayas)` → also `region vii`, `central visayas`.
 */
export function searchKeys(name: string): string[] {
  const keys = new Set([nameKey(name)]);
  const parts = PARENTHESISED.exec(name);
  if (parts) {
    keys.add(nameKey(name.slice(0, parts.index)));
    const inner = nameKey(parts[1] ?? '');
    if (!REMARKS.has(inner)) keys.add(inner);
  }
  for (const key of [...keys]) {
    const city = /^(?:.* )?city of (.+)/s.exec(key)?.[1] ?? /^(.+) city$/.exec(key)?.[1];
    if (city) for (const form of [city, `${city} city`, `city of ${city}`]) keys.add(form);
    const region = /^(.+) region$/.exec(key)?.[1];
    if (region) keys.add(region);
    for (const nickname of REGION_NICKNAMES.get(key) ?? []) keys.add(nickname);
  }
  for (const key of [...keys]) keys.add(spelledOut(key));
  keys.delete('');
  return [...keys];
}
