/** Interim lists are called by their month: `July 2025`. */
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const MONTHS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];

/** What an id looks like: a year, and a quarter or a month. Callers may write Q. */
export const EDITION_ID = /^\d{4}-(?:[1-4][qQ]|0[1-9]|1[0-2])$/;

/**
 * Turns the name of an edition into its id: `4Q 2023` → `2023-4q`, `July 2025` → `2025-07`.
 *
 * @throws Error for what is no edition
 */
export function editionId(edition: string): string {
  const [, quarter, year] = /^(?:([1-4])Q|[A-Z][a-z]+) (\d{4})$/.exec(edition) ?? [];
  const ids = !year ? [] : quarter ? [`${year}-${quarter}q`] : MONTHS.map((month) => `${year}-${month}`);
  const id = ids.find((it) => editionText(it) === edition);
  if (id !== undefined) return id;
  throw new Error(`"${edition}" is no edition such as "3Q 2026" or "July 2025"`);
}

/**
 * Turns the id of an edition into its name: `2023-4q` → `4Q 2023`, `2025-07` → `July 2025`.
 *
 * @throws Error for what is no id
 */
export function editionText(id: string): string {
  if (!EDITION_ID.test(id)) throw new Error(`"${id}" is no id of an edition, such as 2026-3q or 2025-07`);
  return isQuarter(id) ? `${id[5]}Q ${id.slice(0, 4)}` : MONTH.format(new Date(id));
}

/** Compares ids of editions by time: `2025-2q`, `2025-07`, `2025-3q`. */
export function compareEditions(a: string, b: string): number {
  const [one, other] = [editionSortKey(a), editionSortKey(b)];
  return one < other ? -1 : Number(one !== other);
}

/**
 * A text for an id of an edition that sorts by time: its year and last month. A quarter comes behind an interim list of
 * its last month: `2025-2q` → `2025-06q`.
 */
export function editionSortKey(id: string): string {
  return isQuarter(id) ? `${id.slice(0, 5)}${String(3 * Number(id[5])).padStart(2, '0')}q` : id;
}

/** The last day of an edition's quarter or month, `2023-12-31`: the day of its list where the list says none. */
export function lastDayOf(id: string): string {
  const [year, part = ''] = id.split('-');
  const month = isQuarter(id) ? 3 * Number(part[0]) : Number(part);
  return new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
}

function isQuarter(id: string): boolean {
  return /q$/i.test(id);
}
