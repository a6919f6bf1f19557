import { byId } from '../shared/dom.ts';

/** Pixels between what is shown and the edges of the map. */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const MARGIN = 36;

/** The width of the map below which less of it is left free, pixels. */
const NARROW = 600;

/**
 * How far what is shown stays from the edges of the map, clear of all that stands over it.
 *
 * @param covered pixels that the search field and the panel cover on a phone
 */
export function marginsOf(covered: { readonly top: number; readonly bottom: number }): Margins {
  const heightOf = (id: string) => byId(id, HTMLElement).offsetHeight;
  const margin = byId('map', HTMLElement).clientWidth < NARROW ? MARGIN / 2 : MARGIN;
  return {
    top: margin + covered.top + heightOf('over-map'),
    left: margin,
    right: margin,
    bottom: margin + Math.max(covered.bottom, heightOf('credit')),
  };
}
