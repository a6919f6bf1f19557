/** A GeoJSON geometry in longitudes and latitudes. */
export interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

export interface Drawn {
  readonly title: string;
  readonly href: string | undefined;
  readonly geometry: Geometry | null;
}

type Position = readonly [number, number];

/** Pixels of the longer side of a drawing. */
const SIZE = 640;
const MARGIN = 8;
const SVG = 'http://www.w3.org/2000/svg';

/** Draws features as they lie to one another, in an equirectangular projection; undefined where none has a geometry. */
export function drawingOf(features: readonly Drawn[]): SVGSVGElement | undefined {
  const shapes = features.map((feature) => ({ ...feature, parts: partsOf(feature.geometry) }));
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { parts } of shapes) {
    for (const { line } of parts) {
      for (const [lon, lat] of line) {
        [west, south] = [Math.min(west, lon), Math.min(south, lat)];
        [east, north] = [Math.max(east, lon), Math.max(north, lat)];
      }
    }
  }
  if (east < west) return undefined;
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [wide, high] = [(east - west) * narrowing, north - south];
  const scale = (SIZE - 2 * MARGIN) / Math.max(wide, high, 1e-6);
  const project = ([lon, lat]: Position) =>
    `${(MARGIN + (lon - west) * narrowing * scale).toFixed(1)} ${(MARGIN + (north - lat) * scale).toFixed(1)}`;
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute(
    'viewBox',
    `0 0 ${(wide * scale + 2 * MARGIN).toFixed(1)} ${(high * scale + 2 * MARGIN).toFixed(1)}`,
  );
  // A picture has no links in it.
  svg.setAttribute('role', features.some(({ href }) => href !== undefined) ? 'group' : 'img');
  svg.setAttribute(
    'aria-label',
    `A map of ${features.length === 1 ? features[0]?.title : `${features.length} features`}`,
  );
  for (const { title, href, parts } of shapes) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', parts.map((part) => pathOf(part, project)).join(''));
    if (parts.every(({ isClosed }) => !isClosed)) path.classList.add('line');
    const name = document.createElementNS(SVG, 'title');
    name.textContent = title;
    path.append(name);
    if (href === undefined) svg.append(path);
    else {
      const link = document.createElementNS(SVG, 'a');
      link.setAttribute('href', href);
      // The table beside it has the same links.
      link.setAttribute('tabindex', '-1');
      link.append(path);
      svg.append(link);
    }
  }
  return svg;
}

interface Part {
  readonly line: readonly Position[];
  readonly isClosed: boolean;
}

function pathOf({ line, isClosed }: Part, project: (position: Position) => string): string {
  const [first] = line;
  // A point is a line of no length, which is drawn with round ends.
  const places = line.length === 1 && first ? [first, first] : line;
  return `M${places.map(project).join('L')}${isClosed ? 'Z' : ''}`;
}

/** The lines and rings of a geometry. */
function partsOf(geometry: Geometry | null): Part[] {
  if (!geometry) return [];
  const { type, coordinates, geometries } = geometry;
  if (geometries) return geometries.flatMap(partsOf);
  const lines = (depth: number) => (coordinates as unknown[]).flat(depth) as Position[][];
  switch (type) {
    case 'Point':
      return [{ line: [coordinates as Position], isClosed: false }];
    case 'MultiPoint':
      return (coordinates as Position[]).map((position) => ({ line: [position], isClosed: false }));
    case 'LineString':
      return [{ line: coordinates as Position[], isClosed: false }];
    case 'MultiLineString':
      return lines(0).map((line) => ({ line, isClosed: false }));
    default:
      return lines(type === 'Polygon' ? 0 : 1).map((line) => ({ line, isClosed: true }));
  }
}
