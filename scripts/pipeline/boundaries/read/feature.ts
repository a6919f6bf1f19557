import type { resolution } from '../../../../src/db/schema/geography.ts';
import type { AreaLevel } from '../../psgc/area.ts';

export type Resolution = (typeof resolution.enumValues)[number];

/** From the finest to the coarsest. */
export const RESOLUTIONS: readonly Resolution[] = ['detailed', 'medium', 'simple'];

/** From the smallest areas up: the order in which boundaries are written, so that parents find their children. */
export const LEVELS_UPWARDS: readonly AreaLevel[] = ['barangay', 'submunicipality', 'municity', 'province', 'region'];

export interface SourceFile {
  path: string;
  /** As messages call it: the path below the directory that was given. */
  name: string;
}

/** A feature as it stands in a file, with nothing about it checked. */
export interface SourceFeature {
  /** The place within the file: `line 12`, `feature 12`, `adm4 feature 12`. */
  at: string;
  /** Name of the layer it stands in, where a file can hold several; else empty. */
  layer: string;
  /** The feature's own `id`. */
  id: unknown;
  properties: Record<string, unknown>;
  geometry: unknown;
}

/** A file that can't be read to its end. */
export class UnreadableFile extends Error {
  readonly file: string;
  /** The place within the file, where there is one. */
  readonly place: string | null;

  constructor(file: string, place: string | null, reason: string) {
    super(`${file}${place === null ? '' : ` ${place}`}: ${reason}`);
    this.name = 'UnreadableFile';
    this.file = file;
    this.place = place;
  }

  /** What went wrong, without the place. */
  get reason(): string {
    return this.message.slice(this.message.indexOf(': ') + 2);
  }
}

/**
 * What a parsed JSON value says as a feature, or null when it is none.
 * @param at the place within its file
 */
export function asFeature(value: unknown, at: string, layer = ''): SourceFeature | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, id, properties, geometry } = value as Record<string, unknown>;
  if (type !== 'Feature') return null;
  const isObject = typeof properties === 'object' && properties !== null;
  return { at, layer, id, properties: isObject ? (properties as Record<string, unknown>) : {}, geometry };
}
