import type { Feature, FeatureCollection } from 'geojson';
import type { Palette } from '../map-colors.ts';
import type { SizeKey } from '../own/classes.ts';
import { type Frame, projectionOf, type Shape, shapeOf } from '../own/paths.ts';
import { visible } from '../own/readable.ts';
import { HATCH, HATCHING, LABEL_SIZE, MISSING } from '../own/schemes.ts';
import { type Box, COUNTRY } from '../places.ts';
import { countryLabels, type Label, labelsIn, type NamedCountry } from './labels.ts';
import { COLORS, escaped, type Measure } from './markup.ts';
import { type Room, roomBeside, scaleOf } from './room.ts';

/** Margins of a sheet, and the space between its parts, in units of CSS: 96 for an inch. */
const MARGIN = 36;
const GAP = 14;

/** How much of its width and height is left free around a part of the world. */
const AROUND = 0.04;

/** The widest legend on the map, and the widest label of one above it. */
const LEGEND = 230;
/** How long a bar of scale is at most. */
const BAR = 130;

/** Text sizes. The smallest is 8 points on paper. */
const SIZES = { title: 24, subtitle: 15, heading: 13.5, text: 12.5, small: 10.5 } as const;

/** How large words on the map are at least where a sheet is printed across the width of an A4 page: 6.4 points. */
const LEAST_LABEL = 8.5;

/** What a sheet can be made for. */
export interface SheetSize {
  readonly label: string;
  readonly width: number;
  /** It follows the map where it is undefined. */
  readonly height: number | undefined;
  /** How many times larger its texts are than on paper, which is held in the hand. */
  readonly text: number;
  /** How many pixels of a PNG stand for a unit: 300 for an inch of paper. */
  readonly pixels: number;
}

export const SHEET_SIZES = {
  portrait: { label: 'A4 upright', width: 794, height: 1123, text: 1, pixels: 300 / 96 },
  landscape: { label: 'A4 across', width: 1123, height: 794, text: 1, pixels: 300 / 96 },
  slide: { label: 'Slide, 16:9', width: 1280, height: 720, text: 1.25, pixels: 1.5 },
  screen: { label: 'As on the screen', width: 1123, height: undefined, text: 1, pixels: 2 },
} as const satisfies Record<string, SheetSize>;

export type SheetName = keyof typeof SHEET_SIZES;

/** The paper that a part of the world fills best. */
export function paperFor([west, south, east, north]: Box): 'portrait' | 'landscape' {
  return north - south > (east - west) * 0.9 ? 'portrait' : 'landscape';
}

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

export interface PictureParts {
  readonly title: string;
  readonly subtitle: string;
  /** What the colours and sizes stand for; undefined without a legend. */
  readonly legend:
    | { readonly title: string; readonly lines: readonly LegendLine[]; readonly sizes?: SizeKey | undefined }
    | undefined;
  /** What is to be known of the numbers, which nobody can leave out; empty where there is nothing. */
  readonly remark?: string;
  readonly notes: string;
  readonly source: string;
  /** Whose data the map is made of. */
  readonly credit: string;
  /** Land around and below the features. */
  readonly land: readonly FeatureCollection[];
  /** Areas around the features, of which only the borders are drawn. */
  readonly around?: readonly Feature[];
  /** @param zoom of a map whose names have as much room in their areas as in the picture */
  readonly labelsAt: (zoom: number) => readonly Label[];
  /** What is named as on the map of the country, in place of other names. */
  readonly named?: NamedCountry;
  readonly colors: MapColors;
}

interface LegendLine {
  readonly label: string;
  readonly color: string;
  readonly isHatched: boolean;
}

export interface PictureOptions {
  readonly size: SheetSize;
  /** The part of the world that is in the picture. */
  readonly box: Box;
  readonly measure: Measure;
  /** The features as they are drawn in a frame. */
  readonly shapesIn: (frame: Frame) => Promise<readonly DrawnShape[]>;
  /** Called with how many names or numbers the picture has room for, of those of areas in it. */
  readonly onLabels?: (shown: number, all: number) => void;
}

/** By how much words are made smaller where all of them would leave no room for the map. */
const SCALES = [1, 0.85, 0.7, 0.55] as const;
/** How much of its sheet a map has at least. */
const LEAST = 0.35;

/**
 * Draws a sheet with a map as SVG: title, legend, map, notes, source, credit and scale. The legend lies where the map is
 * empty, or else above the map, so that no word covers data. A part of the country has a small map of where it lies.
 */
export async function pictureOf(options: PictureOptions, given: PictureParts): Promise<string> {
  const parts = { ...given, legend: withoutTitleOf(given) };
  const inside = await layoutOf(options, parts, false);
  if (inside) return inside;
  const above = await layoutOf(options, parts, true);
  if (above === undefined) throw new Error('The sheet has no room for the map.');
  return above;
}

/** @returns undefined if the legend has no room on the map */
async function layoutOf(
  { size, box, measure, shapesIn, onLabels }: PictureOptions,
  parts: PictureParts,
  isAbove: boolean,
): Promise<string | undefined> {
  const free = size.width - 2 * MARGIN;
  const [west, south, east, north] = box;
  let head: Block | undefined;
  let foot: Block | undefined;
  let scale = 1;
  let height = 0;
  for (const smaller of SCALES) {
    scale = size.text * smaller;
    head = headOf(parts, { width: free, measure, scale, isAbove });
    foot = footOf(parts, { width: free - BAR - 2 * GAP, measure, scale });
    const words = 2 * MARGIN + head.height + foot.height + 2 * GAP;
    height = size.height === undefined ? free / shapeOfBox(box) : size.height - words;
    if (height >= (size.height ?? 0) * LEAST) break;
  }
  if (!head || !foot) return undefined;
  height = Math.max(100, height);
  const around: Box = [
    ...([west - (east - west) * AROUND, south - (north - south) * AROUND] as const),
    ...([east + (east - west) * AROUND, north + (north - south) * AROUND] as const),
  ];
  const frame: Frame = { box: around, width: free, height };
  const shapes = await shapesIn(frame);
  const drawnOf = (features: readonly Feature[]) => features.flatMap(({ geometry }) => shapeOf(geometry, frame) ?? []);
  const land = drawnOf(parts.land.flatMap(({ features }) => features));
  const beside = drawnOf(parts.around ?? []);
  const room = roomBeside([...shapes, ...land, ...beside], frame);
  // Where land is all around, the small map stands on land that the picture is not of.
  const roomOnLand = roomBeside(shapes, frame);
  // Words beside the map are made smaller to leave it room. Those on it take none.
  const labelSize = Math.max(SIZES.small * size.text, (LEAST_LABEL * size.width) / SHEET_SIZES.portrait.width);
  const setting = { frame, measure, size: labelSize };
  const labels = parts.named
    ? countryLabels(parts.named, setting)
    : labelsIn(parts.labelsAt(zoomOf(frame, labelSize)), { ...setting, isFree: room.isFree });
  // The frame of the small map and the legend keep away from names by as much as these are high.
  for (const { x, y, width, height: high } of labels)
    for (const one of [room, roomOnLand]) one.take({ x, y: y - labelSize / 2, width, height: high + labelSize });
  const legend =
    parts.legend && !isAbove ? legendBlock(parts.legend, { width: LEGEND * scale, measure, scale }) : undefined;
  const at = legend && room.find(legend.width, legend.height);
  if (legend && !at) return undefined;
  onLabels?.(labels.filter(({ isAround }) => !isAround).length, labelledIn(parts, box));
  if (legend && at) roomOnLand.take({ ...at, width: legend.width, height: legend.height });

  const top = MARGIN + head.height + GAP;
  const sheetHeight = size.height ?? top + height + GAP + foot.height + MARGIN;
  const { colors } = parts;
  // Rings that run the other way round would be holes in the land, so each kind has a path of its own.
  const grounds = [land, beside].map((all) => all.map(({ path }) => path).join(''));
  const where = isSmall(box) ? insetOf(box, parts, [room, roomOnLand]) : '';
  const below = top + height + GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${rounded(sheetHeight)}" viewBox="0 0 ${size.width} ${rounded(sheetHeight)}" font-family="${FONTS}" fill="${COLORS.ink}">`,
    `<title>${escaped(parts.title)}</title>`,
    `<defs>${HATCH_PATTERN}<clipPath id="frame"><rect width="${free}" height="${rounded(height)}"/></clipPath></defs>`,
    `<rect width="${size.width}" height="${rounded(sheetHeight)}" fill="${COLORS.paper}"/>`,
    head.markup(MARGIN, MARGIN),
    `<g transform="translate(${MARGIN} ${rounded(top)})" clip-path="url(#frame)">`,
    `<rect width="${free}" height="${rounded(height)}" fill="${colors.sea}"/>`,
    ...grounds.map((path) =>
      path === ''
        ? ''
        : `<path d="${path}" fill="${colors.land}" stroke="${colors.landEdge}" stroke-width="0.5" stroke-linejoin="round"/>`,
    ),
    ...shapes.map((shape) => markupOf(shape, colors.edge)),
    ...labels.map(({ markup }) => markup),
    legend && at ? legend.markup(at.x, at.y) : '',
    where,
    '</g>',
    foot.markup(MARGIN, below),
    scaleBar(frame, { right: size.width - MARGIN, top: below, scale, measure }),
    '</svg>',
  ].join('');
}

/** How many areas in a part of the world have a name or a number, with and without room for it. */
function labelledIn({ labelsAt }: PictureParts, [west, south, east, north]: Box): number {
  const isIn = ([lon, lat]: Label['at']) => lon >= west && lon <= east && lat >= south && lat <= north;
  return labelsAt(Number.POSITIVE_INFINITY).filter(({ at, isAround }) => !isAround && isIn(at)).length;
}

/** How wide a part of the world is for its height, as the map on the screen has it. */
function shapeOfBox(box: Box): number {
  const project = projectionOf({ box, width: 1, height: 1 });
  const [[left, top], [right, bottom]] = [project([box[0], box[3]]), project([box[2], box[1]])];
  return Math.max(0.75, Math.min(2.2, (right - left) / (bottom - top)));
}

/** The zoom of a map on which areas have as much room for their names as in the picture. */
function zoomOf(frame: Frame, labelSize: number): number {
  const project = projectionOf(frame);
  const [west, south] = frame.box;
  const perDegree = project([west + 1, south])[0] - project([west, south])[0];
  return Math.log2((perDegree * 360) / 512) + Math.log2(LABEL_SIZE / labelSize) - WHOLE;
}

/** A map shows names from whole zooms on, some a little early. On paper none is wider than its area lets it be. */
const WHOLE = 0.5;

const rounded = (value: number) => Number(value.toFixed(1));

/** Something with a size that can be drawn anywhere. */
interface Block {
  readonly width: number;
  readonly height: number;
  /** @param x and y its corner at the upper left */
  markup(x: number, y: number): string;
}

interface Setting {
  readonly width: number;
  readonly measure: Measure;
  readonly scale: number;
}

interface Words {
  readonly text: string;
  readonly size: number;
  readonly attributes?: string;
  readonly most?: number;
}

/** Texts below one another. Those that are empty take no room. */
function column(texts: readonly Words[], { width, measure }: Pick<Setting, 'width' | 'measure'>): Block {
  const write = writerWith(measure);
  const written = texts
    .filter(({ text }) => text !== '')
    .map(({ text, size, attributes = '', most }) => (x: number, y: number) => {
      const { lines, markup } = write(text, { x, y: y + size, size, width, attributes }, most);
      return { markup, height: lines * size * LINE + size * 0.25 };
    });
  const height = written.reduce((sum, one) => sum + one(0, 0).height, 0);
  return {
    width,
    height,
    markup(x, top) {
      let y = top;
      return written
        .map((one) => {
          const { markup, height } = one(x, y);
          y += height;
          return markup;
        })
        .join('');
    },
  };
}

function stacked(width: number, ...blocks: readonly Block[]): Block {
  return {
    width,
    height: blocks.reduce((sum, block) => sum + block.height, 0),
    markup(x, top) {
      let y = top;
      return blocks
        .map((block) => {
          const markup = block.markup(x, y);
          y += block.height;
          return markup;
        })
        .join('');
    },
  };
}

/** The title, and the legend where it stands above the map. */
function headOf({ title, subtitle, legend }: PictureParts, setting: Setting & { readonly isAbove: boolean }): Block {
  const { scale, width, isAbove } = setting;
  const words = column(
    [
      { text: title, size: SIZES.title * scale, attributes: 'font-weight="650"', most: 4 },
      { text: subtitle, size: SIZES.subtitle * scale, attributes: `fill="${COLORS.quiet}"`, most: 4 },
    ],
    setting,
  );
  return legend && isAbove ? stacked(width, words, bandOf(legend, setting)) : words;
}

/** The author's notes, the source and the credit. */
function footOf({ remark = '', notes, source, credit }: PictureParts, setting: Setting): Block {
  const { scale } = setting;
  return column(
    [
      { text: remark, size: SIZES.text * scale },
      { text: notes, size: SIZES.text * scale },
      { text: source && `Source: ${source}`, size: SIZES.text * scale },
      { text: credit, size: SIZES.small * scale, attributes: `fill="${COLORS.quiet}"` },
    ],
    setting,
  );
}

/** The sizes of the patch of a colour, and where the label begins beside it. */
const PATCH = { width: 18, height: 12, indent: 26 } as const;

type PictureLegend = NonNullable<PictureParts['legend']>;

/** One class of a legend. */
function lineBlock({ label, color, isHatched }: LegendLine, { width, measure, scale }: Setting): Block {
  const size = SIZES.text * scale;
  const indent = PATCH.indent * scale;
  const texts = column([{ text: label || ' ', size, most: MAX_LABEL_LINES }], { width: width - indent, measure });
  const fill = isHatched ? 'url(#hatch)' : color;
  return {
    width: Math.min(width, indent + measure(visible(label), size)),
    height: Math.max(texts.height, size * LINE + size * 0.25),
    markup: (x, y) =>
      `<rect x="${rounded(x)}" y="${rounded(y + size * 0.15)}" width="${rounded(PATCH.width * scale)}" height="${rounded(PATCH.height * scale)}" fill="${fill}" stroke="${COLORS.quiet}" stroke-width="0.5"/>${texts.markup(x + indent, y)}`,
  };
}

/** A legend without the title of its sheet, which is not said twice. */
function withoutTitleOf({ title, legend }: PictureParts): PictureParts['legend'] {
  return legend && { ...legend, title: legend.title === title ? '' : legend.title };
}

function legendTitle({ title }: PictureLegend, setting: Setting): Block {
  const size = SIZES.heading * setting.scale;
  // Its end says what the numbers are divided by.
  return column([{ text: title, size, attributes: 'font-weight="600"' }], setting);
}

/** The numbers that sizes of points stand for. The circles are as large as on the map, however large words are. */
function circleBlocks({ circles }: SizeKey, { width, measure, scale }: Setting): Block[] {
  const size = SIZES.text * scale;
  const widest = 2 * Math.max(...circles.map(({ radius }) => radius));
  const indent = Math.max(PATCH.indent * scale, widest + 8);
  return circles.map(({ label, radius }) => {
    const text = column([{ text: label, size, most: 1 }], { width: width - indent, measure });
    const height = Math.max(text.height, 2 * radius + 3);
    return {
      width: Math.min(width, indent + measure(label, size)),
      height,
      markup: (x, y) =>
        `<circle cx="${rounded(x + widest / 2)}" cy="${rounded(y + height / 2)}" r="${radius}" fill="none" stroke="${COLORS.ink}" stroke-width="0.75"/>${text.markup(x + indent, y + (height - text.height) / 2)}`,
    };
  });
}

/** The name of the column that gives points their sizes, a little below the colours. */
function sizesTitle({ title }: SizeKey, { width, measure, scale }: Setting): Block {
  const size = SIZES.text * scale;
  const words = column([{ text: title, size, attributes: 'font-weight="600"', most: 2 }], { width, measure });
  return stacked(width, { width, height: 4 * scale, markup: () => '' }, words);
}

/** A legend as a list. */
function legendBlock(legend: PictureLegend, setting: Setting): Block {
  const { measure, scale } = setting;
  const { title, sizes } = legend;
  const lines = legend.lines.map((line) => lineBlock(line, setting));
  const circles = sizes ? circleBlocks(sizes, setting) : [];
  const widest = Math.max(
    measure(visible(title), SIZES.heading * scale),
    measure(visible(sizes?.title ?? ''), SIZES.heading * scale),
    ...[...lines, ...circles].map(({ width }) => width),
  );
  const width = Math.min(setting.width, widest + 2);
  const inWidth = { ...setting, width };
  return stacked(
    width,
    legendTitle(legend, inWidth),
    ...lines,
    ...(sizes ? [sizesTitle(sizes, inWidth), ...circles] : []),
  );
}

/** Blocks side by side, in as many rows as they need. */
function inRows(blocks: readonly Block[], width: number): Block[] {
  const cell = Math.max(0, ...blocks.map((block) => block.width)) + GAP;
  const perRow = Math.max(1, Math.floor((width + GAP) / cell));
  return Array.from({ length: Math.ceil(blocks.length / perRow) }, (_, row) => {
    const inRow = blocks.slice(row * perRow, (row + 1) * perRow);
    const height = Math.max(...inRow.map((block) => block.height));
    return {
      width,
      height,
      markup: (x, y) => inRow.map((block, place) => block.markup(x + place * cell, y)).join(''),
    };
  });
}

/** A legend in rows, as long as the sheet is wide. */
function bandOf(legend: PictureLegend, setting: Setting): Block {
  const { width, scale } = setting;
  const { sizes } = legend;
  const ofCell = { ...setting, width: Math.min(LEGEND * scale, width) };
  const lines = legend.lines.map((line) => lineBlock(line, ofCell));
  const space = { width, height: 4 * scale, markup: () => '' };
  return stacked(
    width,
    space,
    legendTitle(legend, setting),
    ...inRows(lines, width),
    ...(sizes ? [sizesTitle(sizes, setting), ...inRows(circleBlocks(sizes, ofCell), width)] : []),
  );
}

/** A bar that says how long a distance is in the middle of the map. */
function scaleBar(
  frame: Frame,
  { right, top, scale, measure }: { right: number; top: number; scale: number; measure: Measure },
): string {
  const { length, km } = scaleOf(frame, BAR);
  const size = SIZES.small * scale;
  const text = km >= 1 ? `${km.toLocaleString('en')} km` : `${Math.round(km * 1000)} m`;
  const left = right - Math.max(length, measure(text, size));
  const bar = `M${rounded(left)} ${rounded(top)}v5h${rounded(length)}v-5`;
  return `<path d="${bar}" fill="none" stroke="${COLORS.ink}" stroke-width="1.2"/><text font-size="${rounded(size)}" text-anchor="middle" x="${rounded(left + length / 2)}" y="${rounded(top + 8 + size)}">${text}</text>`;
}

/** Whether a part of the world is so small that one may ask where in the country it lies. */
function isSmall([west, south, east, north]: Box): boolean {
  return Math.max(east - west, north - south) < 4;
}

const INSET = { width: 78, height: 124 } as const;

/** A small map of the country with a frame around a part of it, where there is room for one. */
function insetOf(box: Box, { land, colors }: PictureParts, [room, roomOnLand]: readonly [Room, Room]): string {
  const frame: Frame = { box: COUNTRY, ...INSET };
  const shapes = land.flatMap(({ features }) =>
    features.flatMap(({ geometry }) => shapeOf(geometry, frame)?.path ?? ''),
  );
  const { width, height } = INSET;
  const at = shapes.length > 0 ? (room.find(width, height) ?? roomOnLand.find(width, height)) : undefined;
  if (!at) return '';
  const project = projectionOf(frame);
  const [[left, top], [right, bottom]] = [project([box[0], box[3]]), project([box[2], box[1]])];
  // A very small part still has to be seen.
  const [wide, high] = [Math.max(5, right - left), Math.max(5, bottom - top)];
  return [
    `<g transform="translate(${at.x} ${at.y})">`,
    `<rect width="${INSET.width}" height="${INSET.height}" fill="${COLORS.paper}" stroke="${colors.landEdge}" stroke-width="0.5"/>`,
    `<path d="${shapes.join('')}" fill="${COLORS.quiet}" fill-opacity="0.45"/>`,
    `<rect x="${rounded((left + right - wide) / 2)}" y="${rounded((top + bottom - high) / 2)}" width="${rounded(wide)}" height="${rounded(high)}" fill="none" stroke="#a8321f" stroke-width="1.5"/>`,
    '</g>',
  ].join('');
}

const HATCH_PATTERN = `<pattern id="hatch" width="${HATCHING.side}" height="${HATCHING.side}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="${HATCHING.side}" height="${HATCHING.side}" fill="${MISSING.color}"/><rect width="${HATCHING.line}" height="${HATCHING.side}" fill="${HATCH}"/></pattern>`;

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

/** The height of a line in those of its letters. */
const LINE = 1.3;

/** How many lines a text of the author has at most, and how many a label of the legend. */
const MAX_LINES = 40;
const MAX_LABEL_LINES = 4;

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
  return (words: string, { x, y, size, width, attributes }: Place, most = MAX_LINES) => {
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
