import type { View } from '../explore/data.ts';
import type { Area, Place } from '../explore/places.ts';
import { LEVELS } from '../shared/levels.ts';
import { ask } from './ask.ts';

/**
 * Reads an area without credentials. The view has no ancestors or children, which the coarse map doesn't need.
 *
 * @throws RequestFailed
 */
export async function readPlace({ level, code }: Place): Promise<View> {
  const answer = await ask(`/v1/${LEVELS[level].path}/${code}`);
  const { data } = (await answer.json()) as { data: Area };
  return { place: { level, code: data.code }, area: data, ancestors: [], children: [], edition: undefined };
}
