import type { ErrorCode } from '../errors.ts';
import { STATUS } from '../http/error-responses.ts';
import { MEANINGS } from './error-meanings.ts';

export interface ErrorLine {
  readonly status: number;
  readonly code: ErrorCode;
  readonly meaning: string;
}

/** Every code that an answer can carry, by status and name. */
export function errorLines(): ErrorLine[] {
  return (Object.keys(STATUS) as ErrorCode[])
    .map((code) => ({ status: STATUS[code], code, meaning: MEANINGS[code] }))
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}
