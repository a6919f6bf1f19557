import { choicesAt, hashOfDataset } from './own/address.ts';

/** Text as the value of an attribute in HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * The line of HTML that shows a dataset as an address of the explorer does. The order of its table is left out, because
 * the embedded map has none.
 */
export function embedLine(
  { id, name }: { id: string; name: string },
  { origin, hash }: { origin: string; hash: string },
) {
  const address = `${origin}/embed${hashOfDataset(id, { ...choicesAt(hash), sort: undefined })}`;
  return `<iframe src="${escaped(address)}" title="${escaped(name)}" width="100%" height="450" style="border: 0" loading="lazy"></iframe>`;
}
