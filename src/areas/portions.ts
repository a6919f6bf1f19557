import { type Area, BOUNDARY_BUDGET } from './store.ts';

/** Reads boundaries that a list has left out: GeoJSON texts by code. */
export type ReadBoundaries = (codes: string[]) => Promise<ReadonlyMap<string, string>>;

const isLeftOut = (area: Area) => area.boundaryBytes > 0 && area.boundary === null;

/** Whether every area of a list has come with its boundary. */
export function isWhole(areas: readonly Area[]): boolean {
  return !areas.some(isLeftOut);
}

/**
 * A list in portions, whose boundaries together are about as long as the budget. The next portion is read while the
 * reader is busy with this one, so that no more than two are in memory.
 *
 * @throws Error when a boundary is gone, because somebody deleted the release in the meantime
 */
export async function* inPortions(areas: readonly Area[], read: ReadBoundaries): AsyncGenerator<Area[]> {
  const portions = cut(areas);
  let next = complete(portions[0] ?? [], read);
  for (let i = 1; i <= portions.length; i += 1) {
    const portion = await next;
    const following = portions[i];
    if (following) {
      next = complete(following, read);
      // Looked at when its turn comes; until then its failure is nobody's.
      next.catch(() => undefined);
    }
    yield portion;
  }
}

/** The areas that have come whole, then runs of the others up to the budget each. */
function cut(areas: readonly Area[]): Area[][] {
  const portions: Area[][] = [[]];
  let bytes = 0;
  let started = false;
  for (const area of areas) {
    const leftOut = isLeftOut(area);
    if (leftOut && (!started || bytes >= BOUNDARY_BUDGET)) {
      portions.push([]);
      bytes = 0;
      started = true;
    }
    if (leftOut) bytes += area.boundaryBytes;
    portions.at(-1)?.push(area);
  }
  return portions;
}

async function complete(portion: Area[], read: ReadBoundaries): Promise<Area[]> {
  const codes = portion.filter(isLeftOut).map(({ code }) => code);
  if (codes.length === 0) return portion;
  const texts = await read(codes);
  return portion.map((area) => {
    if (!isLeftOut(area)) return area;
    const boundary = texts.get(area.code);
    if (boundary === undefined) throw new Error(`The boundary of ${area.code} is gone`);
    return { ...area, boundary };
  });
}
