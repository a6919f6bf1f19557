import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AREAS, boundariesName } from '../../../src/areas/snapshot/layout.ts';
import { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import type { Area, Resolution } from '../../../src/areas/store.ts';

/** Opens the areas of a snapshot in a directory. */
export async function openRelease(directory: string): Promise<OpenedAreas> {
  return new OpenedAreas(gunzipSync(await readFile(join(directory, AREAS))));
}

/** The areas of a level, in the order of their codes. */
export function areasOf(opened: OpenedAreas, level: Area['level']): Area[] {
  const { first, end } = opened.rowsOf(level);
  return Array.from({ length: end - first }, (_, i) => opened.area(first + i, undefined));
}

/** The names of all areas that others lie in, by their codes. */
export function parentNames(opened: OpenedAreas): ReadonlyMap<string, string> {
  const levels = ['region', 'province', 'municity', 'submunicipality'] as const;
  return new Map(levels.flatMap((level) => areasOf(opened, level).map(({ code, name }) => [code, name])));
}

export interface Bounded {
  readonly area: Area;
  /** Where its GeoJSON text lies in the file, bytes. */
  readonly offset: number;
  readonly length: number;
}

/** The areas of a level that have a boundary at a resolution, in the order of their codes. */
export function boundedAreas(opened: OpenedAreas, level: Area['level'], resolution: Resolution): Bounded[] {
  const { first } = opened.rowsOf(level);
  return areasOf(opened, level).flatMap((area, i) => {
    const length = opened.boundaries.bytesOf(first + i, resolution);
    return length === 0 ? [] : [{ area, offset: opened.boundaries.offsetOf(first + i, resolution), length }];
  });
}

/**
 * Reads the boundaries of a level at a resolution, as a snapshot stores them in a file.
 *
 * @returns the GeoJSON text of each
 */
export async function boundaryTexts(
  directory: string,
  level: Area['level'],
  resolution: Resolution,
): Promise<(bounded: Bounded) => string> {
  const file = await readFile(join(directory, boundariesName(level, resolution)));
  return ({ area, offset, length }) => {
    if (offset + length > file.length) throw new Error(`The boundary of ${area.code} is cut short.`);
    // It is ASCII.
    return file.toString('latin1', offset, offset + length);
  };
}
