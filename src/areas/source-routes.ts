import { z } from '@hono/zod-openapi';
import { answerText, envelope } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { answerRead } from './answer-read.ts';
import { ageOf, dayOf } from './edition-age.ts';
import { editionId } from './edition-id.ts';
import { editionParams } from './params.ts';
import { geographyResponses } from './representation.ts';
import { type attributeSourceSchema, sourcesSchema } from './schemas.ts';
import { newestEdition, servedAreas } from './served-areas.ts';

/** The source of each attribute of areas. An attribute that a release lacks is null. */
const ATTRIBUTES: z.output<typeof attributeSourceSchema>[] = [
  {
    attributes: ['population', 'population_year', 'population_history'],
    source:
      'Philippine Statistics Authority: 2015 by the Census of Population (POPCEN 2015), 2020 by the Census of Population and Housing (CPH 2020), 2024 by the Census of Population (POPCEN 2024)',
    url: 'https://psa.gov.ph/classification/psgc',
    note: 'Those that were public when the list was, mostly within the borders of each census; as packed in the CRAN package psgc (MIT), unless the list has its own. Those of a province are without the highly urbanised cities that it hosts and with the independent component cities, but for the City of Cotabato, which Maguindanao del Norte counts from 2024 on.',
  },
  {
    attributes: ['income_class'],
    source: 'Bureau of Local Government Finance, Department of Finance',
    url: 'https://blgf.gov.ph',
    note: 'Lists since 2Q 2025 have the classes of Department Order 074-2024 (RA 11964), in force since 1 January 2025; older ones those of Department Order 23-08 of 2008. As published; marks behind a class are those of the list.',
  },
  {
    attributes: ['urban_rural'],
    source: 'Philippine Statistics Authority: Census of Population and Housing (CPH 2020)',
    url: 'https://psa.gov.ph/classification/psgc',
    note: null,
  },
  {
    attributes: ['area_km2', 'density_km2'],
    source: 'Computed on the WGS 84 ellipsoid from the detailed boundaries of the release; null without these',
    url: null,
    note: 'No official land area. A province is drawn with the cities of its region that it hosts; its density is without the highly urbanised ones and their land.',
  },
  {
    attributes: ['iso_3166_2'],
    source: 'ISO 3166-2:PH',
    url: 'https://www.iso.org/obp/ui/#iso:code:3166:PH',
    note: 'The Negros Island Region has none.',
  },
  {
    attributes: ['island_group'],
    source: 'The group of the region, as the PSA lists them',
    url: 'https://psa.gov.ph/classification/psgc',
    note: null,
  },
  {
    attributes: ['pcode'],
    source: 'Made from the code in the scheme of the humanitarian COD-AB set',
    url: 'https://data.humdata.org/dataset/cod-ab-phl',
    note: 'PH and the digits that name an area of its level; the Special Geographic Area is written 19099.',
  },
];

/** What is served, where it comes from and under which terms. */
export function sourceRoutes(): Router {
  const router = new Router(['sources']);

  operation(router, {
    operationId: 'list_sources',
    method: 'get',
    path: '/',
    access: 'free-tier',
    identity: 'credential',
    summary: 'The data release, its sources, licences and attributions',
    description: 'The required attribution, the source of each attribute, and the age of the PSGC list.',
    request: { query: z.object(editionParams) },
    responses: {
      ...geographyResponses('The active release and its sources', envelope(sourcesSchema)),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query }) => {
      const areas = await servedAreas(ctx, query.edition);
      const now = Date.now();
      // `newestEdition` needs the areas of the active release, also if another edition is asked for.
      const newest = await newestEdition(ctx, query.edition === undefined ? areas : await servedAreas(ctx));
      return answerRead(c, ctx, {
        areas,
        ageKey: `${dayOf(now)} ${newest}`,
        read: (knownVersions) => areas.listSources({ knownVersions }),
        produce: ({ edition, publishedOn, boundarySet: boundaries, sources }, release) =>
          answerText(c, {
            release,
            edition,
            ...ageOf({ id: editionId(edition), day: publishedOn, newest }, now),
            boundaries,
            reverse_geocoding: boundaries === 'full',
            sources,
            attributes: ATTRIBUTES,
          }),
      });
    },
  });

  return router;
}
