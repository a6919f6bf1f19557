import { z } from '@hono/zod-openapi';
import type { suggestionsSchema } from '../../search/schemas.ts';
import { fitTokens, releaseInfo, releaseInfoOf } from '../answers.ts';
import { code, edition, int, levels, text, tool } from '../tool.ts';

export const suggestPlaces = tool({
  name: 'suggest_places',
  title: 'Complete the beginning of a name',
  description:
    'Gives the places of the Philippines whose names begin with a text, as the line of an address with its PSGC code: for somebody who is still typing, or remembers only the beginning. What the place lies in may stand behind a comma ("san isidro, cai"). For whole or misspelled names use search_places.',
  input: z.strictObject({
    q: text(100).describe('The beginning of a name, from the first letter'),
    level: levels,
    within: code.optional().describe('Only what lies in the place with this PSGC code'),
    limit: int(1, 20).optional().describe('Most places to answer, 5 without it'),
    edition,
  }),
  output: z.object({
    places: z
      .array(z.object({ code: z.string().describe('PSGC code, ten digits'), level: z.string(), label: z.string() }))
      .describe('The best first'),
    ...releaseInfo,
  }),
  async call({ ask }, query) {
    const reply = await ask({ path: '/v1/suggest', query });
    return fitTokens(reply.data as z.output<typeof suggestionsSchema>, (shown) => ({
      places: shown.map((place) => ({ code: place.code, level: place.level, label: place.label })),
      ...releaseInfoOf(reply),
    }));
  },
});
