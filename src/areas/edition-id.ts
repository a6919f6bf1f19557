/** The id of an edition of releases: `4Q 2023` → `2023-4q`. SQL for the same is in `db/editions.ts`. */
export function editionId(edition: string): string {
  return `${edition.slice(-4)}-${edition.slice(0, 2)}`.toLowerCase();
}
