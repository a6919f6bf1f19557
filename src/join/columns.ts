import type { Area } from '../areas/store.ts';
import { MATCH_COLUMNS, matchCells } from '../match/cells.ts';
import { type Attribute, attributeOf } from './attributes.ts';
import { type Joined, PARENTS, type Part } from './service.ts';

/** The columns that a table gets. The first are those of a matched table. */
export function joinColumns(attributes: readonly Attribute[]): string[] {
  return [
    ...MATCH_COLUMNS,
    ...['psgc_relation', 'weight_area', 'weight_population', 'weight_estimated'],
    ...PARENTS.flatMap((parent) => [`${parent}_code`, `${parent}_name`]),
    ...attributes,
    'geometry_url',
  ];
}

/** What of the cells depends on the request. */
export interface CellOptions {
  readonly attributes: readonly Attribute[];
  readonly addressOf: (area: Area) => string | null;
}

/** The lines of a row: one for each area that it became, and one where it has none. */
export function joinLines({ matched, parts }: Joined, options: CellOptions): string[][] {
  const lines: readonly (Part | undefined)[] = parts.length > 0 ? parts : [undefined];
  return lines.map((part) => {
    const area = part?.area;
    const own = { code: area?.code ?? null, level: area?.level ?? null, name: area?.name ?? null };
    const above = PARENTS.flatMap((parent) => [part?.parents[parent]?.code, part?.parents[parent]?.name]);
    const values = options.attributes.map((attribute) => area && attributeOf(area, attribute));
    const became = [part?.relation, part?.weight_area, part?.weight_population, part?.estimated];
    const cells = [...became, ...above, ...values, area && options.addressOf(area)].map((cell) => String(cell ?? ''));
    return [...matchCells({ ...matched, ...own }), ...cells];
  });
}
