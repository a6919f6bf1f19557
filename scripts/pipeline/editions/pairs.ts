import type { Basis, Link } from '../../../src/editions/link.ts';
import type { AreaLevel } from '../psgc/area.ts';
import type { CodeChange } from '../psgc/code-changes.ts';
import { type Edition, type EditionArea, findLocal, parentOf } from './edition.ts';
import { plainKey, readNote } from './notes.ts';

/** A link of two areas before its shares are known. */
export interface UnweightedLink {
  from: string;
  to: string;
  basis: Basis;
  note: string | null;
}

export type NotedLink = Link & Pick<UnweightedLink, 'note'>;

type Evidence = Pick<UnweightedLink, 'basis' | 'note'>;

/** Below regions, parents before children. */
const LEVELS: readonly AreaLevel[] = ['province', 'municity', 'submunicipality', 'barangay'];

/** Matches the areas of two editions: each area by the strongest evidence, the rest by weaker evidence. */
export class EditionMatcher {
  readonly links: UnweightedLink[] = [];
  readonly #before: Edition;
  readonly #after: Edition;
  /** Codes of unchanged areas, which have no links except with changed areas. */
  readonly unchanged: ReadonlySet<string>;
  /** Changed areas of the first edition, and of the second, that no rule has matched yet. */
  readonly #unmatchedBefore: Set<EditionArea>;
  readonly #unmatchedAfter: Set<EditionArea>;
  /** The continuing area in the second edition of a changed area of the first. */
  readonly continuations = new Map<string, EditionArea>();

  constructor(before: Edition, after: Edition) {
    this.#before = before;
    this.#after = after;
    this.unchanged = unchangedIn(before, after);
    this.#unmatchedBefore = new Set([...before.areas.values()].filter(({ code }) => !this.unchanged.has(code)));
    this.#unmatchedAfter = new Set([...after.areas.values()].filter(({ code }) => !this.unchanged.has(code)));
  }

  /** Records that an area continues as another. */
  #continue(from: EditionArea, to: EditionArea, basis: Basis, note: string | null = null): void {
    this.links.push({ from: from.code, to: to.code, basis, note });
    this.continuations.set(from.code, to);
    this.#unmatchedBefore.delete(from);
    this.#unmatchedAfter.delete(to);
  }

  /** Links some areas with all of some others. */
  #linkAll(from: readonly EditionArea[], to: readonly EditionArea[], evidence: Evidence): void {
    for (const one of from) for (const other of to) this.#link(one, other, evidence);
  }

  /** Links two areas, of which an existing link stays as it is. */
  #link(from: EditionArea, to: EditionArea, evidence: Evidence): void {
    this.#unmatchedBefore.delete(from);
    this.#unmatchedAfter.delete(to);
    // An unchanged area that exchanged a part also keeps most of itself, so it gets a link to itself.
    for (const one of [from, to])
      if (this.unchanged.has(one.code)) this.#addLink(one, one, { basis: basisOf(one), note: null });
    this.#addLink(from, to, evidence);
  }

  #addLink(from: EditionArea, to: EditionArea, evidence: Evidence): void {
    if (this.links.some((link) => link.from === from.code && link.to === to.code)) return;
    this.links.push({ from: from.code, to: to.code, ...evidence });
  }

  /** Matches areas with the same name and the same code apart from the region. */
  matchByCodeAndName(): void {
    for (const from of [...this.#unmatchedBefore]) {
      const to = findLocal(this.#after, from.code);
      if (to?.level !== from.level || to.nameKey !== from.nameKey) continue;
      this.#continue(from, to, from.correspondence === to.correspondence ? basisOf(from) : 'code');
    }
  }

  /** Matches areas with the same correspondence code, if it is unique in both editions. */
  matchByCorrespondence(): void {
    const wanted = new Set([...this.#unmatchedBefore].map(({ correspondence }) => correspondence));
    const unique = ({ areas }: Edition) => {
      const found = [...areas.values()].filter(({ correspondence }) => wanted.has(correspondence));
      const groups = Map.groupBy(found, ({ level, correspondence }) => `${level} ${correspondence}`);
      return (key: string) => (groups.get(key)?.length === 1 ? groups.get(key)?.[0] : undefined);
    };
    const [before, after] = [unique(this.#before), unique(this.#after)];
    for (const from of [...this.#unmatchedBefore]) {
      const key = `${from.level} ${from.correspondence}`;
      const to = after(key);
      if (from.correspondence === null || !to || !this.#unmatchedAfter.has(to) || !before(key)) continue;
      this.#continue(from, to, 'correspondence');
    }
  }

  /** Matches areas of the same level and name in the same parent. */
  matchByNameAndParent(): void {
    for (const level of LEVELS) this.#matchByUniqueName(level, parentOf);
  }

  /** Matches areas that kept their code under another name. */
  matchByCode(): void {
    for (const from of [...this.#unmatchedBefore]) {
      const to = findLocal(this.#after, from.code);
      if (!to || to.level !== from.level || !this.#unmatchedAfter.has(to)) continue;
      // Two correspondence codes are two areas: the code was given to another one.
      const { correspondence: one } = from;
      if (one !== null && to.correspondence !== null && one !== to.correspondence && !sharesWord(from, to)) continue;
      this.#continue(from, to, 'code');
    }
  }

  /** Links areas by footnotes of the second edition. */
  matchByNotes(): void {
    const noted = [...this.#after.areas.values()].filter(({ notes }) => notes.length > 0);
    if (noted.length === 0) return;
    const groupsOf = ({ areas }: Edition) => Map.groupBy(areas.values(), (area) => `${area.level} ${parentOf(area)}`);
    const [siblings, newSiblings] = [groupsOf(this.#before), groupsOf(this.#after)];
    for (const area of noted) {
      const then = siblings.get(`${area.level} ${this.#sourceOf(parentOf(area))}`) ?? [];
      for (const note of area.notes) {
        const change = readNote(note);
        if (!change) continue;
        const named = (areas: readonly EditionArea[] = []) => areas.filter((it) => isNamed(it, change.names));
        const lostOf = (areas?: readonly EditionArea[]) => named(areas).filter((it) => this.#unmatchedBefore.has(it));
        const how = { basis: 'note', note } as const;
        if (change.kind === 'merged') this.#linkAll(lostOf(then), [area], how);
        else if (change.kind === 'created') {
          const mother = findLocal(this.#before, area.code);
          if (!mother) continue;
          const near = named(newSiblings.get(`${area.level} ${parentOf(area)}`));
          const found = near.filter((it) => this.#unmatchedAfter.has(it));
          // Named areas that no longer exist were merged into this one.
          const lost = found.length > 0 ? [] : lostOf(siblings.get(`${area.level} ${parentOf(mother)}`));
          if (lost.length > 0) this.#linkAll([mother, ...lost], [area], how);
          else this.#linkAll([mother], found, how);
        } else if (this.#unmatchedAfter.has(area)) {
          if (change.kind === 'parted') this.#linkAll(named(then), [area], how);
          const [only, ...others] = change.kind === 'renamed' ? lostOf(then) : [];
          if (only && others.length === 0) this.#continue(only, area, 'note', note);
        }
      }
    }
  }

  /** Applies manually recorded changes between the two editions. */
  applyRecordedChanges(changes: readonly CodeChange[]): void {
    // Several changes may concern one area, so the first one must not exclude the others.
    const [unmatchedBefore, unmatchedAfter] = [new Set(this.#unmatchedBefore), new Set(this.#unmatchedAfter)];
    const find = (edition: Edition, codes: readonly string[]) => codes.map((code) => findLocal(edition, code));
    for (const { from, to, note } of changes) {
      const [before, after] = [find(this.#before, from), find(this.#after, to)];
      // A change belongs to this pair of editions if the first lacks a new code or the second lacks an old one.
      const happenedBetween = find(this.#before, to).includes(undefined) || find(this.#after, from).includes(undefined);
      if (before.includes(undefined) || after.includes(undefined) || !happenedBetween) continue;
      const [one, other] = [before as EditionArea[], after as EditionArea[]];
      if (!one.some((it) => unmatchedBefore.has(it)) && !other.some((it) => unmatchedAfter.has(it))) continue;
      this.#linkAll(one, other, { basis: 'note', note });
      if (one.length === 1 && other.length === 1 && one[0] && other[0]) this.continuations.set(one[0].code, other[0]);
    }
  }

  /** Links areas of one parent whose names begin alike: `Barangay 176` with `Barangay 176-A`, `San Jose` with `San Jose East`. */
  matchByNameParts(): void {
    const partsOf = (whole: EditionArea, areas: readonly EditionArea[]) =>
      areas.filter(({ nameKey }) => plainKey(nameKey).startsWith(`${plainKey(whole.nameKey)} `));
    const changed = [...this.#before.areas.values()].filter(({ code }) => !this.unchanged.has(code));
    const parentsThen = Map.groupBy(changed, (area) => `${area.level} ${this.#parentCodeAfter(area)}`);
    for (const [key, parts] of Map.groupBy(this.#unmatchedAfter, (area) => `${area.level} ${parentOf(area)}`)) {
      for (const whole of parentsThen.get(key) ?? []) {
        const own = partsOf(whole, parts).filter((it) => this.#unmatchedAfter.has(it));
        const isHere = !this.#unmatchedBefore.has(whole);
        const hasChanged = this.continuations.get(whole.code)?.nameKey !== whole.nameKey;
        if (own.length >= (isHere ? 1 : 2) && (!isHere || hasChanged)) {
          this.#linkAll([whole], own, { basis: 'name', note: null });
        }
      }
    }
    for (const whole of [...this.#unmatchedAfter]) {
      const isSibling = (it: EditionArea) => it.level === whole.level && this.#parentCodeAfter(it) === parentOf(whole);
      const own = partsOf(whole, [...this.#unmatchedBefore].filter(isSibling));
      if (own.length >= 2) this.#linkAll(own, [whole], { basis: 'name', note: null });
    }
  }

  /**
   * Matches areas with a unique name in the same parent, else in the same province, in the same region, and above barangays in the
   * country. Parents come first, so that their children have a matched parent.
   */
  matchByName(): void {
    for (const level of LEVELS) {
      this.#matchByUniqueName(level, parentOf);
      this.#matchByUniqueName(level, ({ provinceCode }) => provinceCode);
      this.#matchByUniqueName(level, ({ regionCode }) => regionCode);
      if (level !== 'barangay') this.#matchByUniqueName(level);
    }
  }

  /**
   * Matches areas of a level whose name is unique within the same holder (such as a province) in both editions.
   *
   * @param holderOf gives the code of the holder; without it names must be unique in the country
   */
  #matchByUniqueName(level: AreaLevel, holderOf?: (area: EditionArea) => string | null): void {
    const keyOf = (area: EditionArea, holder: string | null | undefined) => `${holder} ${area.nameKey}`;
    const ofLevel = (areas: Iterable<EditionArea>) =>
      [...areas].filter((area) => area.level === level && (!holderOf || holderOf(area) !== null));
    const now = Map.groupBy(ofLevel(this.#unmatchedAfter), (area) => keyOf(area, holderOf?.(area)));
    const then = Map.groupBy(ofLevel(this.#unmatchedBefore), (area) =>
      keyOf(area, holderOf && this.#codeAfter(holderOf(area))),
    );
    for (const [key, [from, ...others]] of then) {
      const [to, ...more] = now.get(key) ?? [];
      if (from && to && others.length === 0 && more.length === 0) this.#continue(from, to, 'name');
    }
  }

  /** The code in the second edition of the area with this code in the first; undefined if it isn't known. */
  #codeAfter(code: string | null): string | undefined {
    if (code === null) return undefined;
    return this.unchanged.has(code) ? code : this.continuations.get(code)?.code;
  }

  /** The code in the second edition of an area's parent. */
  #parentCodeAfter(area: EditionArea): string | null | undefined {
    return this.#codeAfter(parentOf(area));
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
function sharesWord(one: EditionArea, other: EditionArea): boolean {
  const words = new Set(one.nameKey.split(' ').filter((word) => word.length > 2));
  return other.nameKey.split(' ').some((word) => words.has(word));
}

/** The evidence that an unchanged area is the same one. */
export function basisOf({ correspondence }: EditionArea): Basis {
  return correspondence === null ? 'code' : 'correspondence';
}

/**
 * Codes of areas that are unchanged, with unchanged parents. Areas are in the order parents first, so a parent is decided before
 * its children.
 */
function unchangedIn(before: Edition, after: Edition): Set<string> {
  const unchanged = new Set<string>();
  for (const one of before.areas.values()) {
    const other = after.areas.get(one.code);
    const isIn = (code: string | null) => code === null || unchanged.has(code);
    // Editions share the objects of unchanged barangays.
    if (!other || !(one === other || isEqual(one, other))) continue;
    if (isIn(one.regionCode) && isIn(one.provinceCode) && isIn(one.municityCode) && isIn(one.submunicipalityCode))
      unchanged.add(one.code);
  }
  return unchanged;
}

const COMPARED = [
  'level',
  'name',
  'correspondence',
  'type',
  'cityClass',
  'regionCode',
  'provinceCode',
  'municityCode',
  'submunicipalityCode',
] as const;

function isEqual(one: EditionArea, other: EditionArea): boolean {
  // A footnote is evidence of a change, so it is examined.
  if (other.notes.length > 0) return false;
  return COMPARED.every((member) => one[member] === other[member]);
}
