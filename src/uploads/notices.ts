import type { Notice } from '../http/notices.ts';
import type { WrittenCounts } from './feature-writer.ts';
import type { GuessedLines } from './formats/format.ts';

/** What an answer says that is repeated for its Idempotency-Key: what was left out is not kept. */
export const SKIPPED_BEFORE: Notice = {
  code: 'rows_maybe_skipped',
  parameter: 'on_invalid',
  message:
    'on_invalid: an earlier request with this Idempotency-Key made the dataset, and its answer told in meta.skipped what was left out. Compare feature_count with the rows of the file.',
  successors: [],
};

/** What an answer says of a table whose lines are in two encodings. */
export function guessedNotice({ count, first }: GuessedLines): Notice {
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  return {
    code: 'lines_in_windows_1252',
    parameter: 'encoding',
    message: `encoding: line ${first}${others} of the table ${count === 1 ? 'is' : 'are'} not UTF-8, as others are, and ${count === 1 ? 'was' : 'were'} read as Windows-1252. Look at the letters there, or save all of the table as UTF-8.`,
    successors: [],
  };
}

/** What an answer says of features that no map shows. */
export function unplacedNotice({ count, withoutGeometry }: WrittenCounts): Notice {
  const few = `${count === 1 ? 'feature' : 'features'} ${withoutGeometry === 1 ? 'has' : 'have'}`;
  return {
    code: 'features_without_geometry',
    parameter: 'file',
    message: `file: ${withoutGeometry} of ${count} ${few} no geometry, as a row without coordinates, and no map shows them. They are stored with their properties.`,
    successors: [],
  };
}

/** What an answer says of a file of features that nobody asked to read, which the contract stores as it is: a shapefile. */
export const NOT_READ: Notice = {
  code: 'features_not_read',
  parameter: 'feature_storage',
  message:
    'feature_storage: it is not in the form, and the default for this format is r2_only: the file is stored as it is, and the dataset has no features. Send feature_storage=features_and_r2 to store them too.',
  successors: [],
};
