import { drawArea, fromDrawing, pathOf, svgElement, toDrawing } from '../shared/country-drawing.ts';
import type { Overview } from '../shared/overview.ts';

/** The drawn part of the world. */
const [LEFT, TOP] = toDrawing([116.6, 21.4]);
const [RIGHT, BOTTOM] = toDrawing([127, 4.3]);
const [WIDTH, HEIGHT] = [RIGHT - LEFT, BOTTOM - TOP];

/** How far a key moves the point, units of the drawing. */
const STEP = 12;

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A point of the map, and the area there by its level and code; undefined at sea. */
export interface MapPoint {
  readonly lon: number;
  readonly lat: number;
  readonly area: { readonly level: 'region' | 'province'; readonly code: string } | undefined;
}

/**
 * Draws the country into an element as a map that is asked by a click, or by the keyboard with a point that moves.
 *
 * @returns a function that asks what lies at a longitude and latitude
 */
export function drawCountry(
  container: Element,
  { regions, provinces }: Overview,
  onAsk: (asked: MapPoint) => void,
): (lon: number, lat: number) => void {
  const svg = svgElement('svg', {
    viewBox: [LEFT, TOP, WIDTH, HEIGHT].map(Math.round).join(' '),
    tabindex: '0',
    role: 'application',
  });
  svg.setAttribute(
    'aria-label',
    'Map of the Philippines. The arrow keys move a point, and Enter asks what lies there.',
  );
  const areas = svgElement('g', { class: 'areas' });
  // What lies in no province is seen of the regions below.
  for (const [level, { features }] of [['region', regions] as const, ['province', provinces] as const])
    for (const feature of features) areas.append(drawArea(level, feature));
  const borders = regions.features.map(({ geometry }) => svgElement('path', { d: pathOf(geometry) }));
  const borderGroup = svgElement('g', { class: 'borders' });
  borderGroup.append(...borders);
  const point = svgElement('circle', { class: 'point', r: '9', visibility: 'hidden' });
  svg.append(areas, borderGroup, point);
  container.replaceChildren(svg);

  let [x, y] = toDrawing([121, 14.6]);
  const moveTo = (toX: number, toY: number) => {
    [x, y] = [Math.min(Math.max(toX, LEFT), RIGHT), Math.min(Math.max(toY, TOP), BOTTOM)];
    point.setAttribute('cx', String(x));
    point.setAttribute('cy', String(y));
    point.setAttribute('visibility', 'visible');
  };
  const ask = () => {
    const found = [...areas.querySelectorAll<SVGGeometryElement>('path')].findLast((path) =>
      path.isPointInFill(new DOMPoint(x, y)),
    );
    for (const path of areas.querySelectorAll('.asked')) path.classList.remove('asked');
    found?.classList.add('asked');
    const { level, code } = found?.dataset ?? {};
    const area = code === undefined ? undefined : ({ level: level === 'region' ? level : 'province', code } as const);
    onAsk({ ...fromDrawing(x, y), area });
  };
  svg.addEventListener('click', ({ clientX, clientY }) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    moveTo(LEFT + ((clientX - left) / width) * WIDTH, TOP + ((clientY - top) / height) * HEIGHT);
    ask();
  });
  svg.addEventListener('keydown', (event) => {
    const move = MOVES[event.key];
    if (move) moveTo(x + move[0] * STEP, y + move[1] * STEP);
    else if (event.key === 'Enter' || event.key === ' ') ask();
    else return;
    event.preventDefault();
  });
  return (lon, lat) => {
    moveTo(...toDrawing([lon, lat]));
    ask();
  };
}
