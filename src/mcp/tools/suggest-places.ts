import { z } from '@hono/zod-openapi';
import { NAME_LEVELS } from '../../names/source.ts';
import { fitTokens, releaseInfo, releaseInfoOf } from '../answers.ts';
import { choice, code, edition, int, NAME_LEVELS_ABOUT, text, tool } from '../tool.ts';

interface Suggested {
  readonly code: string;
  readonly level: string;
  readonly label: string;
}

export const suggestPlaces = tool({
  name: 'suggest_places',
  title: 'Complete the beginning of a name',
  description:
    'Gives the places of the Philippines whose names begin with a text, as the line of an address with its PSGC code: for somebody who is still typing, or remembers only the beginning. What the place lies in may stand behind a comma ("san isidro, cai"). For whole or misspelled names use search_places.',
  input: z.strictObject({
    q: text(100).describe('The beginning of a name, from the first letter'),
    level: z
      .array(choice(NAME_LEVELS), 'must be an array of levels')
      .min(1, 'must have at least one level')
      .max(5, 'must have at most 5 levels')
      .optional()
      .describe(`Only these levels; ${NAME_LEVELS_ABOUT}`),
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
    return fitTokens(reply.data as Suggested[], (shown) => ({
      places: shown.map((place) => ({ code: place.code, level: place.level, label: place.label })),
      ...releaseInfoOf(reply),
    }));
  },
});
