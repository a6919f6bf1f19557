import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';

/** Max size of a form beyond its file, bytes. */
export const FORM_BYTES = 1024 * 1024;

export function fileTooLarge({ UPLOAD_MAX_BYTES }: Config): DomainError {
  return new DomainError('file_too_large', `file: must have at most ${UPLOAD_MAX_BYTES} bytes.`);
}
