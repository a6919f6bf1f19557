import type { FeatureCollection } from 'geojson';
import { type Frame, type Shape, shapeOf } from '../own/paths.ts';
import { visible } from '../own/readable.ts';
import { HATCH, HATCHING, MISSING } from '../own/schemes.ts';
import type { Palette } from '../palette.ts';
import type { Box } from '../places.ts';

/** A sheet of A4 in units of CSS, 96 for an inch. */
const LONG = 1123;
const SHORT = 794;
const MARGIN = 36;
/** The column of the legend. */
const COLUMN = 210;
const GAP = 18;
/** The height of the credit below a map without a legend: two lines. */
const FOOT = 30;

/** How much of its width and height is left free around a part of the world. */
const AROUND = 0.03;

/** Text sizes. */
const SIZES = { title: 22, heading: 13, text: 12, small: 9 } as const;

const COLORS = { paper: '#ffffff', ink: '#1f2426', quiet: '#5b6367' };

/** The colours of a map, which are those of the map on the screen. */
type MapColors = Pick<Palette, 'sea' | 'land' | 'landEdge'> & {
  /** Between features. */
  readonly edge: string;
};

const FONTS = "system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

/** One shape of the picture, and its look. */
interface DrawnShape extends Shape {
  readonly color: string;
  readonly isHatched: boolean;
  /** The radius of its points. */
  readonly radius: number;
}

/** A name on the map. */
export interface Label {
  readonly text: string;
  readonly at: readonly [lon: number, lat: number];
}

export interface PictureParts {
  readonly title: string;
  /** What the colours stand for; undefined without a legend, and then the words stand below the map. */
  readonly legend: { readonly title: string; readonly lines: readonly LegendLine[] } | undefined;
  readonly notes: string;
  readonly source: string;
  /** Whose data the map is made of. */
  readonly credit: string;
  /** Land around and below the features. */
  readonly land: readonly FeatureCollection[];
  readonly labels: readonly Label[];
  readonly colors: MapColors;
}

interface LegendLine {
  readonly label: string;
  readonly color: string;
  readonly isHatched: boolean;
}

/** The width of a text of a size, in the units of the sheet. */
export type Measure = (text: string, size: number) => number;

export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly frame: Frame;
}

interface Drawn {
  readonly sheet: Sheet;
  readonly shapes: readonly DrawnShape[];
  readonly measure: Measure;
}

/**
 * The sheet for a part of the world: upright where it is high. The map has all but the margins, the title, and the column of
 * the legend or the line of the credit.
 */
export function sheetFor([left, bottom, right, top]: Box, { hasLegend = true } = {}): Sheet {
  const [x, y] = [(right - left) * AROUND, (top - bottom) * AROUND];
  const box: Box = [left - x, bottom - y, right + x, top + y];
  const [west, south, east, north] = box;
  const isUpright = north - south > (east - west) * 0.9;
  const [width, height] = isUpright ? [SHORT, LONG] : [LONG, SHORT];
  const [column, foot] = hasLegend ? [GAP + COLUMN, 0] : [0, FOOT];
  const frame = { box, width: width - 2 * MARGIN - column, height: height - 2 * MARGIN - SIZES.title - GAP - foot };
  return { width, height, frame };
}

/** The zoom of a map on which the part of the world is as wide as in the picture. */
export function zoomOf({ box: [west, , east], width }: Frame): number {
  return Math.log2((width * 360) / (512 * (east - west)));
}

/** By how much the words beside the map are made smaller where all of them would not fit on the page. */
const SCALES = [1, 0.9, 0.8, 0.7, 0.6, 0.5] as const;

/** Draws a map with title, legend and credits, none of which covers another, as SVG of a printed page. */
export function pictureOf({ sheet, shapes, measure }: Drawn, parts: PictureParts): string {
  const { width, height, frame } = sheet;
  const { title, land, labels, colors } = parts;
  const top = MARGIN + SIZES.title + GAP;
  const base = land
    .map(({ features }) => features.map(({ geometry }) => shapeOf(geometry, frame)?.path ?? '').join(''))
    .join('');
  const free = width - 2 * MARGIN;
  const size = SIZES.title * Math.max(0.4, Math.min(1, (0.98 * free) / measure(visible(title), SIZES.title)));
  const place = { x: MARGIN, y: MARGIN + SIZES.title, size, width: free, attributes: 'font-weight="650"' };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" fill="${COLORS.ink}">`,
    `<title>${escaped(title)}</title>`,
    `<defs>${HATCH_PATTERN}<clipPath id="frame"><rect width="${frame.width}" height="${frame.height}"/></clipPath></defs>`,
    `<rect width="${width}" height="${height}" fill="${COLORS.paper}"/>`,
    writerWith(measure)(title, place, 1).markup,
    `<g transform="translate(${MARGIN} ${top})" clip-path="url(#frame)">`,
    `<rect width="${frame.width}" height="${frame.height}" fill="${colors.sea}"/>`,
    `<path d="${base}" fill="${colors.land}" stroke="${colors.landEdge}" stroke-width="0.5" stroke-linejoin="round"/>`,
    ...shapes.map((shape) => markupOf(shape, colors.edge)),
    ...labelsMarkup(labels, { frame, measure }),
    '</g>',
    `<g>${besideMap({ sheet, top, measure }, parts)}</g>`,
    '</svg>',
  ].join('');
}

interface Column {
  readonly sheet: Sheet;
  readonly top: number;
  readonly measure: Measure;
}

/** The legend and the words beside the map, in the largest size in which all of them are on the page. */
function besideMap(column: Column, parts: PictureParts): string {
  let markup = '';
  for (const scale of SCALES) {
    const written = columnOf(column, parts, scale);
    markup = written.markup;
    if (written.fits) break;
  }
  return markup;
}

function columnOf(
  { sheet: { height, frame }, top, measure }: Column,
  { legend, notes, source, credit }: PictureParts,
  scale: number,
): { markup: string; fits: boolean } {
  const [left, wide] = legend ? [MARGIN + frame.width + GAP, COLUMN] : [MARGIN, frame.width];
  const text = writerWith(measure);
  const column: string[] = [];
  let y = legend ? top : top + frame.height;
  const write = (words: string, full: number, { attributes = '', most = MOST_LINES } = {}) => {
    const size = full * scale;
    const { lines, markup } = text(words, { x: left, y: y + size, size, width: wide, attributes }, most);
    column.push(markup);
    y += lines * size * LINE + 6 * scale;
  };
  if (legend) {
    write(legend.title, SIZES.heading, { attributes: 'font-weight="600"', most: MOST_OF_LABEL });
    const [indent, size] = [24 * scale, SIZES.text * scale];
    for (const { label, color, isHatched } of legend.lines) {
      const place = { x: left + indent, y: y + size, size, width: COLUMN - indent, attributes: '' };
      const { lines, markup } = text(label, place, MOST_OF_LABEL);
      const fill = isHatched ? 'url(#hatch)' : color;
      column.push(
        `<rect x="${left}" y="${(y + scale).toFixed(1)}" width="${16 * scale}" height="${12 * scale}" fill="${fill}" stroke="${COLORS.quiet}" stroke-width="0.5"/>`,
        markup,
      );
      y += Math.max(1, lines) * size * LINE + 3 * scale;
    }
    y += 8 * scale;
  }
  if (notes) write(notes, SIZES.text);
  if (source) write(`Source: ${source}`, SIZES.text);
  const size = SIZES.small * scale;
  const place = { x: left, size, width: wide, attributes: `fill="${COLORS.quiet}"` };
  // The credits stand on the lower margin.
  const { lines } = text(credit, { ...place, y: 0 });
  const creditTop = height - MARGIN - (lines - 1) * size * LINE;
  column.push(text(credit, { ...place, y: creditTop }).markup);
  return { markup: column.join(''), fits: y + size <= creditTop };
}

const HATCH_PATTERN = `<pattern id="hatch" width="${HATCHING.side}" height="${HATCHING.side}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="${HATCHING.side}" height="${HATCHING.side}" fill="${MISSING}"/><rect width="${HATCHING.line}" height="${HATCHING.side}" fill="${HATCH}"/></pattern>`;

function markupOf({ path, isArea, points, color, isHatched, radius }: DrawnShape, edge: string): string {
  const line = isArea
    ? `<path d="${path}" fill="${isHatched ? 'url(#hatch)' : color}" fill-rule="evenodd" stroke="${edge}" stroke-width="0.6" stroke-linejoin="round"/>`
    : `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/>`;
  const dots = points.map(
    ([x, y]) =>
      `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${color}" stroke="#ffffff" stroke-width="0.75"/>`,
  );
  return (path ? line : '') + dots.join('');
}

/** Names and numbers on the map. Of those that would cover one another, the first has the place. */
function labelsMarkup(labels: readonly Label[], { frame, measure }: { frame: Frame; measure: Measure }): string[] {
  const size = SIZES.small;
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  return labels.flatMap(({ text, at: [lon, lat] }) => {
    const [x, y] = shapeOf({ type: 'Point', coordinates: [lon, lat] }, frame)?.points[0] ?? [];
    if (x === undefined || y === undefined) return [];
    const width = measure(visible(text), size);
    const isCovered = taken.some(
      (one) => Math.abs(one.x - x) < (one.width + width) / 2 + 2 && Math.abs(one.y - y) < size,
    );
    if (isCovered) return [];
    taken.push({ x, y, width });
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" dy="0.35em" font-size="${size}" text-anchor="middle" paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round">${escaped(text)}</text>`;
  });
}

/** The height of a line in those of its letters. */
const LINE = 1.3;

/** How many lines a text of the author has at most, and how many a label of the legend. */
const MOST_LINES = 40;
const MOST_OF_LABEL = 4;

interface Place {
  readonly x: number;
  /** The line on which the first line of the text stands. */
  readonly y: number;
  readonly size: number;
  readonly width: number;
  readonly attributes: string;
}

/** Writes texts in lines of a width. A sign stands for what there are no lines for. */
function writerWith(measure: Measure) {
  return (words: string, { x, y, size, width, attributes }: Place, most = MOST_LINES) => {
    const by = (text: string) => measure(text, size);
    const all = wrapped(visible(words), width, by);
    const lines = all.slice(0, most);
    if (lines.length < all.length) {
      let last = lines.pop() ?? '';
      while (last !== '' && by(`${last}…`) > width) last = [...last].slice(0, -1).join('');
      lines.push(`${last}…`);
    }
    const spans = lines.map(
      (line, index) => `<tspan x="${x}" y="${(y + index * size * LINE).toFixed(1)}">${escaped(line)}</tspan>`,
    );
    return { lines: lines.length, markup: `<text font-size="${size}" ${attributes}>${spans.join('')}</text>` };
  };
}

/** A text in lines of a width. A word that is longer is parted. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && measure(line + character) > width) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Text in XML 1.0, which has no control characters. */
function escaped(text: string): string {
  return visible(text)
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
}
