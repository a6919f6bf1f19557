import packed from '../data/postal-codes/areas.json' with { type: 'json' };

/** The ZIP codes of an area, by the five digits of its code that stay when a region changes; read on first use. */
let byDigits: ReadonlyMap<string, readonly string[]> | undefined;

/** Unpacks what `scripts/pipeline/postal-codes/packed.ts` describes. */
function table(): ReadonlyMap<string, readonly string[]> {
  byDigits ??= new Map(
    Object.entries(packed).flatMap(([key, row]) => {
      const [lowest, ...cells] = row.split(' ');
      return cells.map(
        (cell, at) => [key.slice(1) + String(at).padStart(2, '0'), zipsOf(cell, Number(lowest))] as const,
      );
    }),
  );
  return byDigits;
}

function zipsOf(cell: string, lowest: number): string[] {
  if (cell === '-') return [];
  return cell.split(',').flatMap((run) => {
    const [from = 0, to = from] = run.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => String(lowest + from + at).padStart(4, '0'));
  });
}

const NONE: readonly string[] = [];

/** The ZIP codes of the city, municipality or sub-municipality with a code of ten digits, in their order. */
export function zipCodesOf(code: string): readonly string[] {
  return table().get(code.slice(2, 7)) ?? NONE;
}

/** All known ZIP codes, in their order. */
export function allZipCodes(): string[] {
  return [...new Set([...table().values()].flat())].sort();
}
