/** How long a button shows that it has copied, milliseconds. */
const SHOWN_MS = 1600;

/**
 * Makes a button copy a text to the clipboard. The button then shows for a moment whether that was possible.
 *
 * @param onCopied called when the text is in the clipboard
 */
export function startCopyButton(button: HTMLButtonElement, text: () => string, onCopied = () => {}): void {
  const label = button.textContent ?? '';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
      onCopied();
    } catch {
      button.textContent = 'Not possible';
    }
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
}
