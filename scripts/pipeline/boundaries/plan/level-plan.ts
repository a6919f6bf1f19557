import { RESOLUTIONS, type Resolution } from '../../../../src/areas/store.ts';
import type { Area, AreaLevel } from '../../psgc/area.ts';

export const FINEST_FIRST: readonly Resolution[] = RESOLUTIONS.toReversed();

/** Where the boundaries of a level at one resolution come from. */
export type Origin =
  /** The source's own files of this resolution, or of the finest one that the source has. */
  | { kind: 'source'; resolution: Resolution }
  /** Made from the detailed boundaries of the same level. */
  | { kind: 'simplified' }
  /** The source has nothing of this level, so every boundary is dissolved from its children. */
  | { kind: 'dissolved' };

/** An area whose polygon in the source shows it with other children than it has now. */
export interface OutdatedArea {
  area: Area;
  /** Which children it has lost and gained. */
  why: string;
}

/** An area that gets no boundary. */
export interface MissingArea {
  area: Area;
  /** The reason; null where no reason is known. */
  explained: string | null;
}

export interface LevelPlan {
  level: AreaLevel;
  origins: Readonly<Record<Resolution, Origin>>;
  /** Areas whose boundary becomes the union of their children's, with the reason. */
  dissolve: { area: Area; children: Area[]; why: string }[];
  missing: MissingArea[];
  /** Areas that keep the source's polygon although it shows them with other children. */
  outdated: OutdatedArea[];
}

/** What is to be done at each level, from barangays up. */
export type Plan = LevelPlan[];
