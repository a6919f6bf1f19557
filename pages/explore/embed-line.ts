import { choicesAt, hashOfDataset } from './own/address.ts';

/** Text as the value of an attribute in HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

interface Address {
  readonly origin: string;
  readonly hash: string;
}

/**
 * The line of HTML that shows a dataset as an address of the explorer does. The order of its table is left out, because
 * the embedded map has none, and so is the marked feature, which was clicked to be read.
 */
export function embedLine({ id, name }: { id: string; name: string }, { origin, hash }: Address): string {
  const choices = choicesAt(hash);
  const address = `${origin}/embed${hashOfDataset(id, { ...choices, sort: undefined, feature: undefined })}`;
  return frameOf(address, choices.symbology.title || name);
}

/** The line of HTML that shows the coarse map around a place, of which the address of the explorer is. */
export function placeLine(name: string, { origin, hash }: Address): string {
  return frameOf(`${origin}/embed${hash}`, name);
}

function frameOf(address: string, title: string): string {
  return `<iframe src="${escaped(address)}" title="${escaped(title)}" width="100%" height="450" style="border: 0" loading="lazy"></iframe>`;
}
