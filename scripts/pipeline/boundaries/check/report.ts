import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import type { LeftOut, Survey } from '../read/survey.ts';
import type { MisplacedBarangay, Reassignment } from '../write/reassign.ts';
import type { LevelDeviations } from '../write/redraw.ts';
import type { Repair } from '../write/writer.ts';
import type { Loss } from './losses.ts';
import { findWorst } from './shapes.ts';
import { listShortcomings, type ShortcomingsInput } from './shortcomings.ts';
import type { Stored } from './verify.ts';

/** Max examples of findings that every load has many of. */
const EXAMPLES = 20;
/** Max listed findings that may need a look one by one. */
const LISTED = 500;

/** A count of findings, and the first of them in words. */
interface Tally {
  count: number;
  examples: string[];
}

/** What a load did at one level. */
interface LevelReport {
  level: AreaLevel;
  areas: number;
  /** Areas with a boundary. */
  drawn: number;
  /** Features in the source's files that became boundaries, by resolution. */
  features: Partial<Record<Resolution, number>>;
  /** Features that were joined by a former code or by the last eight digits. */
  rekeyed: Tally;
  /** Features that belong to no area for a known reason, with the reason. */
  leftOut: Tally;
  /** Features whose code names no area. */
  unmatched: Tally;
  /** Features without a geometry. */
  empty: Tally;
  /** Boundaries of the source that were invalid or not closed, and are stored repaired. */
  repaired: Tally;
  dissolved: Tally;
  /** Areas without a detailed polygon in the source, which get a coarser one. */
  filled: Tally;
  /** Barangays that the source draws in another city or municipality, for which both were redrawn. */
  reassigned: Tally;
  /**
   * Areas that keep the boundary they had before they gained or lost children, and barangays that are still drawn in
   * another city or municipality.
   */
  outdated: Tally;
  missing: Tally;
  /** How many of the missing ones have no explanation. */
  unexplained: number;
  /** Length of the GeoJSON texts by resolution. */
  bytes: Partial<Record<Resolution, number>>;
}

export interface BoundaryReport {
  files: string[];
  levels: LevelReport[];
  /** Why points can't be looked up in these boundaries; empty if they can. */
  shortcomings: string[];
  /** The areas that differ most from their detailed boundary, by resolution. */
  worst: ReturnType<typeof findWorst>;
  /** Land lost to nobody in the steps of the load, largest first. */
  losses: Loss[];
  /** Land lost to other areas of the same level, largest first. */
  taken: Loss[];
}

/** The results of a load once the boundaries are written. */
export interface ReportInput extends ShortcomingsInput {
  survey: Survey;
  repaired: Repair[];
  reassigned: Reassignment;
  stored: Stored[];
  deviations: LevelDeviations[];
  losses: Loss[];
}

/** Makes the report of a load, by level from regions down. Pure. */
export function makeReport(input: ReportInput): BoundaryReport {
  const { survey, plan, areas, repaired, reassigned, stored, deviations, losses } = input;
  const redrawn = new Set(reassigned.moved.flatMap(({ own, host }) => [own, host]));
  for (const { own, host } of reassigned.left) for (const code of [own, host]) redrawn.delete(code);
  const levels = plan.toReversed().map(({ level, filled, dissolve, missing, outdated }): LevelReport => {
    const found = survey.files.flatMap((file) => file.features).filter((it) => it?.area.level === level);
    const storedHere = stored.filter((it) => it.level === level);
    const features: LevelReport['features'] = {};
    for (const it of found) if (it) features[it.resolution] = (features[it.resolution] ?? 0) + 1;
    const rekeyed = found.filter((it) => it?.rekeyed);
    const closed = survey.closed.filter(({ area }) => area.level === level);
    return {
      level,
      areas: areas.get(level) ?? 0,
      drawn: storedHere.find(({ resolution }) => resolution === 'detailed')?.count ?? 0,
      features,
      rekeyed: tally(rekeyed, (it) => `${it?.at}: ${it?.sourceCode} → ${it?.area.code} ${it?.area.name}`),
      leftOut: tally(survey.explained.filter(isOf(level)), ({ at, code, why }) => `${at}: ${code} ${why}`),
      unmatched: tally(survey.unknown.filter(isOf(level)), ({ at, why }) => `${at}: ${why}`, LISTED),
      empty: tally(
        survey.empty.filter(({ area }) => area.level === level),
        ({ at, area }) => `${at}: ${area.code} ${area.name}`,
      ),
      repaired: tally(
        [
          ...repaired.filter((it) => it.level === level).map(({ at, code, reason }) => `${at}: ${code} ${reason}`),
          ...closed.map(({ at, area }) => `${at}: ${area.code} had a ring that was not closed`),
        ],
        String,
      ),
      dissolved: tally(dissolve, ({ area, why }) => `${area.code} ${area.name}: ${why}`, LISTED),
      filled: tally(filled, ({ code, from }) => `${code}: ${from} for detailed`),
      reassigned: tally(level === 'barangay' ? reassigned.moved : [], describeMisplaced, LISTED),
      outdated: tally(
        [
          ...outdated
            .filter(({ area }) => !redrawn.has(area.code))
            .map(({ area, why }) => `${area.code} ${area.name} ${why}`),
          ...(level === 'barangay' ? reassigned.left.map(describeMisplaced) : []),
        ],
        String,
        LISTED,
      ),
      missing: tally(
        missing,
        ({ area, explained }) => `${area.code} ${area.name} ${explained ?? 'has no boundary'}`,
        LISTED,
      ),
      unexplained: missing.filter(({ explained }) => explained === null).length,
      bytes: Object.fromEntries(storedHere.map(({ resolution, bytes }) => [resolution, bytes])),
    };
  });
  return {
    files: survey.files.map(({ file }) => file.name),
    levels,
    shortcomings: listShortcomings(input),
    worst: findWorst(deviations),
    losses: losses.filter(({ to }) => to === 'nobody').slice(0, EXAMPLES),
    taken: losses.filter(({ to }) => to === 'others').slice(0, EXAMPLES),
  };
}

function tally<T>(items: readonly T[], describe: (item: T) => string, max = EXAMPLES): Tally {
  return { count: items.length, examples: items.slice(0, max).map(describe) };
}

function describeMisplaced({ code, name, own, ownName, hostName }: MisplacedBarangay): string {
  return `${code} ${name} of ${own} ${ownName} lies in ${hostName} in the source`;
}

/** Features without a level are reported with the barangays, because most files are of barangays. */
function isOf(level: AreaLevel): (it: LeftOut) => boolean {
  return (it) => (it.level ?? 'barangay') === level;
}
