import list from './aliases.json' with { type: 'json' };
import districtList from './districts.json' with { type: 'json' };

/** An alias: what people write, the ten-digit code of the area, its published name, and the source. */
export type Alias = readonly [alias: string, code: string, name: string, source: string];

export const aliases = list as unknown as readonly Alias[];

/** Places without a PSGC code: one line, in the same form, for each area that they lie in. */
export const districts = districtList as unknown as readonly Alias[];
