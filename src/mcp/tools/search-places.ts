import { z } from '@hono/zod-openapi';
import type { hitsSchema } from '../../search/schemas.ts';
import { fitTokens, releaseInfo, releaseInfoOf } from '../answers.ts';
import { code, edition, int, levels, text, tool, within, withinOf } from '../tool.ts';

const DEFAULT_LIMIT = 10;

export const searchPlaces = tool({
  name: 'search_places',
  title: 'Search places by name',
  description: `Finds regions, provinces, cities, municipalities and barangays of the Philippines by name, and gives their PSGC codes. Forgives wrong letters, accents and abbreviations; knows former and short names. Put what a place lies in behind its name ("San Juan, Metro Manila"). Many names at once: match_places.`,
  input: z.strictObject({
    q: text().describe('A name, a name with what it lies in behind it, or a PSGC code'),
    level: levels,
    parent: code.optional().describe('Only what lies in the place with this PSGC code'),
    limit: int(1, 50).optional().describe(`Most places to answer, ${DEFAULT_LIMIT} without it`),
    edition,
  }),
  output: z.object({
    places: z
      .array(
        z.object({
          code: z.string().describe('PSGC code, ten digits'),
          level: z.string(),
          name: z.string(),
          type: z.string().optional().describe('City, Municipality or SGU'),
          within,
          score: z.number().describe('1 where every letter is the same'),
          match: z.string().describe('exact, alias, prefix, word, contains or fuzzy'),
          matched_name: z.string().optional().describe('The name that was found, where it is another'),
        }),
      )
      .describe('The best first'),
    more: z.boolean().describe('Whether there are more: raise the limit, or name a parent or a level'),
    ...releaseInfo,
  }),
  async call({ ask }, query) {
    const { limit = DEFAULT_LIMIT } = query;
    // One more than requested shows whether there are more.
    const reply = await ask({ path: '/v1/search', query: { ...query, limit: limit + 1 } });
    const hits = reply.data as z.output<typeof hitsSchema>;
    return fitTokens(hits.slice(0, limit), (shown) => ({
      places: shown.map(({ ancestors, type, matched_name, ...hit }) => ({
        ...hit,
        ...(type === null ? {} : { type }),
        within: withinOf(ancestors),
        ...(matched_name === hit.name ? {} : { matched_name }),
      })),
      more: shown.length < hits.length,
      ...releaseInfoOf(reply),
    }));
  },
});
