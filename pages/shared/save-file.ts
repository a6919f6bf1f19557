import { el } from './dom.ts';

/** Lets the browser download a file that the page has made. */
export function saveFile(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  el('a', { href, download: name }).click();
  // The browser needs the URL only until the download has begun.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
