import { z } from '@hono/zod-openapi';
import { moment } from '../http/schemas.ts';
import { ttlSeconds } from '../session-parameter.ts';

/** Max datasets of a session, so that it is short enough for a URL. */
const MAX_COLLECTIONS = 16;

const RULE = `must be an array of at most ${MAX_COLLECTIONS} ids of collections: dataset- and the id of a dataset`;

const collection = z
  .string(RULE)
  .regex(/^dataset-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, RULE)
  .openapi({ example: 'dataset-0b6f6c1e-5e2a-4a43-8a0a-6a5f0a3f9d21' });

export const newSessionSchema = z
  .strictObject({
    collections: z.array(collection, RULE).max(MAX_COLLECTIONS, RULE).optional().openapi({
      description: 'Datasets to open besides the areas. Those with visibility everyone need no session.',
    }),
    ttl_seconds: ttlSeconds,
  })
  .openapi({ example: { ttl_seconds: 86_400 } });

export const sessionSchema = z.object({
  session: z.string(),
  expires_at: moment,
  href: z.url().openapi({ description: 'URL for the tool: the landing page with the session in it' }),
});
