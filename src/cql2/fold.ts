/** A text without differences of case: what Postgres returns for `lower` with the collation `und-x-icu`. */
export function withoutCase(text: string): string {
  return text.toLowerCase();
}

/** A text without the accents that Unicode writes as marks of their own. */
export function withoutAccents(text: string): string {
  // Most names have none, and this is ten times as fast.
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}
