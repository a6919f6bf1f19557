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

/** Pixels between what stands over the map and its edge. */
const GAP = 14;

/** Maps narrower than this get half the margin above and below, pixels. */
const NARROW = 600;

/** Pixels that the search field and the panel cover on a phone. */
interface Covered {
  readonly top: number;
  readonly bottom: number;
}

const heightOf = (id: string) => byId(id, HTMLElement).offsetHeight;

/** The margins that keep the extent clear of what covers the map. */
export function marginsOf(covered: Covered): Margins {
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

/**
 * The margins around what the map shows. A notice comes and goes over the map without moving it, so what lies under it is shown
 * too: else pictures would be cut there.
 */
export function marginsOfView(margins: Margins): Margins {
  if (heightOf('map-notice') === 0) return margins;
  const signIn = heightOf('sign-in');
  const covered = heightOf('over-map') - (signIn > 0 ? signIn + GAP : 0);
  return { ...margins, top: margins.top - covered };
}
