/** One RFC 4180 line with its line end. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(csvCell).join(',')}\r\n`;
}

/** A cell, quoted where it must be. Cells with any separator are quoted, because readers guess the separator. */
export function csvCell(text: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text, changed where a spreadsheet would take it for a formula. */
export function inertText(text: string): string {
  return text.replace(/^[=+\-@\t\r]/, "'$&");
}
