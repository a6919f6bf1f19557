import type { FeatureCollection, Position } from 'geojson';
import type { CountryName, Named, Naming } from '../country-names.ts';
import { type Frame, projectionOf, shapeOf } from '../own/paths.ts';
import { visible } from '../own/readable.ts';
import type { Spot } from '../spots.ts';
import { COLORS, escaped, type Measure } from './markup.ts';
import type { Part } from './room.ts';

/** A name on the map. */
export interface Label {
  readonly text: string;
  readonly at: readonly [lon: number, lat: number];
  /** Whether it is of an area around those that the picture is of. */
  readonly isAround?: boolean;
  /** The colour of its area, as `#rrggbb`; undefined where that is pale. */
  readonly ground?: string;
  /** Where else it may stand, the best first. */
  readonly spots?: readonly Spot[];
}

/** A name with the room that it takes. */
export interface DrawnLabel extends Part, Pick<Label, 'isAround'> {
  readonly markup: string;
}

interface LabelSetting {
  readonly frame: Frame;
  readonly measure: Measure;
  readonly size: number;
}

/** How far a name beside a coast is from it, in units of its size. */
const DISTANCE = 0.4;

/** How much wider bold letters are. */
const BOLD = 1.12;

const HALO = 'paint-order="stroke" stroke-width="3" stroke-linejoin="round"';

/** The colour of a word and of what is around its letters: on a dark ground bright letters, around which is the ground. */
function inkOn(ground?: string, isAround = false): string {
  if (ground !== undefined && isDark(ground)) return `fill="#ffffff" stroke="${ground}"`;
  return `${isAround ? `fill="${COLORS.quiet}" ` : ''}stroke="#ffffff"`;
}

/** The relative luminance (WCAG 2) at which black and white stand out equally. */
const MIDDLE_LUMINANCE = 0.179;

/** Whether white stands out more than black on a colour. */
function isDark(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < MIDDLE_LUMINANCE;
}

/**
 * Names and numbers on the map. Of those that would cover one another, the first has the place, and others stand elsewhere in
 * their areas, or beside these.
 *
 * @param isFree whether a part of the map has neither land nor features
 */
export function labelsIn(
  labels: readonly Label[],
  { frame, measure, size, isFree }: LabelSetting & { readonly isFree: (part: Part) => boolean },
): DrawnLabel[] {
  const taken: (DrawnLabel & { readonly middle: readonly [x: number, y: number] })[] = [];
  const pointOf = (position: Position) => shapeOf({ type: 'Point', coordinates: position }, frame)?.points[0];
  for (const { text, at, isAround, ground, spots = [] } of labels) {
    const width = measure(visible(text), size);
    const middles = [{ position: [...at], side: [0, 0] } satisfies Spot, ...spots].flatMap(({ position, side }) => {
      const point = pointOf(position);
      const [east, south] = side;
      const middle = point && ([point[0] + east * (width / 2 + DISTANCE * size), point[1] + south * size] as const);
      const isBeside = east !== 0 || south !== 0;
      return middle && (!isBeside || isFree(partOf(middle, width, size))) ? [middle] : [];
    });
    const middle = middles.find(([x, y]) => {
      const isCovered = taken.some(
        (one) => Math.abs(one.middle[0] - x) < (one.width + width) / 2 + 2 && Math.abs(one.middle[1] - y) < size,
      );
      return !isCovered && x >= width / 2 && x <= frame.width - width / 2 && y >= size && y <= frame.height - size;
    });
    if (!middle) continue;
    const [x, y] = middle;
    const markup = `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" dy="0.35em" font-size="${size.toFixed(1)}" text-anchor="middle" ${inkOn(ground, isAround)} ${HALO}>${escaped(text)}</text>`;
    taken.push({ ...partOf(middle, width, size), middle, markup, ...(isAround && { isAround }) });
  }
  return taken;
}

/** What a name of one line covers. */
function partOf([x, y]: readonly [x: number, y: number], width: number, size: number): Part {
  return { x: x - width / 2, y: y - size / 2, width, height: size };
}

/** Regions, and the capital of the country among capitals. */
export interface NamedCountry extends Pick<Named, 'regions' | 'capitals'> {
  readonly naming: Naming;
}

/** The names of all regions and of the capital of the country, placed as on the map of the country. */
export function countryLabels(
  { regions, capitals, naming }: NamedCountry,
  { frame, measure, size }: LabelSetting,
): DrawnLabel[] {
  const { countryNames, sizeAt, SIZES, WEIGHTS } = naming;
  const project = projectionOf(frame);
  const [west, south] = frame.box;
  const perDegree = project([west + 1, south])[0] - project([west, south])[0];
  const zoom = Math.log2((perDegree * 360) / 512);
  // What is printed is read from farther away. A map of a smaller scale that is enlarged has larger letters.
  const larger = Math.max(1, size / sizeAt(SIZES.region, zoom));
  const none: FeatureCollection = { type: 'FeatureCollection', features: [] };
  const national = { ...capitals, features: capitals.features.filter(({ properties }) => properties?.p_code === null) };
  const names = countryNames(
    { regions, capitals: national, provinces: none },
    {
      zoom: zoom - Math.log2(larger),
      at: (position) => {
        const [x, y] = project(position);
        return [x / larger, y / larger];
      },
      widthOf: (line, style) => measure(line, style.size) * (style.weight === WEIGHTS.region ? BOLD : 1),
    },
  );
  return names.map((name) => countryLabel(name, { zoom, larger, measure, naming }));
}

function countryLabel(
  name: CountryName,
  { zoom, larger, measure, naming }: { zoom: number; larger: number; measure: Measure; naming: Naming },
): DrawnLabel {
  const { sizeAt, DOT_RADIUS, LINE_HEIGHT, WEIGHTS } = naming;
  const { kind, lines, point, offset } = name;
  const [cx, cy] = [point[0] * larger, point[1] * larger];
  const size = name.size * larger;
  const width = Math.max(...lines.map((line) => measure(line, size) * (kind === 'region' ? BOLD : 1)));
  const height = lines.length * size * LINE_HEIGHT;
  const [x, y] = [cx + offset[0] * larger, cy + offset[1] * larger];
  const top = y - height / 2;
  const spans = lines.map((line, index) => {
    const base = top + (index + 0.8) * size * LINE_HEIGHT;
    return `<tspan x="${x.toFixed(1)}" y="${base.toFixed(1)}">${escaped(line)}</tspan>`;
  });
  const dot =
    kind === 'capital'
      ? `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(sizeAt(DOT_RADIUS, zoom) * larger).toFixed(1)}" fill="${COLORS.ink}" stroke="#ffffff" stroke-width="0.75"/>`
      : '';
  const markup = `${dot}<text font-size="${size.toFixed(1)}" font-weight="${WEIGHTS[kind]}" text-anchor="middle" ${inkOn()} ${HALO}>${spans.join('')}</text>`;
  return { x: x - width / 2, y: top, width, height, markup };
}
