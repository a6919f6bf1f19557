import { byId } from '../shared/dom.ts';

/** Pixels between the extent that is shown and the edges of the map. */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Space between the extent and the edges, pixels: room for the names of areas at the edges. */
export const MARGIN = 40;

/** Maps narrower than this get half the margin above and below, pixels. */
const NARROW = 600;

/**
 * The margins that keep the extent clear of what covers the map.
 *
 * @param covered pixels that the search field and the panel cover on a phone
 */
export function marginsOf(covered: { readonly top: number; readonly bottom: number }): Margins {
  const heightOf = (id: string) => byId(id, HTMLElement).offsetHeight;
  const margin = byId('map', HTMLElement).clientWidth < NARROW ? MARGIN / 2 : MARGIN;
  // On a phone the sign-in button stands in a corner and covers nothing of the extent.
  const hasOnlySignInButton = covered.top > 0 && heightOf('map-notice') === 0;
  return {
    top: margin + covered.top + (hasOnlySignInButton ? 0 : heightOf('over-map')),
    left: MARGIN,
    right: MARGIN,
    bottom: margin + Math.max(covered.bottom, heightOf('credit')),
  };
}
