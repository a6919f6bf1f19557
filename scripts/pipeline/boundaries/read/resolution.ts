import type { resolution } from '../../../../src/db/schema/geography.ts';

export type Resolution = (typeof resolution.enumValues)[number];

/** From the finest to the coarsest. */
export const RESOLUTIONS: readonly Resolution[] = ['detailed', 'medium', 'simple'];
