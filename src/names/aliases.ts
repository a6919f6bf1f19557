import list from './aliases.json' with { type: 'json' };
import districtList from './districts.json' with { type: 'json' };

/** An alias: what people write, the ten-digit code of the area, its published name, and where it says so. */
export type Alias = readonly [alias: string, code: string, name: string, source: string];

export const aliases = list as unknown as readonly Alias[];

/** Places of which the PSGC has no code, one line for each area that they lie in, in the same order. */
export const districts = districtList as unknown as readonly Alias[];
