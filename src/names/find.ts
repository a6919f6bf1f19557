import { type Candidate, forgiven, type How, likeness, nearScore, type TypedName, typedName } from './compare.ts';
import { KIND, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import type { Column } from './source.ts';

/** Factor if a place is called a city but is none, or vice versa. */
const WRONG_TYPE = 0.9;

/** Factor if a number was ignored, so that nothing is sure. */
const BESIDE_NUMBER = 0.98;

/** Factor if a numeral was read out of a word: `Bucali` may be Bucal I, or Bucal II with a letter missing. */
const UNGLUED = 0.99;

/** Factor if what stands in parentheses says nothing about the place. */
const UNREAD = 0.99;

/** Candidates by row, each with its best score. */
export class Candidates {
  readonly #byRow = new Map<number, Candidate>();

  add(candidate: Candidate): void {
    const existing = this.#byRow.get(candidate.row);
    if (existing && !isBetter(candidate, existing)) return;
    this.#byRow.set(candidate.row, candidate);
  }

  get size(): number {
    return this.#byRow.size;
  }

  /** Best first; of equals the lower row, which has the lower code. */
  sorted(): Candidate[] {
    return [...this.#byRow.values()].sort((a, b) => b.score - a.score || a.kind - b.kind || a.row - b.row);
  }
}

function isBetter(a: Candidate, b: Candidate): boolean {
  return a.score > b.score || (a.score === b.score && a.kind < b.kind);
}

/** Areas of the name's level with the name as a key. */
export function findSame(index: NameIndex, name: TypedName, found = new Candidates()): Candidates {
  if (isOther(name)) return found;
  for (const form of name.forms) {
    const key = index.keys.find(form);
    if (key === -1) continue;
    index.eachArea(key, name.level, (row, kind) => {
      if (name.level === 'barangay' && !mayBeCalled(index, row, { folded: name.forms[0] as string, form })) return;
      found.add({ row, kind, how: 'same', score: spelledScore(index, row, { name, form }) });
    });
  }
  return found;
}

/** Areas of a level with a text as a name, best first. */
export function findNamed(index: NameIndex, text: string, level: Column): Candidate[] {
  return findSame(index, typedName(index, text, level)).sorted();
}

/** Areas of a level with a text as their name today, spelled right, best first. */
export function findNamedToday(index: NameIndex, text: string, level: Column): Candidate[] {
  return findNamed(index, text, level).filter(({ kind, score }) => kind < KIND.alias && score === 1);
}

const POBLACION = 'poblacion';

/**
 * Whether a barangay may be meant by a form of a typed name. A form that has lost the word `Poblacion` counts only where
 * the barangay's own name has the word, or where it says nothing else: the town has no barangay Poblacion, and no town or
 * province is called so, whose centre it would be (`Poblacion, San Juan, La Union`).
 *
 * @param typed `folded`: the whole name; `form`: the form of it that is a key of the barangay
 */
export function mayBeCalled(
  index: NameIndex,
  row: number,
  { folded, form }: { folded: string; form: string },
): boolean {
  const { source } = index;
  if (!folded.includes(POBLACION) || form.includes(POBLACION) || /\bpob/i.test(source.nameOf(row))) return true;
  const towns = index.cached('towns with a barangay', POBLACION, () => {
    const found = new Set<number>();
    const key = index.keys.find(POBLACION);
    if (key !== -1) index.eachArea(key, 'barangay', (it) => found.add(source.municities[it] as number));
    return found;
  });
  if (towns.has(source.municities[row] as number)) return false;
  return !isNameOf(index, form, 'municity') && !isNameOf(index, form, 'province');
}

/** Whether an area of a column has a text as a key. */
export function isNameOf(index: NameIndex, text: string, level: Column): boolean {
  return findSame(index, typedName(index, text, level)).size > 0;
}

/** Areas of the name's level with a key a few slips away. */
export function findNear(index: NameIndex, name: TypedName, found = new Candidates()): Candidates {
  const max = forgiven(name, false);
  if (max === 0 || isOther(name)) return found;
  index.keys.near(name.pattern, { max, end: index.endOf(name.level) }, (key, slips) => {
    if (slips === 0 && name.forms.includes(index.keys.at(key))) return;
    let score = -1;
    index.eachArea(key, name.level, (row, kind) => {
      if (score === -1) score = nearScore(name, index.keys.at(key));
      if (score > 0) found.add({ row, kind, how: 'near', score: score * typeScore(index, row, name) });
    });
  });
  return found;
}

/** The areas among `rows` that a name may mean: those with it as a key, else similar ones. */
export function findAmong(index: NameIndex, name: TypedName, rows: ArrayLike<number>): Candidate[] {
  const found = findSpelled(index, name, rows);
  return found.length > 0 ? found : findLike(index, name, rows);
}

/** The areas among `rows` with a name as a key. */
export function findSpelled(index: NameIndex, name: TypedName, rows: ArrayLike<number>): Candidate[] {
  const found = new Candidates();
  if (isOther(name)) return [];
  const keys = name.forms.map((form) => index.keys.find(form));
  if (keys.every((key) => key === -1)) return [];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    index.eachKey(row, (key, kind) => {
      const at = keys.indexOf(key);
      if (at === -1) return;
      const form = name.forms[at] as string;
      if (name.level === 'barangay' && !mayBeCalled(index, row, { folded: name.forms[0] as string, form })) return;
      // Later forms have lost parts of the text, so earlier ones count more.
      found.add({
        row,
        kind: (at === 0 ? kind : Math.max(kind, 1)) as Kind,
        how: 'same',
        score: spelledScore(index, row, { name, form }),
      });
    });
  }
  return found.sorted();
}

/** The areas among `rows` that are similar to a name. */
export function findLike(index: NameIndex, name: TypedName, rows: ArrayLike<number>): Candidate[] {
  const found = new Candidates();
  if (isOther(name)) return [];
  const max = forgiven(name, true);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    index.eachKey(row, (key, kind) => {
      const like: { score: number; how: How } | undefined = likeness(index, key, { name, max });
      if (like) found.add({ row, kind, how: like.how, score: like.score * typeScore(index, row, name) });
    });
  }
  return found.sorted();
}

/** Whether the text names another level: `Cebu Province` is no city, `City` no barangay. */
export function isOther({ level, placeType }: TypedName): boolean {
  if (placeType === 'barangay' || (level === 'barangay' && placeType !== undefined)) return true;
  if (placeType === 'region') return level !== 'region';
  if (placeType === 'city' || placeType === 'town') return level === 'province' || level === 'region';
  return placeType === 'province' && (level === 'municity' || level === 'region');
}

function spelledScore(index: NameIndex, row: number, { name, form }: { name: TypedName; form: string }): number {
  const isRead = form === name.forms[0] || (!name.isCut && name.inner.every((text) => isNameFor(index, row, text)));
  // `Tagoloan II` is the whole name of a town.
  const type = name.beside !== '' && form === name.forms[0] ? 1 : typeScore(index, row, name);
  return type * (name.unglued.includes(form) ? UNGLUED : isRead && !isSplit(index, name, form) ? 1 : UNREAD);
}

/**
 * Whether a name is another one's with a separator or a single letter apart: `Bay, Bay` is not Baybay, nor `Libon A` Libona,
 * nor `Sto. R.` Santor.
 */
function isSplit(index: NameIndex, { level, hasSeparator }: TypedName, form: string): boolean {
  const isApart = hasSeparator || (level === 'barangay' ? /[a-z]{3} [a-z]$/ : / [a-z]$/).test(form);
  return isApart && index.keys.at(index.keys.find(form)) !== form;
}

/** Whether a folded text is a name of an area or of what it lies in: `Gen. Mariano Alvarez (GMA)`, `Argao (Cebu)`. */
function isNameFor(index: NameIndex, row: number, text: string): boolean {
  const key = index.keys.find(text);
  if (key === -1) return false;
  return [row, ...index.ancestorsOf(row)].some((at) => index.hasKey(at, (own) => own === key));
}

function typeScore(index: NameIndex, row: number, { level, placeType, beside }: TypedName): number {
  // A short number may be a barangay's, a long one some other code: neither is part of the name.
  if (beside !== '') return beside.length < 4 ? WRONG_TYPE : BESIDE_NUMBER;
  if (level !== 'municity' || placeType === undefined) return 1;
  const isCity = / city$|^city | city /i.test(index.source.nameOf(row));
  return isCity === (placeType === 'city') ? 1 : WRONG_TYPE;
}
