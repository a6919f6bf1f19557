import { shareToken } from '../shared/credentials.ts';
import { byId } from '../shared/dom.ts';
import { showServedEdition } from '../shared/served-edition.ts';
import { startSlash } from '../shared/slash.ts';
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
const field = byId('search', HTMLInputElement);
startSlash(field);
// Most readers don't search, so what does it is read with the first focus.
field.addEventListener('focus', async () => (await import('./search.ts')).startSearch(), { once: true });
void showServedEdition();
startTrials(document.querySelectorAll<HTMLElement>('.operation'));
