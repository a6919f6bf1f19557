import type { Province, Region } from '../../clients/typescript/src/types.ts';
import { editionText } from '../../src/areas/edition-id.ts';
import { byId, el } from '../shared/dom.ts';
import { LEVELS, type Level } from '../shared/levels.ts';
import { type Area, type Boundaries, type Choice, COUNTRY, type Format } from './choice.ts';

interface OptionLabel {
  readonly label: string;
  /** Small text after the label. */
  readonly hint?: string;
}

const BOUNDARY_WORDS: Readonly<Record<Boundaries, OptionLabel>> = {
  none: { label: 'None', hint: 'table' },
  simple: { label: 'Simple', hint: 'small maps' },
  medium: { label: 'Medium', hint: 'most maps' },
  detailed: { label: 'Detailed', hint: 'finest' },
};

export const FORMAT_WORDS: Readonly<Record<Format, OptionLabel>> = {
  xlsx: { label: 'Excel', hint: '.xlsx' },
  csv: { label: 'CSV', hint: 'UTF-8' },
  gpkg: { label: 'GeoPackage', hint: 'QGIS, ArcGIS' },
  shp: { label: 'Shapefile', hint: 'zipped' },
  geojson: { label: 'GeoJSON', hint: 'the web' },
  fgb: { label: 'FlatGeobuf', hint: 'fast' },
  parquet: { label: 'GeoParquet', hint: 'notebooks' },
  topojson: { label: 'TopoJSON', hint: 'the web, small' },
};

const area = byId('area', HTMLSelectElement);
const edition = byId('edition', HTMLSelectElement);
const form = byId('picker', HTMLFormElement);

/** Calls a function with what is picked whenever that changes. */
export function whenPicked(act: (picked: Omit<Choice, 'format'> & { format: string | undefined }) => void): void {
  const picked = (name: string) => new FormData(form).get(name)?.toString();
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', () =>
    act({
      area: area.value,
      edition: edition.value,
      level: picked('level') as Level,
      boundaries: picked('boundaries') as Boundaries,
      format: picked('format'),
    }),
  );
}

interface Options {
  /** Undefined for the country. */
  readonly areaLevel: Level | undefined;
  readonly levels: readonly Level[];
  readonly boundaries: readonly Boundaries[];
  readonly formats: readonly Format[];
}

/** Shows a choice, and what else can be chosen. */
export function showChoice(choice: Choice, { areaLevel, levels, boundaries, formats }: Options): void {
  area.value = choice.area;
  edition.value = choice.edition;
  showGroup('level', choice.level, levels, (level) => ({
    label: LEVELS[level][level === areaLevel ? 'noun' : 'nouns'],
  }));
  showGroup('boundaries', choice.boundaries, boundaries, (value) => BOUNDARY_WORDS[value]);
  showGroup('format', choice.format, formats, (format) => FORMAT_WORDS[format]);
  byId('format-note', HTMLElement).hidden = choice.area === COUNTRY || choice.boundaries === 'none';
}

/** Shows the buttons of a group. Existing buttons stay in the DOM, so the focused one keeps the focus. */
function showGroup<T extends string>(
  name: string,
  chosen: T,
  values: readonly T[],
  words: (value: T) => OptionLabel,
): void {
  const group = byId(name, HTMLFieldSetElement);
  const inputs = new Map([...group.querySelectorAll('input')].map((input) => [input.value, input]));
  for (const [value, input] of inputs) if (!values.includes(value as T)) input.parentElement?.remove();
  let next = group.querySelector('label');
  for (const value of values) {
    const { label, hint } = words(value);
    const input = inputs.get(value) ?? el('input', { type: 'radio', name, value });
    const text = el('span', {}, label, ...(hint === undefined ? [] : [el('small', {}, hint)]));
    const shown = input.nextElementSibling;
    // Replacing an element between pointerdown and pointerup would lose the click.
    if (shown && shown.textContent !== text.textContent) shown.replaceWith(text);
    if (!shown) group.insertBefore(el('label', { class: 'choice' }, input, text), next);
    next = input.parentElement?.nextElementSibling as HTMLLabelElement | null;
    input.checked = value === chosen;
  }
}

/** Fills the list of areas: each region, with its provinces. */
export function showAreas(regions: readonly Region[], provinces: readonly Province[]): void {
  area.replaceChildren(
    el('option', { value: COUNTRY }, 'The whole country'),
    ...regions.map(({ code, name }) =>
      el(
        'optgroup',
        { label: name },
        el('option', { value: code }, `All of ${name}`),
        ...provinces
          .filter((province) => province.r_code === code)
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((province) => el('option', { value: province.code }, province.name)),
      ),
    ),
  );
}

/** Adds an area that is not in the list, such as a city in the URL. */
export function addArea({ code, name }: Area): void {
  if ([...area.options].some(({ value }) => value === code)) return;
  area.append(el('option', { value: code }, name));
}

export function showEditions(ids: readonly string[], chosen: string): void {
  edition.replaceChildren(...ids.map((id) => el('option', { value: id }, editionText(id))));
  edition.value = chosen;
}
