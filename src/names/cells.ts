import { typedName } from './compare.ts';
import { namesElsewhere } from './explain.ts';
import { findSpelled } from './find.ts';
import { fold } from './fold.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';

// What the cell of a barangay has beside its name: a second name, a sitio, a street, another town.

/** How many names of a cell are looked for: each is compared with all barangays of the town. */
const MAX_SEVERAL = 8;

/** What parts the names of several barangays in a cell. */
const BETWEEN = /[,;/|&()+>\\`\n\r-]|\s(?:and|or|at|o|ug|og|vs|cor|corner|c\/o)\.?\s/i;

/** The barangays of a town that a cell names between separators, where it names several. */
export function severalIn(index: NameIndex, text: string, town: number): number[] {
  if (!BETWEEN.test(text)) return [];
  const rows = index.childrenOf('barangay', town);
  const whole = findSpelled(index, typedName(index, text, 'barangay'), rows).filter(({ kind }) => kind === KIND.whole);
  if (whole.length > 0) return [];
  const parts = text.split(BETWEEN).slice(0, MAX_SEVERAL);
  const named = parts.flatMap((part) => {
    const [first] = fold(part) === '' ? [] : findSpelled(index, typedName(index, part, 'barangay'), rows);
    return first !== undefined && first.kind < KIND.former ? [first.row] : [];
  });
  return [...new Set(named)];
}

/** Whether a text is the whole name of a barangay as it is published. */
export function isWholeName(index: NameIndex, text: string, row: number): boolean {
  return fold(index.source.nameOf(row)) === fold(text);
}

/** A settlement, a street or a building that is called by a name: `Sitio Malisbong`, `Pili St.`, not `Purok 3`. */
const NAMED_PLACE =
  /^(?:sitio|so|purok|prk|near|beside|malapit sa) (?!\d)|.(?: (?:st|street|rd|road|ave|avenue|highway|hwy|river|bridge|church|chapel|school|nhs|hospital|market|bldg|building))$/;

export function isNamedPlace(text: string): boolean {
  return text.split(BETWEEN).some((part) => NAMED_PLACE.test(fold(part)));
}

/** Whether a cell names, between separators, a place in which its barangay does not lie: `Poblacion, Valenzuela`. */
export function isSecondTown(index: NameIndex, text: string, row: number): boolean {
  if (isWholeName(index, text, row)) return false;
  const parts = BETWEEN.test(text) ? text.split(BETWEEN).filter((part) => fold(part) !== '') : [];
  const isOwn = (part: string) => findSpelled(index, typedName(index, part, 'barangay'), [row]).length > 0;
  return parts.length > 1 && parts.slice(0, MAX_SEVERAL).some((it) => !isOwn(it) && namesElsewhere(index, it, row));
}
