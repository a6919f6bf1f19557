import { type Html, html } from './html.ts';
import type { Placed } from './operation.ts';
import { verb } from './operation.ts';

/** A page of the reference, for the table of contents. */
export interface Chapter {
  /** Path below `/docs`, empty for the first page. */
  path: string;
  name: string;
  entries: readonly Entry[];
}

interface Entry {
  /** The fragment of its place on the page. */
  id: string;
  label: Html;
  /** Further search words. */
  words?: string;
}

/** The table of contents of all pages, as shown on one of them. Entries of other pages are hidden until a search. */
export function contentsOf(chapters: readonly Chapter[], current: string): Html {
  return html`${chapters.map(
    ({ path, name, entries }) => html`
    <h2><a href="${addressOf(path)}"${path === current && html` aria-current="page"`}>${name}</a></h2>
    <ul${path !== current && html` hidden`}>${entries.map(
      ({ id, label, words }) =>
        html`<li${words && html` data-words="${words}"`}><a href="${addressOf(path)}#${id}">${label}</a></li>`,
    )}</ul>`,
  )}`;
}

/** The address of a page of the reference. */
export function addressOf(path: string): string {
  return path === '' ? '/docs' : `/docs/${path}`;
}

/** The entry of an operation, which is also found by its path and its parameters. */
export function entryOf({ path, method, operation }: Placed): Entry {
  const names = (operation.parameters ?? []).map(({ name }) => name);
  return {
    id: operation.operationId,
    label: html`${verb(method)}<span>${operation.summary}</span>`,
    words: [path, operation.operationId, ...names].join(' '),
  };
}
