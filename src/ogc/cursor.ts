import { DomainError } from '../errors.ts';
import { quoted } from './crs.ts';

/** Where a list goes on: what it is made from, how many features came before, and the last of them. */
export interface Cursor {
  /** The version of the release or of the dataset. */
  readonly version: string;
  readonly before: number;
  readonly last: string;
}

const FORM = /^([A-Za-z0-9-]{1,80})\.(\d{1,9})\.(\d{1,19})$/;

export function cursorText({ version, before, last }: Cursor): string {
  return base64Url(`${version}.${before}.${last}`);
}

/** @throws DomainError `invalid_parameter` for what is no cursor of this service */
export function cursorOf(text: string): Cursor {
  const [, version, before, last] = FORM.exec(decoded(text)) ?? [];
  if (version === undefined || last === undefined) {
    const message = `cursor: must be what a link "next" has (got ${quoted(text)}). Begin again without it.`;
    throw new DomainError('invalid_parameter', message);
  }
  return { version, before: Number(before), last };
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
