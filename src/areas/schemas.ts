import { z } from '@hono/zod-openapi';
import { ageSchema } from './edition-age.ts';
import { EXAMPLES, PLACE_EXAMPLE, SINGLE_EXAMPLES } from './examples.ts';

const code = z.string().max(15).openapi({ description: 'PSGC code', example: '0702200000' });
const position = z
  .tuple([z.number(), z.number()])
  .openapi({ description: 'Longitude, latitude in degrees (WGS 84)', minItems: 2, maxItems: 2 });

const bbox = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .openapi({ description: 'West, south, east, north in degrees (WGS 84)', minItems: 4, maxItems: 4 });

/** A corner of a boundary, closed. */
const RING = [
  [123.88837, 10.308067],
  [123.895461, 10.311],
  [123.892, 10.32495],
  [123.88837, 10.308067],
];

const geometry = z
  .object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.any()) })
  .openapi('AreaGeometry', {
    description:
      'RFC 7946 geometry in WGS 84, at most six decimals; neighbours share the positions of their common border',
    example: { type: 'Polygon', coordinates: [RING] },
  });

/** A named schema or null. The library writes `.nullable()` of a named schema as one that null can't fulfil. */
function orNull<S extends z.ZodType>(schema: S) {
  return z.union([schema, z.null()]);
}

/** The members that every level has. */
const common = {
  id: z
    .number()
    .int()
    .min(-2147483648)
    .max(2147483647)
    .openapi({ description: 'Serial id of the record; changes with every release. Use the code.' }),
  name: z.string().max(256),
  code,
  population: z.number().int().nullable().openapi({
    description:
      'Residents in the newest census of the edition. For a province, without the highly urbanised cities in it and with the independent component cities; before the census of 2024, Maguindanao del Norte is without the City of Cotabato',
  }),
  population_year: z.number().int().nullable().openapi({ description: 'The year of that census', example: 2024 }),
  income_class: z
    .string()
    .max(40)
    .nullable()
    .openapi({ description: 'Income classification as published, with its mark', example: '1st' }),
  urban_rural: z
    .enum(['U', 'R'])
    .nullable()
    .openapi({ description: 'Urban or rural by the census classification; null above barangays' }),
  area_km2: z.number().nullable().openapi({
    description:
      'Area of the detailed boundary on the WGS 84 ellipsoid. The boundary of a province includes the independent cities in it',
  }),
  density_km2: z.number().nullable().openapi({
    description:
      'Residents per square kilometre; for a province, without the highly urbanised cities in it and their land; null if the residents are of other land than the area',
  }),
  iso_3166_2: z
    .string()
    .max(6)
    .nullable()
    .openapi({ description: 'ISO 3166-2 code of a region or province', example: 'PH-CEB' }),
  island_group: z.enum(['luzon', 'visayas', 'mindanao']).nullable(),
  pcode: z.string().max(12).openapi({ description: 'P-code of humanitarian datasets (COD-AB)', example: 'PH07022' }),
  centroid: position
    .nullable()
    .openapi({ description: 'A point on the largest part of the area; its centre if that lies inside' }),
  bbox: bbox.nullable(),
  requested_code: code.optional().openapi({ description: 'The requested code, if it differs from the current one' }),
  geometry: orNull(geometry).optional().openapi({ description: 'Present only on request' }),
};

const regionShape = z.object(common);
const provinceShape = z.object({ ...common, r_code: code.nullable() });
const TYPE =
  'City, Municipality, SubMun: a sub-municipality of Manila, or SGU: a Special Government Unit of an older edition';

const municityShape = z.object({
  ...common,
  type: z.string().max(20).openapi({ description: TYPE, example: 'City' }),
  city_class: z.string().max(10).nullable().openapi({
    description: 'HUC (highly urbanized), ICC (independent component) or CC (component city); null for others',
  }),
  m_code: code.nullable().openapi({ description: 'City of a sub-municipality; null for all others' }),
  p_code: code.nullable().openapi({ description: 'Administrative parent province' }),
  host_province_code: code
    .nullable()
    .openapi({ description: 'Province that geographically contains a city or municipality that belongs to none' }),
  r_code: code.nullable(),
  zip_codes: z.array(z.string().length(4)).openapi({
    description: 'ZIP codes of the post office, ascending; empty if none is known, several in large cities',
  }),
});
const barangayShape = z.object({
  ...common,
  sm_code: code.nullable().openapi({ description: 'Sub-municipality of a barangay of Manila; null elsewhere' }),
  m_code: code.openapi({ description: 'City or municipality' }),
  p_code: code.nullable(),
  r_code: code,
});

/** A record of each level, as lists have it. */
export const records = {
  region: regionShape.openapi('Region', { example: EXAMPLES.region }),
  province: provinceShape.openapi('Province', { example: EXAMPLES.province }),
  municity: municityShape.openapi('Municity', { example: EXAMPLES.municity }),
  barangay: barangayShape.openapi('Barangay', { example: EXAMPLES.barangay }),
};

const formerNames = z
  .array(z.string())
  .openapi({ description: 'Former names and other spellings of the area, or of a predecessor' });
const detail = {
  former_names: formerNames,
  population_history: z.array(z.object({ year: z.number().int(), population: z.number().int() })).openapi({
    description:
      'Residents by every census of the edition, the oldest first. They are those within the borders of that census: until 2020 Makati has ten barangays that are in Taguig now. Only from 2024 on does Maguindanao del Norte count the City of Cotabato. Areas that were merged or divided since have the residents of their present land, or none',
  }),
  notes: z.array(z.string()).openapi({ description: 'Footnotes of the edition about it, with their marks' }),
};
const count = (what: string) =>
  z
    .number()
    .int()
    .openapi({ description: `Number of ${what}` });

/** A record of each level, as it is answered alone: with former names and the counts of its children. */
export const singles = {
  region: regionShape
    .extend({
      ...detail,
      province_count: count('provinces'),
      municity_count: count('cities and municipalities'),
      barangay_count: count('barangays'),
    })
    .openapi('RegionDetail', { example: SINGLE_EXAMPLES.region }),
  province: provinceShape
    .extend({
      ...detail,
      municity_count: count('cities and municipalities that belong to the province'),
      hosted_municity_count: count('cities and municipalities that lie in the province but do not belong to it'),
      barangay_count: count('barangays that belong to the province'),
    })
    .openapi('ProvinceDetail', { example: SINGLE_EXAMPLES.province }),
  municity: municityShape
    .extend({ ...detail, barangay_count: count('barangays') })
    .openapi('MunicityDetail', { example: SINGLE_EXAMPLES.municity }),
  barangay: barangayShape.extend(detail).openapi('BarangayDetail', { example: SINGLE_EXAMPLES.barangay }),
};

const subMunicipality = z.object({ name: z.string(), code }).openapi('SubMunicipality');

/** Every ancestor of an area and the area itself, null where it has none. */
export const hierarchy = z
  .object({
    region: orNull(records.region),
    province: orNull(records.province),
    host_province: orNull(records.province).openapi({
      description: 'Province that geographically contains a city or municipality that belongs to none',
    }),
    municity: orNull(records.municity),
    sub_municipality: orNull(subMunicipality).openapi({ description: 'Manila only' }),
    barangay: orNull(records.barangay),
  })
  .openapi('Hierarchy');

const NOT_PROPERTIES = { geometry: true, centroid: true, bbox: true } as const;

/** The centroid as GeoJSON Features have it. */
const lonLat = {
  lon: z.number().nullable().openapi({ description: 'Longitude of the centroid in degrees (WGS 84)' }),
  lat: z.number().nullable().openapi({ description: 'Latitude of the centroid in degrees (WGS 84)' }),
};

/** A GeoJSON Feature of each level, as collections have it: its properties are the record, with its place in numbers. */
const features = {
  region: featureOf(records.region, 'RegionFeature'),
  province: featureOf(records.province, 'ProvinceFeature'),
  municity: featureOf(records.municity.omit({ zip_codes: true }), 'MunicityFeature'),
  barangay: featureOf(records.barangay, 'BarangayFeature'),
};

/** The same of an area that is answered alone. */
export const singleFeatures = {
  region: featureOf(singles.region, 'RegionDetailFeature'),
  province: featureOf(singles.province, 'ProvinceDetailFeature'),
  municity: featureOf(singles.municity.omit({ zip_codes: true }), 'MunicityDetailFeature'),
  barangay: featureOf(singles.barangay, 'BarangayDetailFeature'),
};

export const collections = {
  region: collectionOf(features.region, 'RegionFeatureCollection'),
  province: collectionOf(features.province, 'ProvinceFeatureCollection'),
  municity: collectionOf(features.municity, 'MunicityFeatureCollection'),
  barangay: collectionOf(features.barangay, 'BarangayFeatureCollection'),
};

function featureOf(record: typeof regionShape, name: string) {
  const properties = record.omit(NOT_PROPERTIES).extend(lonLat);
  return z
    .object({
      type: z.literal('Feature'),
      id: code,
      bbox: bbox.optional(),
      geometry: orNull(geometry),
      properties,
    })
    .openapi(name);
}

function collectionOf(feature: z.ZodType, name: string) {
  return z.object({ type: z.literal('FeatureCollection'), features: z.array(feature) }).openapi(name);
}

/** What lies at a point. */
export const placeSchema = z
  .object({
    lat: z.number(),
    lon: z.number(),
    match: z
      .enum(['contains', 'nearest'])
      .nullable()
      .openapi({ description: 'contains: boundaries around the point; nearest: an area near it; null: nothing found' }),
    distance_m: z
      .number()
      .nullable()
      .openapi({ description: 'Distance to the area, metres; 0 if it contains the point' }),
    region: orNull(records.region),
    province: orNull(records.province),
    host_province: orNull(records.province).openapi({
      description: 'Province that the place lies in but does not belong to',
    }),
    municity: orNull(records.municity),
    submunicipality: orNull(records.municity).openapi({
      description: 'Sub-municipality of Manila in which the barangay lies; null elsewhere, and above barangays',
    }),
    barangay: orNull(records.barangay),
  })
  .openapi('Place', { example: PLACE_EXAMPLE });

export const placeFeatureSchema = z
  .object({ type: z.literal('Feature'), id: code.optional(), geometry: orNull(geometry), properties: placeSchema })
  .openapi('PlaceFeature');

/** Where some attributes of records come from. */
const attributeSourceSchema = z
  .object({
    attributes: z.array(z.string()),
    source: z.string(),
    url: z.string().nullable(),
    note: z.string().nullable().openapi({ description: 'What the values cover' }),
  })
  .openapi('AttributeSource');

/** What is served and where it comes from. */
export const sourcesSchema = z
  .object({
    release: z.string().openapi({ example: '2026-3q-1' }),
    edition: z.string().openapi({ description: 'Edition of the PSGC', example: '3Q 2026' }),
    ...ageSchema.shape,
    boundaries: z.enum(['none', 'display', 'full']).openapi({
      description:
        'none: no boundaries; display: coarse or incomplete ones to draw, which geometry=detailed gives too; full: detailed ones of all but a few barangays, which points are looked up in',
    }),
    reverse_geocoding: z.boolean(),
    sources: z.array(
      z.object({
        part: z.enum(['codes', 'boundaries']),
        name: z.string(),
        edition: z.string(),
        publisher: z.string(),
        url: z.string(),
        licence: z.string(),
        attribution: z.string().openapi({ description: 'Attribution to show with the data' }),
        note: z.string().nullable(),
      }),
    ),
    attributes: z.array(attributeSourceSchema),
  })
  .openapi('Sources');
