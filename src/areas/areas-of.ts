import type { ServiceContext } from '../context.ts';
import { postgisAreas } from './postgis/store.ts';
import type { AreaStore } from './store.ts';

/** The areas that a request reads. Routes never know which implementation answers. */
export function areasOf({ db }: Pick<ServiceContext, 'db'>): AreaStore {
  return postgisAreas(db);
}
