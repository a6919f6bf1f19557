/** How long a button shows that it has copied, milliseconds. */
const SHOWN_MS = 1600;

/** Makes a button copy a text to the clipboard. The button then shows for a moment whether that was possible. */
export function startCopyButton(button: HTMLButtonElement, text: () => string): void {
  const label = button.textContent ?? '';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not possible';
    }
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
}
