import { unavailable } from './api.ts';
import type * as Preparation from './preparation.ts';

type Child = Node | string | undefined;

/**
 * Creates an element.
 *
 * @param attributes by their names in HTML; `true` stands for an attribute without a value, and attributes that are
 * `undefined` or `false` are left out
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Creates a paragraph of secondary text. */
export function quiet(sentence: string): HTMLElement {
  return el('p', { class: 'quiet' }, sentence);
}

/** Creates a button that calls a function. */
export function button(
  label: Node | string,
  onClick: () => void,
  attributes: Record<string, string> = {},
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', onClick);
  return element;
}

/** Lets the browser download a file that the page has made. */
export function saveFile(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  el('a', { href, download: name }).click();
  // The browser needs the URL only until the download has begun.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/**
 * The element with an id in the HTML of the page.
 *
 * @throws Error if there is none of this kind
 */
export function byId<E extends Element>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} #${id}.`);
}

/**
 * Shows the progress of what a development server is still preparing, if it prepares anything. The code is imported only then.
 * This function is here because every page already loads this module; a file of its own would be one more request.
 */
export async function showPreparation(part?: Preparation.Part): Promise<void> {
  await (await import('./preparation.ts')).showPreparation(part);
}

// A 503 of any request shows the progress.
unavailable.show = () => void showPreparation();
