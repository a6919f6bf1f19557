import { ARMM, rowsOfCode } from './codes.ts';
import { formerParents } from './former-parents.ts';
import type { NameIndex } from './index.ts';
import type { Field } from './result.ts';

/** Whether the region's digits of a code are an area's own, or those of a region it is recorded to have been in. */
export function isRecorded(index: NameIndex, code: string, area: number): boolean {
  const prefixes = [code.slice(0, 2), `0${code.slice(0, 1)}`].slice(
    code.length === 8 ? 1 : 0,
    code.length === 10 ? 1 : 2,
  );
  if (code.length === 9 && prefixes[0] === ARMM.nine) prefixes.push(ARMM.ten);
  if (prefixes.includes(index.codeOf(area).slice(0, 2))) return true;
  const { source } = index;
  const provinceOf = (it: number) => index.ancestorAt(it, 'province') ?? (index.ancestorAt(it, 'region') as number);
  const recorded = index.cached('prefixes', 'recorded', () => {
    const all = new Set<string>();
    source.eachFormerCode?.((_, former, it) => all.add(`${former.slice(0, 2)} ${provinceOf(it)}`));
    return all;
  });
  if (prefixes.some((prefix) => recorded.has(`${prefix} ${provinceOf(area)}`))) return true;
  return formerParents.some(
    ([child, , parent]) =>
      prefixes.includes(parent.slice(0, 2)) && rowsOfCode(index, child).some((it) => index.isIn(area, it)),
  );
}

/** The note about a code that no area has had. */
export function unrecorded(
  index: NameIndex,
  { field, code, area }: { field: Field; code: string; area: number },
): string {
  return `${field} "${code}" is no code that was published: it is that of ${index.source.nameOf(area)} but for its region.`;
}
