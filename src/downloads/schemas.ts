import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { COUNTRY, DOWNLOAD_FORMATS, FILE_LEVELS, type FileLevel } from '../areas/snapshot/download-names.ts';
import { RESOLUTIONS } from '../areas/store.ts';
import { choiceParam } from '../http/params.ts';
import { byteCount, moment } from '../http/schemas.ts';
import { sessionParam, ttlSeconds } from '../session-parameter.ts';
import { DOWNLOAD_SESSIONS } from './sessions.ts';

export const FILE_LEVEL_NAMES = Object.keys(FILE_LEVELS) as [FileLevel, ...FileLevel[]];

/** The levels of files; `country` has all of them in one file. */
const DOWNLOAD_LEVELS = [...FILE_LEVEL_NAMES, COUNTRY] as const;

const ID_RULE = 'must be 1 to 128 of a-z, 0-9, "-" and "."';

const ID = /^[a-z0-9.-]{1,128}$/;

const sha256 = z.string().openapi({ description: 'SHA-256 of its bytes, hexadecimal' });

const id = z.string(ID_RULE).regex(ID, ID_RULE).openapi({
  description: 'Name of a file: its release, level, resolution and format',
  example: '2026-3q-1.barangays.detailed.parquet',
});

export const downloadParams = z.object({ id });

export const downloadQuery = z.object({ session: sessionParam(DOWNLOAD_SESSIONS) });

export const downloadFilter = z.object({
  level: choiceParam(DOWNLOAD_LEVELS, 'Filter by level; country: all levels in one file').optional(),
  format: choiceParam(DOWNLOAD_FORMATS, 'Filter by format').optional(),
  resolution: choiceParam(RESOLUTIONS, 'Filter by resolution of the boundaries').optional(),
  edition: editionParams.edition.openapi({
    description: 'Filter by edition of the PSGC; see GET /v1/editions',
    example: '2026-3q',
  }),
});

export const downloadSchema = z
  .object({
    id,
    level: z.enum(DOWNLOAD_LEVELS).openapi({ description: 'country: all levels in one file' }),
    resolution: z.enum(RESOLUTIONS).nullable().openapi({ description: 'Null for a table without boundaries' }),
    format: z.enum(DOWNLOAD_FORMATS).openapi({
      description:
        'csv RFC 4180 in UTF-8; ndjson an object a line; fgb FlatGeobuf with its index; parquet GeoParquet 1.1 with a covering column bbox; gpkg GeoPackage 1.3, a SQLite database; .gz compressed with gzip',
    }),
    edition: z.string().openapi({ example: '2026-3q' }),
    release: z.string().openapi({ example: '2026-3q-1' }),
    size_bytes: byteCount,
    sha256,
    rows: z.int().openapi({
      description: 'Rows or features: areas of the level, in a layer those with a boundary; of the country all areas',
    }),
    href: z.url(),
    media_type: z.string().openapi({ example: 'application/vnd.apache.parquet' }),
    licence: z.string(),
    attribution: z.string().openapi({ description: 'Attribution to show with the data' }),
    created_at: moment,
  })
  .openapi('Download');

export const releaseParams = z.object({
  id: z.string(ID_RULE).regex(ID, ID_RULE).openapi({ description: 'Id of a release', example: '2026-3q-1' }),
});

const terms = z.object({ licence: z.string(), attribution: z.string() });
const part = { size_bytes: byteCount, sha256 };

export const releaseDocumentSchema = z
  .object({
    schema_version: z.int().openapi({ description: 'Version of these members', example: 1 }),
    release: z.string().openapi({ example: '2026-3q-1' }),
    version: z.string().openapi({ description: 'Identifies this load of the release' }),
    edition: z.string().openapi({ example: '2026-3q' }),
    created_at: moment,
    codes: terms,
    boundaries: terms.nullable(),
    files: z
      .array(z.object({ id: z.string(), ...part, rows: z.int().nullable() }))
      .openapi({ description: 'The files of GET /v1/downloads' }),
    objects: z
      .array(z.object({ name: z.string(), ...part }))
      .openapi({ description: 'The objects that the service answers geography from' }),
  })
  .openapi('ReleaseDocument');

const topologyObject = z.looseObject({ type: z.literal('GeometryCollection'), geometries: z.array(z.looseObject({})) });

/** Which of the coarse maps, and of which edition. */
export const overviewQuery = z.object({
  ...editionParams,
  level: choiceParam(
    ['municity'],
    'The cities and municipalities, and the sub-municipalities of Manila, in place of the regions and provinces',
  ).optional(),
});

export const municityOverviewSchema = z
  .looseObject({
    type: z.literal('Topology'),
    objects: z.object({ municities: topologyObject, submunicipalities: topologyObject.optional() }),
    arcs: z.array(z.array(z.array(z.int()))),
  })
  .openapi('MunicityOverview', {
    description:
      'Quantized TopoJSON. Properties: `code`, `name`, `lon` and `lat` of the label, `r_code`; of cities and municipalities `p_code` and `host_province_code`, of sub-municipalities `m_code`',
  });

export const overviewSchema = z
  .looseObject({
    type: z.literal('Topology'),
    objects: z.object({ regions: topologyObject, provinces: topologyObject, capitals: topologyObject }),
    arcs: z.array(z.array(z.array(z.int()))),
  })
  .openapi('Overview', {
    description:
      'Quantized TopoJSON. Regions and provinces have `code`, `name`, and `lon` and `lat` of the label; provinces also have `r_code`. Capitals have `code`, `name` and `p_code`, the largest first; the highly urbanised cities outside of the National Capital Region are among them',
  });

const MAX_IDS = 64;
const IDS_RULE = `must be an array of 1 to ${MAX_IDS} ids of files`;

export const newSessionSchema = z
  .strictObject({
    ids: z.array(id, IDS_RULE).min(1, IDS_RULE).max(MAX_IDS, IDS_RULE).optional().openapi({
      description: 'Ids of the files to open; default: all, including those published later',
    }),
    ttl_seconds: ttlSeconds,
  })
  .openapi({ example: { ids: ['2026-3q-1.barangays.detailed.parquet'], ttl_seconds: 3600 } });

export const sessionSchema = z.object({
  session: z.string(),
  expires_at: moment,
  files: z.array(z.object({ id, href: z.url() })),
});
