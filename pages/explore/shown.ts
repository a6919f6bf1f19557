import type { Dataset } from './own/dataset.ts';
import type { OwnView } from './own/view.ts';
import type { ShownAreas } from './scene.ts';

/** What the page shows: areas, or a dataset over them. */
export interface Shown extends ShownAreas {
  readonly dataset?: Dataset;
  /** The features of the dataset. */
  readonly own?: OwnView;
}
