import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { requestJson } from './api.ts';
import { byId } from './dom.ts';
import { listAge } from './format.ts';

/** Says in the element `list-age` of the page which list is served, and how old it is. The page is complete without it. */
export async function showListAge(): Promise<void> {
  // Everybody may ask. A token that has expired would be refused, and reported in the console of the browser.
  const sources = requestJson<JsonOf<'list_sources'>>('/v1/sources', { isAnonymous: true });
  const answer = await sources.catch(() => undefined);
  if (answer) byId('list-age', HTMLElement).textContent = listAge(answer.data);
}
