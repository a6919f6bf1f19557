import type { Dataset } from './own/dataset.ts';
import type { OwnView } from './own/view.ts';
import { type Box, COUNTRY } from './places.ts';
import type { ShownAreas } from './scene.ts';
import { boxAt } from './view-box.ts';

/** What the page shows: areas, or a dataset over them. */
export interface Shown extends ShownAreas {
  readonly dataset?: Dataset;
  /** The features of the dataset. */
  readonly own?: OwnView;
  /** Where the features lie without those that are far outside of the Philippines, if some are. */
  readonly main?: Box | undefined;
  /** Whether the features are areas that are drawn coarsely. So is then the land under them: a finer coast would be seen beside them. */
  readonly isOnCoarseLand?: boolean;
}

/** The part of the map to show. If a place has no boundary, it is the part around it. */
export function boxOf({ view, dataset, own, main }: Shown): Box {
  return (
    own?.box ??
    boxAt(location.hash) ??
    main ??
    dataset?.bbox ??
    view?.area.bbox ??
    view?.today?.bbox ??
    view?.around ??
    COUNTRY
  );
}
