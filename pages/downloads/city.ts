import type { Municity } from '../../clients/typescript/src/types.ts';
import { PsgcError, requestJson } from '../shared/api.ts';
import type { Area } from './choice.ts';

/**
 * A city or municipality that the URL names, called with what it lies in. Undefined for what is none.
 *
 * @param areas the regions and provinces
 */
export async function readCity(path: string, areas: ReadonlyMap<string, Area>): Promise<Area | undefined> {
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
