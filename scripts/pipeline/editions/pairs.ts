import type { Basis, Link } from '../../../src/editions/link.ts';
import type { AreaLevel } from '../psgc/area.ts';
import type { CodeChange } from '../psgc/code-changes.ts';
import { type Edition, type EditionArea, findLocal, parentOf } from './edition.ts';
import { plainKey, readNote } from './notes.ts';

/** A pair of areas before their shares are known. */
export interface Tie {
  from: string;
  to: string;
  basis: Basis;
  note: string | null;
}

export type TiedLink = Link & Pick<Tie, 'note'>;

/** Below regions, parents before children. */
const LEVELS: readonly AreaLevel[] = ['province', 'municity', 'submunicipality', 'barangay'];

/** Pairs the areas of two editions: each area by the strongest evidence, the rest by weaker evidence. */
export class Pairs {
  readonly ties: Tie[] = [];
  readonly #before: Edition;
  readonly #after: Edition;
  /** Codes of unchanged areas. They have no ties except with changed areas. */
  readonly same: ReadonlySet<string>;
  /** Changed areas of which nothing is known yet. */
  readonly gone: Set<EditionArea>;
  readonly made: Set<EditionArea>;
  /** The continuing area in the second edition of a changed area of the first. */
  readonly heirs = new Map<string, EditionArea>();

  constructor(before: Edition, after: Edition) {
    this.#before = before;
    this.#after = after;
    this.same = sameIn(before, after);
    this.gone = new Set([...before.areas.values()].filter(({ code }) => !this.same.has(code)));
    this.made = new Set([...after.areas.values()].filter(({ code }) => !this.same.has(code)));
  }

  /** Records that two areas are one. */
  #pair(from: EditionArea, to: EditionArea, basis: Basis, note: string | null = null): void {
    this.ties.push({ from: from.code, to: to.code, basis, note });
    this.heirs.set(from.code, to);
    this.gone.delete(from);
    this.made.delete(to);
  }

  /** Records that some areas became others. */
  #become(
    from: readonly EditionArea[],
    to: readonly EditionArea[],
    { basis, note }: Pick<Tie, 'basis' | 'note'>,
  ): void {
    for (const one of from) {
      for (const other of to) this.tie(one, other, { basis, note });
    }
  }

  /** Adds a tie of two areas. An existing one stays as it is. */
  tie(from: EditionArea, to: EditionArea, { basis, note }: Pick<Tie, 'basis' | 'note'>): void {
    this.gone.delete(from);
    this.made.delete(to);
    for (const one of [from, to]) if (this.same.has(one.code)) this.#add(one, one, { basis: basisOf(one), note: null });
    this.#add(from, to, { basis, note });
  }

  #add(from: EditionArea, to: EditionArea, how: Pick<Tie, 'basis' | 'note'>): void {
    if (this.ties.some((tie) => tie.from === from.code && tie.to === to.code)) return;
    this.ties.push({ from: from.code, to: to.code, ...how });
  }

  /** The same code, but for that of the region, and the same name. */
  byCodeAndName(): void {
    for (const from of [...this.gone]) {
      const to = findLocal(this.#after, from.code);
      if (to?.level !== from.level || to.nameKey !== from.nameKey) continue;
      this.#pair(from, to, from.correspondence === to.correspondence ? basisOf(from) : 'code');
    }
  }

  /** The same correspondence code, where no other area has it. */
  byCorrespondence(): void {
    const wanted = new Set([...this.gone].map(({ correspondence }) => correspondence));
    const unique = ({ areas }: Edition) => {
      const found = [...areas.values()].filter(({ correspondence }) => wanted.has(correspondence));
      const groups = Map.groupBy(found, ({ level, correspondence }) => `${level} ${correspondence}`);
      return (key: string) => (groups.get(key)?.length === 1 ? groups.get(key)?.[0] : undefined);
    };
    const [before, after] = [unique(this.#before), unique(this.#after)];
    for (const from of [...this.gone]) {
      const key = `${from.level} ${from.correspondence}`;
      const to = after(key);
      if (from.correspondence === null || !to || !this.made.has(to) || !before(key)) continue;
      this.#pair(from, to, 'correspondence');
    }
  }

  /** The same name in what is the same parent, where the code went to another area. */
  byName(): void {
    for (const level of LEVELS) this.#pairByName(level, parentOf);
  }

  /** The same code under another name. */
  byCode(): void {
    for (const from of [...this.gone]) {
      const to = findLocal(this.#after, from.code);
      if (!to || to.level !== from.level || !this.made.has(to)) continue;
      // Two correspondence codes are two areas: the code was given to another one.
      const { correspondence: one } = from;
      if (one !== null && to.correspondence !== null && one !== to.correspondence && !isLike(from, to)) continue;
      this.#pair(from, to, 'code');
    }
  }

  /** Footnotes of the second list in the usual wording. */
  byNotes(): void {
    const noted = [...this.#after.areas.values()].filter(({ notes }) => notes.length > 0);
    if (noted.length === 0) return;
    const siblings = Map.groupBy(this.#before.areas.values(), (area) => `${area.level} ${parentOf(area)}`);
    const newSiblings = Map.groupBy(this.#after.areas.values(), (area) => `${area.level} ${parentOf(area)}`);
    for (const area of noted) {
      for (const note of area.notes) {
        const change = readNote(note);
        if (change?.kind === 'merged') {
          const before = this.#sourceOf(parentOf(area));
          const found = (siblings.get(`${area.level} ${before}`) ?? []).filter(
            (it) => this.gone.has(it) && isNamed(it, change.names),
          );
          if (found.length > 0) this.#become(found, [area], { basis: 'note', note });
        } else if (change?.kind === 'renamed' && this.made.has(area)) {
          const then = siblings.get(`${area.level} ${this.#sourceOf(parentOf(area))}`) ?? [];
          const found = then.filter((it) => this.gone.has(it) && isNamed(it, change.names));
          if (found[0] && found.length === 1) this.#pair(found[0], area, 'note', note);
        } else if (change?.kind === 'parted' && this.made.has(area)) {
          const mothers = (siblings.get(`${area.level} ${this.#sourceOf(parentOf(area))}`) ?? []).filter((it) =>
            isNamed(it, change.names),
          );
          if (mothers.length > 0) this.#become(mothers, [area], { basis: 'note', note });
        } else if (change?.kind === 'created') {
          const mother = findLocal(this.#before, area.code);
          const near = newSiblings.get(`${area.level} ${parentOf(area)}`) ?? [];
          const found = near.filter((it) => this.made.has(it) && isNamed(it, change.names));
          if (mother && found.length > 0) this.#become([mother], found, { basis: 'note', note });
          // What is counted with an area and is there no more went into it.
          else if (mother) {
            const then = siblings.get(`${area.level} ${parentOf(mother)}`) ?? [];
            const lost = then.filter((it) => this.gone.has(it) && isNamed(it, change.names));
            if (lost.length > 0) this.#become([mother, ...lost], [area], { basis: 'note', note });
          }
        }
      }
    }
  }

  /** Manually recorded changes between the two editions. */
  byHand(changes: readonly CodeChange[]): void {
    // Several changes may make one area: the first one does not explain it for the others.
    const [gone, made] = [new Set(this.gone), new Set(this.made)];
    const find = (edition: Edition, codes: readonly string[]) => codes.map((code) => findLocal(edition, code));
    for (const { from, to, note } of changes) {
      const [before, after] = [find(this.#before, from), find(this.#after, to)];
      const isOld = find(this.#before, to).includes(undefined) || find(this.#after, from).includes(undefined);
      if (before.includes(undefined) || after.includes(undefined) || !isOld) continue;
      const [one, other] = [before as EditionArea[], after as EditionArea[]];
      if (!one.some((it) => gone.has(it)) && !other.some((it) => made.has(it))) continue;
      this.#become(one, other, { basis: 'note', note });
      if (one.length === 1 && other.length === 1 && one[0] && other[0]) this.heirs.set(one[0].code, other[0]);
    }
  }

  /** Names that begin alike in one parent: `Barangay 176` and `Barangay 176-A`; `San Jose` of `San Jose East` and `West`. */
  byNameParts(): void {
    const begins = (short: string, long: string) => long !== short && long.startsWith(`${short} `);
    const changed = [...this.#before.areas.values()].filter(({ code }) => !this.same.has(code));
    const parentsThen = Map.groupBy(changed, (area) => `${area.level} ${this.#parentNow(area)}`);
    for (const [key, parts] of Map.groupBy(this.made, (area) => `${area.level} ${parentOf(area)}`)) {
      for (const whole of parentsThen.get(key) ?? []) {
        const own = parts.filter((it) => this.made.has(it) && begins(plainKey(whole.nameKey), plainKey(it.nameKey)));
        const isHere = !this.gone.has(whole);
        const hasChanged = this.heirs.get(whole.code)?.nameKey !== whole.nameKey;
        if (own.length >= (isHere ? 1 : 2) && (!isHere || hasChanged)) {
          this.#become([whole], own, { basis: 'name', note: null });
        }
      }
    }
    for (const whole of [...this.made]) {
      const then = [...this.gone].filter((it) => it.level === whole.level && this.#parentNow(it) === parentOf(whole));
      const own = then.filter((it) => begins(plainKey(whole.nameKey), plainKey(it.nameKey)));
      if (own.length >= 2) this.#become(own, [whole], { basis: 'name', note: null });
    }
  }

  /**
   * A name that only one area that is gone and one that is new have: in what is the same parent, else in one province, in
   * one region, and above barangays in the country. Parents come first, so that what lies in them has a parent then.
   */
  byNameAlone(): void {
    for (const level of LEVELS) {
      this.#pairByName(level, parentOf);
      this.#pairByName(level, ({ pCode }) => pCode);
      this.#pairByName(level, ({ rCode }) => rCode);
      if (level !== 'barangay') this.#pairByName(level);
    }
  }

  /** Pairs what has a name alone among the areas of a level with one that holds them; in the country without that. */
  #pairByName(level: AreaLevel, holderOf?: (area: EditionArea) => string | null): void {
    const keyOf = (area: EditionArea, holder: string | null | undefined) => `${holder} ${area.nameKey}`;
    const ofLevel = (areas: Iterable<EditionArea>) =>
      [...areas].filter((area) => area.level === level && (!holderOf || holderOf(area) !== null));
    const now = Map.groupBy(ofLevel(this.made), (area) => keyOf(area, holderOf?.(area)));
    const then = Map.groupBy(ofLevel(this.gone), (area) => keyOf(area, holderOf && this.#nowOf(holderOf(area))));
    for (const [key, [from, ...others]] of then) {
      const [to, ...more] = now.get(key) ?? [];
      if (from && to && others.length === 0 && more.length === 0) this.#pair(from, to, 'name');
    }
  }

  #nowOf(code: string | null): string | undefined {
    if (code === null) return undefined;
    return this.same.has(code) ? code : this.heirs.get(code)?.code;
  }

  /** What the parent of an area is called in the second edition. */
  #parentNow(area: EditionArea): string | null | undefined {
    return this.#nowOf(parentOf(area));
  }

  /** The code in the first edition of an area of the second. */
  #sourceOf(code: string | null): string | null {
    const area = code === null ? undefined : this.#after.areas.get(code);
    return area ? (findLocal(this.#before, area.code)?.code ?? null) : null;
  }
}

function isNamed({ nameKey }: EditionArea, names: readonly string[]): boolean {
  return names.some((name) => plainKey(name) === plainKey(nameKey));
}

/** Whether two names share a word of three letters or more. */
function isLike(one: EditionArea, other: EditionArea): boolean {
  const words = new Set(one.nameKey.split(' ').filter((word) => word.length > 2));
  return other.nameKey.split(' ').some((word) => words.has(word));
}

/** The basis on which an unchanged area counts as the same. */
export function basisOf({ correspondence }: EditionArea): Basis {
  return correspondence === null ? 'code' : 'correspondence';
}

/** The codes of the areas of which nothing changed, nor of what they lie in. */
function sameIn(before: Edition, after: Edition): Set<string> {
  const same = new Set<string>();
  for (const one of before.areas.values()) {
    const other = after.areas.get(one.code);
    const isIn = (code: string | null) => code === null || same.has(code);
    if (!other || !(one === other || isEqual(one, other))) continue;
    if (isIn(one.rCode) && isIn(one.pCode) && isIn(one.mCode) && isIn(one.smCode)) same.add(one.code);
  }
  return same;
}

const COMPARED = [
  ...(['level', 'name', 'correspondence', 'type', 'cityClass', 'rCode', 'pCode', 'mCode', 'smCode'] as const),
];

function isEqual(one: EditionArea, other: EditionArea): boolean {
  if (other.notes.length > 0) return false;
  return COMPARED.every((member) => one[member] === other[member]);
}
