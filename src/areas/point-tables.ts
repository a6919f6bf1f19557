import { z } from '@hono/zod-openapi';
import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS } from '../geojson/geometry-columns.ts';
import { choiceParam, DECIMAL, integerParam, textParam } from '../http/params.ts';
import { type Columns, cellOf, findColumns, type Headings, unrecognized } from '../tables/columns.ts';
import type { TableWork } from '../tables/table.ts';
import type { Area, AreaStore, Location, Point } from './store.ts';

const HEADINGS: Headings<'lat' | 'lon'> = {
  lat: [...LATITUDE_COLUMNS, 'ycoord', 'ycoordinate', 'latdd', 'gpslatitude', 'gpslat'],
  lon: [...LONGITUDE_COLUMNS, 'xcoord', 'xcoordinate', 'londd', 'gpslongitude', 'gpslon'],
};

const PARTS = [
  ['region', 'region'],
  ['province', 'province'],
  ['host_province', 'hostProvince'],
  ['municity', 'municity'],
  ['barangay', 'barangay'],
] as const satisfies [string, keyof Location][];

/** The columns that a table of points gets. Those that came later stand last, so that no other has moved. */
const COLUMNS = [
  ...PARTS.flatMap(([name]) => [`${name}_code`, `${name}_name`]),
  ...['match', 'distance_m', 'submunicipality_code', 'submunicipality_name'],
];

export interface PointOptions {
  readonly level: Area['level'];
  readonly within: number;
}

export interface PointColumns {
  readonly lat?: string | undefined;
  readonly lon?: string | undefined;
}

/** The query of a table of points. */
export function pointTableQuery(levels: readonly [Area['level'], ...Area['level'][]], maxWithin: number) {
  return z.object({
    level: choiceParam(levels, 'Finest level of the answer. A JSON body can have it too, and then the body decides')
      .optional()
      .openapi({ default: 'barangay' }),
    within: integerParam({
      min: 0,
      max: maxWithin,
      description:
        'Radius in which to look for the nearest area, metres. A JSON body can have it too, and then the body decides',
    })
      .optional()
      .openapi({ default: 0 }),
    lat: textParam({
      description: 'With text/csv: the heading of the column of latitudes',
      example: 'North',
    }).optional(),
    lon: textParam({
      description: 'With text/csv: the heading of the column of longitudes',
      example: 'East',
    }).optional(),
  });
}

/**
 * The work on a table of points.
 *
 * @throws DomainError `columns_not_recognized`
 */
export function pointTable(
  areas: AreaStore,
  headings: readonly string[],
  { named, options }: { named: PointColumns; options: PointOptions },
): TableWork {
  const { lat, lon } = findColumns(headings, { named, headingsOf: HEADINGS });
  if (!lat || !lon) {
    throw unrecognized(
      'The columns of latitude and longitude are not known. Their headings must be such as lat and lon; or name them in the query, such as ?lat=North&lon=East.',
      headings,
    );
  }
  const reads: Columns<'lat' | 'lon'> = { lat, lon };
  return {
    reads,
    columns: COLUMNS,
    linesOf: async (rows) => {
      const points = rows.map((fields) => pointOf(cellOf(fields, lat), cellOf(fields, lon)));
      const known = points.filter((point) => typeof point !== 'string');
      const locations = known.length > 0 ? (await areas.reverseGeocode(known, options)).value.locations : [];
      let at = 0;
      return points.map((point) => {
        if (typeof point === 'string') return [[...NO_AREAS, point, '', '', '']];
        at += 1;
        return [cellsOf(locations[at - 1] as Location)];
      });
    },
  };
}

const NO_AREAS = PARTS.flatMap(() => ['', '']);

/** The position of a row, or what its `match` says of a row without one. A decimal point may be a comma. */
function pointOf(lat = '', lon = ''): Point | string {
  const texts = { lat: lat.trim().replace(',', '.'), lon: lon.trim().replace(',', '.') };
  if (texts.lat === '' && texts.lon === '') return 'empty';
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') return `invalid: ${name} is empty`;
    if (!DECIMAL.test(text)) return `invalid: ${name} is not a decimal number`;
  }
  const point = { lat: Number(texts.lat), lon: Number(texts.lon) };
  if (Math.abs(point.lon) > 180) return 'invalid: lon is not from -180 to 180';
  if (Math.abs(point.lat) <= 90) return point;
  const canBeSwapped = Math.abs(point.lat) <= 180 && Math.abs(point.lon) <= 90;
  return canBeSwapped ? 'invalid: lat and lon are swapped' : 'invalid: lat is not from -90 to 90';
}

function cellsOf(location: Location): string[] {
  const areas = PARTS.flatMap(([, part]) => [location[part]?.code ?? '', location[part]?.name ?? '']);
  const { match, distance, submunicipality } = location;
  const found = [match ?? 'none', distance === null ? '' : String(distance)];
  return [...areas, ...found, submunicipality?.code ?? '', submunicipality?.name ?? ''];
}
