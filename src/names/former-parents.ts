import { rowsOfCode } from './codes.ts';
import list from './former-parents.json' with { type: 'json' };
import type { NameIndex } from './index.ts';
import { type NameLevel, NO_PARENT } from './source.ts';

/** An area and its former parent: ten-digit code and name of both, and the law that separated them. */
export type FormerParent = readonly [code: string, name: string, parent: string, parentName: string, source: string];

export const formerParents = list as unknown as readonly FormerParent[];

/** The areas of today that were part of a province or region. */
export function partedFrom(index: NameIndex, parent: number): readonly number[] {
  const code = index.codeOf(parent);
  const parted = formerParents.filter(([, , it]) => it === code);
  return parted.flatMap(([child]) => rowsOfCode(index, child));
}

/** The barangays that moved from a city or municipality to another one, by their former codes. */
export function movedFrom(index: NameIndex, town: number): readonly number[] {
  const moved = index.cached('moved', 'barangays', () => movedBarangays(index));
  return moved.get(town) ?? [];
}

function movedBarangays(index: NameIndex): ReadonlyMap<number, readonly number[]> {
  const { source } = index;
  const moved = new Map<number, number[]>();
  const towns = new Map<string, number[]>();
  source.eachFormerCode?.((level: NameLevel, code, row) => {
    if (level !== 'barangay') return;
    const townCode = `${code.slice(0, -3)}000`;
    let found = towns.get(townCode);
    if (!found) {
      found = rowsOfCode(index, townCode).filter((town) => index.levelOf(town) === 'municity');
      towns.set(townCode, found);
    }
    const [town] = found;
    if (town === undefined || source.municities[row] === town || source.municities[row] === NO_PARENT) return;
    const existing = moved.get(town);
    if (!existing) moved.set(town, [row]);
    else if (!existing.includes(row)) existing.push(row);
  });
  return moved;
}

/** Former parents of an area and of its ancestors. */
export function formerParentsOf(index: NameIndex, row: number): readonly number[] {
  const parents = index.cached('moved', 'parents', () => {
    const all = new Map<number, number[]>();
    const put = (child: number, parent: number) => all.set(child, [...(all.get(child) ?? []), parent]);
    for (const [child, , parent] of formerParents) {
      for (const from of rowsOfCode(index, child)) for (const to of rowsOfCode(index, parent)) put(from, to);
    }
    const { first, end } = index.source.rowsOf('municity');
    for (let town = first; town < end; town += 1) for (const child of movedFrom(index, town)) put(child, town);
    return all;
  });
  const { municities, provinces, regions } = index.source;
  const found: number[] = [];
  for (const it of [row, municities[row], provinces[row], regions[row]]) {
    const former = parents.get(it as number);
    if (former) found.push(...former);
  }
  return found;
}
