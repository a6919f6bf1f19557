import type { Body } from './api.ts';
import { act, get, post } from './leaks.ts';
import { bearer, type Headers } from './people.ts';

/** The status that a key is answered with, and the code of the error where it is one. */
export const statusOf = async (key: string) => {
  const { status, body } = await get('/v1/regions?limit=1', bearer(key));
  return [status, body.code].filter(Boolean).join(' ');
};
export const list = async (owner: Headers): Promise<Body[]> => (await get('/v1/api-keys', owner)).body.data;
export const revoke = (id: string, headers: Headers) => act(`/v1/api-keys/${id}/revoke`, headers);
export const rotate = (id: string, body: object, headers: Headers) => post(`/v1/api-keys/${id}/rotate`, body, headers);
