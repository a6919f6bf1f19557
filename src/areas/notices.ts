import { z } from '@hono/zod-openapi';
import { DomainError } from '../errors.ts';
import { requireCurrentCode } from './lookup.ts';
import { nameKey, searchKeys } from './names.ts';
import { parentOf } from './params.ts';
import { isNcr } from './psgc.ts';
import type { AreaStore, Level, Parent } from './store.ts';

/** What a caller should know of an answer that is empty: a parent that there is none of, or no longer. */
export interface Notice {
  readonly code: 'area_not_found' | 'area_abolished';
  /** The parameter that named the parent. */
  readonly parameter: string;
  readonly message: string;
  readonly successors: readonly { readonly code: string; readonly href: string }[];
}

export const noticesSchema = z
  .array(
    z.object({
      code: z.enum(['area_not_found', 'area_abolished']),
      parameter: z.string(),
      message: z.string(),
      successors: z.array(z.object({ code: z.string(), href: z.string() })),
    }),
  )
  .optional()
  .openapi({ description: 'Why the list is empty, where a parent does not exist or no longer does' });

/** The levels of the parents that parameters name. */
const PARAMETERS: Readonly<Record<string, Level>> = {
  region: 'region',
  province: 'province',
  province_code: 'province',
  municity: 'municity',
  municity_code: 'municity',
};

/** The parents that a query names, looked at where its answer is empty. Undefined where all of them exist. */
export async function noticesOf(
  areas: AreaStore,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly Notice[] | undefined> {
  const found = await Promise.all(
    Object.entries(PARAMETERS).map(async ([parameter, level]) => {
      const given = query[parameter];
      if (typeof given !== 'string') return undefined;
      const parent = /_code$/.test(parameter)
        ? { code: given }
        : level === 'region'
          ? parentOf(given)
          : { name: given };
      if (isNcr(parent)) return undefined;
      return noticeOf(areas, { level, parent, parameter });
    }),
  );
  const notices = found.filter((notice) => notice !== undefined);
  return notices.length > 0 ? notices : undefined;
}

async function noticeOf(
  areas: AreaStore,
  { level, parent, parameter }: { level: Level; parent: Parent; parameter: string },
): Promise<Notice | undefined> {
  if ('code' in parent) {
    const { value } = await areas.find(level, parent.code, {});
    try {
      requireCurrentCode(level, parent.code, value);
      return undefined;
    } catch (error) {
      return fromRefusal(error, parameter);
    }
  }
  const { value: hits } = await areas.search(level, parent.name, { filter: {}, limit: 3 });
  const key = nameKey(parent.name);
  if (hits.some(({ name }) => searchKeys(name).includes(key))) return undefined;
  const near = hits.map(({ code, name }) => `${name} (${code})`).join(', ');
  const message = `No ${level} is named "${parent.name}".${near === '' ? '' : ` There is ${near}.`}`;
  return { code: 'area_not_found', parameter, message, successors: [] };
}

/** Of a code of any level, which `parameter` holds. Undefined where an area has or had it. */
export async function noticeOfParent(
  areas: AreaStore,
  code: string,
  parameter: string,
): Promise<readonly Notice[] | undefined> {
  const levels = ['region', 'province', 'municity', 'barangay'] as const;
  const found = await Promise.all(levels.map(async (level) => (await areas.find(level, code, {})).value));
  if (found.some((lookup) => lookup.code !== null || lookup.otherLevel !== null)) return undefined;
  const abolished = found.findIndex(({ successors }) => successors.length > 0);
  const [level, lookup] = [levels[Math.max(0, abolished)], found[Math.max(0, abolished)]];
  if (level === undefined || lookup === undefined) return undefined;
  try {
    requireCurrentCode(level, code, lookup);
    return undefined;
  } catch (error) {
    const notice = fromRefusal(error, parameter);
    if (abolished !== -1) return [notice];
    return [{ ...notice, message: `No area has the PSGC code ${code}.` }];
  }
}

function fromRefusal(error: unknown, parameter: string): Notice {
  if (!(error instanceof DomainError)) throw error;
  const { code, message, facts } = error;
  if (code !== 'area_not_found' && code !== 'area_abolished') throw error;
  return { code, parameter, message, successors: (facts.successors ?? []) as Notice['successors'] };
}
