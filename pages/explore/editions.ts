import type { JsonOf, Edition as Listed } from '../../clients/typescript/src/types.ts';
import { readOnce } from './data.ts';

/** An edition, and whether it is the current one, which answers where no edition is asked for. */
export type Edition = Pick<Listed, 'id' | 'active'>;

/**
 * The editions there are, the newest first.
 *
 * @throws PsgcError
 */
export async function readEditions(): Promise<readonly Edition[]> {
  return (await readOnce<JsonOf<'list_editions'>>('/v1/editions')).data;
}

/** An edition as URLs have it: none for the current one. */
export function inAddress(id: string, editions: readonly Edition[]): string | undefined {
  return editions.some((edition) => edition.id === id && edition.active) ? undefined : id;
}
