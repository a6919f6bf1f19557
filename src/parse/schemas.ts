import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { envelope } from '../http/answers.ts';
import { textParam } from '../http/params.ts';
import { MAX_CELL_LENGTH } from '../match/columns.ts';
import { matchedRow, matchMeta } from '../match/schemas.ts';
import { PARTS } from './markers.ts';

/** Max addresses of one JSON request. */
export const MAX_TEXTS = 1000;

const textRule = `must be text of 1 to ${MAX_CELL_LENGTH.text} characters`;
const textsRule = `must be an address, or an array of 1 to ${MAX_TEXTS} of them: text of 1 to ${MAX_CELL_LENGTH.text} characters each`;

const address = z.string(textRule).min(1, textRule).max(MAX_CELL_LENGTH.text, textRule);

export const EXAMPLE_TEXT = 'Blk 4 Lot 12 Phase 2 Mabuhay Homes, Brgy. Salawag, Dasmariñas, Cavite 4114';

export const parseBody = z
  .strictObject(
    {
      texts: z
        .union([address, z.array(address).min(1, textsRule).max(MAX_TEXTS, textsRule)], textsRule)
        .openapi({ description: 'An address as it was typed, or a list of them', example: [EXAMPLE_TEXT] }),
    },
    'must be an object whose member is texts',
  )
  .openapi('ParseRequest');

export const parseQuery = z.object({
  text: textParam({
    description: 'With text/csv: the heading of the column of addresses',
    example: 'Residence',
  }).optional(),
  ...editionParams,
});

const part = z
  .object({
    part: z.enum(PARTS).openapi({
      description:
        'Kind of the part. district: a sub-municipality of Manila, or a place in a city without a code of its own; other: anything else',
    }),
    text: z.string().openapi({ description: 'The words as they stand in the address' }),
    value: z.string().openapi({ description: 'The words without their marker: 4 for Blk 4' }),
    start: z.int().min(0).openapi({ description: 'Start in the address, in UTF-16 code units' }),
    end: z.int().min(0).openapi({ description: 'End in the address, exclusive' }),
    code: z.string().max(10).nullable().openapi({
      description: 'PSGC code of an area; null for other parts, and if it is not certain which area is meant',
    }),
  })
  .openapi('AddressPart');

const parsed = matchedRow
  .omit({ id: true })
  .extend({
    text: z.string().openapi({ description: 'The address' }),
    parts: z.array(part).openapi({ description: 'In the order of the text' }),
  })
  .openapi('ParsedAddress');

export type ParsedAddress = z.output<typeof parsed>;

const PLACES = [
  { code: '0400000000', level: 'region', name: 'Region IV-A (CALABARZON)' },
  { code: '0402100000', level: 'province', name: 'Cavite' },
  { code: '0402106000', level: 'municity', name: 'City of Dasmariñas' },
] as const;
const PLACE = { code: '0402106011', level: 'barangay', name: 'Salawag' } as const;

const partOf = (name: string, text: string, value: string, code: string | null = null) => {
  const start = EXAMPLE_TEXT.indexOf(text);
  return { part: name, text, value, start, end: start + text.length, code };
};

export const parseAnswer = envelope(z.array(parsed).max(MAX_TEXTS), { meta: matchMeta }).openapi({
  example: {
    data: [
      {
        text: EXAMPLE_TEXT,
        match: 'exact',
        ...PLACE,
        score: 1,
        ancestors: PLACES,
        candidates: [{ ...PLACE, score: 1, since: null, until: null, ancestors: PLACES }],
        notes: [],
        parts: [
          partOf('block', 'Blk 4', '4'),
          partOf('lot', 'Lot 12', '12'),
          partOf('phase', 'Phase 2', '2'),
          partOf('subdivision', 'Mabuhay Homes', 'Mabuhay Homes'),
          partOf('barangay', 'Brgy. Salawag', 'Salawag', '0402106011'),
          partOf('municity', 'Dasmariñas', 'Dasmariñas', '0402106000'),
          partOf('province', 'Cavite', 'Cavite', '0402100000'),
          partOf('zip_code', '4114', '4114'),
        ],
      },
    ],
    meta: { exact: 1, likely: 0, ambiguous: 0, none: 0 },
    error: null,
  },
});

export const CSV_EXAMPLE = 'Name,Address\nAna,"12 Rizal St., Brgy. Poblacion, Makati 1210"\n';
