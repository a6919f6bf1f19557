import { drawArea, svgElement, toDrawing } from '../shared/country-drawing.ts';
import { byId } from '../shared/dom.ts';
import type { Overview } from '../shared/overview.ts';
import { type Box, hashOf } from './places.ts';

/**
 * Draws the regions before the map is loaded, which takes much longer. It stays where the browser can't draw the map. A
 * click leads to the region.
 */
export function showFirstMap(
  { regions }: Overview,
  [west, south, east, north]: Box,
  edition: string | undefined,
): void {
  const [left, top] = toDrawing([west, north]);
  const [right, bottom] = toDrawing([east, south]);
  const viewBox = [left, top, right - left, bottom - top].join(' ');
  const svg = svgElement('svg', { viewBox, 'aria-hidden': 'true' });
  svg.append(...regions.features.map((feature) => drawArea('region', feature)));
  svg.addEventListener('click', ({ target }) => {
    const code = target instanceof SVGElement && target.dataset.code;
    if (code) location.hash = hashOf({ level: 'region', code }, edition);
  });
  byId('first-map', HTMLElement).replaceChildren(svg);
}
