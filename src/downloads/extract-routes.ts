import { z } from '@hono/zod-openapi';
import { codeParamOf, editionParams } from '../areas/params.ts';
import { GEOGRAPHY, LOCATION_HEADER, RELEASE_HEADER } from '../areas/representation.ts';
import { RESOLUTIONS } from '../areas/store.ts';
import { requireIdentity } from '../auth/authenticate.ts';
import { RENAMED_COLUMNS, renamedColumns } from '../datasets/export-parts.ts';
import { nameLocation, streamOf } from '../http/answers.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { displayString } from '../http/display-string.ts';
import { errors, header } from '../http/error-schemas.ts';
import { choiceParam } from '../http/params.ts';
import { startTexts } from '../http/stream.ts';
import { operation, type Router } from '../operation.ts';
import { countFile } from '../rate-limits/rows.ts';
import { sessionParam } from '../session-parameter.ts';
import { COUNTRY_CODE, readExtract } from './extract.ts';
import { EXTRACT_FORMATS, EXTRACT_TYPES, shortenedColumns } from './extract-formats.ts';
import { FILE_LEVEL_NAMES } from './schemas.ts';
import { DOWNLOAD_SESSIONS, extractSession } from './sessions.ts';

const params = z.object({
  code: z
    .union(
      [z.literal(COUNTRY_CODE), codeParamOf('0702200000')],
      `must be a PSGC code of 1 to 15 digits, or ${COUNTRY_CODE}`,
    )
    .openapi({
      type: 'string',
      pattern: `^(\\d{1,15}|${COUNTRY_CODE})$`,
      description: 'PSGC code of an area of any level, old codes too; PH for the whole country',
      example: '0702200000',
    }),
});

const query = z.object({
  level: choiceParam(FILE_LEVEL_NAMES, 'Level of the areas inside the area, or of the area itself').openapi({
    example: 'barangay',
  }),
  format: choiceParam(
    EXTRACT_FORMATS,
    'Format of the file. csv and xlsx have no boundaries; the others need credentials',
  )
    .optional()
    .openapi({ default: 'csv' }),
  resolution: choiceParam(RESOLUTIONS, 'Boundaries of a layer; ignored for csv and xlsx')
    .optional()
    .openapi({ default: 'medium' }),
  scope: choiceParam(
    ['geographic', 'admin'],
    'For a province. geographic: includes cities that lie in it but do not belong to it; admin: only those that belong to it',
  )
    .optional()
    .openapi({ default: 'geographic' }),
  ...editionParams,
  session: sessionParam(DOWNLOAD_SESSIONS),
});

const ATTRIBUTION = 'X-Attribution';

const BINARY = { type: 'string' as const, format: 'binary' };

const HEADERS_OF_304 = {
  ETag: header('Strong validator, made from the data release; send it in If-None-Match'),
  'Cache-Control': header('public for tables without credentials, private otherwise'),
  ...LOCATION_HEADER,
};

const collection = z.looseObject({ type: z.literal('FeatureCollection'), features: z.array(z.looseObject({})) });

/** What is JSON has a schema of JSON: its media type makes clients parse it. */
const CONTENT = Object.fromEntries(
  Object.entries(EXTRACT_TYPES).map(([format, { type }]) => [
    type,
    { schema: format === 'geojson' ? collection : BINARY },
  ]),
);

/** The operation that makes a file of the areas inside an area. */
export function addExtractRoute(router: Router): void {
  operation(router, {
    operationId: 'download_areas',
    method: 'get',
    path: '/areas/{code}',
    access: 'free-tier',
    isWeighed: true,
    ...GEOGRAPHY,
    queryCredential: extractSession,
    summary: 'Get the areas inside an area as a file',
    description:
      'A file with all provinces, cities and municipalities, sub-municipalities or barangays of an area. It is made when you ask for it, and has the columns of the files of whole levels. A layer has the areas with a boundary.\n\ngpkg is a GeoPackage, fgb a FlatGeobuf without an index, parquet GeoParquet 1.1, and shp a Shapefile in a zip archive. The columns of a Shapefile have at most ten characters: X-Renamed-Columns and its README.txt name them. Release, edition, licence and attribution are in every file but csv.\n\nA hundred areas, or 1 MiB of the boundaries that it is made of, count as one request of a key. Without a key, and with a session, a thousand areas or 1 MiB count as one request, and a file is made as long as one request is left. There are no ranges. Files of whole levels are made with the release: GET /v1/downloads.',
    request: { params, query },
    responses: {
      200: {
        description: 'The file',
        headers: {
          ...HEADERS_OF_304,
          ...RELEASE_HEADER,
          'Content-Disposition': header('File name to save it under'),
          [ATTRIBUTION]: header('Attribution to show with it: a Display String of RFC 9651'),
          [RENAMED_COLUMNS]: header(
            'For a Shapefile: columns with a shortened name, as name=shortened, separated by semicolons',
          ),
        },
        content: CONTENT,
      },
      304: { description: "The caller's copy is current", headers: HEADERS_OF_304 },
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params: { code }, query }) => {
      const { level, format = 'csv', resolution = 'medium', scope = 'geographic', edition } = query;
      const { type, ending, isTable } = EXTRACT_TYPES[format];
      if (!isTable && !c.var.hasQueryCredential)
        requireIdentity(ctx.principal, `format=${format}, which has boundaries,`);
      const validator = validatorOf(c, ctx.config);
      const asked = { code, level, resolution: isTable ? undefined : resolution, scope, edition };
      const extract = await readExtract(ctx, { ...asked, knownVersions: validator.knownVersions });
      const { value, currentCode, ...read } = extract;
      if (currentCode !== code) nameLocation(c, `/v1/downloads/areas/${currentCode}`);
      const principal = isTable ? ctx.principal : { kind: 'session' };
      const unchanged = revalidate(c, validator, { ...read, unchanged: !value, principal });
      if (unchanged || !value) return unchanged ?? c.body(null, 304);
      const fail = await countFile(c, value.size);
      const { EXTRACT_WRITERS } = await import('./extract-writers.ts');
      const body = await startTexts(EXTRACT_WRITERS[format](value)).catch(fail);
      if (format === 'shp') {
        const [names, short] = [0, 1].map((at) => shortenedColumns(value.columns).map((pair) => pair[at] as string));
        c.header(RENAMED_COLUMNS, renamedColumns(names as string[], short as string[]));
      }
      return c.body(streamOf(c, body), 200, {
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="${value.fileName}.${ending}"`,
        [ATTRIBUTION]: displayString(value.attribution),
      });
    },
  });
}
