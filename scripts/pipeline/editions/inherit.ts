import { searchKeys } from '../../../src/areas/names.ts';
import { byCode } from '../../../src/editions/link.ts';
import { changedCodes, formerCodesOf, withoutAmbiguity } from '../psgc/aliases.ts';
import type { AreaLevel, CodeAlias, Release } from '../psgc/area.ts';
import { formerCode } from '../psgc/former-codes.ts';
import { isOtherName } from '../psgc/spelling.ts';
import type { Comparison } from './compare.ts';
import { type EditionArea, findLocal } from './edition.ts';

/** Stands in place of the area that a former code leads to, where no area is known to continue or succeed the former one. */
const NOWHERE = '';

/**
 * Completes a release with the codes and names that its areas had in older editions, so that tables with these match. What the
 * release itself says takes precedence over older editions, and codes in use are not former ones. Pure.
 *
 * @param comparisons of each older edition with the next one, the last one with that of the release
 */
export function inherit(release: Release, comparisons: readonly Comparison[]): Release {
  const codes = new FormerCodes();
  const names: Names = new Map();
  /** By code: the first edition that has the current name of the area. */
  let since: ReadonlyMap<string, string> = new Map();
  for (const comparison of comparisons) {
    const successorsOf = successorsIn(comparison);
    inheritCodes(codes, comparison, successorsOf);
    inheritNames(names, comparison, successorsOf);
    since = namedSince(since, comparison);
  }
  const areas = new Map(release.areas.map((area) => [area.code, area]));
  const listed = new Set(release.aliases.map(keyOf));
  const aliases = codes
    .list()
    .filter((it) => !listed.has(keyOf(it)) && !isInUse(it, areas.get(it.alias)))
    .filter(({ code }) => code === NOWHERE || areas.has(code));
  const listedNames = new Set(release.formerNames.map(({ code, name }) => `${code} ${name}`));
  const formerNames = [...names].flatMap(([code, all]) =>
    [...all.keys()]
      .filter((name) => areas.has(code) && areas.get(code)?.name !== name && !listedNames.has(`${code} ${name}`))
      .map((name) => ({ code, name })),
  );
  const keys = new Set(release.names.map(({ code, key }) => `${code} ${key}`));
  const searched = formerNames.flatMap(({ code, name }) =>
    searchKeys(name).flatMap((key) => {
      if (keys.has(`${code} ${key}`)) return [];
      keys.add(`${code} ${key}`);
      return [{ level: areas.get(code)?.level as AreaLevel, code, key, former: true }];
    }),
  );
  return {
    ...release,
    aliases: [...release.aliases, ...withoutAmbiguity(aliases, release.warnings)],
    formerNames: [...release.formerNames, ...formerNames].map((it) => ({
      ...it,
      until: names.get(it.code)?.get(it.name) ?? null,
      since: since.get(it.code) ?? null,
    })),
    names: [...release.names, ...searched],
  };
}

function keyOf({ level, alias }: Pick<CodeAlias, 'level' | 'alias'>): string {
  return `${level} ${alias}`;
}

function isInUse({ level, code }: CodeAlias, area: Pick<EditionArea, 'level'> | undefined): boolean {
  return area !== undefined && (area.level === level || code === NOWHERE);
}

/** Finds what a code of an edition leads to in the next one: the area that continues, or the successors of an abolished one. */
type SuccessorsOf = (code: string) => { areas: readonly EditionArea[]; change: CodeAlias['change'] };

function successorsIn({ after, unchanged, links, continuations }: Comparison): SuccessorsOf {
  const targets = byCode(links, 'from');
  return (code) => {
    const continuation = unchanged.has(code) ? after.areas.get(code) : continuations.get(code);
    if (continuation) return { areas: [continuation], change: 'renumbered' };
    const areas = (targets.get(code) ?? []).flatMap(({ to }) => after.areas.get(to) ?? []);
    return { areas, change: 'abolished' };
  };
}

/** The areas of the first edition that are not unchanged in the second. */
function changedAreas({ areas }: Comparison['before'], unchanged: ReadonlySet<string>): EditionArea[] {
  return [...areas.values()].filter(({ code }) => !unchanged.has(code));
}

/** Adds the codes that changed areas had in the first edition, and moves those that led to these areas to their successors. */
function inheritCodes(codes: FormerCodes, { before, after, unchanged }: Comparison, successorsOf: SuccessorsOf): void {
  codes.replace(changedCodes((code) => findLocal(before, code)));
  const moved = changedAreas(before, unchanged).flatMap((area) => {
    const { areas, change } = successorsOf(area.code);
    const successors = areas.length > 0 ? areas.map(({ code }) => code) : [NOWHERE];
    const aliasesOf = (alias: string, level = area.level, how = change): CodeAlias[] =>
      successors.map((code) => ({ level, alias, code, change: how }));
    const former = codes
      .take(area.code)
      .flatMap((it) => aliasesOf(it.alias, it.level, it.change === 'abolished' ? it.change : change));
    for (const alias of formerCodesOf(area)) former.push(...aliasesOf(alias));
    // The service finds a code by its last eight digits. Where an area of the next edition has these, the code needs no alias:
    // it leads to that area, whether this continues the former one or not.
    if (findLocal(after, area.code)?.level === area.level) return former;
    // Until now the code of nine digits led to the area in the same way, so it was no alias either.
    for (const alias of [area.code, area.correspondence ?? formerCode(area.code)]) {
      if (alias !== null) former.push(...aliasesOf(alias));
    }
    return former;
  });
  for (const alias of moved) codes.add(alias);
  // The former codes of unchanged areas are those that the release lists, or are added when the area changes.
  for (const area of changedAreas(after, unchanged)) {
    codes.replace(
      formerCodesOf(area).map((alias) => ({ level: area.level, alias, code: area.code, change: 'renumbered' })),
    );
    codes.forget(area);
  }
}

/** By code: the names that an area had, each with the last edition that has it; null where that is not known. */
type Names = Map<string, Map<string, string | null>>;

/** Gives the names that changed areas had, in the first edition and before, to all of their successors. */
function inheritNames(names: Names, { before, after, unchanged }: Comparison, successorsOf: SuccessorsOf): void {
  // The next edition repeats the names of unchanged areas, unless it leaves out former names.
  const isRepeated = ({ code, formerNames }: EditionArea) =>
    unchanged.has(code) && formerNames.every((name) => after.areas.get(code)?.formerNames.includes(name));
  const changed = [...before.areas.values()].filter((area) => !isRepeated(area));
  const moved = changed.map((area) => {
    const all: Map<string, string | null> = new Map(area.formerNames.map((name) => [name, null]));
    for (const [name, until] of names.get(area.code) ?? []) all.set(name, until);
    all.set(area.name, before.id);
    names.delete(area.code);
    return { all, areas: successorsOf(area.code).areas };
  });
  for (const { all, areas } of moved) {
    for (const { code, name } of areas) {
      const others = [...all].filter(([it]) => it !== name);
      if (others.length > 0) names.set(code, new Map([...(names.get(code) ?? []), ...others]));
    }
  }
}

/**
 * By code: the first edition that has the name that an area has in the second edition. Areas that have had it since the oldest
 * edition are left out, because it may be older.
 *
 * @param editions the result for the comparison before
 */
function namedSince(editions: ReadonlyMap<string, string>, { before, after, unchanged, continuations }: Comparison) {
  const origins = new Map([...continuations].map(([from, { code }]) => [code, from]));
  const since = new Map<string, string>();
  for (const { code, name } of after.areas.values()) {
    const from = unchanged.has(code) ? code : origins.get(code);
    const then = from === undefined ? undefined : before.areas.get(from);
    const edition = then && !isOtherName(then.name, name) ? editions.get(then.code) : after.id;
    if (edition !== undefined) since.set(code, edition);
  }
  return since;
}

/** Former codes with what each leads to: one area, or all successors of an abolished one. */
class FormerCodes {
  readonly #byAlias = new Map<string, Map<string, CodeAlias>>();
  readonly #byCode = new Map<string, Set<CodeAlias>>();

  /** Adds an alias. `NOWHERE` gives way to any area that the code leads to. */
  add(alias: CodeAlias): void {
    const same = this.#byAlias.get(keyOf(alias)) ?? new Map<string, CodeAlias>();
    if (same.has(alias.code) || (alias.code === NOWHERE && same.size > 0)) return;
    const unknown = same.get(NOWHERE);
    if (unknown) this.#delete(unknown);
    this.#byAlias.set(keyOf(alias), same.set(alias.code, alias));
    this.#byCode.set(alias.code, (this.#byCode.get(alias.code) ?? new Set()).add(alias));
  }

  /** Adds aliases in place of all that older editions say about their codes. */
  replace(aliases: readonly CodeAlias[]): void {
    for (const alias of aliases)
      for (const it of [...(this.#byAlias.get(keyOf(alias))?.values() ?? [])]) this.#delete(it);
    for (const alias of aliases) this.add(alias);
  }

  /** Removes the aliases that lead to an area, and returns them. */
  take(code: string): CodeAlias[] {
    const taken = [...(this.#byCode.get(code) ?? [])];
    for (const alias of taken) this.#delete(alias);
    return taken;
  }

  /** Removes what a code led to before an area got it. */
  forget({ level, code }: EditionArea): void {
    for (const alias of [...(this.#byAlias.get(`${level} ${code}`)?.values() ?? [])]) this.#delete(alias);
  }

  list(): CodeAlias[] {
    return [...this.#byAlias.values()].flatMap((same) => [...same.values()]);
  }

  #delete(alias: CodeAlias): void {
    this.#byAlias.get(keyOf(alias))?.delete(alias.code);
    this.#byCode.get(alias.code)?.delete(alias);
  }
}
