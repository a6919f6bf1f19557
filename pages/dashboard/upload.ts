import type { InvalidRows } from '../../clients/typescript/src/types.ts';
import { COLUMNS, NAME_LEVELS } from '../../src/names/source.ts';
import { PsgcError } from '../shared/api.ts';
import { button, byId, el } from '../shared/dom.ts';
import { number, size } from '../shared/format.ts';
import type { HandedFile } from '../shared/handed-file.ts';
import { LEVELS, levelsText } from '../shared/levels.ts';
import { invalidTable, rowsTable } from '../shared/rows-table.ts';
import { sendFile, type UploadedDataset } from '../shared/send-file.ts';
import { mapPathOf } from './map-path.ts';
import type { PageContext } from './page-context.ts';
import { SAMPLE } from './sample.ts';
import { adviceFor, UPLOAD_FORMATS, uploadFormatOf } from './upload-formats.ts';
import { showProgress } from './upload-progress.ts';
import { type LikelyRows, type Refusal, refusalOf } from './upload-refusals.ts';

/** The formats of tables, which most people have. */
const TABLES: ReadonlySet<string> = new Set(['CSV', 'workbook']);

interface HowToRead {
  readonly skipInvalid?: boolean;
  /** The layer or sheet that was chosen. */
  readonly layer?: string;
}

interface Options extends Pick<PageContext, 'session' | 'showError' | 'announce'> {
  /** Called when a file has been uploaded. */
  readonly onUploaded: (dataset: UploadedDataset) => Promise<void>;
}

/**
 * The form that uploads files. A file is chosen or dropped anywhere on the page; the form says what it is and what will be
 * stored of it before it is sent. Returns functions that choose the example, and that take back what is said of a dataset.
 */
export function startUpload({ session, showError, announce, onUploaded }: Options): {
  chooseSample(): void;
  forget(id: string): void;
} {
  const form = byId('upload', HTMLFormElement);
  const input = byId('file', HTMLInputElement);
  const plan = byId('upload-plan', HTMLElement);
  const name = byId('upload-name', HTMLInputElement);
  const fileOnly = byId('file-only', HTMLInputElement);
  const problem = byId('upload-error', HTMLElement);
  const sendButton = byId('upload-send', HTMLButtonElement);
  let chosen: File | undefined;
  let running: AbortController | undefined;
  /** The dataset that the form says to be stored. */
  let shownId: string | undefined;

  const others = UPLOAD_FORMATS.map(({ name }) => name).filter((it) => !TABLES.has(it));
  byId('formats', HTMLElement).textContent =
    `Excel or CSV: rows that name places become their areas, rows with coordinates become points. Or ${others.join(', ')}; any other file is kept as it is.`;

  const showPlan = () => {
    if (!chosen) return;
    sendButton.hidden = false;
    const format = uploadFormatOf(chosen.name);
    byId('upload-what', HTMLElement).replaceChildren(
      el('strong', {}, chosen.name),
      ` · ${size(chosen.size)} · ${format?.name ?? 'no format that features are read from'}`,
    );
    byId('upload-stored', HTMLElement).textContent = fileOnly.checked
      ? `The file alone will be stored, byte for byte. It has no features to show on the map.${format ? '' : ` ${adviceFor(chosen.name)}`}`
      : 'Its features will be stored, to be shown on the map, filtered and exported; and the file beside them, byte for byte. Only you can read them until you share them.';
  };

  const choose = (file: File) => {
    if (running) return;
    const isReadable = uploadFormatOf(file.name) !== undefined;
    chosen = file;
    problem.replaceChildren();
    byId('upload-done', HTMLElement).replaceChildren();
    name.value = (file.name.replace(/\.[^.]+$/, '') || file.name).slice(0, 256);
    fileOnly.checked = !isReadable;
    fileOnly.disabled = !isReadable;
    plan.hidden = false;
    showPlan();
    sendButton.focus();
  };

  const discard = () => {
    chosen = undefined;
    plan.hidden = true;
    form.reset();
  };

  const chooseOf = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (files && files.length > 1) {
      const remedy = 'The parts of a shapefile go into one zip archive.';
      problem.replaceChildren(el('strong', {}, 'Drop one file at a time.'), ` ${remedy}`);
    } else if (file) choose(file);
  };

  const send = async (file: File, options: HowToRead = {}) => {
    problem.replaceChildren();
    plan.hidden = true;
    running = new AbortController();
    const { signal } = running;
    const progress = showProgress(() => running?.abort());
    try {
      const dataset = await sendFile({
        file,
        name: name.value.trim() || file.name,
        fileOnly: fileOnly.checked,
        skipInvalid: options.skipInvalid ?? false,
        layer: options.layer,
        token: await session().token(),
        signal,
        onProgress: progress.show,
      });
      // The page does not say that it is stored beside a list that doesn't have it.
      await onUploaded(dataset);
      discard();
      shownId = dataset.id;
      showDone(dataset, () => void decide({ file, name: dataset.name, layer: options.layer, datasetId: dataset.id }));
      input.focus();
      announce(`${dataset.name} is uploaded.`);
    } catch (error) {
      plan.hidden = chosen === undefined;
      if (signal.aborted) problem.replaceChildren('The upload was cancelled. Nothing of it is stored.');
      else if (error instanceof PsgcError && error.status !== 401)
        showRefusal(file, options, await refusalWords(error, file));
      else return showError(error);
      focusWayOut();
    } finally {
      running = undefined;
      progress.end();
    }
  };

  /** Opens the table on Match. If the browser keeps no files, it is dropped there again. */
  const decide = async (handed: HandedFile) => {
    const { handFile, HANDED } = await import('../shared/handed-file.ts');
    const isHanded = await handFile(handed).then(
      () => true,
      () => false,
    );
    // The tab takes a token that has not expired with it.
    await session()
      .token()
      .catch(() => undefined);
    location.assign(isHanded ? `/match${HANDED}` : '/match');
  };

  const focusWayOut = () => (problem.querySelector<HTMLElement>('button, .button') ?? sendButton).focus();

  const refusalWords = (error: unknown, file: File) => refusalOf(error, { file, format: uploadFormatOf(file.name) });

  const showRefusal = (file: File, options: HowToRead, refusal: Refusal) => {
    const { title, detail, location, excerpt, invalid, isUndecided, lacksColumns, likely } = refusal;
    const { canSkip, layers, remedy, next } = refusal;
    const canSend = invalid && canSkip;
    // The same file is sent another way, or another one is chosen.
    sendButton.hidden = canSend === true;
    // The line that is not valid says more than a table of one row.
    const isListed = invalid !== undefined && (invalid.count > 1 || isUndecided || !excerpt);
    const member = uploadFormatOf(file.name)?.name.includes('GeoJSON') ? 'Member' : 'Column';
    const keep = () => {
      fileOnly.checked = true;
      showPlan();
      void send(file);
    };
    problem.replaceChildren(
      el('strong', {}, title),
      ...(isListed
        ? [invalidTable(invalid, member)]
        : [
            el('p', {}, ...(location ? [el('b', {}, `In ${location}: `)] : []), detail),
            ...(excerpt ? [el('pre', {}, excerpt)] : []),
          ]),
      ...(invalid && canSkip && likely ? [likelyTable({ ...likely, isStored: false })] : []),
      el('p', {}, remedy),
      ...(isUndecided || lacksColumns
        ? [
            button(
              lacksColumns ? 'Choose the columns on Match' : 'Decide them on Match',
              () => void decide({ file, name: name.value.trim() || file.name, layer: options.layer }),
              { class: 'main' },
            ),
            ' ',
          ]
        : []),
      ...(canSend
        ? [
            button(skipLabel(invalid), () => void send(file, { ...options, skipInvalid: true }), {
              class: isUndecided ? '' : 'main',
            }),
            ' ',
          ]
        : []),
      ...layers
        .slice(0, SHOWN_LAYERS)
        .flatMap((layer) => [button(layer, () => void send(file, { ...options, layer })), ' ']),
      ...(next === 'again' ? [button('Send it again', () => void send(file, options))] : []),
      ...(next === 'file-only' && !fileOnly.checked ? [button('Keep the file only', keep)] : []),
    );
  };

  fileOnly.addEventListener('change', showPlan);
  input.addEventListener('change', () => chooseOf(input.files));
  byId('upload-discard', HTMLButtonElement).addEventListener('click', discard);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (chosen && !running) void send(chosen);
  });
  startDrop(form, chooseOf);
  return {
    chooseSample: () => choose(new File([SAMPLE], 'cities.csv', { type: 'text/csv' })),
    forget: (id) => {
      if (shownId === id) byId('upload-done', HTMLElement).replaceChildren();
    },
  };
}

type Places = NonNullable<UploadedDataset['places']>;

/** How many layers of a file the page lists. */
const SHOWN_LAYERS = 20;

function skipLabel({ count, valid }: InvalidRows): string {
  return `Store ${number(valid)}, leave out ${number(count)}`;
}

/** What likely rows were taken for, or would be. */
function likelyTable({ count, rows, isStored }: LikelyRows & { readonly isStored: boolean }): HTMLElement {
  const hasNotes = rows.some(({ notes }) => notes.length > 0);
  const which = count > rows.length ? `the first ${rows.length} of these ${number(count)} rows` : 'these rows';
  return rowsTable('What is read by what it is most like', {
    caption: `Check ${which}, which ${isStored ? 'were' : 'would be'} stored by what they are most like:`,
    headings: ['Where', 'Column', 'Value', 'Read as', ...(hasNotes ? ['Passed over or blank'] : [])],
    rows: rows.map(({ place, column, value, code, name, notes }) => [
      ...[place, column, value, `${name ?? ''} (${code})`, ...(hasNotes ? [notes.join(' ')] : [])],
    ]),
  });
}

/** @param decide opens the table on Match */
function showDone(
  { id, name, feature_count: count, skipped, notices, places }: UploadedDataset,
  decide: () => void,
): void {
  const features = count === 1 ? 'feature is' : 'features are';
  byId('upload-done', HTMLElement).replaceChildren(
    el('strong', {}, name),
    count > 0 ? `: ${number(count)} ${features} stored. ` : ' is stored, without features. ',
    ...(skipped ? [`${number(skipped.count)} ${skipped.count === 1 ? 'was' : 'were'} left out. `] : []),
    ...notices.map((notice) => `${notice} `),
    ...(places ? [`${placesSentence(places)} `] : []),
    ...(count > 0 ? [el('a', { href: mapPathOf(id) }, 'See it on the map')] : []),
    ...(places && places.likely_rows.length > 0
      ? [
          likelyTable({ count: toCheck(places), rows: places.likely_rows, isStored: true }),
          el('p', {}, 'Is one of them wrong? ', button('Decide them on Match', decide)),
        ]
      : []),
  );
}

/** How many rows somebody should check: at least the larger of both numbers, because some rows are of both. */
function toCheck({ likely, coarser, likely_rows: rows }: Places): number {
  return Math.max(likely, coarser, rows.length);
}

/** How a table of places was read, for people to check. */
function placesSentence({ columns, exact, likely, coarser, levels }: Places): string {
  const read = Object.values(columns).flat();
  const sure = likely > 0 ? `${number(exact)} exactly and ${number(likely)} by what they are most like` : 'all exactly';
  const finest = COLUMNS.findLast((column) => columns[column]);
  const [has, area] = coarser === 1 ? ['row has', 'its area is'] : ['rows have', 'their areas are'];
  const lacking =
    finest && coarser > 0 ? [`${number(coarser)} ${has} no ${LEVELS[finest].noun.toLowerCase()}: ${area} larger.`] : [];
  const counts = NAME_LEVELS.flatMap((level) => (levels[level] ? [[level, levels[level]] as const] : []));
  const mixed = levelsText('The areas', counts);
  const from = `Places were read from ${read.map((heading) => `“${heading}”`).join(' and ')}, ${sure}.`;
  return [from, ...lacking, ...(mixed === '' ? [] : [mixed])].join(' ');
}

/** Takes files that are dropped anywhere on the page, which would otherwise be opened in its place. */
function startDrop(zone: HTMLElement, take: (files: FileList | undefined) => void): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  const isReady = () => zone.checkVisibility() && document.querySelector('dialog[open]') === null;
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = isReady() ? 'copy' : 'none';
    zone.classList.toggle('dropping', isReady());
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) zone.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    zone.classList.remove('dropping');
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (!isReady()) return;
    zone.scrollIntoView({ block: 'nearest' });
    take(event.dataTransfer?.files);
  });
}
