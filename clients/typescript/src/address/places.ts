import { isPrivate } from '../options.ts';
import type { Suggestion } from '../types.ts';

/** A place that is chosen: its code, its label, and what it lies in. */
export type AddressPlace = Pick<Suggestion, 'code' | 'level' | 'name' | 'label' | 'ancestors'>;

/** Sends a GET request, and returns the member `data` of the answer; of a list, that of all pages. */
export type Ask = <T>(path: string, query: Readonly<Record<string, string>>, signal?: AbortSignal) => Promise<T[]>;

interface Answer<T> {
  readonly data: T[];
  readonly meta?: { readonly totalPages?: number };
}

/** The most answers that are kept. */
const KEPT = 200;

/** Asks the service at an address. What fails is an error with a sentence for the person at the field. */
export function askOf(baseUrl: string, key: string | null): Ask {
  const kept = new Map<string, unknown[]>();
  const get = async <T>(address: string, signal?: AbortSignal): Promise<Answer<T>> => {
    const headers: HeadersInit = key ? { Authorization: `Bearer ${key}` } : {};
    const response = await fetch(address, { headers, signal: signal ?? null }).catch(() => undefined);
    if (!response) throw Error('No connection.');
    const body = await response.json().catch(() => ({}));
    const { status } = response;
    if (body.data) return body;
    const seconds = response.headers.get('Retry-After') ?? 'some';
    if (status === 429) throw Error(`Too many requests. Wait ${seconds} seconds.`);
    throw Error((status < 500 && body.message) || 'The service is not available.');
  };
  return async <T>(path: string, query: Readonly<Record<string, string>>, signal?: AbortSignal) => {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/v1/${path}?${new URLSearchParams(query)}`, document.baseURI);
    if (!isPrivate(url)) throw Error('base-url must be https.');
    const address = `${url}`;
    const known = kept.get(address);
    if (known) return known as T[];
    const { data, meta } = await get<T>(address, signal);
    const others = Array.from({ length: (meta?.totalPages ?? 1) - 1 }, (_, i) =>
      get<T>(`${address}&page=${i + 2}`, signal),
    );
    const all = [data, ...(await Promise.all(others)).map((answer) => answer.data)].flat();
    if (kept.size > KEPT) kept.clear();
    kept.set(address, all);
    return all;
  };
}

/** The place of a code. */
export async function placeOf(ask: Ask, code: string, signal?: AbortSignal): Promise<AddressPlace | undefined> {
  return (await ask<AddressPlace>('suggest', { q: code, limit: '1' }, signal))[0];
}
