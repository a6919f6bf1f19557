import { DomainError } from '../errors.ts';

/** Headings by field, folded by `headingKey`, the surest first. */
export type Headings<Field extends string> = { readonly [field in Field]: readonly string[] };

/** Column indexes by field, the one to read first at the front. */
export type Columns<Field extends string> = { readonly [field in Field]?: readonly number[] };

/** Max compared length of a heading, characters. */
const COMPARED = 200;

/** The comparison key of a heading: without case, accents, spaces and punctuation. */
function headingKey(heading: string): string {
  return heading
    .slice(0, COMPARED)
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** The forms of a heading, the whole of it first: without parentheses, a number before it, `Name of` and `Pangalan ng`. */
function headingKeys(heading: string): string[] {
  const outer = headingKey(heading.slice(0, COMPARED).replace(/\([^)]*\)?/g, ' '));
  const plain = outer.replace(/^\d+/, '').replace(/^(?:nameof(?:the)?|pangalanng(?:mga)?)/, '');
  return [headingKey(heading), outer, plain];
}

/**
 * Refuses names of columns beside rows in JSON, which have none.
 *
 * @throws DomainError `columns_not_recognized`
 */
export function refuseColumns(named: { readonly [field in string]?: string | undefined }): void {
  const [first] = Object.entries(named).filter(([, heading]) => heading !== undefined);
  if (!first) return;
  const [parameter, heading] = first;
  const got = JSON.stringify(String(heading).slice(0, 60));
  throw new DomainError(
    'columns_not_recognized',
    `${parameter}: names a column of text/csv (got ${got}), and the body is JSON, whose rows have the member ${parameter}.`,
  );
}

interface ColumnOptions<Field extends string> {
  /** Headings named by the caller, by field; an empty one leaves the field out. */
  readonly named: { readonly [field in Field]?: string | undefined };
  readonly headingsOf: Headings<Field>;
}

/**
 * Finds the columns of fields by their headings. A column that the caller names is no other field's.
 *
 * @throws DomainError `columns_not_recognized` if a named column is missing
 */
export function findColumns<Field extends string>(
  headings: readonly string[],
  { named, headingsOf }: ColumnOptions<Field>,
): Columns<Field> {
  const columns: { [field in Field]?: readonly number[] } = {};
  const taken = new Set<number>();
  const fields = Object.keys(headingsOf) as Field[];
  for (const field of fields) {
    const name = named[field];
    if (name === undefined || name === '') continue;
    const exact = headings.indexOf(name);
    const key = headingKey(name);
    const at = exact === -1 ? headings.findIndex((it) => headingKey(it) === key) : exact;
    if (at === -1) throw unrecognized(`${field}: there is no column ${quoted(name)}.`, headings);
    columns[field] = [at];
    taken.add(at);
  }
  const keys = headings.map(headingKeys);
  for (const field of fields) {
    if (named[field] !== undefined) continue;
    const found = headingsOf[field].flatMap((key) =>
      keys.flatMap((it, at) => (it.includes(key) && !taken.has(at) ? [at] : [])),
    );
    if (found.length > 0) columns[field] = found;
    for (const at of found) taken.add(at);
  }
  return columns;
}

/** Limits of the columns header: headings per field, characters per heading. */
const SHOWN = { headings: 10, characters: 80 };

/** Which columns are read as what, for a header: `province=Prov; municity=Town,City%20Code`. */
export function columnsHeader(headings: readonly string[], columns: Columns<string>): string {
  const shown = (at: number) => encodeURIComponent((headings[at] ?? '').slice(0, SHOWN.characters).toWellFormed());
  return Object.entries(columns)
    .map(([field, places = []]) => `${field}=${places.slice(0, SHOWN.headings).map(shown).join(',')}`)
    .join('; ');
}

/** The error for a table without recognized columns, naming its headings. */
export function unrecognized(message: string, headings: readonly string[]): DomainError {
  const found = headings.slice(0, 50).map((heading) => heading.slice(0, 80));
  const list = found.slice(0, 12).map(quoted).join(', ');
  const more = headings.length > 12 ? ', …' : '';
  return new DomainError('columns_not_recognized', `${message} The first row has: ${list}${more}.`, {
    facts: {
      headings: found,
    },
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

/** The first filled cell of a field's columns. */
export function cellOf(fields: readonly string[], columns: readonly number[] | undefined): string | undefined {
  for (const at of columns ?? []) {
    const text = fields[at];
    if (text !== undefined && text.trim() !== '') return text;
  }
  return undefined;
}
