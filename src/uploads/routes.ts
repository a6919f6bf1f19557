import { z } from '@hono/zod-openapi';
import { RESOLUTIONS } from '../areas/store.ts';
import { requireActiveKey, requireScope } from '../auth/authenticate.ts';
import { datasetSchema } from '../datasets/schemas.ts';
import { DomainError } from '../errors.ts';
import { enveloped, privateAnswer, storing } from '../http/answers.ts';
import { errors, invalidRows, likelyRow } from '../http/error-schemas.ts';
import { deprecation, type Notice, noteDeprecated, noteUnknown, notices } from '../http/notices.ts';
import { refuseInvalid } from '../http/validation.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { operation, Router } from '../operation.ts';
import { RowPace } from '../rate-limits/rows.ts';
import { formSchema, InvalidFields, isField, MATERIALIZE } from './fields.ts';
import type { SkippedRows } from './invalid-rows.ts';
import { FORM_BYTES, fileTooLarge } from './limits.ts';
import { boundaryOf, partsOf } from './multipart.ts';
import { PLACE_PROPERTIES } from './place-properties.ts';
import type { ReadPlaces } from './staged-upload.ts';

const propertyNames = Object.fromEntries(PLACE_PROPERTIES.map((name) => [name, z.string().openapi({ example: name })]));

const places = z
  .object({
    release: z.string().openapi({ description: 'The data release of the areas', example: '2026-1q-1' }),
    edition: z.string().openapi({ description: 'The edition of the areas', example: '2026-1q' }),
    resolution: z.enum(RESOLUTIONS).openapi({ description: 'Of their boundaries' }),
    columns: z.record(z.string(), z.array(z.string())).openapi({
      description:
        'Headings of the columns that were read, by kind; if several are of one kind, the first one that is filled counts',
      example: { province: ['Lalawigan'], municity: ['Bayan'] },
    }),
    properties: z.object(propertyNames).openapi({
      description:
        'Names of the properties that were added to the columns of the table; they end in _matched if the table has such a column',
    }),
    exact: z.int().openapi({ description: 'Features of rows with an exact match' }),
    likely: z.int().openapi({
      description:
        'Features of rows with a likely match; psgc_match is likely, or ambiguous if the column of place_columns.match says so',
    }),
    likely_rows: z
      .array(likelyRow)
      .openapi({ description: 'The first hundred of these rows, and of coarser ones, for people to check' }),
    coarser: z.int().openapi({
      description:
        'Features of rows that have nothing in the finest column of places: their area is a larger one, such as a province among cities and municipalities',
    }),
    levels: z.object(Object.fromEntries(NAME_LEVELS.map((level) => [level, z.int().optional()]))).openapi({
      description: 'Number of features by level of their area',
      example: { municity: 2486, province: 14 },
    }),
  })
  .openapi('UploadPlaces', { description: 'For a table of places: how its rows were matched' });

/** What the answer to an upload says besides the dataset. */
const uploadMeta = z
  .object({
    notices,
    skipped: invalidRows.optional().openapi({ description: 'With on_invalid=skip: the rows that were left out' }),
    places: places.optional(),
  })
  .openapi('UploadMeta')
  .optional();

function placesMeta({ likelyRows, ...read }: ReadPlaces) {
  return { ...read, likely_rows: likelyRows };
}

export function uploadRoutes(): Router {
  const router = new Router(['datasets']);

  operation(router, {
    operationId: 'upload_dataset',
    method: 'post',
    path: '/',
    access: 'authenticated',
    scope: 'write:datasets',
    rawBody: true,
    creates: true,
    summary: 'Upload a file as a dataset',
    description:
      'GeoJSON, newline-delimited GeoJSON, TopoJSON, FlatGeobuf, GeoPackage, zipped shapefile, CSV, workbook (.xlsx), KML, KMZ or GPX; any other file with feature_storage=r2_only.\n\nA file has at most 1,000,000 features, which are at most 512 Mi characters as GeoJSON. Each feature has at most 500,000 positions and 8 MiB, and names of properties have at most 256 characters.\n\nElevations are kept where all points of a GPX track or of a KML line have one; GPX segments of a single point are left out, and a track of nothing else has no geometry. Of single points of tracks and routes (KML, GPX) only positions and elevations are kept: times, names and extensions are in the stored file.\n\nThe rows of a CSV or of a sheet without coordinates name places: each gets the boundary of its area as its geometry, by reference. Its properties are the columns, then psgc_code, psgc_level, psgc_name and psgc_match. A row that is not exact or likely, as `POST /v1/match` has it, is not valid; a hundred rows count as one request. A key with scopes also needs read:boundaries for such a table.\n\nWith dataset_id it takes the place of what that dataset has, at once and for everybody.',
    request: { body: { required: true, content: { 'multipart/form-data': { schema: formSchema } } } },
    responses: {
      ...storing(enveloped('The dataset', datasetSchema, uploadMeta), deprecation(`the field ${MATERIALIZE}`)),
      ...errors(400, 404, 413, 415, 422),
    },
    handler: async (c, { ctx }) => {
      const maxBytes = ctx.config.UPLOAD_MAX_BYTES;
      const boundary = boundaryOf(c.req.header('Content-Type'));
      const length = Number(c.req.header('Content-Length') ?? 0);
      if (length > maxBytes + FORM_BYTES) {
        throw fileTooLarge(ctx.config);
      }
      if (!c.req.raw.body) throw new DomainError('file_missing', 'file: there is no body.');
      // Only uploads need the readers of all formats.
      const { uploadDataset } = await import('./service.ts');
      let skipped: SkippedRows | undefined;
      let places: ReadPlaces | undefined;
      const pace = new RowPace(c, () => requireActiveKey(c));
      const noticed: Notice[] = [];
      const uploading = uploadDataset(ctx, {
        parts: partsOf(c.req.raw.body, boundary),
        announced: Math.max(0, length - FORM_BYTES) || 0,
        onSkipped: (rows) => {
          skipped = rows;
        },
        onNotice: (notice) => void noticed.push(notice),
        onFields: (names) => {
          noteUnknown(
            c,
            names.filter((name) => !isField(name)),
          );
          if (names.includes(MATERIALIZE)) noteDeprecated(c);
        },
        onPlaces: (read) => {
          places = read;
        },
        onPlaceRows: (count) => {
          requireScope(ctx.principal, 'read:boundaries', 'a table of places');
          return pace.add(count);
        },
      });
      ctx.waitUntil(
        uploading.then(
          () => pace.leave(),
          () => pace.leave(),
        ),
      );
      // If the client disconnects, the Worker still deletes what was stored.
      ctx.waitUntil(uploading.catch(() => undefined));
      try {
        const dataset = { ...(await uploading), features: [] };
        const meta = {
          ...(noticed.length > 0 && { notices: noticed }),
          ...(skipped && { skipped }),
          ...(places && { places: placesMeta(places) }),
        };
        return privateAnswer(c, dataset, Object.keys(meta).length > 0 ? meta : undefined);
      } catch (error) {
        if (!(error instanceof InvalidFields)) throw error;
        const { refusal, given } = error;
        // @hono/zod-validator can't check these fields: it reads the whole form first, and this one is streamed.
        return (await refuseInvalid({ ...refusal, data: given, target: 'form' } as never, c)) as Response;
      }
    },
  });

  return router;
}
