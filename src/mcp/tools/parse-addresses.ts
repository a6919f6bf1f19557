import { z } from '@hono/zod-openapi';
import type { ParsedAddress } from '../../parse/schemas.ts';
import { clipped, fitTokens, releaseInfo, releaseInfoOf, rest, restOf } from '../answers.ts';
import { edition, text, tool, within, withinOf } from '../tool.ts';

const MAX_TEXTS = 50;
const TEXTS_RULE = `must be an array of 1 to ${MAX_TEXTS} addresses`;

export const parseAddresses = tool({
  name: 'parse_addresses',
  title: 'Split addresses into their parts',
  description: `Splits Philippine addresses into unit, floor, building, house number, block, lot, phase, street, subdivision, sitio, purok, barangay, city, province and ZIP code, and gives the PSGC code of the area that each lies in. At most ${MAX_TEXTS} a call, 20 without credentials. Only the code of "exact" and "likely" ones is sure.`,
  input: z.strictObject({
    texts: z
      .array(text(500), TEXTS_RULE)
      .min(1, TEXTS_RULE)
      .max(MAX_TEXTS, TEXTS_RULE)
      .describe('Addresses as they were typed'),
    edition,
  }),
  output: z.object({
    addresses: z
      .array(
        z.object({
          row: z.number().int().describe('Its position in the list that was sent, from 0'),
          match: z.string().describe('exact, likely, ambiguous or none'),
          code: z.string().optional().describe('PSGC code, ten digits'),
          level: z.string().optional(),
          name: z.string().optional(),
          within: within.optional(),
          parts: z
            .array(z.object({ part: z.string(), value: z.string(), code: z.string().optional() }))
            .describe('In the order of the text'),
          notes: z.array(z.string()).optional(),
        }),
      )
      .describe('In the order of the list'),
    ...rest('address'),
    ...releaseInfo,
  }),
  async call({ ask }, { texts, edition: wanted }) {
    const reply = await ask({ path: '/v1/parse', query: { edition: wanted }, body: { texts } });
    const found = reply.data as ParsedAddress[];
    return fitTokens(found, (shown) => ({
      addresses: shown.map(addressOf),
      ...restOf(found, shown),
      ...releaseInfoOf(reply),
    }));
  },
});

function addressOf({ match, code, level, name, ancestors, notes, parts }: ParsedAddress, row: number) {
  return {
    row,
    match,
    ...(code === null || level === null || name === null ? {} : { code, level, name, within: withinOf(ancestors) }),
    parts: parts.map(({ part, value, code: own }) => ({ part, value, ...(own === null ? {} : { code: own }) })),
    ...(notes.length === 0 ? {} : { notes: notes.slice(0, 3).map((note) => clipped(note, 120)) }),
  };
}
