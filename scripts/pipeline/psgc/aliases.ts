import type { Area, CodeAlias } from './area.ts';
import { CODE_CHANGES } from './code-changes.ts';
import { firstTenDigitCode, formerCode } from './former-codes.ts';

/**
 * Lists every former code that the service can't work out by itself. By its last eight digits the service finds a
 * ten-digit code whose region has changed. It finds a nine-digit code (`RR PP MM BBB`) in the same way after inserting
 * the zero of `PPP`. Codes that this rule finds are not listed, nor are codes that name an area of the same level
 * today.
 * @param correspondences the nine-digit codes as published, by ten-digit code
 */
export function listCodeAliases(areas: Area[], correspondences: Map<string, string | null>): CodeAlias[] {
  const current = new Set(areas.map((area) => `${area.level} ${area.code}`));
  const aliases = new Map<string, CodeAlias>();
  const add = (alias: CodeAlias) => {
    if (current.has(`${alias.level} ${alias.alias}`)) return;
    const key = `${alias.level} ${alias.alias} ${alias.code}`;
    if (!aliases.has(key)) aliases.set(key, alias);
  };

  for (const { level, code } of areas) {
    const nine = correspondences.get(code) ?? formerCode(code);
    if (nine === null) continue;
    const was = (alias: string) => add({ level, alias, code, change: 'renumbered' });
    if (level === 'region' || `0${nine.slice(2)}` !== code.slice(2)) was(nine);
    const ten = firstTenDigitCode(nine);
    if (level !== 'region' && ten.slice(2) !== code.slice(2)) was(ten);
  }

  const byLocalCode = new Map(
    areas.filter((area) => area.level !== 'region').map((area) => [area.code.slice(2), area]),
  );
  for (const { from, to, change } of CODE_CHANGES) {
    const successors = to.map((code) => byLocalCode.get(code.slice(2)));
    // The edition may be older than the change, or newer than another change that undid it.
    if (byLocalCode.has(from.slice(2)) || successors.includes(undefined)) continue;
    for (const successor of successors) {
      if (!successor) continue;
      const { level, code } = successor;
      add({ level, alias: from, code, change });
      const nine = formerCode(from);
      if (nine !== null) add({ level, alias: nine, code, change });
    }
  }
  return [...aliases.values()];
}
