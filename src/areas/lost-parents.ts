import type { DomainError } from '../errors.ts';
import type { Notice } from '../http/notices.ts';
import { refusalOf } from './refusals.ts';
import type { CodeLookup, Level } from './store.ts';

/**
 * What a caller should know of a code of any level that no area has today; undefined if one has it.
 *
 * @param lookUpCode looks up a code at a level
 * @param parameter the one that holds the code
 */
export async function noticeOfParent(
  lookUpCode: (level: Level, code: string) => Promise<CodeLookup>,
  code: string,
  parameter: string,
): Promise<readonly Notice[] | undefined> {
  const levels = ['region', 'province', 'municity', 'barangay'] as const;
  const found = await Promise.all(levels.map((level) => lookUpCode(level, code)));
  if (found.some((lookup) => lookup.code !== null || lookup.otherLevel !== null)) return undefined;
  const abolished = found.findIndex(({ successors }) => successors !== null);
  const [level, lookup] = [levels[Math.max(0, abolished)], found[Math.max(0, abolished)]];
  if (level === undefined || lookup === undefined) return undefined;
  const notice = noticeOfRefusal(refusalOf(level, code, lookup), parameter);
  return [abolished === -1 ? { ...notice, message: `No area has the PSGC code ${code}.` } : notice];
}

/** The notice for a code that leads nowhere, of the error that says so. */
export function noticeOfRefusal({ code, message, facts }: DomainError, parameter: string): Notice {
  return { code, parameter, message, successors: facts.successors ?? [] } as Notice;
}
