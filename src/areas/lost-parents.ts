import type { DomainError } from '../errors.ts';
import type { Notice } from '../http/notices.ts';
import { refusalOf } from './refusals.ts';
import type { CodeLookup, Level } from './store.ts';

/**
 * What a caller should know of a code of any level that no area has or had, undefined where one does.
 *
 * @param leadOf asks where a code of a level leads to
 * @param parameter the one that holds the code
 */
export async function noticeOfParent(
  leadOf: (level: Level, code: string) => Promise<CodeLookup>,
  code: string,
  parameter: string,
): Promise<readonly Notice[] | undefined> {
  const levels = ['region', 'province', 'municity', 'barangay'] as const;
  const found = await Promise.all(levels.map((level) => leadOf(level, code)));
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
