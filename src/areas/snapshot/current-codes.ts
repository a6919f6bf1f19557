import { localCode } from '../psgc.ts';
import { type Area, type CodeLookup, type Level, namedLevels } from '../store.ts';
import { NO_ROW, ROW_LEVELS } from './layout.ts';
import type { OpenedAreas } from './opened.ts';

/** The row of the area that a current or former code of a level leads to; -1 where it leads nowhere. */
export function currentRow(opened: OpenedAreas, level: Area['level'], code: string): number {
  for (const named of namedLevels(level)) {
    const row = rowAt(opened, named, code);
    if (row !== -1) return row;
  }
  return -1;
}

function rowAt(opened: OpenedAreas, level: Area['level'], code: string): number {
  const row = opened.rowOf(level, code);
  if (row !== -1) return row;
  const renumbered = opened.formerCodes(level, code).find(({ change }) => change === 'renumbered');
  if (renumbered) return renumbered.row;
  const local = localCode(level, code);
  if (local === null) return -1;
  // The last eight digits are unique below regions, so at most one region has them.
  for (const prefix of regionDigits(opened)) {
    const found = opened.rowOf(level, prefix + local);
    if (found !== -1) return found;
  }
  return -1;
}

/** Looks up a code at a level: the current code, or its successors. */
export function lookUpCode(opened: OpenedAreas, level: Level, code: string): CodeLookup {
  const row = currentRow(opened, level, code);
  if (row === -1) return { code: null, ...lostCode(opened, level, code) };
  return { code: opened.codeOf(row), successors: null, otherLevel: null };
}

const digitsOf = new WeakMap<OpenedAreas, string[]>();

/** The first two digits of every region, which the codes of all areas begin with. */
function regionDigits(opened: OpenedAreas): string[] {
  const known = digitsOf.get(opened);
  if (known) return known;
  const { first, end } = opened.rowsOf('region');
  const digits = Array.from({ length: end - first }, (_, i) => opened.codeOf(first + i).slice(0, 2));
  digitsOf.set(opened, digits);
  return digits;
}

/** What is known of a code that no area of a level has or had under another number. */
export function lostCode(opened: OpenedAreas, level: Level, code: string): Omit<CodeLookup, 'code'> {
  const heirs = opened
    .formerCodes(level, code)
    .filter(({ change }) => change === 'abolished')
    .map(({ row }) => opened.codeOf(row));
  const successors = heirs.length > 0 || opened.isGone(level, code) ? heirs : null;
  for (const other of ROW_LEVELS) {
    const row = opened.rowOf(other, code);
    if (row === -1) continue;
    const parent = opened.municities[row] as number;
    const otherLevel = {
      level: other,
      name: opened.nameOf(row),
      parent: parent === NO_ROW ? null : opened.codeOf(parent),
    };
    return { successors, otherLevel };
  }
  return { successors, otherLevel: null };
}
