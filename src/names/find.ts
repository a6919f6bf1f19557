import { type Candidate, forgiven, type How, likeness, nearScore, type TypedName, typedName } from './compare.ts';
import type { Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import type { Column } from './source.ts';

/** What it costs that a place is called a city and is none, or the other way round. */
const WRONG_TYPE = 0.9;

/** What it costs that a number was passed over, so that nothing is sure. */
const BESIDE_NUMBER = 0.98;

/** Candidates by row, each with its best score. */
export class Candidates {
  readonly #byRow = new Map<number, Candidate>();

  add(candidate: Candidate): void {
    const known = this.#byRow.get(candidate.row);
    if (known && !isBetter(candidate, known)) return;
    this.#byRow.set(candidate.row, candidate);
  }

  get size(): number {
    return this.#byRow.size;
  }

  /** The best first; the lower row, which has the lower code, where two are as good. */
  sorted(): Candidate[] {
    return [...this.#byRow.values()].sort((a, b) => b.score - a.score || a.kind - b.kind || a.row - b.row);
  }
}

function isBetter(a: Candidate, b: Candidate): boolean {
  return a.score > b.score || (a.score === b.score && a.kind < b.kind);
}

/** The areas of the name's level that have it as a key. */
export function findSame(index: NameIndex, name: TypedName, found = new Candidates()): Candidates {
  if (isOther(name)) return found;
  for (const form of name.forms) {
    const key = index.keys.find(form);
    if (key === -1) continue;
    index.eachArea(key, name.level, (row, kind) =>
      found.add({ row, kind, how: 'same', score: typeScore(index, row, name) }),
    );
  }
  return found;
}

/** Whether an area of a column has a text as a key. */
export function isNameOf(index: NameIndex, text: string, level: Column): boolean {
  return findSame(index, typedName(index, text, level)).size > 0;
}

/** The areas of the name's level that have a key some slips from it. */
export function findNear(index: NameIndex, name: TypedName, found = new Candidates()): Candidates {
  const most = forgiven(name, false);
  if (most === 0 || isOther(name)) return found;
  index.keys.near(name.pattern, { most, end: index.endOf(name.level) }, (key, slips) => {
    if (slips === 0 && name.forms.includes(index.keys.at(key))) return;
    let score = -1;
    index.eachArea(key, name.level, (row, kind) => {
      if (score === -1) score = nearScore(name, index.keys.at(key));
      if (score > 0) found.add({ row, kind, how: 'near', score: score * typeScore(index, row, name) });
    });
  });
  return found;
}

/** Of some areas those that a name may mean: those that have it as a key, or else those that are like it. */
export function findAmong(index: NameIndex, name: TypedName, rows: ArrayLike<number>): Candidate[] {
  const found = findSpelled(index, name, rows);
  return found.length > 0 ? found : findLike(index, name, rows);
}

/** Of some areas those that have a name as a key. */
export function findSpelled(index: NameIndex, name: TypedName, rows: ArrayLike<number>): Candidate[] {
  const found = new Candidates();
  if (isOther(name)) return [];
  const keys = name.forms.map((form) => index.keys.find(form));
  if (keys.every((key) => key === -1)) return [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    index.eachKey(row, (key, kind) => {
      const form = keys.indexOf(key);
      if (form === -1) return;
      // A later form has lost something of the text, so that the whole of it is the better reason.
      found.add({
        row,
        kind: (form === 0 ? kind : Math.max(kind, 1)) as Kind,
        how: 'same',
        score: typeScore(index, row, name),
      });
    });
  }
  return found.sorted();
}

/** Of some areas those that are like a name. */
export function findLike(index: NameIndex, name: TypedName, rows: ArrayLike<number>): Candidate[] {
  const found = new Candidates();
  if (isOther(name)) return [];
  const most = forgiven(name, true);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    index.eachKey(row, (key, kind) => {
      const like: { score: number; how: How } | undefined = likeness(index, key, { name, most });
      if (like) found.add({ row, kind, how: like.how, score: like.score * typeScore(index, row, name) });
    });
  }
  return found.sorted();
}

/** Whether the text says that it is of another level: `Cebu Province` is no city. */
export function isOther({ level, says }: TypedName): boolean {
  if (says === 'barangay') return true;
  if (says === 'city' || says === 'town') return level === 'province' || level === 'region';
  return says === 'province' && (level === 'municity' || level === 'region');
}

function typeScore(index: NameIndex, row: number, { level, says, beside }: TypedName): number {
  // A short number may be that of a barangay, a long one is a code of something: neither is part of the name.
  if (beside !== '') return beside.length < 4 ? WRONG_TYPE : BESIDE_NUMBER;
  if (level !== 'municity' || says === undefined) return 1;
  const isCity = / city$|^city | city /i.test(index.source.nameOf(row));
  return isCity === (says === 'city') ? 1 : WRONG_TYPE;
}
