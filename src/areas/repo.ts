import type { Database } from '../db/client.ts';
import { areaLists } from './repo/lists.ts';
import { places } from './repo/places.ts';
import { releases } from './repo/releases.ts';
import { singleAreas } from './repo/singles.ts';
import type { AreaStore } from './store.ts';

/** Areas as PostGIS holds them. */
export function postgisAreas(db: Database): AreaStore {
  return { ...areaLists(db), ...singleAreas(db), ...places(db), ...releases(db) };
}
