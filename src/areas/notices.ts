import type { Notice } from '../http/notices.ts';
import { LEVELS } from './levels.ts';
import { finestOf } from './location.ts';
import { noticeOfRefusal } from './lost-parents.ts';
import { nameKey, searchKeys } from './names.ts';
import { parentOf } from './params.ts';
import { isNcr } from './psgc.ts';
import { refusalOf } from './refusals.ts';
import type { Area, AreaStore, BoundarySet, Level, Location, Parent } from './store.ts';

const NONE_LOADED = 'No boundaries are loaded for this edition.';

/** Why an area has no boundary. Undefined where it has one. @param parameter the one that asks for the boundary */
export function boundaryNoticesOf(
  { code, name, bbox }: Area,
  boundarySet: BoundarySet,
  parameter = 'geometry',
): readonly Notice[] | undefined {
  if (bbox !== null) return undefined;
  const message =
    boundarySet === 'none'
      ? NONE_LOADED
      : `The sources of the boundaries do not draw ${name}: they are of a time before it was made, or after it was divided or merged, or lack it. See /v1/sources, and /v1/changes/${code}.`;
  return [{ code: 'boundary_missing', parameter, message, successors: [] }];
}

/** How many areas a notice names. */
const MAX_NAMED = 10;

/** Which areas of a list have no boundary, and why. Undefined where all of them have one. */
export function listBoundaryNoticesOf(areas: readonly Area[], boundarySet: BoundarySet): readonly Notice[] | undefined {
  const missing = areas.filter(({ bbox }) => bbox === null);
  const [first] = missing;
  if (first === undefined || missing.length === 1) return first && boundaryNoticesOf(first, boundarySet);
  const named = missing.slice(0, MAX_NAMED).map(({ code, name }) => `${name} (${code})`);
  const others = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  const message =
    boundarySet === 'none'
      ? NONE_LOADED
      : `The sources of the boundaries do not draw ${named.join(', ')}${others}: they are of a time before these were made, or after they were divided or merged, or lack them. See /v1/sources, and /v1/changes.`;
  return [{ code: 'boundary_missing', parameter: 'geometry', message, successors: [] }];
}

/** Which codes of a filter lead to no area of the level. Undefined where all of them do. */
export async function codesNoticesOf(
  areas: AreaStore,
  level: Level,
  codes: readonly string[],
): Promise<readonly Notice[] | undefined> {
  const { missing, abolished } = (await areas.findMany(level, codes, {})).value;
  if (missing.length === 0) return undefined;
  const named = missing.slice(0, MAX_NAMED).map((code) => {
    const successors = abolished.find((it) => it.code === code)?.successors ?? [];
    return successors.length > 0 ? `${code} (now ${successors.join(', ')})` : code;
  });
  const others = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  const message = `No ${LEVELS[level].noun} has the PSGC code ${named.join(', ')}${others}.`;
  return [{ code: 'area_not_found', parameter: 'codes', message, successors: [] }];
}

/** Why a point that lies in an area has no area of the finest requested level. Undefined where it has one. */
export function placeNoticesOf(level: Area['level'], location: Location): readonly Notice[] | undefined {
  const around = finestOf(location);
  // Parts of the country have no province, and only one city has sub-municipalities.
  if (location[level] || !around || level === 'province' || level === 'submunicipality') return undefined;
  const message = `${around.name} contains the point, and no ${LEVELS[level].noun} whose boundary is drawn does. See /v1/sources for boundaries that are missing.`;
  return [{ code: 'boundary_missing', parameter: 'level', message, successors: [] }];
}

/** The levels of the parents that parameters name. */
const PARAMETERS: Readonly<Record<string, Level>> = {
  region: 'region',
  province: 'province',
  province_code: 'province',
  municity: 'municity',
  municity_code: 'municity',
};

/** Why an empty answer is empty: the parents in the query that do not exist. Undefined if all of them exist. */
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
    return value.code === null ? noticeOfRefusal(refusalOf(level, parent.code, value), parameter) : undefined;
  }
  const { value: hits } = await areas.search(level, parent.name, { filter: {}, limit: 3 });
  const isAsked = (name: string) => searchKeys(name).includes(nameKey(parent.name));
  if (hits.some(({ name }) => isAsked(name))) return undefined;
  const lookups = await Promise.all(hits.map(({ code }) => areas.find(level, code, {})));
  const heirs = hits.filter((_, i) => lookups[i]?.value.formerNames.some(isAsked));
  if (heirs.length > 0) {
    const successors = heirs.map(({ code }) => ({ code, href: `/v1/${LEVELS[level].plural}/${code}` }));
    const named = heirs.map(({ code, name }) => `${name} (${code})`).join(', ');
    const message = `No ${LEVELS[level].noun} is named "${parent.name}" any more. It is ${named} now.`;
    return { code: 'area_abolished', parameter, message, successors };
  }
  const near = hits.map(({ code, name }) => `${name} (${code})`).join(', ');
  const message = `No ${LEVELS[level].noun} is named "${parent.name}".${near === '' ? '' : ` There is ${near}.`}`;
  return { code: 'area_not_found', parameter, message, successors: [] };
}
