import { z } from '@hono/zod-openapi';
import type { MatchedRow } from '../../match/service.ts';
import { NAME_LEVELS } from '../../names/source.ts';
import { clipped, fitTokens, releaseInfo, releaseInfoOf, rest, restOf } from '../answers.ts';
import { choice, edition, NAME_LEVELS_ABOUT, placeRef, text, tool, within, withinOf } from '../tool.ts';

const MAX_ROWS = 100;
const ROWS_RULE = `must be an array of 1 to ${MAX_ROWS} rows`;

/** A text of a row; null counts as left out. */
const cell = (about: string, maxLength = 200) => text(maxLength).nullish().describe(about);

const place = placeRef.extend({ within });

export const matchPlaces = tool({
  name: 'match_places',
  title: 'Find the codes of a list of places',
  description: `Finds the PSGC code of each place of a list, such as the rows of a spreadsheet: with typos, old names, old codes or wrong parents. Give columns (province, municity, barangay) where there are any, or an address as "text". At most ${MAX_ROWS} rows a call, 20 without credentials. "exact" and "likely" rows have a code; for "ambiguous" ones choose among the candidates or ask the user.`,
  input: z.strictObject({
    rows: z
      .array(
        z.strictObject({
          id: z
            .union([z.string().max(200), z.number()], 'must be a number, or text of at most 200 characters')
            .nullish()
            .describe('Returned unchanged with the answer'),
          region: cell('Name or code of the region'),
          province: cell('Name or code of the province'),
          municity: cell('Name or code of the city or municipality'),
          barangay: cell('Name or code of the barangay'),
          text: cell('An address, or a name with what it lies in behind it', 500),
          code: cell(
            'PSGC code of the place, of any edition, where there is a column of codes; names that mean another place make the row ambiguous',
          ),
          zip: cell('ZIP code; it only chooses among equally good places'),
        }),
        ROWS_RULE,
      )
      .min(1, ROWS_RULE)
      .max(MAX_ROWS, ROWS_RULE),
    level: choice(NAME_LEVELS).optional().describe(`The level that is wanted; ${NAME_LEVELS_ABOUT}`),
    edition,
  }),
  output: z.object({
    rows: z
      .array(
        z.object({
          row: z.number().int().describe('Its position in the list that was sent, from 0'),
          id: z.union([z.string(), z.number()]).optional(),
          match: z.string().describe('exact, likely, ambiguous or none'),
          ...place.partial().shape,
          score: z.number().optional(),
          candidates: z
            .array(place.extend({ since: z.string().optional(), until: z.string().optional() }))
            .optional()
            .describe(
              'What it may mean, the best first, where that is not clear; since and until which edition it is called so, where names have changed',
            ),
          notes: z.array(z.string()).optional(),
        }),
      )
      .describe('In the order of the list'),
    ...rest('row'),
    ...releaseInfo,
  }),
  async call({ ask }, { rows, level, edition: wanted }) {
    const reply = await ask({ path: '/v1/match', query: { edition: wanted }, body: { rows, level } });
    const found = reply.data as MatchedRow[];
    return fitTokens(found, (shown) => ({
      rows: shown.map(rowOf),
      ...restOf(found, shown),
      ...releaseInfoOf(reply),
    }));
  },
});

/** A row of the answer. Members that say nothing are left out, because every token counts. */
function rowOf({ id, match, code, level, name, score, ancestors, candidates, notes }: MatchedRow, row: number) {
  const isSure = match === 'exact' || match === 'likely';
  return {
    row,
    ...(id === null ? {} : { id }),
    match,
    ...(code === null || level === null || name === null
      ? {}
      : { code, level, name, within: withinOf(ancestors), score }),
    ...(isSure || candidates.length === 0 ? {} : { candidates: candidates.map(candidateOf) }),
    ...(notes.length === 0 ? {} : { notes: notes.slice(0, 3).map((note) => clipped(note, 120)) }),
  };
}

function candidateOf({ code, level, name, ancestors, since, until }: MatchedRow['candidates'][number]) {
  return { code, level, name, within: withinOf(ancestors), ...(since && { since }), ...(until && { until }) };
}
