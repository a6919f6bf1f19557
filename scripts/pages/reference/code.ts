import { type Language, piecesOf, wrappedParts } from '../../../pages/docs/highlight.ts';
import { type Html, html } from './html.ts';

/** An example of the origin of a service, as samples have it. The browser puts that of this service in its place. */
export const ORIGIN = 'https://geo.example';

/** Highlighted code in a box, to which the page adds a copy button. */
export function codeBox(code: string, language: Language, label: string): Html {
  return html`<div class="code" data-label="${label}"><pre tabindex="0">${coloured(code, language)}</pre></div>`;
}

/** Highlighted code. */
export function coloured(code: string, language: Language): Html {
  const pieces = piecesOf(code, language).map(({ text, kind }) =>
    kind ? html`<span class="c-${kind}">${wrappable(text)}</span>` : wrappable(text),
  );
  return html`<code>${pieces}</code>`;
}

/** A name, path or address that may be wrapped after its signs, so that no word in it is cut. */
export function wrappable(text: string): Html {
  // The page puts the origin of the service in the place of the example.
  const [first = '', ...others] = text.split(ORIGIN);
  return html`${parted(first)}${others.map((rest) => html`<span class="origin">${ORIGIN}</span>${parted(rest)}`)}`;
}

function parted(text: string): Html {
  return html`${wrappedParts(text).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`))}`;
}
