import { requestJson, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { button, el } from '../shared/dom.ts';
import { addressIn, type Framed, framedDataset, framedPlace, frameLine, type Theme } from './embed-line.ts';
import type { Dataset } from './own/dataset.ts';
import { projectionOf } from './own/paths.ts';
import { type Area, type Box, COUNTRY } from './places.ts';
import { openUseDialog } from './use-dialog.ts';

/**
 * Opens the dialog with the HTML that shows a dataset on other sites. If not everyone can read the dataset, the dialog says so.
 *
 * @param onOpened called when the owner has opened the dataset to everyone
 * @param words of the map; its title is empty where it is called as the dataset
 */
export function openEmbed(dataset: Dataset, onOpened: (opened: Dataset) => void, words?: MapWords): void {
  const { choices, preview } = openUseDialog('Embed the map');
  const show = (open: Dataset) => {
    const note = el('p', { class: 'quiet', role: 'status' });
    void tellIfTooLarge(open, note);
    const sentence =
      'It shows what is chosen here to everybody who opens the page, until its owner closes the dataset in the ';
    choices.replaceChildren(el('p', { class: 'quiet' }, sentence, dashboardLink(), '.'));
    const named = { id: open.id, name: words?.title || open.name };
    frameParts(framedDataset(named, location), {
      ...{ choices, preview, box: open.bbox ?? COUNTRY, hasLegend: true },
      hasSubtitle: Boolean(words?.subtitle),
    });
    choices.append(note);
  };
  const opened = (open: Dataset) => {
    onOpened(open);
    show(open);
    choices.querySelector('textarea')?.focus();
  };
  if (dataset.visibility === 'everyone') show(dataset);
  else choices.append(...closedParts(dataset, opened));
}

/**
 * Opens the dialog with the HTML that shows the coarse map around a place on other sites.
 *
 * @param area undefined for the whole country
 */
export function openEmbedOfPlace(area: Area | undefined): void {
  const { name, bbox } = area ?? { name: 'Philippines', bbox: COUNTRY };
  const { choices, preview } = openUseDialog('Embed the map');
  choices.append(
    el(
      'p',
      { class: 'quiet' },
      `It shows the map that everybody sees, with simplified borders${area ? ' and this place in its middle' : ''}.`,
    ),
  );
  frameParts(framedPlace(name, location), { choices, preview, box: bbox ?? COUNTRY, hasLegend: false });
}

function dashboardLink(): HTMLElement {
  return el('a', { href: '/dashboard' }, 'dashboard');
}

/** Says who can open the address of a dataset, and opens it to everyone where its owner wants that; nothing where everyone can read it. */
export function readersParts(dataset: Dataset, onOpened: (opened: Dataset) => void): HTMLElement[] {
  if (dataset.visibility === 'everyone') return [];
  const who = dataset.visibility === 'private' ? 'Only you' : 'Only people with an account';
  const parts = el('div', { role: 'status' });
  const opened = (open: Dataset) => {
    onOpened(open);
    parts.replaceChildren(el('p', {}, 'Everybody who has the address can open it now.'));
  };
  parts.append(...closedParts(dataset, opened, `${who} can open it.`));
  return [parts];
}

/** Says what must be done before there is a line, and does it where the owner wants it. */
function closedParts(dataset: Dataset, onOpened: (opened: Dataset) => void, said?: string): HTMLElement[] {
  const who = dataset.visibility === 'private' ? 'only you' : 'only people with an account';
  const status = el('p', { class: 'quiet', role: 'status' });
  const open = button(
    'Make it readable by everyone',
    async () => {
      open.disabled = true;
      try {
        const body = { visibility: 'everyone' };
        const { data } = await requestJson<{ data: Dataset }>(`/v1/datasets/${dataset.id}`, { method: 'PATCH', body });
        onOpened(data);
      } catch (error) {
        open.disabled = false;
        status.textContent = sentenceFor(error, 'It could not be opened.');
      }
    },
    { class: 'main' },
  );
  const must = said ?? `Other sites can show a dataset that everyone can read. Now ${who} can read this one.`;
  const means =
    'Whoever has its address can then read all of its rows and columns, also without an account, until its owner closes it in the ';
  // Only its owner, and who administers the service, sees a private one and can change who reads it.
  if (dataset.visibility !== 'private' && !dataset.isOwn) return [el('p', {}, must)];
  return [el('p', {}, must), el('p', {}, open), status, el('p', { class: 'quiet' }, means, dashboardLink(), '.')];
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'As the reader’s device'],
];

/** The width of an article, and that of a small phone, pixels. */
const WIDTHS = [600, 320] as const;
const HEIGHTS = { least: 240, most: 900 } as const;

interface FrameParts {
  readonly choices: HTMLElement;
  readonly preview: HTMLElement;
  readonly box: Box;
  readonly hasLegend: boolean;
  readonly hasSubtitle?: boolean;
}

type MapWords = Readonly<Record<'title' | 'subtitle', string>>;

/** The line of HTML, what can be chosen of it, and the map as it will stand on the other site. */
function frameParts(framed: Framed, { choices, preview, box, hasLegend, hasSubtitle = false }: FrameParts): void {
  let theme: Theme = 'light';
  const suited = heightFor(box, hasLegend) + (hasSubtitle ? SUBTITLE : 0);
  let height = suited;
  let width: number = WIDTHS[innerWidth < 760 ? 1 : 0];
  const line = () => frameLine(framed, { theme, height });
  const field = el('textarea', { class: 'embed-line', rows: '5', readonly: true, spellcheck: 'false' });
  field.setAttribute('aria-label', 'HTML to paste into a page');
  // The line is read from its beginning.
  field.addEventListener('focus', () => field.setSelectionRange(0, field.value.length, 'backward'));
  const show = () => {
    field.value = line();
    const frame = el('iframe', {
      title: 'Preview',
      src: addressIn(framed, theme),
      width: String(width),
      height: String(height),
    });
    const wait = el('p', { class: 'use-wait', role: 'status' }, 'Loading the preview…');
    frame.addEventListener('load', () => wait.remove());
    // Another frame: a new URL in the same one would be a step back for the reader.
    preview.replaceChildren(frame, wait);
  };
  const select = <Value extends string>(
    label: string,
    options: readonly (readonly [Value, string])[],
    [chosen, onChange]: readonly [Value, (value: Value) => void],
  ) => {
    const element = el('select', {}, ...options.map(([value, words]) => el('option', { value }, words)));
    element.value = chosen;
    element.addEventListener('change', () => {
      onChange(element.value as Value);
      show();
    });
    return el('label', {}, label, element);
  };
  const high = el('input', {
    type: 'number',
    min: String(HEIGHTS.least),
    max: String(HEIGHTS.most),
    step: '10',
    value: String(height),
    'aria-describedby': 'use-height',
  });
  high.addEventListener('change', () => {
    height = Math.max(HEIGHTS.least, Math.min(HEIGHTS.most, Math.round(Number(high.value) || suited)));
    high.value = String(height);
    show();
  });
  const copy = el('button', { type: 'button', class: 'main' }, 'Copy');
  startCopyButton(copy, line);
  choices.append(
    select('Colours', THEMES, [
      theme,
      (value) => {
        theme = value;
      },
    ]),
    el('label', {}, 'Height, pixels', high),
    el(
      'p',
      { id: 'use-height', class: 'quiet' },
      `${suited} suits this map where the page is ${WIDTHS[0]} pixels wide.`,
    ),
    select(
      'Preview at a width of',
      WIDTHS.map((one) => [String(one), `${one} pixels`] as const),
      [
        String(width),
        (value) => {
          width = Number(value);
        },
      ],
    ),
    field,
    el('p', { class: 'use-buttons' }, copy),
  );
  show();
}

/** The heights of what stands above a map, and the width of the legend beside it. */
const BAR = 32;
const SUBTITLE = 16;
const LEGEND = 170;

/** The height in which a part of the world fills a frame in an article, pixels. */
function heightFor(box: Box, hasLegend: boolean): number {
  const project = projectionOf({ box, width: 1, height: 1 });
  const [[left, top], [right, bottom]] = [project([box[0], box[3]]), project([box[2], box[1]])];
  const wide = WIDTHS[0] - (hasLegend ? LEGEND : 0);
  const high = BAR + (wide * (bottom - top)) / Math.max(right - left, 1e-6);
  return Math.max(HEIGHTS.least + 60, Math.min(560, Math.round(high / 10) * 10));
}

/**
 * Writes a note if the dataset is too large to be sent without a key: the service then answers 401. Other failures say nothing
 * about the dataset.
 */
async function tellIfTooLarge({ id }: Dataset, note: HTMLElement): Promise<void> {
  const init = { method: 'HEAD', credentials: 'omit' } as const;
  const answer = await fetch(`/embed/datasets/${id}`, init).catch(() => undefined);
  if (answer?.status !== 401) return;
  note.textContent =
    'It is too large for that: without a key at most 20 MiB of features are shown. Upload it with simpler geometries or fewer properties.';
}
