import { type Body, get, post } from './api.ts';
import type { Headers } from './people.ts';

export const point = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] });

/** Creates a dataset; gives its record. */
export async function newDataset(owner: Headers, input: object = {}): Promise<Body> {
  const { status, body, text } = await post('/v1/datasets', { name: 'Test', ...input }, owner);
  if (status !== 200) throw new Error(`No dataset was made: ${text}`);
  return body.data;
}

/** The features of a dataset, in their order. */
export async function featuresOf(owner: Headers, id: string): Promise<Body[]> {
  const { body } = await get(`/v1/features/dataset/${id}`, owner);
  return body.data;
}

export const idsOf = (list: Body[]) => list.map(({ id }) => id);
