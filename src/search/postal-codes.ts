import { z } from '@hono/zod-openapi';
import { answerRead } from '../areas/answer-read.ts';
import { cachedText } from '../areas/cached-answers.ts';
import { editionParams } from '../areas/params.ts';
import { GEOGRAPHY, geographyResponses } from '../areas/representation.ts';
import { servedAreas } from '../areas/served-areas.ts';
import { DomainError } from '../errors.ts';
import { answerText, envelope } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { addressLabel } from '../names/address-label.ts';
import { areasOfZip } from '../names/zip-areas.ts';
import { operation, Router } from '../operation.ts';
import { allZipCodes } from '../zip-codes.ts';
import { postalCodeSchema } from './schemas.ts';
import { placed } from './service.ts';

const RULE = 'must be a ZIP code of four digits, such as 1605';

const params = z.object({
  zip: z
    .string(RULE)
    .regex(/^\d{4}$/, RULE)
    .openapi({ description: 'A ZIP code of four digits', example: '1605', param: { name: 'zip', in: 'path' } }),
});

/** How many known ZIP codes an error names. */
const NEAREST = 3;

/** Route of the areas of a ZIP code. */
export function postalCodeRoutes(): Router {
  const router = new Router(['search']);
  operation(router, {
    operationId: 'get_postal_code',
    method: 'get',
    path: '/{zip}',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: 'The areas of a ZIP code',
    description:
      'The cities, municipalities and sub-municipalities of Manila that a ZIP code of the post office is of. A ZIP code may have several, and a city several ZIP codes: `zip_codes` of its record. ZIP codes are the post office’s and no part of the PSGC.',
    request: { params, query: z.object(editionParams) },
    responses: { ...geographyResponses('Its areas', envelope(postalCodeSchema)), ...errors(404, 422) },
    handler: async (c, { ctx, params: { zip }, query: { edition } }) => {
      const areas = await servedAreas(ctx, edition);
      return answerRead(c, ctx, {
        areas,
        read: () => areas.names(),
        check: ({ index }) => areasOfZip(index, zip).length === 0 && refuse(zip),
        produce: (names) => {
          const found = areasOfZip(names.index, zip).map((row) => {
            const { ancestors, ...area } = placed(names, row);
            return { ...area, label: addressLabel(names.index, row), ancestors };
          });
          return answerText(c, { zip_code: zip, areas: found });
        },
      });
    },
  });
  return router;
}

/** @throws DomainError `postal_code_not_found` with the nearest known ZIP codes */
function refuse(zip: string): never {
  const distance = (other: string) => Math.abs(Number(other) - Number(zip));
  const nearest = allZipCodes()
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, NEAREST);
  const message = `No area is known to have the ZIP code ${zip}. The nearest known ones are ${nearest.join(', ')}.`;
  throw new DomainError('postal_code_not_found', message, { facts: { nearest } });
}
