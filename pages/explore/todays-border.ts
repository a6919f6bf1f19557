import { readChanges } from './changes.ts';
import { readArea, readSources } from './data.ts';
import { readEditions } from './editions.ts';
import type { Kind } from './kinds.ts';
import type { Area, Place } from './places.ts';

/** Kinds of changes that leave the border and the code of an area as they are. */
const KEEPS_BORDER: ReadonlySet<Kind> = new Set(['renamed', 'reclassified']);

/** Whether the service has no boundaries of an edition; false if it can't be asked. The map then shows the land of the current one. */
export async function hasNoBoundaries(edition: string): Promise<boolean> {
  return (await readSources(edition).catch(() => undefined))?.boundaries === 'none';
}

/**
 * Reads from the current edition a place of an older one that has no boundaries, if no change of its border or code is recorded
 * between the two. Undefined if one is, or if something can't be read.
 */
export async function readUnchanged(place: Place, edition: string): Promise<Area | undefined> {
  try {
    const current = (await readEditions()).find(({ active }) => active)?.id;
    if (current === undefined) return undefined;
    const [{ kinds }, area] = await Promise.all([
      readChanges({ from: edition, to: current, code: place.code }),
      readArea(place),
    ]);
    const isSame = area.code === place.code && Object.keys(kinds).every((kind) => KEEPS_BORDER.has(kind as Kind));
    return isSame && area.bbox ? area : undefined;
  } catch {
    return undefined;
  }
}
