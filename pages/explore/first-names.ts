// Names on the first map, placed as MapLibre places them on the map after it: none over another, the regions before the
// capitals. All numbers are pixels.

/** A name that may be written. */
export interface Name {
  readonly text: string;
  /** Where it belongs. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly weight: number;
  /** The longest line, in units of its size. */
  readonly longest: number;
  /** Where it may stand: over its point, or beside it. */
  readonly sides: readonly Side[];
}

type Side = 'over' | 'right' | 'left' | 'above' | 'below';

/** A name with the place that was found for it. */
export interface Placed extends Name {
  readonly lines: readonly string[];
  /** The middle of the first line. */
  readonly middle: number;
  readonly top: number;
}

/** In units of a name's size. */
export const LINE_HEIGHT = 1.15;

/** How far a name stands from its point, in units of its size. */
const DISTANCE = 0.45;

/** What is left free around each name. */
const PADDING = 2;

/** The width of a line in the size and weight of a name. */
export type WidthOf = (line: string, name: Name) => number;

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];

/** Finds places for names, the first before the others. Those for which none is free are left out. */
export function placeNames(
  names: readonly Name[],
  [width, height]: readonly [number, number],
  widthOf: WidthOf,
): Placed[] {
  const taken: Rectangle[] = [];
  return names.flatMap((name): Placed[] => {
    const lines = linesOf(name.text, (line) => widthOf(line, name) <= name.longest * name.size);
    const half = Math.max(...lines.map((line) => widthOf(line, name))) / 2;
    const tall = lines.length * name.size * LINE_HEIGHT;
    for (const side of name.sides) {
      const [middle, top] = standing(side, name, half, tall);
      const [left, right] = [middle - half - PADDING, middle + half + PADDING];
      const [over, under] = [top - PADDING, top + tall + PADDING];
      if (left < 0 || right > width || over < 0 || under > height) continue;
      if (taken.some(([l, t, r, b]) => left < r && l < right && over < b && t < under)) continue;
      taken.push([left, over, right, under]);
      return [{ ...name, lines, middle, top }];
    }
    return [];
  });
}

/** The middle and the top of a name at a side of its point. */
function standing(side: Side, { x, y, size }: Name, half: number, tall: number): [middle: number, top: number] {
  const away = DISTANCE * size;
  switch (side) {
    case 'over':
      return [x, y - tall / 2];
    case 'right':
      return [x + away + half, y - tall / 2];
    case 'left':
      return [x - away - half, y - tall / 2];
    case 'above':
      return [x, y - away - tall];
    case 'below':
      return [x, y + away];
  }
}

/** Breaks a text between its words. A word that is too long has a line of its own. */
function linesOf(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
