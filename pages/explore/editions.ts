import { readOnce } from './data.ts';

/** An edition of the PSGC. */
export interface Edition {
  /** `2023-4q` */
  readonly id: string;
  /** Whether it is the current one, which answers where no edition is asked for. */
  readonly active: boolean;
}

/**
 * The editions there are, the newest first.
 *
 * @throws ApiError
 */
export async function readEditions(): Promise<readonly Edition[]> {
  return (await readOnce<{ data: Edition[] }>('/v1/editions')).data;
}

/** An edition as addresses have it: none for the current one. */
export function inAddress(id: string, editions: readonly Edition[]): string | undefined {
  return editions.some((edition) => edition.id === id && edition.active) ? undefined : id;
}
