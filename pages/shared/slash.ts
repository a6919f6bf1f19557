/** Lets the key `/` lead to a search field, unless somebody types. */
export function startSlash(input: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.closest('input, select, textarea, dialog[open]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    event.preventDefault();
    input.focus();
  });
}
