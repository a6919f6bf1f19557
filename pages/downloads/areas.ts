import type { JsonOf, Municity, Province, Region } from '../../clients/typescript/src/types.ts';
import { PsgcError, requestJson } from '../shared/api.ts';
import type { Area } from './choice.ts';

/**
 * Reads the areas of an edition, and its sources.
 *
 * @param wanted the code of the area that is chosen, which can change meanwhile
 */
export async function readAreas(edition: string, country: Area, wanted: () => string) {
  const of = (path: string) => `/v1/${path}edition=${edition}`;
  const [regions, provinces, served] = await Promise.all([
    requestJson<{ data: Region[] }>(of('regions?limit=100&')),
    requestJson<{ data: Province[] }>(of('provinces?limit=100&')),
    requestJson<JsonOf<'list_sources'>>(of('sources?')),
  ]);
  const areas = new Map([
    [country.code, country],
    ...regions.data.map(({ code, name }): [string, Area] => [code, { code, name, level: 'region' }]),
    ...provinces.data.map(({ code, name }): [string, Area] => [code, { code, name, level: 'province' }]),
  ]);
  let asked: string | undefined;
  let city: Area | undefined;
  while (!areas.has(wanted()) && asked !== wanted()) {
    asked = wanted();
    city = await readCity(of(`municities/${asked}?`), areas);
  }
  return { regions: regions.data, provinces: provinces.data, served: served.data, areas, city };
}

/**
 * A city or municipality that the URL names, called with what it lies in. Undefined for what is none.
 *
 * @param areas the regions and provinces
 */
async function readCity(path: string, areas: ReadonlyMap<string, Area>): Promise<Area | undefined> {
  try {
    const { data } = await requestJson<{ data: Municity }>(path);
    const parent = areas.get(data.p_code ?? data.host_province_code ?? '') ?? areas.get(data.r_code ?? '');
    return { code: data.code, name: parent ? `${data.name}, ${parent.name}` : data.name, level: 'municity' };
  } catch (error) {
    const isUnknown = error instanceof PsgcError && (error.status === 400 || error.status === 404);
    if (!isUnknown) throw error;
    return undefined;
  }
}
