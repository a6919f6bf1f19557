/** How long a button says that it has copied, milliseconds. */
const SAID_MS = 1600;

/** Lets a button put a text on the clipboard, and say so. */
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
    }, SAID_MS);
  });
}
