import { byId } from '../shared/dom.ts';

const STEPS = ['start', 'check', 'progress', 'result'] as const;

export function showStep(step: (typeof STEPS)[number]): void {
  for (const name of STEPS) byId(name, HTMLElement).hidden = name !== step;
  byId('lead', HTMLElement).hidden = step !== 'start';
  showNotice('');
  if (step !== 'start') byId(`${step}-title`, HTMLElement).focus();
  scrollTo(0, 0);
}

export function showNotice(sentence: string): void {
  const notice = byId('notice', HTMLElement);
  notice.textContent = sentence;
  notice.hidden = sentence === '';
}
