import type { Feature, Geometry, Position } from 'geojson';

// The country as SVG, in Mercator's projection: units to the east and to the south.

const SVG = 'http://www.w3.org/2000/svg';

export const UNITS_PER_DEGREE = 60;

/** Mercator's projection of a latitude, and back, in degrees as longitudes are. */
const project = (lat: number) => (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI;
const unproject = (y: number) => (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90;

export function toDrawing([lon = 0, lat = 0]: Readonly<Position>): [x: number, y: number] {
  return [lon * UNITS_PER_DEGREE, -project(lat) * UNITS_PER_DEGREE];
}

export function fromDrawing(x: number, y: number): { lon: number; lat: number } {
  return { lon: x / UNITS_PER_DEGREE, lat: unproject(-y / UNITS_PER_DEGREE) };
}

/** The index of a region's tint, by the first two digits of its code. */
export const TINT_OF_REGION: Readonly<Record<string, number>> = {
  '01': 0,
  '02': 1,
  '03': 3,
  '04': 1,
  '05': 2,
  '06': 0,
  '07': 5,
  '08': 4,
  '09': 1,
  '10': 3,
  '11': 2,
  '12': 5,
  '13': 5,
  '14': 2,
  '16': 0,
  '17': 4,
  '18': 3,
  '19': 4,
};

/** The shape of an area as a path with its code, its level, its name and the tint of its region. */
export function drawArea(level: 'region' | 'province', { properties, geometry }: Feature): SVGPathElement {
  const code = String(properties?.code);
  const area = svgElement('path', { d: pathOf(geometry), class: `tint-${TINT_OF_REGION[code.slice(0, 2)] ?? 0}` });
  area.dataset.level = level;
  area.dataset.code = code;
  const title = svgElement('title', {});
  title.textContent = String(properties?.name);
  area.append(title);
  return area;
}

/** The outlines of polygons as the `d` of a path. */
export function pathOf(geometry: Geometry): string {
  const polygons =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  const at = (position: Position) =>
    toDrawing(position)
      .map((value) => value.toFixed(1))
      .join(' ');
  return polygons
    .flat()
    .map((ring) => `M${ring.map(at).join('L')}Z`)
    .join('');
}

export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
