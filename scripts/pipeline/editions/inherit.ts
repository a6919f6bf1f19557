import { searchKeys } from '../../../src/areas/names.ts';
import { byCode } from '../../../src/editions/link.ts';
import { changedCodes, formerCodesOf, withoutAmbiguity } from '../psgc/aliases.ts';
import type { AreaLevel, CodeAlias, Release } from '../psgc/area.ts';
import { formerCode } from '../psgc/former-codes.ts';
import { isOtherName } from '../psgc/spelling.ts';
import type { Comparison } from './compare.ts';
import { type EditionArea, findLocal } from './edition.ts';

/** Target of a former code that is known only to be gone. */
const NOWHERE = '';

/**
 * Completes a release with the codes and names that its areas had in older editions, so that old lists match. The list
 * itself takes precedence over older ones, and codes in use are not former ones. Pure.
 *
 * @param comparisons of each older edition with the next one, the last one with that of the release
 */
export function inherit(release: Release, comparisons: readonly Comparison[]): Release {
  const codes = new FormerCodes();
  const names: Names = new Map();
  let since: ReadonlyMap<string, string> = new Map();
  for (const comparison of comparisons) {
    const follow = followerOf(comparison);
    inheritCodes(codes, comparison, follow);
    inheritNames(names, comparison, follow);
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

/** Where an area that changed leads in the next edition. */
type Follow = (code: string) => { areas: readonly EditionArea[]; change: CodeAlias['change'] };

function followerOf({ after, unchanged, links, continuations }: Comparison): Follow {
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

function inheritCodes(codes: FormerCodes, { before, after, unchanged }: Comparison, follow: Follow): void {
  // The release repeats the former codes that an edition lists of unchanged areas.
  codes.tell(changedCodes((code) => findLocal(before, code)));
  const moved = changedAreas(before, unchanged).flatMap((area) => {
    const { areas, change } = follow(area.code);
    const lead = (level: AreaLevel, alias: string, how: CodeAlias['change']): CodeAlias[] =>
      (areas.length > 0 ? areas : [{ code: NOWHERE }]).map(({ code }) => ({ level, alias, code, change: how }));
    const former = codes
      .take(area.code)
      .flatMap((it) => lead(it.level, it.alias, it.change === 'abolished' ? it.change : change));
    for (const alias of formerCodesOf(area)) former.push(...lead(area.level, alias, change));
    // The last eight digits lead there by themselves, and a code that is in use names what it is.
    if (findLocal(after, area.code)?.level === area.level) return former;
    // Of nine digits it was found in its own edition by those that stay, which lead nowhere now.
    for (const alias of [area.code, area.correspondence ?? formerCode(area.code)]) {
      if (alias !== null) former.push(...lead(area.level, alias, change));
    }
    return former;
  });
  for (const alias of moved) codes.add(alias);
  for (const area of changedAreas(after, unchanged)) {
    codes.tell(
      formerCodesOf(area).map((alias) => ({ level: area.level, alias, code: area.code, change: 'renumbered' })),
    );
    codes.forgetInUse(area);
  }
}

/** The names that areas had, each with the last edition that has it; null where that is not known. */
type Names = Map<string, Map<string, string | null>>;

/** An area whose name was given up is found by it in all that it became. */
function inheritNames(names: Names, { before, after, unchanged }: Comparison, follow: Follow): void {
  // The next list repeats the names of unchanged areas, unless it leaves out former names.
  const isRepeated = ({ code, formerNames }: EditionArea) =>
    unchanged.has(code) && formerNames.every((name) => after.areas.get(code)?.formerNames.includes(name));
  const changed = [...before.areas.values()].filter((area) => !isRepeated(area));
  const moved = changed.map((area) => {
    const all: Map<string, string | null> = new Map(area.formerNames.map((name) => [name, null]));
    for (const [name, until] of names.get(area.code) ?? []) all.set(name, until);
    all.set(area.name, before.id);
    names.delete(area.code);
    return { all, areas: follow(area.code).areas };
  });
  for (const { all, areas } of moved) {
    for (const { code, name } of areas) {
      const others = [...all].filter(([it]) => it !== name);
      if (others.length > 0) names.set(code, new Map([...(names.get(code) ?? []), ...others]));
    }
  }
}

/** The edition that is the first to have the name of an area, of areas that had another name or that were made. */
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

class FormerCodes {
  readonly #byAlias = new Map<string, Map<string, CodeAlias>>();
  readonly #byCode = new Map<string, Set<CodeAlias>>();

  /** Adds an alias. `NOWHERE` comes after any other target of a code. */
  add(alias: CodeAlias): void {
    const same = this.#byAlias.get(keyOf(alias)) ?? new Map<string, CodeAlias>();
    if (same.has(alias.code) || (alias.code === NOWHERE && same.size > 0)) return;
    const unknown = same.get(NOWHERE);
    if (unknown) this.#delete(unknown);
    this.#byAlias.set(keyOf(alias), same.set(alias.code, alias));
    this.#byCode.set(alias.code, (this.#byCode.get(alias.code) ?? new Set()).add(alias));
  }

  /** Adds the former codes of a list, in place of what older lists say about these. */
  tell(aliases: readonly CodeAlias[]): void {
    for (const alias of aliases)
      for (const it of [...(this.#byAlias.get(keyOf(alias))?.values() ?? [])]) this.#delete(it);
    for (const alias of aliases) this.add(alias);
  }

  /** Gives the aliases that lead to a code, and forgets them. */
  take(code: string): CodeAlias[] {
    const taken = [...(this.#byCode.get(code) ?? [])];
    for (const alias of taken) this.#delete(alias);
    return taken;
  }

  forgetInUse({ level, code }: EditionArea): void {
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
