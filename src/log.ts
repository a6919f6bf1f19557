import { DomainError } from './errors.ts';

type Facts = Readonly<Record<string, unknown>>;

/**
 * Writes one structured line.
 *
 * @param at milliseconds since the epoch
 */
export function writeLine(level: 'info' | 'error', at: number, facts: Facts): void {
  console[level === 'error' ? 'error' : 'log'](JSON.stringify({ level, time: new Date(at).toISOString(), ...facts }));
}

/** One line for something that failed where no request waits for it. */
export function logFailure(what: string, error: unknown, facts: Facts): void {
  writeLine('error', Date.now(), { what, ...facts, error: describeError(error) });
}

/** One line for work that a schedule started and that was done. */
export function logWork(what: string, facts: Facts): void {
  writeLine('info', Date.now(), { what, ...facts });
}

const MAX_CAUSES = 5;

/** The values of a statement, which the database's client repeats in its messages and no log may hold. */
const VALUES = /\nparams: .*/s;

/** An error and its causes. The database's client repeats whole statements in its messages, so they are cut. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause ?? (error as { sourceError?: unknown }).sourceError;
  const message = error.message.replace(VALUES, '').slice(0, 300);
  return {
    name: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    ...(error instanceof DomainError || depth > 0 ? {} : { stack: error.stack?.replace(error.message, () => message) }),
    ...(cause === undefined || depth === MAX_CAUSES ? {} : { cause: describeError(cause, depth + 1) }),
  };
}
