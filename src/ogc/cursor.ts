import { DomainError } from '../errors.ts';
import { quoted } from './crs.ts';

/** Where a list goes on: of which collection it is, what it is made from, how many features came before, and the last of them. */
export interface Cursor {
  readonly collection: string;
  /** The release, or the version of the dataset. */
  readonly version: string;
  /** The requested edition, where it is not that of the release that is served. */
  readonly edition?: string | undefined;
  readonly before: number;
  readonly last: string;
}

const FORM = /^([a-z0-9-]{1,60})\.([A-Za-z0-9-]{1,80})\.(\d{1,9})\.(\d{1,18})(?:\.([0-9a-z-]{1,10}))?$/;

export function cursorText({ collection, version, edition, before, last }: Cursor): string {
  return base64Url(`${collection}.${version}.${before}.${last}${edition === undefined ? '' : `.${edition}`}`);
}

/** @throws DomainError `invalid_parameter` for what is no cursor of a collection */
export function cursorOf(text: string, of: string): Cursor {
  const [, collection, version, before, last, edition] = FORM.exec(decoded(text)) ?? [];
  if (collection !== of || version === undefined || last === undefined) {
    const rule = `must be what a link "next" of the collection ${of} has`;
    throw new DomainError('invalid_parameter', `cursor: ${rule} (got ${quoted(text)}). Begin again without it.`);
  }
  return { collection, version, edition, before: Number(before), last };
}

/** The error for a cursor whose list is no longer there as it was. */
export function staleCursor(what: string): DomainError {
  const message = `cursor: ${what} was replaced since the page that has it. Begin again without it.`;
  return new DomainError('invalid_parameter', message);
}

function base64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decoded(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
