/** Encodes a text for a header, which allows ASCII only (RFC 9651, 3.3.8). */
export function displayString(text: string): string {
  return `%"${text.toWellFormed().replace(/[^ !#$&-~]/gu, (character) => encodeURIComponent(character).toLowerCase())}"`;
}
