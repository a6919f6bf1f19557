import { RESOLUTIONS, type Resolution } from '../../../../src/areas/store.ts';

export const FINEST_FIRST: readonly Resolution[] = RESOLUTIONS.toReversed();
