import { readOnce } from './data.ts';

/** A published edition of the PSGC that is loaded. */
export interface Edition {
  /** `2023-4q` */
  readonly id: string;
  /** Whether it is the current one, which answers where no edition is asked for. */
  readonly active: boolean;
}

/**
 * The editions that are loaded, the newest first.
 *
 * @throws ApiError
 */
export async function readEditions(): Promise<readonly Edition[]> {
  return (await readOnce<{ data: Edition[] }>('/v1/editions')).data;
}

/** What people call an edition: `4Q 2023`. */
export function nameOfEdition(id: string): string {
  const [year, quarter = ''] = id.split('-');
  return `${quarter.toUpperCase()} ${year}`;
}

/** An edition as addresses have it: none for the current one. */
export function inAddress(id: string, editions: readonly Edition[]): string | undefined {
  return editions.some((edition) => edition.id === id && edition.active) ? undefined : id;
}
