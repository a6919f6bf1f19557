import type { AreaLevel } from '../../psgc/area.ts';
import { counted } from '../../psgc/counted.ts';
import type { Plan } from '../plan/plan.ts';
import type { Resolution } from '../read/feature.ts';
import type { LeftOut, Survey } from '../read/survey.ts';
import type { Filled } from '../write/fill.ts';
import type { Astray, Reassignment } from '../write/reassign.ts';
import type { Repair } from '../write/writer.ts';
import { shortcomings } from './shortcomings.ts';

/** Of what every load has plenty of, this many are kept as examples. */
const EXAMPLES = 20;
/** Of what somebody may want to look into one by one, this many. */
const LISTED = 500;
/** Of each kind this many are printed. */
const PRINTED = 10;

/** How many of something, and the first of them in words. */
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
  /** Joined by a code that was given up or by the last eight digits. */
  rekeyed: Tally;
  /** Features that are no area's, with the reason. */
  leftOut: Tally;
  /** Features with the code of no area. */
  unmatched: Tally;
  /** Features without a geometry. */
  empty: Tally;
  /** Boundaries of the source that were invalid or not closed, and are stored repaired. */
  repaired: Tally;
  dissolved: Tally;
  /** Resolutions made from the detailed boundaries. */
  simplified: Resolution[];
  /** Boundaries that stand in for missing ones of another resolution. */
  filled: Tally;
  /** Barangays that the source draws in another city or municipality, for which both were redrawn. */
  reassigned: Tally;
  /** Areas that keep a boundary of before they gained or lost children, and barangays that are drawn elsewhere still. */
  outdated: Tally;
  missing: Tally;
  /** How many of the missing ones nothing explains. */
  unexplained: number;
  /** Length of the GeoJSON texts by resolution. */
  bytes: Partial<Record<Resolution, number>>;
}

export interface BoundaryReport {
  files: string[];
  levels: LevelReport[];
  /** Why points are not looked up in them; nothing where they are. */
  shortcomings: string[];
}

/** What was stored of a level at a resolution. */
export interface Stored {
  level: AreaLevel;
  resolution: Resolution;
  count: number;
  bytes: number;
}

/** Everything a load knows when it has written the boundaries. */
export interface Done {
  survey: Survey;
  plan: Plan;
  areas: Map<AreaLevel, number>;
  repaired: Repair[];
  filled: Map<AreaLevel, Filled[]>;
  reassigned: Reassignment;
  stored: Stored[];
}

/** The report of a load, by level from regions down. Pure. */
export function boundaryReport(done: Done): BoundaryReport {
  const { survey, plan, areas, repaired, filled, reassigned, stored } = done;
  const redrawn = new Set(reassigned.moved.flatMap(({ own, host }) => [own, host]));
  for (const { own, host } of reassigned.left) for (const code of [own, host]) redrawn.delete(code);
  const levels = plan.toReversed().map(({ level, origins, dissolve, missing, outdated }): LevelReport => {
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
      simplified: (['medium', 'simple'] as const).filter((resolution) => origins[resolution].kind === 'simplified'),
      filled: tally(filled.get(level) ?? [], ({ code, resolution, from }) => `${code}: ${from} for ${resolution}`),
      reassigned: tally(level === 'barangay' ? reassigned.moved : [], describeAstray, LISTED),
      outdated: tally(
        [
          ...outdated
            .filter(({ area }) => !redrawn.has(area.code))
            .map(({ area, why }) => `${area.code} ${area.name} ${why}`),
          ...(level === 'barangay' ? reassigned.left.map(describeAstray) : []),
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
  return { files: survey.files.map(({ file }) => file.name), levels, shortcomings: shortcomings(done) };
}

/** The report as people read it: a line per level, then what happened out of the ordinary. */
export function describeBoundaries({ files, levels, shortcomings }: BoundaryReport): string[] {
  const number = (value: number) => value.toLocaleString('en');
  const lines = [`Boundaries from ${files.length} file${files.length === 1 ? '' : 's'}:`];
  for (const it of levels) {
    const sizes = Object.entries(it.bytes).map(([resolution, bytes]) => `${resolution} ${(bytes / 1e6).toFixed(1)} MB`);
    lines.push(
      `  ${it.level.padEnd(15)} ${number(it.drawn).padStart(7)} of ${number(it.areas).padEnd(7)} ${sizes.join(', ')}`,
    );
  }
  if (shortcomings.length > 0) {
    const reasons = shortcomings.map((reason) => `    ${reason}`);
    lines.push('', '  For display only, without reverse geocoding and neighbours, because:', ...reasons);
  }
  const kinds = {
    rekeyed: 'joined by another code than their own',
    leftOut: 'left out',
    unmatched: 'of no area',
    empty: 'without geometry',
    repaired: 'repaired',
    dissolved: 'dissolved from their children',
    filled: 'stand in for another resolution',
    reassigned: 'drawn in another city or municipality, which were redrawn',
    outdated: 'kept although the source shows them with other parents or children',
    missing: 'without a boundary',
  } as const;
  for (const [kind, what] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    for (const it of levels) {
      const { count, examples } = it[kind];
      if (count === 0) continue;
      lines.push(
        '',
        `  ${it.level}: ${number(count)} ${what}`,
        ...examples.slice(0, PRINTED).map((example) => `    ${example}`),
      );
      if (count > PRINTED) lines.push(`    and ${number(count - PRINTED)} more`);
    }
  }
  for (const { level, simplified } of levels) {
    if (simplified.length > 0) lines.push('', `  ${level}: ${simplified.join(' and ')} made by simplification`);
  }
  return lines;
}

/** What `GET /v1/sources` is to say of what was changed and what is missing; null where there is nothing. */
export function remarkOn(report: BoundaryReport): string | null {
  return [changed(report), missing(report)].filter((remark) => remark !== null).join('. ') || null;
}

function changed({ levels }: BoundaryReport): string | null {
  const moved = levels.reduce((sum, { reassigned }) => sum + reassigned.count, 0);
  if (moved === 0) return null;
  return `Cities and municipalities redrawn after ${counted(moved, 'barangay')} drawn in others than they belong to`;
}

function missing({ levels }: BoundaryReport): string | null {
  const without = levels.filter(({ missing }) => missing.count > 0);
  if (without.length === 0) return null;
  const counts = without.map(({ level, missing }) => counted(missing.count, level));
  const unexplained = without.reduce((sum, level) => sum + level.unexplained, 0);
  const unknown = unexplained > 0 ? `; for ${unexplained.toLocaleString('en')} of these no reason is known` : '';
  return `Without a boundary: ${counts.join(', ')}${unknown}`;
}

function tally<T>(items: T[], say: (item: T) => string, most = EXAMPLES): Tally {
  return { count: items.length, examples: items.slice(0, most).map(say) };
}

function describeAstray({ code, name, own, ownName, hostName }: Astray): string {
  return `${code} ${name} of ${own} ${ownName} lies in ${hostName} in the source`;
}

/** Features that say no level are told with the barangays, which most files are of. */
function isOf(level: AreaLevel): (it: LeftOut) => boolean {
  return (it) => (it.level ?? 'barangay') === level;
}
