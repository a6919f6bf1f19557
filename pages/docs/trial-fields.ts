import { el } from '../shared/dom.ts';

/** A field of the form, for one parameter. */
export interface FormField {
  name: string;
  /** `path`, `query`, `header`, or `form` for a part of a body that is a form. */
  in: string;
  row: HTMLElement;
  /** Whether it is required, or the sample has it. */
  needed: boolean;
  /** The text that is sent, empty for none. */
  value(): string;
  file?: () => File | undefined;
}

/** Fields for all parameters of an operation, as its list of parameters describes them. */
export function fieldsOf(operation: HTMLElement): FormField[] {
  return [...operation.querySelectorAll<HTMLElement>('[data-name]')].map((item) => fieldOf(operation, item));
}

/** The fields as they stand in the form: those that the sample needs, then the others, which are closed. */
export function rowsOf(fields: readonly FormField[]): HTMLElement[] {
  const needed = fields.filter((field) => field.needed).map(({ row }) => row);
  const others = fields.filter((field) => !field.needed).map(({ row }) => row);
  if (others.length === 0) return needed;
  return [...needed, el('details', { class: 'more' }, el('summary', {}, `${others.length} optional`), ...others)];
}

function fieldOf(operation: HTMLElement, { dataset }: HTMLElement): FormField {
  const { name = '', in: location = '', choices, example, value, requiredUnless } = dataset;
  const required = dataset.required !== undefined;
  const needed = required || value !== undefined;
  const id = `try-${operation.id}-${name}`;
  const need = required ? ' required' : requiredUnless && ` required, or ${requiredUnless}`;
  const label = el('label', { for: id }, name, need ? el('span', { class: 'needed' }, need) : undefined);
  if (dataset.file !== undefined) {
    const input = el('input', { id, class: 'text-field', type: 'file', required });
    return {
      name,
      in: location,
      needed,
      row: el('div', {}, label, input),
      value: () => '',
      file: () => input.files?.[0],
    };
  }
  if (choices !== undefined) {
    const options = (JSON.parse(choices) as string[])
      .filter(Boolean)
      .map((choice) => el('option', { value: choice, selected: choice === value }, choice));
    const select = el('select', { id, required }, ...(required ? [] : [el('option', { value: '' }, '')]), ...options);
    return { name, in: location, needed, row: el('div', {}, label, select), value: () => select.value };
  }
  const input = el('input', {
    id,
    class: 'text-field',
    value,
    required,
    autocomplete: 'off',
    spellcheck: 'false',
    inputmode: dataset.number === undefined ? undefined : 'decimal',
    placeholder: example,
  });
  return { name, in: location, needed, row: el('div', {}, label, input), value: () => input.value.trim() };
}
