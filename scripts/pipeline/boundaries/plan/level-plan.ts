import { RESOLUTIONS, type Resolution } from '../../../../src/areas/store.ts';
import type { Area, AreaLevel } from '../../psgc/area.ts';

export const FINEST_FIRST: readonly Resolution[] = RESOLUTIONS.toReversed();

/** Where the boundaries of a level come from. */
export type Origin =
  /** The source's own files of the finest resolution that it has. */
  | { kind: 'source'; resolution: Resolution }
  /** The source has nothing of this level, so every boundary is dissolved from its children. */
  | { kind: 'dissolved' };

/** An area with a coarser polygon in the source than most areas of its level. */
export interface Filled {
  code: string;
  from: Resolution;
}

/** An area whose polygon in the source shows its former children. */
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
  origin: Origin;
  /** Places of the polygons that are read: one for each area, the finest that the source has of it. */
  places: ReadonlySet<string>;
  filled: Filled[];
  /** Areas whose boundary becomes the union of their children's, with the reason. */
  dissolve: { area: Area; children: Area[]; why: string }[];
  missing: MissingArea[];
  /** Areas that keep the source's polygon although it shows them with other children. */
  outdated: OutdatedArea[];
}

/** The plan of each level, from barangays up. */
export type Plan = LevelPlan[];
