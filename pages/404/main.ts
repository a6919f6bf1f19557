import { startPlaceSearch } from '../shared/place-search.ts';

startPlaceSearch();
