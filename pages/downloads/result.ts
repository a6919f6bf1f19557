import { startCopyButton } from '../shared/copy.ts';
import { button, byId, el } from '../shared/dom.ts';
import { number, size } from '../shared/format.ts';
import type { ChosenFile } from './choice.ts';
import { recipesFor } from './tools.ts';

interface ResultOptions {
  /** The contents in words. */
  readonly title: string;
  readonly session: string | undefined;
  readonly isSignedIn: boolean;
  /** The areas of the level in a sentence, once it is known. */
  readonly counted: string;
  /** Saves a file. */
  readonly save: (file: ChosenFile) => void;
  /** Asks for a session that opens layers by URL for an hour. */
  readonly openSession: () => void;
}

/** Shows the file of a choice: one button, and a line for each tool. */
export function showResult(file: ChosenFile, options: ResultOptions): void {
  const { title, session, isSignedIn, counted, save, openSession } = options;
  const { stored, hasBoundaries, name, href } = file;
  const facts = stored
    ? `${number(stored.rows)} areas, ${size(stored.size_bytes)}`
    : `${counted}It is made when you download it.`;
  const label = hasBoundaries && !isSignedIn ? 'Sign in and download' : 'Download';
  byId('what', HTMLElement).textContent = title;
  byId('facts', HTMLElement).textContent = facts;
  // A line breaks before an ending, and never in one.
  const parts = name.split(/(?=\.)/).flatMap((part) => [el('wbr'), el('span', {}, part)]);
  byId('name', HTMLElement).replaceChildren(...parts);
  const container = byId('go', HTMLElement);
  const hadFocus = container.contains(document.activeElement);
  const go = hasBoundaries
    ? button(label, () => save(file), { class: 'main', id: 'download' })
    : el('a', { class: 'button main', href, download: name, id: 'download' }, label);
  // A browser that followed the link would not say why a file is refused.
  if (!hasBoundaries)
    go.addEventListener('click', (event) => {
      event.preventDefault();
      save(file);
    });
  container.replaceChildren(go);
  if (hadFocus) go.focus();
  const lines = recipesFor(file).map(({ tool, line }) => {
    const copy = el('button', { type: 'button', 'aria-label': `Copy the line for ${tool}` }, 'Copy');
    startCopyButton(copy, () => (session === undefined ? line : line.replace('session=SESSION', `session=${session}`)));
    return el('li', {}, el('b', {}, tool), el('code', {}, line), copy);
  });
  byId('lines', HTMLElement).replaceChildren(...lines);
  const needed =
    session === undefined
      ? [
          'Tools can’t sign in here. In place of SESSION they need a session. ',
          button('Get a session', openSession, { id: 'open-layers' }),
        ]
      : ['Copied lines work for an hour, for whoever has them.'];
  byId('session-needed', HTMLElement).replaceChildren(...(hasBoundaries ? needed : []));
}
