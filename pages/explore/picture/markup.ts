import { visible } from '../own/readable.ts';

export const COLORS = { paper: '#ffffff', ink: '#1f2426', quiet: '#5b6367' };

/** The width of a text of a size, in the units of the sheet. */
export type Measure = (text: string, size: number) => number;

/** Text in XML 1.0, which has no control characters. */
export function escaped(text: string): string {
  return visible(text)
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
}
