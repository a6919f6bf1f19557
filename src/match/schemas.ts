import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { envelope } from '../http/answers.ts';
import { notices } from '../http/notices.ts';
import { choiceParam, textParam } from '../http/params.ts';
import { MAX_NAMESAKES } from '../names/result.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { MAX_CELL_LENGTH } from './columns.ts';
import { MATCHED_ROWS } from './examples.ts';

/** Max rows of one JSON request, to match or join. */
export const MAX_ROWS = 1000;

/** Max rows of one request without credentials, to match, parse or join. */
export const FREE_ROWS = 20;

const LEVEL_RULE = `must be one of ${NAME_LEVELS.join(', ')}`;
const LEVEL_ABOUT =
  'The level that is wanted; by default that of the finest column which is filled, or of a code its own. A row that names none of it is ambiguous, with the code of what it names';

const MAX_ID = 200;

/**
 * Max body, bytes: a thousand rows with members of the max length, each character escaped as `\\u00f1`, and white
 * space. Callers without credentials have fewer rows.
 */
export const MAX_BODY = 12 * 1024 * 1024;
export const MAX_FREE_BODY = 1024 * 1024;

function field(description: string, example: string, maxLength = MAX_CELL_LENGTH.name) {
  const rule = `must be text of at most ${maxLength} characters, or null`;
  return z.string(rule).max(maxLength, rule).nullish().openapi({ description, example });
}

const rowRule = 'must be an object whose members are id, region, province, municity, barangay, text, code and zip';

/** Larger integers would lose digits in JSON parsers. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;
const ID_RULE = `must be text of at most ${MAX_ID} characters, or a number of at most ${MAX_NUMBER}; send longer ones as text`;

const CODE_ABOUT =
  'PSGC code of the place that the others name, of any edition, with ten digits or nine. It decides among several places. Where the others mean another place, the row is ambiguous with both; where it is no known code, they alone are read';

const rowsRule = `must be an array of 1 to ${MAX_ROWS} rows`;

const EXAMPLE_ROWS = [
  { id: '1', province: 'Cavite', municity: 'Dasmarinas', barangay: 'Zone 4' },
  { id: '2', text: 'Brgy. Poblacion, Makati' },
];

const rowSchema = z
  .strictObject(
    {
      id: z
        .union([z.string().max(MAX_ID), z.number().min(-MAX_NUMBER).max(MAX_NUMBER)], ID_RULE)
        .nullish()
        .openapi({ description: 'Returned unchanged with the answer', example: 'row-17' }),
      region: field('Name or code of the region', 'Region VII'),
      province: field('Name or code of the province', 'Cebu'),
      municity: field('Name or code of the city or municipality', 'Argao'),
      barangay: field('Name or code of the barangay', 'Poblacion'),
      text: field('An address, or a name with its parents', 'Brgy. Poblacion, Makati', MAX_CELL_LENGTH.text),
      code: field(CODE_ABOUT, '0402106019'),
      zip: field('ZIP code; it only chooses among equally good places', '4114'),
    },
    rowRule,
  )
  .openapi('MatchRow');

export const matchBody = z
  .object(
    {
      rows: z
        .array(rowSchema, rowsRule)
        .min(1, rowsRule)
        .max(MAX_ROWS, rowsRule)
        .openapi({ description: 'Places as typed', example: EXAMPLE_ROWS }),
      level: z.enum(NAME_LEVELS, LEVEL_RULE).optional().openapi({ description: LEVEL_ABOUT }),
    },
    'must be a JSON object',
  )
  .openapi('MatchRequest');

const column = (what: string, example: string) =>
  textParam({ description: `With text/csv: the heading of the column of ${what}; empty for none`, example }).optional();

export const matchQuery = z.object({
  level: choiceParam(NAME_LEVELS, `${LEVEL_ABOUT}. A JSON body can have it too, and then the body decides`).optional(),
  region: column('regions', 'Rehiyon'),
  province: column('provinces', 'Lalawigan'),
  municity: column('cities and municipalities', 'Town'),
  barangay: column('barangays', 'Barrio'),
  text: column('addresses', 'Residence'),
  code: column('PSGC codes', 'Geocode'),
  zip: column('ZIP codes', 'Postcode'),
  ...editionParams,
});

const place = {
  code: z.string().max(15).openapi({ description: 'PSGC code', example: '0402106000' }),
  level: z.enum(NAME_LEVELS),
  name: z.string().openapi({ example: 'City of Dasmariñas' }),
};
const ancestors = z.array(z.object(place)).max(4).openapi({
  description: 'From the region down, including the province that geographically contains an independent city',
});
const scored = z.number().min(0).max(1);
const share = scored.openapi({
  description:
    'Expected share of correct rows among rows like this one, three decimals; for an ambiguous row, that its place lies in the code, or else is the first candidate',
  example: 0.999,
});
const score = scored.openapi({ description: 'Similarity to the text, three decimals', example: 0.952 });

const since = z.string().nullable().openapi({
  description:
    'For a name that was given up or moved between places: the first edition in which this place has it; null if it always had it, no longer has it, or nothing is known',
  example: '2023-4q',
});
const until = z.string().nullable().openapi({
  description:
    'The last edition in which this place, or a part of it, had the name; null if it has it today or nothing is known',
  example: null,
});

/** What a row means. */
export const matchedRow = z
  .object({
    id: z.union([z.string(), z.number()]).nullable().openapi({ description: 'That of the row' }),
    match: z.enum(['exact', 'likely', 'ambiguous', 'none']).openapi({
      description:
        'exact: the published spelling, or another name with its ancestors, nothing in the row contradicts it, and no other place has this name; likely: one place is clearly the best; ambiguous: several are equally good, or nothing of the level was found in a place, whose code is then given; none: nothing is similar',
    }),
    code: place.code.nullable(),
    level: place.level.nullable().openapi({ description: 'Of the code' }),
    name: place.name.nullable(),
    score: share,
    ancestors,
    candidates: z
      .array(z.object({ ...place, score, since, until, ancestors }))
      .max(MAX_NAMESAKES)
      .openapi({ description: 'Candidates, best first' }),
    notes: z.array(z.string()).openapi({ description: 'What was ignored, and what would decide' }),
  })
  .openapi('MatchedRow');

const count = z.number().int();

/** How many rows were matched how. */
export const matchMeta = z.object({ exact: count, likely: count, ambiguous: count, none: count, notices });

export const matchAnswer = envelope(z.array(matchedRow).max(MAX_ROWS), { meta: matchMeta }).openapi({
  example: { data: MATCHED_ROWS, meta: { exact: 2, likely: 0, ambiguous: 0, none: 0 }, error: null },
});

export const CSV_EXAMPLE = 'Province,Town,Barangay\nCavite,Dasmarinas,Zone 4\nCebu,Argao,Pob.\n';
