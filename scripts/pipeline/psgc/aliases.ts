import type { Area, CodeAlias } from './area.ts';
import { CODE_CHANGES } from './code-changes.ts';
import { firstTenDigitCode, formerCode } from './former-codes.ts';
import type { Problem } from './publication.ts';

/**
 * Lists every former code that the service can't derive itself. By its last eight digits the service finds a ten-digit
 * code whose region has changed. It finds a nine-digit code (`RR PP MM BBB`) in the same way after inserting the zero
 * of `PPP`. Codes that this rule finds are not listed, nor are codes that name an area of the same level today. A code
 * that stands for several areas, as where a list gives the old code of a divided area to each of its parts, is one of
 * an abolished area.
 */
export function listCodeAliases(areas: Area[], warnings: Problem[]): CodeAlias[] {
  const current = new Set(areas.map((area) => `${area.level} ${area.code}`));
  const aliases = new Map<string, CodeAlias>();
  const add = (alias: CodeAlias) => {
    if (current.has(`${alias.level} ${alias.alias}`)) return;
    const key = `${alias.level} ${alias.alias} ${alias.code}`;
    if (!aliases.has(key)) aliases.set(key, alias);
  };

  for (const area of areas) {
    for (const alias of formerCodesOf(area)) add({ level: area.level, alias, code: area.code, change: 'renumbered' });
  }
  const byLocalCode = new Map(
    areas.filter((area) => area.level !== 'region').map((area) => [area.code.slice(2), area]),
  );
  for (const alias of changedCodes((code) => byLocalCode.get(code.slice(2)))) add(alias);
  return withoutAmbiguity([...aliases.values()], warnings);
}

/** The codes of nine and of ten digits that an area had by its correspondence code, but those that lead to it by a rule. */
export function formerCodesOf({ level, code, correspondence }: NumberedArea): string[] {
  const nine = correspondence ?? formerCode(code);
  if (nine === null) return [];
  const ten = firstTenDigitCode(nine);
  return [
    ...(level === 'region' || `0${nine.slice(2)}` !== code.slice(2) ? [nine] : []),
    ...(level !== 'region' && ten.slice(2) !== code.slice(2) ? [ten] : []),
  ];
}

type NumberedArea = Pick<Area, 'level' | 'code' | 'correspondence'>;

/**
 * The codes before manually recorded changes, if the areas are those after them.
 *
 * @param findLocal the area with the last eight digits of a code
 */
export function changedCodes(findLocal: (code: string) => NumberedArea | undefined): CodeAlias[] {
  return CODE_CHANGES.flatMap(({ from: codes, to }) => {
    const change = codes.length === 1 && to.length === 1 ? 'renumbered' : 'abolished';
    const successors = to.flatMap((code) => findLocal(code) ?? []);
    return codes.flatMap((from) => {
      // The edition may be older than the change, or newer than another change that undid it.
      if (findLocal(from) || successors.length < to.length) return [];
      const aliases = [from, formerCode(from)].filter((alias) => alias !== null);
      return successors.flatMap(({ level, code }) =>
        aliases.map((alias): CodeAlias => ({ level, alias, code, change })),
      );
    });
  });
}

/** A renumbered area has one code; where several claim a former code, they are successors of an abolished area. */
export function withoutAmbiguity(aliases: CodeAlias[], warnings: Problem[]): CodeAlias[] {
  const claims = Map.groupBy(aliases, ({ level, alias }) => `${level} ${alias}`);
  return [...claims.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1 || same.every(({ change }) => change === 'abolished')) return same;
    const codes = same.map(({ code }) => code);
    const what = `the former ${first.level} code stands for ${codes.join(' and for ')}; taken as abolished, with these as its successors`;
    warnings.push({ at: first.alias, what });
    return same.map((it) => ({ ...it, change: 'abolished' as const }));
  });
}
