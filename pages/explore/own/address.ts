import type { Box } from '../places.ts';
import { boxIn, textOfBox } from '../view-box.ts';
import { type CountLevel, countLevelIn, POINTS_PROPERTY } from './count-levels.ts';
import { filtersIn, textOfFilters } from './filters.ts';
import { queryOf } from './fragment.ts';
import { type Gathering, gatheringIn } from './gathering.ts';
import type { Order } from './rows.ts';
import { partsOfSymbology, type Symbology, symbologyIn } from './symbology.ts';

/** What a person has chosen to see of a dataset. */
export interface Choices extends Order {
  /** The property that colours the features; empty where none is to, undefined where nobody has chosen. */
  readonly color: string | undefined;
  readonly symbology: Symbology;
  /** The classes of a rate that are shown, counted from 1; all of them if it is empty. */
  readonly shown: readonly number[];
  /** The level by whose areas the points are counted; undefined where they are shown themselves. */
  readonly areas: CountLevel | undefined;
  /** Whether they are to be counted by detailed boundaries, which takes a key. */
  readonly isExact: boolean;
  /** What is drawn of places that have several rows; undefined for each of them. */
  readonly gathering: Gathering | undefined;
  /** The property that gives points their sizes. */
  readonly size: string | undefined;
  /** The id of the feature that is marked. */
  readonly feature: string | undefined;
  /** The part of the world that is shown first; undefined for all of the features. */
  readonly bbox: Box | undefined;
}

/** The choices in the fragment of a dataset. */
export function choicesAt(fragment: string): Choices {
  const query = queryOf(fragment);
  const named = (name: string) => query.get(name) ?? undefined;
  return {
    color: named('color'),
    symbology: symbologyIn(query),
    shown: placesIn(query.get('shown') ?? ''),
    areas: countLevelIn(query.get('areas')),
    isExact: query.get('counts') === 'exact',
    gathering: gatheringIn(query.get('rows')),
    size: named('size'),
    find: query.get('find') ?? '',
    filters: filtersIn(query.get('filters')),
    sort: named('sort'),
    isDescending: query.get('order') === 'desc',
    feature: named('feature'),
    bbox: boxIn(query.get('bbox')),
  };
}

/** The fragment of a dataset with choices. Everything that is not chosen, or as usual, is left out. */
export function fragmentOfDataset(id: string, choices: Choices): string {
  const { color, symbology, shown, areas, gathering, size, find, filters, sort, isDescending, feature, bbox } = choices;
  const counts = areas && choices.isExact ? 'exact' : undefined;
  const query = new URLSearchParams();
  const order = sort !== undefined && isDescending ? 'desc' : undefined;
  const ofFeatures = { size, find: find || undefined, filters: textOfFilters(filters), sort, order, feature };
  const ofMap = { shown: shown.length > 0 ? shown.join(',') : undefined, bbox: bbox && textOfBox(bbox) };
  const parts = { color, areas, counts, rows: gathering, ...partsOfSymbology(symbology), ...ofFeatures, ...ofMap };
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) query.set(name, value);
  }
  return `#/datasets/${id}${query.size > 0 ? `?${query}` : ''}`;
}

/** The fragment in which the points of a dataset are counted by the areas of a level, and these have colours. */
export function fragmentOfCounts(id: string, choices: Choices, areas: CountLevel | undefined): string {
  // The areas have other properties than the points. Most areas have few points, and quantiles would tell none of the
  // others apart.
  const symbology = { ...choices.symbology, method: 'natural', breaks: [], labels: [] } as const;
  const ofPoints = { find: '', filters: new Map(), sort: undefined, size: undefined, feature: undefined, shown: [] };
  return fragmentOfDataset(id, { ...choices, ...ofPoints, areas, symbology, color: areas && POINTS_PROPERTY });
}

/** The choices for another property, which has neither the breaks nor the labels of the one before, and no rate if it is a share. */
export function choicesInColor(symbology: Symbology, color: string, isShare: boolean): Partial<Choices> {
  const { method: before, rate } = symbology;
  const method = before === 'own' || before === 'categories' ? 'quantiles' : before;
  const ofColumn = { method, rate: isShare ? undefined : rate, breaks: [], labels: [], middle: undefined };
  return { color, shown: [], symbology: { ...symbology, ...ofColumn } };
}

/** The fragment in which places that have several rows are drawn in another way. Their numbers are others, so breaks are made anew. */
export function fragmentOfGathering(id: string, choices: Choices, gathering: Gathering | undefined): string {
  const { method } = choices.symbology;
  const symbology = { ...choices.symbology, method: method === 'own' ? 'quantiles' : method, breaks: [], labels: [] };
  return fragmentOfDataset(id, { ...choices, gathering, symbology, feature: undefined, shown: [] });
}

/** Places of classes in a text such as `1,3`. */
function placesIn(text: string): number[] {
  const indexes = text.slice(0, 100).split(',').map(Number);
  return [...new Set(indexes.filter((index) => Number.isInteger(index) && index > 0))].sort((a, b) => a - b);
}
