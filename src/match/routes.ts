import { servedAreas } from '../areas/served-areas.ts';
import { nameRelease, privateAnswer } from '../http/answers.ts';
import { isCsv } from '../http/csv-body.ts';
import { operation, Router } from '../operation.ts';
import { countRows } from '../rate-limits/rows.ts';
import { tableAnswer } from '../tables/answer.ts';
import { admitList, LIST, listRequest, listResponses } from './admission.ts';
import { placeReader } from './columns.ts';
import { MATCHED_TABLE } from './examples.ts';
import { CSV_EXAMPLE, FREE_ROWS, MAX_ROWS, matchAnswer, matchBody, matchQuery } from './schemas.ts';
import { matchRows, tableMatching } from './service.ts';

/** Routes that find the codes of the places in a list. */
export function matchRoutes(): Router {
  const router = new Router(['match']);

  operation(router, {
    operationId: 'match_places',
    ...LIST,
    summary: 'Find the codes of a list of places',
    description: `Names may have typos, old names, old codes, wrong parents; a text is an address or a name with its parents. Answers are in the order of the rows.\n\nA list as JSON has up to ${MAX_ROWS} rows, ${FREE_ROWS} without credentials. A table as \`text/csv\` may have any number of rows, and needs credentials of any kind (an API key, a session). Its answer is streamed: it has the columns that were sent, then six more. Columns are known by their headings, or named in the query; \`X-Columns\` says which were read.\n\nA hundred rows count as one request of a key. A list as JSON never counts as more than the limit of a minute, so a key with a small limit can send it too. A list that is refused does not count. A table that is longer than the limit is answered at the pace of the limit.`,
    request: listRequest(matchQuery, matchBody, CSV_EXAMPLE),
    responses: listResponses('The match of each row', matchAnswer, MATCHED_TABLE),
    handler: async (c, { ctx, body, query: { level, edition, ...named } }) => {
      admitList(c, ctx, { doing: 'Matching', nouns: 'rows', count: body?.rows.length ?? 0, named });
      const names = await (await servedAreas(ctx, edition)).names();
      nameRelease(c, names.release);
      const { index } = names.value;
      if (isCsv(c)) {
        return tableAnswer(c, (headings, rows) =>
          tableMatching(index, { ...placeReader(headings, named, rows), level }),
        );
      }
      await countRows(c, body.rows.length);
      const { data, meta } = await matchRows(index, { ...body, level: body.level ?? level });
      return privateAnswer(c, data, meta);
    },
  });

  return router;
}
