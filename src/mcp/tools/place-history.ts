import { z } from '@hono/zod-openapi';
import type { Change } from '../../editions/schemas.ts';
import { clipped, continuation, continued, cursorArgument, fitTokens, releaseInfo, releaseInfoOf } from '../answers.ts';
import { code, tool } from '../tool.ts';

/** Max areas before and after a change in a result. */
const MAX_PARTIES = 15;

const party = z.object({ code: z.string(), name: z.string(), share: z.number().optional() });

const parties = (about: string) => z.array(party).describe(about);

export const placeHistory = tool({
  name: 'place_history',
  title: 'The history of a code',
  description:
    'What happened to the place with a current or former PSGC code between the editions of the PSGC: renamed, recoded, moved to another parent, merged, split, created, abolished; with codes before and after. An empty list: nothing changed in the editions there are; notices tell whose an older code is.',
  input: z.strictObject({
    code: code.describe('PSGC code of today or of an earlier edition'),
    cursor: cursorArgument,
  }),
  output: z.object({
    total: z.number().int().describe('How many changes there are'),
    changes: z
      .array(
        z.object({
          kind: z.string(),
          level: z.string(),
          from: parties('Before; share is how much of the area that came of it this one was'),
          from_left_out: z.number().int().optional(),
          to: parties('After; share is how much of the area that it came of this one got'),
          to_left_out: z.number().int().optional(),
          from_edition: z.string(),
          to_edition: z.string().describe('The first edition that shows it'),
          basis: z.string().describe('How it is known: correspondence, code, name or note'),
          note: z.string().optional(),
        }),
      )
      .describe('The oldest first'),
    ...continued,
    links: z.object({ all: z.string().describe('All changes of the code, with everything that was left out') }),
    ...releaseInfo,
  }),
  async call({ ask, origin }, { code: requested, cursor: start = 0 }) {
    const path = `/v1/changes/${requested}`;
    const reply = await ask({ path });
    const all = reply.data as Change[];
    return fitTokens(all.slice(start), (shown) => ({
      total: all.length,
      changes: shown.map(changeOf),
      ...continuation(start + shown.length, all.length),
      links: { all: origin + path },
      ...releaseInfoOf(reply),
    }));
  },
});

function changeOf({ from, to, note, ...change }: Change) {
  return {
    ...change,
    from: partiesOf(from),
    ...(from.length > MAX_PARTIES ? { from_left_out: from.length - MAX_PARTIES } : {}),
    to: partiesOf(to),
    ...(to.length > MAX_PARTIES ? { to_left_out: to.length - MAX_PARTIES } : {}),
    ...(note === null ? {} : { note: clipped(note, 300) }),
  };
}

function partiesOf(areas: Change['from']) {
  return areas
    .slice(0, MAX_PARTIES)
    .map(({ code: id, name, share }) => ({ code: id, name, ...(share === null ? {} : { share }) }));
}
