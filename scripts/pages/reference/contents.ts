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
  /** Its anchor on the page, without `#`. */
  id: string;
  label: Html;
}

/** The table of contents, as shown on a page: the names of all pages, and the entries of this one. */
export function contentsOf(chapters: readonly Chapter[], current: string): Html {
  return html`${chapters.map(
    ({ path, name, entries }) => html`
    <h2><a href="${addressOf(path)}"${path === current && html` aria-current="page"`}>${name}</a></h2>
    ${path === current && html`<ul>${entries.map(({ id, label }) => html`<li><a href="${addressOf(path)}#${id}">${label}</a></li>`)}</ul>`}`,
  )}`;
}

/** The address of a page of the reference. */
export function addressOf(path: string): string {
  return path === '' ? '/docs' : `/docs/${path}`;
}

/** The entry of an operation. */
export function entryOf({ method, operation }: Placed): Entry {
  return { id: operation.operationId, label: html`${verb(method)}<span>${operation.summary}</span>` };
}
