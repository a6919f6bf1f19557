import { areasThroughTime } from '../areas/served-areas.ts';
import type { Area, AreaStore } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import type { Expression } from '../cql2/expression.ts';
import { type Cursor, staleCursor } from './cursor.ts';
import { intervalOf } from './editions.ts';

// Collections through time: a feature is a version of an area, which is in consecutive editions.

/** The id of a version among all versions of areas: `0604500000-2023-1q`, with the first edition that has it. */
export function versionId({ code, validity }: Pick<Area, 'code' | 'validity'>): string {
  return `${code}-${validity?.firstEdition}`;
}

const VERSION_ID = /^(\d{10})-(\d{4}-\w\w)$/;

/** The condition that is true of the version with an id alone; false where no version can have it. */
export function isVersion(id: string): Expression {
  const [, code, edition] = VERSION_ID.exec(id) ?? [];
  if (code === undefined || edition === undefined) return false;
  return { op: 'and', args: [isText('=', 'code', code), isText('=', 'first_edition', edition)] };
}

/** The condition that is true of the versions that were on the lists at some time of the parameter `datetime`. */
export function isValidIn(datetime: string): Expression {
  const [first, last] = intervalOf(datetime);
  const parts: Expression[] = [];
  if (Number.isFinite(last)) parts.push(isText('<=', 'valid_from', dayOf(last)));
  if (Number.isFinite(first)) {
    const isOpen: Expression = { op: 'isNull', property: 'valid_to' };
    parts.push({ op: 'or', args: [isOpen, isText('>=', 'valid_to', dayOf(first))] });
  }
  return { op: 'and', args: parts };
}

/**
 * All versions, those that the page before was of.
 *
 * @throws DomainError `storage_unavailable`; `invalid_parameter` where they were replaced
 */
export async function versionsOf(ctx: ServiceContext, cursor: Cursor | undefined): Promise<AreaStore> {
  const areas = await areasThroughTime(ctx);
  if (cursor && (await areas.listSources({})).release !== cursor.version) throw staleCursor('the release');
  return areas;
}

function isText(op: '=' | '<=' | '>=', property: string, value: string): Expression {
  return { op, args: [{ property, type: 'string' }, value] };
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
