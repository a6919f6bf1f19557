import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { requestJson } from './api.ts';
import { byId } from './dom.ts';
import { editionSentence } from './format.ts';

/** Says in the element `served` of the page which edition is served, and how old it is. The page is complete without it. */
export async function showServedEdition(): Promise<void> {
  // Everybody may ask. A token that has expired would be refused, and reported in the console of the browser.
  const sources = requestJson<JsonOf<'list_sources'>>('/v1/sources', { isAnonymous: true });
  const answer = await sources.catch(() => undefined);
  if (answer) byId('served', HTMLElement).textContent = editionSentence(answer.data);
}
