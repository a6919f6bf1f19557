import { z } from '@hono/zod-openapi';
import { choiceParam, momentParam } from '../http/params.ts';

/** A UUID of the query string. */
export function idParam(description: string) {
  return z.guid('must be a UUID').openapi({ format: 'uuid', description });
}

/** `true` or `false`. */
export function flagParam(description: string) {
  return choiceParam(['true', 'false'], description).transform((text) => text === 'true');
}

/** The parameter `{id}` of a path. */
export function idInPath(what: string) {
  return z.object({
    id: z.guid(`must be the UUID of ${what}`).openapi({
      param: { name: 'id', in: 'path' },
      format: 'uuid',
      description: `Id of ${what}`,
    }),
  });
}

/** The parameters of lists of what happened. */
export const spanParams = {
  since: momentParam('Only what happened at this moment or later').optional(),
  until: momentParam('Only what happened before this moment').optional(),
  order: choiceParam(['asc', 'desc'], 'desc has the newest first, asc the oldest')
    .optional()
    .transform((order) => order ?? 'desc')
    .openapi({ default: 'desc' }),
};
