import type { Feature, LineString, Position } from 'geojson';
import { drawArea, svgElement, toDrawing, UNITS_PER_DEGREE } from '../shared/country-drawing.ts';
import { byId } from '../shared/dom.ts';
import type { Overview } from '../shared/overview.ts';
import { LINE_HEIGHT, type Name, type Placed, placeNames, type WidthOf } from './first-names.ts';
import { GRID } from './grid.ts';
import type { Margins } from './margins.ts';
import { type Box, CITY_OF, editionAt, hashOf, shortName } from './places.ts';

/** What is drawn into: its size in pixels, the pixels of a unit of the drawing, and where the drawing's origin is. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const REGION = { weight: 600, longest: 7, sides: ['over', 'above', 'below'] } as const;
const CAPITAL = { weight: 500, longest: 8, sides: ['right', 'left', 'below', 'above'] } as const;

/** The scale where there is no room between the margins. */
const SMALLEST = 0.01;

/**
 * Draws the regions, their names and the capitals where the map will draw them, long before it can be opened. The drawing
 * stays where the browser can't draw the map. A click leads to the region.
 *
 * @param box what lies between the margins
 */
export function showFirstMap(overview: Overview, { box, margins }: { box: Box; margins: () => Margins }): void {
  const place = byId('first-map', HTMLElement);
  const drawing = new FirstDrawing(overview, measureIn(place));
  place.replaceChildren(drawing.svg);
  place.addEventListener('click', ({ target }) => {
    const code = target instanceof SVGElement && target.dataset.code;
    if (code) location.hash = hashOf({ level: 'region', code }, editionAt(location.hash));
  });
  const sizes = new ResizeObserver(() => {
    // The map takes the drawing away.
    if (place.hasChildNodes()) drawing.fit(frameOf(place, box, margins()));
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
  readonly #widthOf: WidthOf;

  constructor(overview: Overview, widthOf: WidthOf) {
    this.#overview = overview;
    this.#widthOf = widthOf;
    const areas = overview.regions.features.map((feature) => drawArea('region', feature));
    const outlines = areas.map((area) => area.getAttribute('d')).join('');
    this.#areas.append(svgElement('path', { class: 'shallows', d: outlines }), ...areas);
  }

  fit(frame: Frame): void {
    const { width, height, x, y, scale } = frame;
    const { capitals } = this.#overview;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#areas.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    const grid = GRID.features.map(({ geometry }) => {
      const ends = (geometry as LineString).coordinates.map((position) => pointOf(frame, position).join(' '));
      return `M${ends.join('L')}`;
    });
    const dots = capitals.features.map((capital) => {
      const [cx, cy] = pointOf(frame, positionOf(capital));
      return svgElement('circle', { cx: cx.toFixed(1), cy: cy.toFixed(1), r: '1.75' });
    });
    const names = placeNames(namesOf(this.#overview, frame), [width, height], this.#widthOf);
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
  const scale = Math.max(Math.min(free / (right - left), tall / (bottom - top)), SMALLEST);
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

/** The position of a point, or of the label of an area. */
function positionOf({ geometry, properties }: Feature): Position {
  return geometry.type === 'Point' ? geometry.coordinates : [properties?.lon, properties?.lat];
}

/** The names with the first to be placed first: the capital of the country, the regions, and the other capitals. */
function namesOf({ regions, capitals }: Overview, frame: Frame): Name[] {
  // Sizes follow the zoom as those of the map do.
  const beyondZoom4 = Math.log2((360 * UNITS_PER_DEGREE * frame.scale) / 512) - 4;
  const at = (feature: Feature) => {
    const [x, y] = pointOf(frame, positionOf(feature));
    return { x, y };
  };
  const ofCapitals = capitals.features.map((feature): Name => {
    const name = String(feature.properties?.name);
    const text = name.startsWith(CITY_OF) ? name.slice(CITY_OF.length) : name;
    return { text, ...at(feature), ...CAPITAL, size: 9.5 + 0.5 * beyondZoom4 };
  });
  const ofRegions = regions.features.map((feature): Name => {
    const text = shortName(String(feature.properties?.name));
    return { text, ...at(feature), ...REGION, size: 10.5 + 0.67 * beyondZoom4 };
  });
  // The capital of the country is that of no province.
  const first = ofCapitals.filter((_, index) => capitals.features[index]?.properties?.p_code === null);
  return [...first, ...ofRegions, ...ofCapitals.filter((name) => !first.includes(name))];
}

function textOf({ lines, middle, top, size, weight }: Placed): SVGTextElement {
  const text = svgElement('text', { 'font-size': size.toFixed(1), 'font-weight': String(weight) });
  lines.forEach((line, index) => {
    const y = top + (index + 0.8) * size * LINE_HEIGHT;
    const span = svgElement('tspan', { x: middle.toFixed(1), y: y.toFixed(1) });
    span.textContent = line;
    text.append(span);
  });
  return text;
}

/** Measures lines in the font of an element. */
function measureIn(place: Element): WidthOf {
  const canvas = document.createElement('canvas').getContext('2d');
  const { fontFamily } = getComputedStyle(place);
  return (line, { size, weight }) => {
    // Where a browser hides its measures, a letter is taken to be as wide as most are.
    if (!canvas) return line.length * size * 0.6;
    canvas.font = `${weight} ${size}px ${fontFamily}`;
    return canvas.measureText(line).width;
  };
}
