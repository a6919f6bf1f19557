import { readChanges } from './changes.ts';
import { readArea, readSources } from './data.ts';
import { readEditions } from './editions.ts';
import type { Kind } from './kinds.ts';
import type { Area, Place } from './places.ts';

/** What can happen to an area without a change of its border or its code. */
const KEEPS_BORDER: ReadonlySet<Kind> = new Set(['renamed', 'reclassified']);

/** Whether an edition has no boundaries here. Its map is then the land of the current one. */
export async function hasNoBoundaries(edition: string): Promise<boolean> {
  return (await readSources(edition).catch(() => undefined))?.boundaries === 'none';
}

/**
 * A place of an edition that has no boundaries, as the current edition has it, if its border is the same there by all that is
 * recorded. What can't be read is taken for changed.
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
