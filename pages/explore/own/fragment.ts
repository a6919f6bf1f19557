import { MATCHED } from '../../shared/matched-places.ts';

const PATTERN = new RegExp(`^#/datasets/([0-9a-f-]{36}|${MATCHED})(?:\\?(.*))?$`, 'i');

/** The id in a fragment `#/datasets/<uuid>`, or that of the places which /match hands over. */
export function datasetAt(fragment: string): string | undefined {
  return PATTERN.exec(fragment)?.[1];
}

/** What the fragment of a dataset has behind its id. */
export function queryOf(fragment: string): URLSearchParams {
  return new URLSearchParams(PATTERN.exec(fragment)?.[2]);
}
