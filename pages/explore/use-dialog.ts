import { button, el } from '../shared/dom.ts';

interface UseDialog {
  readonly dialog: HTMLDialogElement;
  /** What one chooses, and what comes of it beside that. */
  readonly choices: HTMLElement;
  readonly preview: HTMLElement;
}

/** Opens a dialog with choices and a preview beside them. It is taken out of the page once it is closed. */
export function openUseDialog(title: string): UseDialog {
  const heading = el('h2', { id: 'use-title' }, title);
  const close = button('Close', () => dialog.close(), { class: 'use-close' });
  const choices = el('div', { class: 'use-choices' });
  const preview = el('div', { class: 'use-preview' });
  const dialog = el(
    'dialog',
    { class: 'use-dialog', 'aria-labelledby': 'use-title' },
    heading,
    close,
    choices,
    preview,
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, choices, preview };
}
