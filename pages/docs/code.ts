import { startCopyButton } from '../shared/copy.ts';
import { button, el } from '../shared/dom.ts';
import { type Language, piecesOf } from './highlight.ts';

/** Puts the origin of this service into samples, which are built before it is known. */
export function nameOrigin(): void {
  for (const element of document.querySelectorAll('.origin')) element.textContent = location.origin;
}

/** A button that copies a text. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const copy = button('Copy', () => {}, { class: 'copy', 'aria-label': label });
  startCopyButton(copy, text);
  return copy;
}

/** Adds a button to everything that people copy: code, requests, URLs of operations. */
export function addCopyButtons(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.code')) {
    box.append(copyButton(box.dataset.label ?? 'Copy the code', () => box.querySelector('code')?.textContent ?? ''));
  }
  for (const samples of document.querySelectorAll<HTMLElement>('.samples')) {
    const shown = () => samples.querySelector('[role=tabpanel]:not([hidden])')?.textContent ?? '';
    samples.querySelector('.tabs')?.append(copyButton('Copy the request', shown));
  }
  for (const address of document.querySelectorAll('.address')) {
    const path = address.querySelector('code')?.textContent ?? '';
    address.append(
      ' ',
      copyButton(`Copy the path ${path}`, () => path),
    );
  }
}

/** Code with its parts in colours, with a button that copies it. */
export function codeBox(code: string, language: Language | undefined, label: string): HTMLElement {
  const pieces = language === undefined ? [{ text: code }] : piecesOf(code, language);
  const content = pieces.map(({ text, kind }) => (kind ? el('span', { class: `c-${kind}` }, text) : text));
  return el(
    'div',
    { class: 'code' },
    el('pre', { tabindex: '0' }, el('code', {}, ...content)),
    copyButton(label, () => code),
  );
}
