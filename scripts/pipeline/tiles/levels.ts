import type { AreaLevel } from '../psgc/area.ts';

/** Properties that the features of an archive can have, and how the archive describes them. */
const FIELDS = {
  code: 'Ten-digit PSGC code',
  name: 'Name as published',
  type: 'City, Municipality or SGU',
  r_code: 'Code of the region',
  p_code: 'Code of the province that it belongs to',
  host_province_code: 'Code of the province that it lies in without belonging to it',
  m_code: 'Code of the city or municipality',
  sm_code: 'Code of the sub-municipality',
} as const;

export type Field = keyof typeof FIELDS;

/** One archive: a level of geography and the zooms at which it is drawn. */
export interface TileLevel {
  level: AreaLevel;
  /** Name of the archive, and of its layer of polygons. */
  slug: string;
  name: string;
  minzoom: number;
  maxzoom: number;
  fields: readonly Field[];
}

/** Name of the layer of label points in every archive. */
export const LABELS = 'labels';

export const TILE_LEVELS: readonly TileLevel[] = [
  { level: 'region', slug: 'regions', name: 'Regions', minzoom: 0, maxzoom: 8, fields: ['code', 'name'] },
  {
    level: 'province',
    slug: 'provinces',
    name: 'Provinces',
    minzoom: 0,
    maxzoom: 10,
    fields: ['code', 'name', 'r_code'],
  },
  {
    level: 'municity',
    slug: 'municities',
    name: 'Cities and municipalities',
    minzoom: 0,
    maxzoom: 12,
    fields: ['code', 'name', 'type', 'r_code', 'p_code', 'host_province_code'],
  },
  {
    level: 'submunicipality',
    slug: 'submunicipalities',
    name: 'Sub-municipalities of Manila',
    minzoom: 6,
    maxzoom: 13,
    fields: ['code', 'name', 'r_code', 'm_code'],
  },
  {
    level: 'barangay',
    slug: 'barangays',
    name: 'Barangays',
    minzoom: 6,
    maxzoom: 14,
    fields: ['code', 'name', 'r_code', 'p_code', 'm_code', 'sm_code'],
  },
];

/** The layers of an archive, as its metadata and TileJSON 3.0 list them. */
export function vectorLayers({ slug, name, minzoom, maxzoom, fields }: TileLevel) {
  const described = Object.fromEntries(fields.map((field) => [field, FIELDS[field]]));
  return [
    { id: slug, description: `Boundaries: ${name}`, minzoom, maxzoom, fields: described },
    { id: LABELS, description: `A point in the largest part of each: ${name}`, minzoom, maxzoom, fields: described },
  ];
}
