import { freshToken } from '../shared/credentials.ts';
import { sendFile, type UploadedDataset } from '../shared/send-file.ts';
import type { Group } from './groups.ts';
import { csvParts, mapRows } from './result.ts';
import type { Source, Table } from './table.ts';

/** The headings of the columns of codes that the rows of a map are read by, and of how each was found. */
const ADDED = ['psgc', 'how_matched'] as const;

interface Matched {
  readonly source: Source;
  readonly table: Table;
  readonly groups: readonly Group[];
}

/**
 * Stores a list as a dataset whose features are the areas of its rows. Rows without a code are left out.
 *
 * @returns undefined if nobody is signed in
 * @throws PsgcError
 */
export async function saveAsMap(
  { source: { name, datasetId }, table, groups }: Matched,
  onProgress: (sent: number, total: number) => void,
): Promise<UploadedDataset | undefined> {
  const token = await freshToken();
  if (token === undefined) return undefined;
  const rows = [...mapRows(table, groups, ADDED)];
  const parts = [...csvParts(rows, { separator: ',', hasMark: false })];
  return sendFile({
    file: new File(parts, `${name}.csv`, { type: 'text/csv' }),
    name,
    datasetId,
    fileOnly: false,
    skipInvalid: true,
    // The codes alone decide: an empty heading names no column.
    placeColumns: {
      region: '',
      province: '',
      municity: '',
      barangay: '',
      text: '',
      code: String(rows[0]?.at(-2)),
      match: String(rows[0]?.at(-1)),
    },
    token,
    signal: new AbortController().signal,
    onProgress,
  });
}
