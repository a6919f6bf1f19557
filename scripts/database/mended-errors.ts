import type { PGlite } from '@electric-sql/pglite';

/** What is needed of PostgreSQL as WebAssembly. Pointers are addresses in its memory. */
interface Backend {
  /** The end of the stack, which grows down. */
  readonly ___stack_pointer: { value: number };
  readonly HEAP32: Int32Array;
  /** Addresses of global variables. */
  readonly _PG_exception_stack: number;
  readonly _error_context_stack: number;
  /** Works on the message that has come. */
  _PostgresMainLoopOnce(): void;
  _errstart(level: number, domain: number): number;
  _errmsg_internal(format: number, values: number): number;
  /** Never returns: it throws as every error does. */
  _errfinish(file: number, line: number, name: number): void;
  stringToUTF8OnStack(text: string): number;
}

/** The level of an error that ends a statement. */
const ERROR = 21;

/**
 * Mends two ways in which PGlite 0.5.8 leaves errors behind. Its main loop is left by an exception for every error, and
 * only those that PostgreSQL has thrown itself are cleaned up after.
 *
 * - The stack stays as deep as it was, a kilobyte or two for each error, so that some thousand errors later every statement
 *   fails with "stack depth limit exceeded". Here it is as it was before.
 * - An exception of PROJ, which is C++, is dropped: the statement stops half-way without an answer, and the answers that
 *   follow are taken for those of other statements. Here it becomes an error of PostgreSQL, with the SQLSTATE XX000.
 */
export function mendErrors(db: PGlite): void {
  const backend = db.Module as unknown as Backend;
  const { ___stack_pointer: stack, _PG_exception_stack: handler, _error_context_stack: contexts } = backend;
  const { value: bottom } = stack;
  const outermost = backend.HEAP32[handler >> 2] as number;
  const loopOnce = backend._PostgresMainLoopOnce;
  backend._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      stack.value = bottom;
      // C++ throws the address of its exception.
      if (typeof error !== 'number') throw error;
      // What would handle the error, or tell more of it, was on the stack.
      backend.HEAP32[handler >> 2] = outermost;
      backend.HEAP32[contexts >> 2] = 0;
      backend._errstart(ERROR, 0);
      backend._errmsg_internal(backend.stringToUTF8OnStack('transform: PROJ has thrown an exception'), 0);
      backend._errfinish(0, 0, 0);
    } finally {
      stack.value = bottom;
    }
  };
}
