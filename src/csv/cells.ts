/** A line of RFC 4180 with its end. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(csvCell).join(',')}\r\n`;
}

/** A cell, quoted where it must be. Cells with any separator are quoted, because readers guess the separator. */
export function csvCell(text: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that no spreadsheet takes for a formula. */
export function inertText(text: string): string {
  return text.replace(/^[=+\-@\t\r]/, "'$&");
}
