import type { Feature, FeatureCollection, Geometry, Point } from 'geojson';
import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { PsgcError, requestJson } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { parentsOf } from '../shared/find-places.ts';
import { LEVELS } from '../shared/levels.ts';
import { MATCHED, readMatched } from '../shared/matched-places.ts';
import { readMunicities, readOverview } from '../shared/overview.ts';
import type { Dataset } from './own/dataset.ts';
import { extentOf } from './own/extent.ts';
import type { Features } from './own/features.ts';
import { featuresOfList } from './own/matched-features.ts';
import { openFeatures } from './own/open-features.ts';

/** Places of a request: without credentials, and with them. */
const PLACES_AT_ONCE = { free: 20, known: 1000 };

/** Places that have been read, by code. What was read before a failure is not asked for again. */
const known = new Map<string, Feature<Point | null>>();

/**
 * Reads the places of the list that /match has handed to this tab, with the number of rows of each and what the list says
 * of it: barangays as points, and all others as areas where their boundaries can be read.
 *
 * @throws PsgcError, with `dataset_not_found` if it has handed over none
 */
export async function readMatchedPlaces(signal: AbortSignal): Promise<{ dataset: Dataset; features: Features }> {
  const places = readMatched();
  if (!places) {
    const message = 'This tab has no list. Open it from the page Match, at the end, with “Preview the map”.';
    throw new PsgcError({ code: 'dataset_not_found', message });
  }
  const codes = places.counts.map(([code]) => code).filter((code) => !known.has(code));
  const most = currentToken() === undefined ? PLACES_AT_ONCE.free : PLACES_AT_ONCE.known;
  for (let from = 0; from < codes.length; from += most) {
    const asked = codes.slice(from, from + most);
    const body = { rows: asked.map((text) => ({ text })) };
    const path = '/v1/join?attributes=lat,lon';
    const { data } = await requestJson<JsonOf<'join_places'>>(path, { method: 'POST', body, signal });
    for (const [at, row] of data.entries()) known.set(asked[at] ?? '', featureOf(row));
  }
  const boundaries = await readAreas(
    places.counts.map(([code]) => code),
    signal,
  );
  const { features, isShortened } = featuresOfList(places, (code) => {
    const feature = known.get(code);
    return feature && { geometry: boundaries.get(code) ?? feature.geometry, properties: feature.properties ?? {} };
  });
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const drawn = new Map(features.map(({ geometry, properties }) => [properties?.psgc_code, geometry]));
  const geometries = [...drawn.values()].flatMap((geometry) => geometry ?? []);
  const bbox = extentOf({ type: 'GeometryCollection', geometries }) ?? null;
  const description = isShortened || places.isShortened ? SHORTENED : null;
  const facts = { id: MATCHED, description, visibility: 'tab', feature_count: drawn.size } as const;
  return { dataset: { ...facts, name: places.name, bbox }, features: await openFeatures(bytes.buffer) };
}

const SHORTENED = 'The list has too many rows for a preview of each: places have what all of their rows share.';

/** How many boundaries are asked for at once. */
const AREAS_AT_ONCE = 500;

/** The boundaries of areas by code. Without them places are points, so what can't be read is left out. */
async function readAreas(codes: readonly string[], signal: AbortSignal): Promise<Map<string, Geometry>> {
  const wanted = new Set(codes);
  const found = new Map<string, Geometry>();
  const keep = ({ features }: FeatureCollection) => {
    for (const { geometry, properties } of features) {
      if (wanted.has(properties?.code) && geometry) found.set(properties?.code, geometry);
    }
  };
  const overview = await readOverview().catch(() => undefined);
  if (overview) for (const areas of [overview.regions, overview.provinces]) keep(areas);
  const cities = codes.filter((code) => code.endsWith('000') && !found.has(code));
  if (cities.length > 0 && currentToken() === undefined) {
    const { municities, submunicipalities } = await readMunicities().catch(() => ({
      municities: undefined,
      submunicipalities: undefined,
    }));
    for (const areas of [municities, submunicipalities]) if (areas) keep(areas);
    return found;
  }
  for (let from = 0; from < cities.length; from += AREAS_AT_ONCE) {
    const body = { codes: cities.slice(from, from + AREAS_AT_ONCE), geometry: 'simple', format: 'geojson' };
    const init = { method: 'POST', body, signal } as const;
    await requestJson<FeatureCollection>('/v1/municities/search', init).then(keep, () => undefined);
  }
  return found;
}

function featureOf({ name, level, ancestors, areas }: JsonOf<'join_places'>['data'][number]): Feature<Point | null> {
  const { lat, lon } = areas[0]?.attributes ?? {};
  const hasPosition = typeof lat === 'number' && typeof lon === 'number';
  return {
    type: 'Feature',
    geometry: hasPosition ? { type: 'Point', coordinates: [lon, lat] } : null,
    properties: { name, level: level && LEVELS[level].noun, 'lies in': parentsOf({ ancestors }).join(', ') },
  };
}
