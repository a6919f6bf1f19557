import { typedName } from './compare.ts';
import { namesElsewhere } from './explain.ts';
import { findNamedToday, findSpelled } from './find.ts';
import { fold } from './fold.ts';
import { cutParentheses, KIND } from './forms.ts';
import type { NameIndex } from './index.ts';

// What the cell of a barangay has beside its name: a second name, a sitio, a street, another town.

/** How many names of a cell are looked for: each is compared with all barangays of the town. */
const MAX_SEVERAL = 8;

/** What parts the names of several barangays in a cell. */
const BETWEEN = /[,;/|&()+>\\`:*_\n\r-]|\s(?:and|or|at|o|ug|og|vs|cor|corner|c\/o)\.?\s/i;

/** The mark of a poblacion behind a name. Many lists have it, and many drop it. */
const POBLACION_MARK = /\(\s*pob(?:lacion)?\.?\s*\)/gi;

/** The barangays of a town that a cell names between separators, where it names several. */
export function severalIn(index: NameIndex, text: string, town: number): number[] {
  if (!BETWEEN.test(text)) return [];
  const rows = index.childrenOf('barangay', town);
  const whole = findSpelled(index, typedName(index, text, 'barangay'), rows).filter(({ kind }) => kind === KIND.full);
  // What stands in parentheses may be another one: `Bgy. 5 (Tula-tula)`.
  const cut = text.replace(POBLACION_MARK, ' ');
  const isPublished = whole.some(({ row }) => isWholeName(index, text, row));
  if (isPublished || (whole.length > 0 && !cut.includes('('))) return [];
  const { outer, inner } = cutParentheses(cut);
  const parts = [...(whole.length > 0 ? [outer] : outer.split(BETWEEN)), ...inner].slice(0, MAX_SEVERAL);
  const named = parts.flatMap((part) => {
    const [first] = fold(part) === '' ? [] : findSpelled(index, typedName(index, part, 'barangay'), rows);
    return first !== undefined && first.kind < KIND.former ? [first.row] : [];
  });
  return [...new Set(named)];
}

/** The poblacion of any municity, as a part of a cell or of a text: `Brgy. Poblacion`. */
const POBLACION = /^(?:barangay )?(?:poblacion|centro)$/;

/**
 * The barangays of a municity that have `poblacion` or `centro` in their names, if a text names the poblacion and a barangay:
 * `Bawa/Poblacion`. Undefined if the text does not name the poblacion, or if the barangay is one of them; empty if the municity
 * has none.
 *
 * @param barangay that of the text
 */
export function poblacionsBeside(index: NameIndex, text: string, barangay: number): number[] | undefined {
  const parts = text.replace(POBLACION_MARK, ' ').split(BETWEEN).map(fold);
  const isPoblacion = (it: number) => index.namesOf(it).some(({ name }) => /\b(?:poblacion|centro)\b/.test(fold(name)));
  const municity = index.ancestorAt(barangay, 'municity');
  if (parts.length < 2 || municity === undefined) return undefined;
  if (!parts.some((part) => POBLACION.test(part)) || isPoblacion(barangay)) return undefined;
  return Array.from(index.childrenOf('barangay', municity)).filter(isPoblacion);
}

/**
 * A barangay of a town that a cell names with one word more at an end, where the one that was found has no such name: `Soong 2`
 * is not like Zone 2 where there is a Soong.
 */
export function withoutWord(index: NameIndex, text: string, row: number): number | undefined {
  const words = fold(text).split(' ');
  const town = index.ancestorAt(row, 'municity');
  if (words.length < 2 || town === undefined) return undefined;
  const own = index.namesOf(row).map(({ name }) => ` ${fold(name)} `);
  for (const base of [words.slice(0, -1).join(' '), words.slice(1).join(' ')]) {
    if (own.some((name) => name.includes(` ${base} `))) continue;
    const found = findSpelled(index, typedName(index, base, 'barangay'), index.childrenOf('barangay', town));
    const whole = found.find(({ kind, score }) => kind === KIND.full && score === 1);
    if (whole && whole.row !== row) return whole.row;
  }
  return undefined;
}

/** The cities and municipalities that a cell names between separators beside one of the same province, where it names several. */
export function townsIn(index: NameIndex, text: string, row: number): number[] {
  const named = (it: string) => findNamedToday(index, it, 'municity');
  if (!BETWEEN.test(text) || named(text).length > 0) return [];
  const above = index.ancestorAt(row, 'province') ?? index.ancestorAt(row, 'region');
  const parts = text.split(BETWEEN).slice(0, MAX_SEVERAL);
  const all = parts.filter((part) => fold(part) !== '').flatMap(named);
  const rows = [...new Set([row, ...all.map((it) => it.row)])].filter(
    (it) => above !== undefined && index.isIn(it, above),
  );
  return rows.filter((it) => !rows.some((other) => other !== it && index.isIn(other, it)));
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
