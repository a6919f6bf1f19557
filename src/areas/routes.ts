import { createRouter, type Router } from '../operation.ts';
import type { LevelRules } from './levels.ts';
import { addListRoutes } from './list-routes.ts';
import { addSingleRoutes } from './single-routes.ts';

/** The routes of one level of geography. All four levels have the same; `levels.ts` has their differences. */
export function areaRoutes(rules: LevelRules): Router {
  const router = createRouter();
  addListRoutes(router, rules);
  addSingleRoutes(router, rules);
  return router;
}
