import type { Tool } from '../tool.ts';
import { getPlace } from './get-place.ts';
import { listDatasets } from './list-datasets.ts';
import { listPlaces } from './list-places.ts';
import { matchPlaces } from './match-places.ts';
import { parseAddresses } from './parse-addresses.ts';
import { placeHistory } from './place-history.ts';
import { reverseGeocode } from './reverse-geocode.ts';
import { searchPlaces } from './search-places.ts';
import { suggestPlaces } from './suggest-places.ts';

export const TOOLS: readonly Tool[] = [
  searchPlaces,
  suggestPlaces,
  matchPlaces,
  parseAddresses,
  getPlace,
  listPlaces,
  reverseGeocode,
  placeHistory,
  listDatasets,
];
