import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { shareToken } from '../shared/credentials.ts';
import { byId } from '../shared/dom.ts';
import { listAge } from '../shared/format.ts';
import { addCopyButtons, nameOrigin } from './code.ts';
import { startContents } from './contents.ts';
import { followFragments } from './fragments.ts';
import { startTabs } from './tabs.ts';
import { startTrials } from './trial.ts';

void shareToken();
const contents = byId('contents', HTMLElement);
followFragments(contents);
nameOrigin();
addCopyButtons();
for (const table of document.querySelectorAll<HTMLElement>('.table')) table.tabIndex = 0;
startTabs(document.querySelectorAll<HTMLElement>('.samples'));
startContents(contents);
// The age of the list is an extra: the page is complete without it.
void requestJson<JsonOf<'list_sources'>>('/v1/sources').then(
  ({ data }) => {
    byId('list-age', HTMLElement).textContent = listAge(data);
  },
  () => undefined,
);
startTrials(document.querySelectorAll<HTMLElement>('.operation'));
