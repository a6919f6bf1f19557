import { startCopyButton } from '../shared/copy.ts';
import { byId } from '../shared/dom.ts';
import { startContents } from './contents.ts';
import { startTabs } from './tabs.ts';
import { startTrials } from './trial.ts';

/** The origin in samples. They are built before the origin of the service is known. */
const PLACEHOLDER = 'https://geo.example';

for (const code of document.querySelectorAll('pre code')) {
  code.textContent = code.textContent?.replaceAll(PLACEHOLDER, location.origin) ?? '';
}
for (const panel of document.querySelectorAll<HTMLElement>('.guide pre, .table')) panel.tabIndex = 0;
for (const samples of document.querySelectorAll<HTMLElement>('.samples')) {
  const copy = samples.querySelector<HTMLButtonElement>('.copy');
  const shown = () => samples.querySelector('[role=tabpanel]:not([hidden])')?.textContent ?? '';
  if (copy) startCopyButton(copy, shown);
}
startTabs(document.querySelectorAll<HTMLElement>('.samples'));
startContents(byId('contents', HTMLElement));
startTrials(document.querySelectorAll<HTMLElement>('.operation'));
