import { choicesAt, fragmentOfDataset } from './own/address.ts';

/** Text as the value of an attribute in HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** In which colours a map stands on other sites; `auto` follows the device of the reader. */
export type Theme = 'light' | 'dark' | 'auto';

/** How a map stands on other sites. */
export interface FrameOptions {
  readonly theme: Theme;
  /** Pixels. */
  readonly height: number;
}

/** What a frame shows. */
export interface Framed {
  readonly address: string;
  readonly title: string;
}

interface Address {
  readonly origin: string;
  readonly hash: string;
}

/**
 * What shows a dataset on other sites as a URL of the explorer does. The order of its table is left out, because the
 * embedded map has none, and so is the marked feature, which was clicked to be read.
 */
export function framedDataset({ id, name }: { id: string; name: string }, { origin, hash }: Address): Framed {
  const choices = choicesAt(hash);
  const address = `${origin}/embed${fragmentOfDataset(id, { ...choices, sort: undefined, feature: undefined })}`;
  return { address, title: choices.symbology.title || name };
}

/** What shows the coarse map of the country or around a place, of which the URL of the explorer is. */
export function framedPlace(name: string, { origin, hash }: Address): Framed {
  return { address: `${origin}/embed${hash || '#/'}`, title: name };
}

/** The URL of a frame in a theme. */
export function addressIn({ address }: Framed, theme: Theme): string {
  return theme === 'auto' ? address : `${address}${address.includes('?') ? '&' : '?'}theme=${theme}`;
}

/** The line of HTML with a frame. */
export function frameLine(framed: Framed, { theme, height }: FrameOptions): string {
  const source = escaped(addressIn(framed, theme));
  return `<iframe src="${source}" title="${escaped(framed.title)}" width="100%" height="${height}" style="border: 0" loading="lazy"></iframe>`;
}
