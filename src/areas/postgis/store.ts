import type { Database } from '../../db/client.ts';
import type { AreaStore } from '../store.ts';
import { areaLists } from './lists.ts';
import { places } from './places.ts';
import { releases } from './releases.ts';
import { singleAreas } from './singles.ts';

/** Areas as PostGIS holds them. */
export function postgisAreas(db: Database): AreaStore {
  return { ...areaLists(db), ...singleAreas(db), ...places(db), ...releases(db) };
}
