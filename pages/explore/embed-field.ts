import { startCopyButton } from '../shared/copy.ts';
import { el } from '../shared/dom.ts';

/** A field with a line of HTML for other sites, and a button that copies it. What the line shows may change meanwhile. */
export function lineField(line: () => string): HTMLElement[] {
  const field = el('textarea', { class: 'embed-line', rows: '5', readonly: true, spellcheck: 'false' });
  field.setAttribute('aria-label', 'HTML to paste into a page');
  const refresh = () => {
    field.value = line();
  };
  refresh();
  field.addEventListener('focus', () => {
    refresh();
    field.select();
  });
  const copy = el('button', { type: 'button' }, 'Copy');
  startCopyButton(copy, line, refresh);
  return [field, el('p', {}, copy)];
}
