/** The months as interim lists are called by them. */
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The id of an edition: a year, and a quarter or a month. */
export const EDITION_ID = /^\d{4}-(?:[1-4][qQ]|0[1-9]|1[0-2])$/;

/**
 * The id of an edition: `4Q 2023` → `2023-4q`, `July 2025` → `2025-07`.
 *
 * @throws Error for what is no edition
 */
export function editionId(edition: string): string {
  const [, quarter, month = '', year] = /^(?:([1-4])Q|([A-Z][a-z]+)) (\d{4})$/.exec(edition) ?? [];
  if (quarter !== undefined) return `${year}-${quarter}q`;
  if (MONTHS.includes(month)) return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}`;
  throw new Error(`"${edition}" is no edition such as "3Q 2026" or "July 2025"`);
}

/**
 * The edition of an id: `2023-4q` → `4Q 2023`, `2025-07` → `July 2025`.
 *
 * @throws Error for what is no id
 */
export function editionText(id: string): string {
  if (!EDITION_ID.test(id)) throw new Error(`"${id}" is no id of an edition, such as 2026-3q or 2025-07`);
  const year = id.slice(0, 4);
  return isQuarter(id) ? `${id[5]}Q ${year}` : `${MONTHS[Number(id.slice(5)) - 1]} ${year}`;
}

/** Compares ids of editions by time: `2025-2q`, `2025-07`, `2025-3q`. */
export function compareEditions(a: string, b: string): number {
  return editionOrder(a) < editionOrder(b) ? -1 : Number(a !== b);
}

/**
 * A text for an id of an edition that sorts by time: its year and last month. A quarter comes behind an interim list of
 * its last month: `2025-2q` → `2025-06q`.
 */
export function editionOrder(id: string): string {
  return isQuarter(id) ? `${id.slice(0, 5)}${String(3 * Number(id[5])).padStart(2, '0')}q` : id;
}

function isQuarter(id: string): boolean {
  return /q$/i.test(id);
}
