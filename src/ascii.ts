/**
 * The text with A to Z in lower case and every other character as it is. Identifiers are folded by it: `toLowerCase`
 * makes the letter k of the Kelvin sign (U+212A) too, so that two different addresses would be the same.
 */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
