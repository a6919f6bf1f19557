import { FileFault } from './format.ts';

// Well-known text of reference systems: WKT 1 of the OGC and of Esri, and WKT 2.

/** A node of well-known text: `KEYWORD["text", 1, OTHER[…]]`. */
export interface Part {
  /** Its keyword in upper case after those of its ancestors: `/PROJCS/GEOGCS/DATUM`. */
  readonly path: string;
  /** Its texts and numbers. */
  readonly values: string[];
}

const TOKEN = /"((?:[^"]|"")*)"|(?<!\w)([A-Za-z_]\w{0,63})\s{0,64}[[(]|([\])])|([-+]?[\d.]+(?:[eE][-+]?\d+)?)/g;
/** How deep parts may be nested. */
const MAX_DEPTH = 16;

const SYSTEM = /\/(?:PROJCS|PROJCRS|PROJECTEDCRS|GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS)$/;
/** The geographic system of a projected one. */
export const FRAME = /\/(?:GEOGCS|BASEGEOGCRS|BASEGEODCRS)$/;
/** Radians. */
export const DEGREE = Math.PI / 180;
export function partsOf(text: string, source: string): Part[] {
  const parts: Part[] = [];
  const open: Part[] = [];
  for (const [, quoted, keyword, close, number] of text.matchAll(TOKEN)) {
    if (keyword !== undefined) {
      const part = { path: `${open.at(-1)?.path ?? ''}/${keyword.toUpperCase()}`, values: [] };
      parts.push(part);
      open.push(part);
      if (open.length > MAX_DEPTH) throw new FileFault(`${source} has a reference system that is nested too deep`);
    } else if (close !== undefined) open.pop();
    else open.at(-1)?.values.push(quoted ?? (number as string));
  }
  return parts;
}

/** The reference system. In a compound or bound system the horizontal one comes first. */
export function systemIn(parts: readonly Part[]): Part | undefined {
  return parts.find(({ path }) => SYSTEM.test(path));
}

export function isProjection({ path }: Part): boolean {
  return path.slice(path.lastIndexOf('/')).includes('PROJ');
}

/** The parts within another one, and the values of the first whose path matches a pattern. */
export function partsIn({ path }: Part, parts: readonly Part[]) {
  const inside = parts.filter((part) => part.path.startsWith(`${path}/`));
  const find = (pattern: RegExp) => inside.find((part) => pattern.test(part.path.slice(path.length)))?.values;
  return { inside, find };
}

/** A name in lower case, with letters and digits only. */
export function keyOf(name = ''): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
