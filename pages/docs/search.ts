import { byId, el } from '../shared/dom.ts';
import { type Finding, shortened, startSearchField } from '../shared/search-field.ts';
import type { Findings, Found, Ranking } from './ranking.ts';
import { keyOf, type SearchFile } from './search-file.ts';

/** Max findings that are listed. */
const MAX_SHOWN = 12;

/** How long typing must pause before a search, milliseconds. It asks no service, so this only keeps the list from flickering. */
const DEBOUNCE_MS = 60;

/** How much of a text is shown, characters, and how many of them before the first word that was asked for. */
const EXCERPT = 130;
const LEAD = 40;

/** Questions that lead somewhere, for people whose own found nothing. */
const EXAMPLES = ['neighbours', 'old code', 'upload excel', 'latitude', 'rate limit'];

interface Line extends Finding, Found {
  readonly href: string;
  readonly pieces: Findings['piecesOf'];
}

let file: Promise<SearchFile> | undefined;

/** Reads the file of the search, once. */
function readSearchFile(): Promise<SearchFile> {
  file ??= fetchFile().catch((error: unknown) => {
    file = undefined;
    throw error;
  });
  return file;
}

async function fetchFile(): Promise<SearchFile> {
  const response = await fetch(byId('search', HTMLInputElement).dataset.file ?? '');
  if (!response.ok) throw new Error(`The search could not be loaded: ${response.status}.`);
  return response.json();
}

/** The URL of what a fragment names, on whichever page it is. */
export async function addressOf(fragment: string): Promise<string | undefined> {
  const { entries } = await readSearchFile();
  return entries.find((entry) => keyOf(entry) === fragment)?.href;
}

let ranking: Promise<Ranking> | undefined;

function readRanking(): Promise<Ranking> {
  ranking ??= Promise.all([import('./ranking.ts'), readSearchFile()])
    .then(([{ Ranking }, read]) => new Ranking(read))
    .catch((error: unknown) => {
      ranking = undefined;
      throw error;
    });
  return ranking;
}

/** Starts the search field of the reference, in which somebody may have typed already. */
export function startSearch(): void {
  const input = byId('search', HTMLInputElement);
  let total = 0;
  startSearchField<Line>(
    { input, list: byId('findings', HTMLElement), status: byId('search-status', HTMLElement) },
    {
      debounce: DEBOUNCE_MS,
      find: async (text) => {
        const { found, piecesOf } = (await readRanking()).find(text);
        total = found.length;
        return found.slice(0, MAX_SHOWN).map((each) => lineOf(each, piecesOf));
      },
      choose: ({ href }) => {
        input.value = '';
        input.blur();
        location.href = href;
      },
      contentOf,
      say: (text, found) =>
        text.trim() === '' ? [] : found.length > 0 ? [counted(total)] : nothingFound(text, search),
    },
  );
  // The first letter finds the file there.
  void readRanking().catch(() => undefined);
  const search = (text: string) => {
    input.value = text;
    input.focus();
    input.setSelectionRange(text.length, text.length);
    input.dispatchEvent(new Event('input'));
  };
  if (input.value !== '') search(input.value);
}

function lineOf(found: Found, pieces: Findings['piecesOf']): Line {
  return { ...found, pieces, name: found.entry.title, about: found.entry.about };
}

function counted(total: number): Node {
  const text = `${total} found${total > MAX_SHOWN ? `, the best ${MAX_SHOWN} are listed` : ''}.`;
  return el('span', { class: 'unseen' }, text);
}

/** What stands in the list: the title, what it is, and the text that was found with the words that were asked for. */
function contentOf({ entry, part, text, pieces }: Line): Node[] {
  const { title, about, method } = entry;
  const excerpt = part === undefined ? [] : [el('code', {}, ...marked(pieces(part.name))), ' '];
  return [
    el(
      'span',
      { class: 'name' },
      method && el('span', { class: `verb ${method}` }, method === 'delete' ? 'DEL' : method.toUpperCase()),
      el('span', {}, ...marked(pieces(title))),
    ),
    el('span', { class: 'about' }, ...marked(pieces(about))),
    el('span', { class: 'excerpt' }, ...excerpt, ...marked(excerptOf(pieces(text)))),
  ];
}

/** Text in pieces, of which every second is marked. */
function marked(pieces: readonly string[]): (Node | string)[] {
  return pieces.map((piece, i) => (i % 2 === 1 ? el('mark', {}, piece) : piece));
}

/** Pieces of a text, shortened to some words around the first that is marked. */
function excerptOf([first = '', ...rest]: readonly string[]): string[] {
  const from = rest.length > 0 && first.length > LEAD ? first.indexOf(' ', first.length - LEAD) + 1 : 0;
  const pieces = [from > 0 ? `… ${first.slice(from)}` : first];
  let left = EXCERPT - (first.length - from);
  for (const piece of rest) {
    if (left <= 0) break;
    pieces.push(piece);
    left -= piece.length;
  }
  const last = pieces.pop() ?? '';
  const end = last.length + left;
  pieces.push(left < 0 && pieces.length % 2 === 0 ? `${last.slice(0, last.lastIndexOf(' ', end))} …` : last);
  return pieces;
}

/** What to try where nothing was found. */
function nothingFound(text: string, search: (text: string) => void): (Node | string)[] {
  const examples = EXAMPLES.map((example) => {
    const button = el('button', { type: 'button' }, example);
    button.addEventListener('click', () => search(example));
    return button;
  });
  const name = encodeURIComponent(text.trim());
  return [
    el('p', {}, `Nothing in the reference has “${shortened(text)}”. Try fewer or other words:`),
    el('p', { class: 'examples' }, ...examples),
    el(
      'p',
      {},
      'Or see ',
      el('a', { href: '/docs#errors' }, 'all error codes'),
      ', ',
      el('a', { href: '/docs#conventions' }, 'the conventions'),
      ' and ',
      el('a', { href: '/docs' }, 'all operations'),
      '. Is it the name of a place? ',
      el('a', { href: `/v1/search?q=${name}` }, 'Ask the service for it'),
      '.',
    ),
  ];
}
