import { servedAreas } from '../areas/served-areas.ts';
import { envelopeAround, nameRelease, privateStream } from '../http/answers.ts';
import { isCsv } from '../http/csv-body.ts';
import { surround } from '../http/stream.ts';
import { admitList, LIST, listRequest, listResponses } from '../match/admission.ts';
import { MATCH_COLUMNS } from '../match/cells.ts';
import { addressReader } from '../match/columns.ts';
import { FREE_ROWS } from '../match/schemas.ts';
import { operation, Router } from '../operation.ts';
import { countRows } from '../rate-limits/rows.ts';
import { tableAnswer } from '../tables/answer.ts';
import { PARSE_COLUMNS } from './cells.ts';
import { CSV_EXAMPLE, MAX_TEXTS, parseAnswer, parseBody, parseQuery } from './schemas.ts';
import { parsedTexts, rowsOf, tableParsing } from './service.ts';

const ANSWER_EXAMPLE = `Name,Address,${[...PARSE_COLUMNS, ...MATCH_COLUMNS].join()}
Ana,"12 Rizal St., Brgy. Poblacion, Makati 1210",,,,12,,,,Rizal St.,,,,Poblacion,,Makati,,,1210,,,1380300020,barangay,Poblacion,exact,1,
`;

/** Routes that split addresses into their parts. */
export function parseRoutes(): Router {
  const router = new Router(['match']);

  operation(router, {
    operationId: 'parse_addresses',
    ...LIST,
    summary: 'Split addresses into their parts',
    description: `Takes addresses apart as people write them: unit, floor, building, block, lot, phase, house, street, subdivision, sitio, purok, barangay, city or municipality, province, region, ZIP code, country. Each part has its words and where they stand. The area that the address lies in has its code, as matching finds it. Answers are in the order of the texts.\n\nA list as JSON has up to ${MAX_TEXTS} addresses, ${FREE_ROWS} without credentials. A table as \`text/csv\` may have any number of rows, and needs credentials of any kind. Its answer is streamed: it has the columns that were sent, then one for each kind of part and the six of matching. The column of addresses is known by its heading, or named in the query as \`text\`.\n\nRows count as in matching. An address of more than 100 characters counts as one row for each hundred.`,
    request: listRequest(parseQuery, parseBody, CSV_EXAMPLE),
    responses: listResponses('The parts of each address', parseAnswer, ANSWER_EXAMPLE),
    handler: async (c, { ctx, body, query: { edition, ...named } }) => {
      const texts = isCsv(c) ? [] : [body.texts].flat();
      admitList(c, ctx, { doing: 'Parsing', nouns: 'addresses', count: texts.length, named });
      const names = await (await servedAreas(ctx, edition)).names();
      nameRelease(c, names.release);
      const { index } = names.value;
      if (isCsv(c)) return tableAnswer(c, (headings) => tableParsing(index, addressReader(headings, named.text)));
      await countRows(
        c,
        texts.reduce((sum, text) => sum + rowsOf(text), 0),
      );
      const all = surround(
        `${envelopeAround(c).head}[`,
        parsedTexts(index, texts),
        (meta) => `]${envelopeAround(c, meta).tail}`,
      );
      return privateStream(c, all, { 'Content-Type': 'application/json' });
    },
  });

  return router;
}
