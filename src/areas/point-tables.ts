import { z } from '@hono/zod-openapi';
import { choiceParam, DECIMAL, integerParam, textParam } from '../http/params.ts';
import type { TableWork } from '../tables/answer.ts';
import { cellOf, findColumns, type Headings, unrecognized } from '../tables/columns.ts';
import type { AreaStore, Level, Location, Point } from './store.ts';

const HEADINGS: Headings<'lat' | 'lon'> = {
  lat: ['lat', 'latitude', 'latitud', 'y', 'ycoord', 'ycoordinate', 'latdd', 'gpslatitude', 'gpslat'],
  lon: [
    'lon',
    'lng',
    'long',
    'longitude',
    'longhitud',
    'x',
    'xcoord',
    'xcoordinate',
    'londd',
    'gpslongitude',
    'gpslon',
  ],
};

const PARTS = [
  ['region', 'region'],
  ['province', 'province'],
  ['host_province', 'hostProvince'],
  ['municity', 'municity'],
  ['barangay', 'barangay'],
] as const satisfies [string, keyof Location][];

/** The columns that a table of points gets. */
const COLUMNS = [...PARTS.flatMap(([name]) => [`${name}_code`, `${name}_name`]), 'match', 'distance_m'];

export interface PointOptions {
  readonly level: Level;
  readonly within: number;
}

export interface PointColumns {
  readonly lat?: string | undefined;
  readonly lon?: string | undefined;
}

/** The query of a table of points. */
export function pointTableQuery(levels: readonly [Level, ...Level[]], maxWithin: number) {
  return z.object({
    level: choiceParam(levels, 'With text/csv: finest level to answer').optional().openapi({ default: 'barangay' }),
    within: integerParam({ min: 0, max: maxWithin, description: 'With text/csv: metres to look for the nearest area' })
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
  const { lat, lon } = findColumns(headings, { named, known: HEADINGS });
  if (!lat || !lon) {
    throw unrecognized(
      'The columns of latitude and longitude are not known. Their headings must be such as lat and lon; or name them in the query, such as ?lat=North&lon=East.',
      headings,
    );
  }
  return {
    reads: [...lat, ...lon],
    columns: COLUMNS,
    cellsOf: async (rows) => {
      const points = rows.map((fields) => pointOf(cellOf(fields, lat), cellOf(fields, lon)));
      const known = points.filter((point) => point !== undefined);
      const locations = known.length > 0 ? (await areas.reverseGeocode(known, options)).value.locations : [];
      let at = 0;
      return points.map((point) => {
        const location = point && locations[at];
        if (point) at += 1;
        return cellsOf(location);
      });
    },
  };
}

/** Undefined for what is no position: its row has no answer. A decimal point may be a comma. */
function pointOf(lat = '', lon = ''): Point | undefined {
  const [y, x] = [lat, lon].map((text) => text.trim().replace(',', '.'));
  if (!DECIMAL.test(y ?? '') || !DECIMAL.test(x ?? '')) return undefined;
  const point = { lat: Number(y), lon: Number(x) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180 ? point : undefined;
}

function cellsOf(location: Location | undefined): string[] {
  const areas = PARTS.flatMap(([, part]) => {
    const area = location?.[part];
    return [area?.code ?? '', area?.name ?? ''];
  });
  const distance = location?.distance ?? null;
  return [...areas, location?.match ?? '', distance === null ? '' : String(distance)];
}
