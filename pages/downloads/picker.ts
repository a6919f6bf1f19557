import { byId, el } from '../shared/dom.ts';
import { LEVELS, type Level } from '../shared/levels.ts';
import { type Boundaries, type Choice, COUNTRY, type Format } from './choice.ts';

/** A region or province, as lists have it. */
export interface Named {
  readonly code: string;
  readonly name: string;
  readonly r_code?: string | null;
}

interface Word {
  readonly label: string;
  /** What it is for. */
  readonly hint?: string;
}

const BOUNDARY_WORDS: Readonly<Record<Boundaries, Word>> = {
  none: { label: 'None', hint: 'a table' },
  simple: { label: 'Simple', hint: 'small maps' },
  medium: { label: 'Medium', hint: 'most maps' },
  detailed: { label: 'Detailed', hint: 'the finest' },
};

export const FORMAT_WORDS: Readonly<Record<Format, Word>> = {
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
      ...{ area: area.value, edition: edition.value },
      level: picked('level') as Level,
      boundaries: picked('boundaries') as Boundaries,
      format: picked('format'),
    }),
  );
}

/** Shows a choice, and what else can be chosen. */
export function showChoice(
  choice: Choice,
  {
    levels,
    boundaries,
    formats,
  }: { levels: readonly Level[]; boundaries: readonly Boundaries[]; formats: readonly Format[] },
): void {
  area.value = choice.area;
  edition.value = choice.edition;
  showGroup('level', choice.level, levels, (level) => ({ label: LEVELS[level].nouns }));
  showGroup('boundaries', choice.boundaries, boundaries, (value) => BOUNDARY_WORDS[value]);
  showGroup('format', choice.format, formats, (format) => FORMAT_WORDS[format]);
}

/** Shows the buttons of a group. Those that stay are kept, so that the focus is. */
function showGroup<T extends string>(name: string, chosen: T, values: readonly T[], words: (value: T) => Word): void {
  const group = byId(name, HTMLFieldSetElement);
  const known = new Map(
    [...group.querySelectorAll('label')].map((label) => [label.querySelector('input')?.value, label]),
  );
  for (const [value, label] of known) if (!values.includes(value as T)) label.remove();
  for (const value of values) {
    const { label, hint } = words(value);
    const made =
      known.get(value) ??
      el(
        'label',
        { class: 'choice' },
        el('input', { type: 'radio', name, value }),
        el('span', {}, label),
        hint === undefined ? undefined : el('small', {}, hint),
      );
    // What is moved loses the focus.
    if (!made.isConnected) group.append(made);
    (made.querySelector('input') as HTMLInputElement).checked = value === chosen;
  }
}

/** Fills the list of areas: each region, with its provinces. */
export function showAreas(regions: readonly Named[], provinces: readonly Named[]): void {
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

/** Adds an area that is not in the list, such as a city in the address. */
export function addArea({ code, name }: Named): void {
  area.append(el('option', { value: code }, name));
}

export function showEditions(ids: readonly string[]): void {
  edition.replaceChildren(...ids.map((id) => el('option', { value: id }, id.toUpperCase().replace('-', ' '))));
}
