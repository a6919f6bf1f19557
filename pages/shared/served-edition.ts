import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { request } from './api.ts';
import { byId } from './dom.ts';
import { editionSentence } from './format.ts';

/**
 * Says in the element `served` of the page which edition is served, and how old it is. The page is complete without it.
 *
 * @returns the headers of the answer; undefined if there is none
 */
export async function showServedEdition(): Promise<Headers | undefined> {
  // Everybody may ask. A token that has expired would be refused, and reported in the console of the browser.
  const response = await request('/v1/sources', { isAnonymous: true }).catch(() => undefined);
  const answer: JsonOf<'list_sources'> | undefined = await response?.json().catch(() => undefined);
  if (answer) byId('served', HTMLElement).textContent = editionSentence(answer.data);
  return response?.headers;
}
