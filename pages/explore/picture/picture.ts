import type { FeatureCollection } from 'geojson';
import { type Frame, type Shape, shapeOf } from '../own/paths.ts';
import { visible } from '../own/readable.ts';
import { HATCH, HATCHING, MISSING } from '../own/schemes.ts';
import type { Box } from '../places.ts';

/** A sheet of A4 in units of CSS, 96 for an inch. */
const LONG = 1123;
const SHORT = 794;
const MARGIN = 36;
/** The column of the legend. */
const COLUMN = 210;
const GAP = 18;

/** How much of its width and height is left free around a part of the world. */
const AROUND = 0.03;

/** Text sizes. */
const SIZES = { title: 22, heading: 13, text: 12, small: 9 } as const;

const COLORS = {
  paper: '#ffffff',
  sea: '#f7f8f8',
  land: '#e4e6e7',
  coast: '#b3b8bb',
  ink: '#1f2426',
  quiet: '#5b6367',
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
  /** What the colours stand for; undefined without a legend. */
  readonly legend: { readonly title: string; readonly lines: readonly LegendLine[] } | undefined;
  readonly notes: string;
  readonly source: string;
  /** Whose data the map is made of. */
  readonly credit: string;
  /** Land around and below the features. */
  readonly land: readonly FeatureCollection[];
  readonly labels: readonly Label[];
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

/** The sheet for a part of the world: upright where it is high. The map has all but the margins, the title and the legend. */
export function sheetFor([left, bottom, right, top]: Box): Sheet {
  const [x, y] = [(right - left) * AROUND, (top - bottom) * AROUND];
  const box: Box = [left - x, bottom - y, right + x, top + y];
  const [west, south, east, north] = box;
  const isUpright = north - south > (east - west) * 0.9;
  const [width, height] = isUpright ? [SHORT, LONG] : [LONG, SHORT];
  const frame = { box, width: width - 2 * MARGIN - GAP - COLUMN, height: height - 2 * MARGIN - SIZES.title - GAP };
  return { width, height, frame };
}

/** Draws a map with title, legend and credits, none of which covers another, as SVG of a printed page. */
export function pictureOf({ sheet, shapes, measure }: Drawn, parts: PictureParts): string {
  const { width, height, frame } = sheet;
  const { title, legend, notes, source, credit, land, labels } = parts;
  const top = MARGIN + SIZES.title + GAP;
  const left = MARGIN + frame.width + GAP;
  const text = writerWith(measure);
  const column: string[] = [];
  let y = top;
  const write = (words: string, size: number, attributes = '') => {
    const { lines, markup } = text(words, { x: left, y: y + size, size, width: COLUMN, attributes });
    column.push(markup);
    y += lines * size * LINE + 6;
  };
  if (legend) {
    write(legend.title, SIZES.heading, 'font-weight="600"');
    for (const { label, color, isHatched } of legend.lines) {
      const { lines, markup } = text(label, {
        x: left + 24,
        y: y + SIZES.text,
        size: SIZES.text,
        width: COLUMN - 24,
        attributes: '',
      });
      const fill = isHatched ? 'url(#hatch)' : color;
      column.push(
        `<rect x="${left}" y="${(y + 1).toFixed(1)}" width="16" height="12" fill="${fill}" stroke="${COLORS.quiet}" stroke-width="0.5"/>`,
        markup,
      );
      y += lines * SIZES.text * LINE + 3;
    }
    y += 8;
  }
  if (notes) write(notes, SIZES.text);
  if (source) write(`Source: ${source}`, SIZES.text);
  const credits = text(credit, {
    x: left,
    y: 0,
    size: SIZES.small,
    width: COLUMN,
    attributes: `fill="${COLORS.quiet}"`,
  });
  const creditTop = Math.max(y + SIZES.small, height - MARGIN - (credits.lines - 1) * SIZES.small * LINE);
  const below = text(credit, {
    x: left,
    y: creditTop,
    size: SIZES.small,
    width: COLUMN,
    attributes: `fill="${COLORS.quiet}"`,
  });
  const base = land
    .map(({ features }) => features.map(({ geometry }) => shapeOf(geometry, frame)?.path ?? '').join(''))
    .join('');
  const heading = text(
    title,
    {
      x: MARGIN,
      y: MARGIN + SIZES.title,
      size: SIZES.title,
      width: width - 2 * MARGIN,
      attributes: 'font-weight="650"',
    },
    1,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" fill="${COLORS.ink}">`,
    `<title>${escaped(title)}</title>`,
    `<defs>${HATCH_PATTERN}<clipPath id="frame"><rect width="${frame.width}" height="${frame.height}"/></clipPath></defs>`,
    `<rect width="${width}" height="${height}" fill="${COLORS.paper}"/>`,
    heading.markup,
    `<g transform="translate(${MARGIN} ${top})" clip-path="url(#frame)">`,
    `<rect width="${frame.width}" height="${frame.height}" fill="${COLORS.sea}"/>`,
    `<path d="${base}" fill="${COLORS.land}" stroke="${COLORS.coast}" stroke-width="0.5" stroke-linejoin="round"/>`,
    ...shapes.map(markupOf),
    ...labels.map((label) => labelMarkup(label, frame)),
    '</g>',
    `<g>${column.join('')}${below.markup}</g>`,
    '</svg>',
  ].join('');
}

const HATCH_PATTERN = `<pattern id="hatch" width="${HATCHING.side}" height="${HATCHING.side}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="${HATCHING.side}" height="${HATCHING.side}" fill="${MISSING}"/><rect width="${HATCHING.line}" height="${HATCHING.side}" fill="${HATCH}"/></pattern>`;

function markupOf({ path, isArea, points, color, isHatched, radius }: DrawnShape): string {
  const line = isArea
    ? `<path d="${path}" fill="${isHatched ? 'url(#hatch)' : color}" fill-rule="evenodd" stroke="#ffffff" stroke-width="0.6" stroke-linejoin="round"/>`
    : `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/>`;
  const dots = points.map(
    ([x, y]) =>
      `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${color}" stroke="#ffffff" stroke-width="0.75"/>`,
  );
  return (path ? line : '') + dots.join('');
}

function labelMarkup({ text, at: [lon, lat] }: Label, frame: Frame): string {
  const [x, y] = shapeOf({ type: 'Point', coordinates: [lon, lat] }, frame)?.points[0] ?? [];
  if (x === undefined || y === undefined) return '';
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${SIZES.small}" text-anchor="middle" paint-order="stroke" stroke="#ffffff" stroke-width="2" stroke-linejoin="round">${escaped(text)}</text>`;
}

/** The height of a line in those of its letters. */
const LINE = 1.3;

interface Place {
  readonly x: number;
  /** The line on which the first line of the text stands. */
  readonly y: number;
  readonly size: number;
  readonly width: number;
  readonly attributes: string;
}

/** Writes texts in lines of a width. */
function writerWith(measure: Measure) {
  return (words: string, { x, y, size, width, attributes }: Place, most = 40) => {
    const lines = wrapped(visible(words), width, (text) => measure(text, size)).slice(0, most);
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
