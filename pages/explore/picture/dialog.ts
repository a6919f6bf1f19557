import { sentenceFor } from '../../shared/api.ts';
import { button, byId, el } from '../../shared/dom.ts';
import { number } from '../../shared/format.ts';
import { MAX_LENGTHS } from '../own/symbology.ts';
import type { Box } from '../places.ts';
import { openUseDialog } from '../use-dialog.ts';
import { shownOf, viewNow } from '../view-box.ts';
import { addressOf, measureTexts, savePicture } from './files.ts';
import { type PictureOptions, type PictureParts, paperFor, pictureOf, SHEET_SIZES, type SheetName } from './picture.ts';

type Words = Pick<PictureParts, 'title' | 'subtitle' | 'notes' | 'source'>;

/** What a sheet is made of. */
export interface PictureSource {
  readonly parts: Omit<PictureParts, 'credit'>;
  readonly shapesIn: PictureOptions['shapesIn'];
  /** All that can be in the picture. */
  readonly box: Box;
  /** The words that can be written anew, in the order of their fields. */
  readonly fields: readonly (keyof Words)[];
  /** Called with words that were written. */
  readonly onWords?: (words: Partial<Words>) => void;
}

const FIELD_NAMES = { title: 'Title', subtitle: 'Subtitle', notes: 'Notes', source: 'Source' } as const;

/** Shows how a map is laid out on a sheet, lets its size and words be chosen, and saves it. */
export function openPicture({ parts, shapesIn, box, fields, onWords }: PictureSource): void {
  const { choices, preview } = openUseDialog('Picture of the map');
  let words: Words = parts;
  const credit = byId('credit', HTMLElement).dataset.onPaper ?? '';
  let name: SheetName = paperFor(shownOf(box));
  let latest = 0;
  let drawing: Promise<string | undefined> = Promise.resolve(undefined);
  const image = el('img', { alt: 'Preview of the sheet' });
  const status = el('p', { class: 'quiet', role: 'status' });
  const measure = measureTexts();
  const draw = async () => {
    latest += 1;
    const mine = latest;
    let rest = '';
    const onLabels = (shown: number, all: number) => {
      rest = shown < all ? `${number(shown)} of ${number(all)} areas have room for their name or value.` : '';
    };
    status.textContent = 'Drawing…';
    try {
      const part = name === 'screen' ? (viewNow() ?? box) : shownOf(box);
      const svg = await pictureOf(
        { size: SHEET_SIZES[name], box: part, measure, shapesIn, onLabels },
        { ...parts, ...words, credit },
      );
      if (mine !== latest) return drawing;
      image.src = addressOf(svg);
      await image.decode();
      if (mine === latest) status.textContent = rest;
      return svg;
    } catch (error) {
      if (mine === latest) status.textContent = sentenceFor(error, 'The picture could not be drawn.');
      return undefined;
    }
  };
  const redraw = () => {
    drawing = draw();
  };

  const size = el(
    'select',
    {},
    ...Object.entries(SHEET_SIZES).map(([value, { label }]) => el('option', { value }, label)),
  );
  size.value = name;
  size.addEventListener('change', () => {
    name = size.value as SheetName;
    redraw();
  });
  const written = fields.map((field) => {
    const attributes = { maxlength: String(MAX_LENGTHS[field]), dir: 'auto' };
    const input =
      field === 'notes' ? el('textarea', { ...attributes, rows: '2' }) : el('input', { type: 'text', ...attributes });
    input.value = parts[field];
    input.addEventListener('change', () => {
      words = { ...words, [field]: input.value.trim() || (field === 'title' ? parts.title : '') };
      onWords?.({ [field]: input.value.trim() });
      redraw();
    });
    return el('label', {}, FIELD_NAMES[field], input);
  });
  const save = (format: 'png' | 'svg') => {
    const run = async () => {
      const svg = await drawing;
      if (svg === undefined) return;
      try {
        await savePicture({ svg, format, name: words.title, pixels: SHEET_SIZES[name].pixels });
      } catch (error) {
        status.textContent = sentenceFor(error, 'The picture could not be drawn.');
      }
    };
    return button(format.toUpperCase(), () => void run(), {
      title: format === 'png' ? 'A picture: 300 dots per inch on paper' : 'A drawing that programs can change',
      ...(format === 'png' && { class: 'main' }),
    });
  };
  choices.append(
    el('label', {}, 'Size', size),
    ...written,
    el('p', { class: 'use-buttons' }, save('png'), save('svg')),
    status,
  );
  preview.append(image);
  redraw();
}
