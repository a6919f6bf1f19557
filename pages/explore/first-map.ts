import type { LineString, Position } from 'geojson';
import { drawArea, svgElement, toDrawing, UNITS_PER_DEGREE } from '../shared/country-drawing.ts';
import { byId } from '../shared/dom.ts';
import type { Overview } from '../shared/overview.ts';
import {
  type CountryName,
  countryNames,
  DOT_RADIUS,
  LINE_HEIGHT,
  sizeAt,
  WEIGHTS,
  type WidthOf,
} from './country-names.ts';
import { GRATICULE } from './graticule.ts';
import type { Margins } from './margins.ts';
import { measureText } from './measure-text.ts';
import { type Box, editionAt, fragmentOf } from './places.ts';

/** What is drawn into: its size in pixels, the pixels of a unit of the drawing, and where the drawing's origin is. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** The scale where there is no room between the margins, and that of a single point. */
const SMALLEST = 0.01;
const LARGEST = 50;

interface FirstMapOptions {
  /** What lies between the margins. */
  box: Box;
  margins: () => Margins;
  /** Whether the map that comes after it names regions and capitals. */
  hasNames: boolean;
  /** Whether it is the ground of a dataset, whose legend explains no colours of regions. */
  isGround: boolean;
}

/**
 * Draws the regions, their names and the capitals where the map will draw them, long before it can be opened. The drawing
 * stays where the browser can't draw the map. A click leads to the region.
 */
export function showFirstMap(overview: Overview, { box, margins, hasNames, isGround }: FirstMapOptions): void {
  const container = byId('first-map', HTMLElement);
  const drawing = new FirstDrawing(overview, hasNames ? measureText() : undefined);
  drawing.svg.classList.toggle('ground', isGround);
  container.replaceChildren(drawing.svg);
  container.addEventListener('click', ({ target }) => {
    const code = target instanceof SVGElement && target.dataset.code;
    if (code) location.hash = fragmentOf({ level: 'region', code }, editionAt(location.hash));
  });
  const sizes = new ResizeObserver(() => {
    // The map takes the drawing away.
    if (container.hasChildNodes()) drawing.fit(frameOf(container, box, margins()));
    else sizes.disconnect();
  });
  // Each is reported once at first.
  for (const id of ['first-map', 'over-map', 'credit', 'bar', 'panel']) sizes.observe(byId(id, HTMLElement));
}

/** The shapes are made once. What has a size in pixels follows the frame. */
class FirstDrawing {
  readonly svg = svgElement('svg', { role: 'img', 'aria-label': 'Map of the regions. The list has them too.' });
  readonly #areas = svgElement('g', {});
  readonly #overview: Overview;
  readonly #widthOf: WidthOf | undefined;

  /** @param widthOf measures names; without it none are written */
  constructor(overview: Overview, widthOf: WidthOf | undefined) {
    this.#overview = overview;
    this.#widthOf = widthOf;
    const areas = overview.regions.features.map((feature) => drawArea('region', feature));
    const outlines = areas.map((area) => area.getAttribute('d')).join('');
    this.#areas.append(svgElement('path', { class: 'shallows', d: outlines }), ...areas);
  }

  fit(frame: Frame): void {
    const { width, height, x, y, scale } = frame;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#areas.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    const grid = GRATICULE.features.map(({ geometry }) => {
      const ends = (geometry as LineString).coordinates.map((position) => pointOf(frame, position).join(' '));
      return `M${ends.join('L')}`;
    });
    // At zoom 0 the world is 512 pixels wide.
    const zoom = Math.log2((360 * UNITS_PER_DEGREE * scale) / 512);
    const at = (position: Position) => pointOf(frame, position);
    const names = this.#widthOf ? countryNames(this.#overview, { zoom, at, widthOf: this.#widthOf }) : [];
    const dots = names.flatMap(({ kind, point: [cx, cy] }) => {
      const r = sizeAt(DOT_RADIUS, zoom) + 0.5;
      return kind === 'capital'
        ? [svgElement('circle', { cx: cx.toFixed(1), cy: cy.toFixed(1), r: r.toFixed(2) })]
        : [];
    });
    const lines = svgElement('path', { class: 'grid', d: grid.join('') });
    this.svg.replaceChildren(lines, this.#areas, ...dots, ...names.map(textOf));
  }
}

/** Fits a part of the world between margins, as the map does it. */
function frameOf({ clientWidth: width, clientHeight: height }: Element, box: Box, margins: Margins): Frame {
  const [west, south, east, north] = box;
  const [left, top] = toDrawing([west, north]);
  const [right, bottom] = toDrawing([east, south]);
  const [free, tall] = [width - margins.left - margins.right, height - margins.top - margins.bottom];
  const scale = Math.max(Math.min(free / (right - left), tall / (bottom - top), LARGEST), SMALLEST);
  return {
    width,
    height,
    scale,
    x: margins.left + free / 2 - (scale * (left + right)) / 2,
    y: margins.top + tall / 2 - (scale * (top + bottom)) / 2,
  };
}

function pointOf({ scale, x, y }: Frame, position: Position): [x: number, y: number] {
  const [drawnX, drawnY] = toDrawing(position);
  return [x + drawnX * scale, y + drawnY * scale];
}

function textOf({ kind, lines, size, point, offset }: CountryName): SVGTextElement {
  const text = svgElement('text', { 'font-size': size.toFixed(1), 'font-weight': String(WEIGHTS[kind]) });
  const top = point[1] + offset[1] - (lines.length * size * LINE_HEIGHT) / 2;
  lines.forEach((line, index) => {
    const y = top + (index + 0.8) * size * LINE_HEIGHT;
    const span = svgElement('tspan', { x: (point[0] + offset[0]).toFixed(1), y: y.toFixed(1) });
    span.textContent = line;
    text.append(span);
  });
  return text;
}
