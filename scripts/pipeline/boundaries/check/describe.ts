import { countInWords } from '../../../../src/db/release-loss.ts';
import type { Loss } from './losses.ts';
import type { BoundaryReport } from './report.ts';
import { describeShares } from './shapes.ts';

/** How many of each kind are printed. */
const PRINTED = 10;

/** Describes the report for people: a line per level, then what happened out of the ordinary. */
export function describeBoundaries(report: BoundaryReport): string[] {
  const { files, levels, shortcomings } = report;
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
    filled: 'for which a coarser boundary stands in',
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
  return [...lines, ...describeShapes(report)];
}

/** The worst areas of each resolution, and the largest losses of land. */
function describeShapes({ worst, losses, taken }: BoundaryReport): string[] {
  const lines = (['medium', 'simple'] as const).flatMap((resolution) => [
    '',
    `  The areas that differ most from their detailed boundary at ${resolution}:`,
    ...worst[resolution].map(
      ({ level, code, growth, difference }) => `    ${level} ${code}: ${describeShares(growth, difference)}`,
    ),
  ]);
  return [
    ...lines,
    ...describeLargest('Slivers that belong to nobody', losses),
    ...describeLargest('Land that others of its level have now', taken),
  ];
}

function describeLargest(what: string, losses: readonly Loss[]): string[] {
  if (losses.length === 0) return [];
  const largest = losses.slice(0, PRINTED).map(({ level, code, name, step, km2, share }) => {
    const area = code === null ? name : `${level} ${code} ${name}`;
    return `    ${area}: ${km2.toFixed(2)} km² (${(100 * share).toFixed(2)} %) by ${step}`;
  });
  return ['', `  ${what}, the largest:`, ...largest];
}

/** Says for `GET /v1/sources` what was changed and what is missing; null where there is nothing to say. */
export function describeChanges(report: BoundaryReport): string | null {
  return [describeRedrawn(report), describeMissing(report)].filter((remark) => remark !== null).join('. ') || null;
}

function describeRedrawn({ levels }: BoundaryReport): string | null {
  const moved = levels.reduce((sum, { reassigned }) => sum + reassigned.count, 0);
  if (moved === 0) return null;
  return `Cities and municipalities redrawn after ${countInWords(moved, 'barangay')} drawn in others than they belong to`;
}

function describeMissing({ levels }: BoundaryReport): string | null {
  const without = levels.filter(({ missing }) => missing.count > 0);
  if (without.length === 0) return null;
  const counts = without.map(({ level, missing }) => countInWords(missing.count, level));
  const unexplained = without.reduce((sum, level) => sum + level.unexplained, 0);
  const unknown = unexplained > 0 ? `; for ${unexplained.toLocaleString('en')} of these no reason is known` : '';
  return `Without a boundary: ${counts.join(', ')}${unknown}`;
}
