import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/** The used parts of PostgreSQL's WebAssembly module. Pointers are addresses in its memory. */
interface Backend {
  /** The end of the stack, which grows down. */
  readonly ___stack_pointer: { value: number };
  /** Processes a received message. Every error leaves it as an exception. */
  _PostgresMainLoopOnce(): void;
  _errstart(level: number, domain: number): number;
  _errmsg_internal(format: number, values: number): number;
  /** Never returns. */
  _errfinish(file: number, line: number, name: number): void;
  stringToUTF8OnStack(text: string): number;
}

/** The used parts of the global `WebAssembly`, which is typed only for browsers. */
interface Instantiation {
  instantiate(source: unknown, imports?: Record<string, Record<string, unknown>>): unknown;
}

/** The level of an error that ends a statement (`elog.h` of PostgreSQL). */
const ERROR = 21;

/**
 * Opens PGlite, and fixes three bugs of version 0.5.8 after errors:
 *
 * - An error does not unwind the stack: it leaves a kilobyte or two there, so that after some thousand errors every statement
 *   fails with "stack depth limit exceeded". Here the stack is restored.
 * - Nothing catches exceptions of C++, as PROJ and GEOS throw them: the statement stops half-way without an answer, and
 *   the answers that follow are taken for those of other statements. Here they are errors of PostgreSQL, with SQLSTATE
 *   XX000.
 * - PostgreSQL aborts after a PANIC, for instance if the disk is full. PGlite swallows this, and no statement is answered
 *   any more. Here the thread ends.
 */
export async function createMended(options: PGliteOptions): Promise<PGlite> {
  let backend: Backend | undefined;
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Instantiation };
  const { instantiate } = wasm;
  wasm.instantiate = (source, imports = {}) => {
    // The libraries of PostGIS, which are loaded later, look here too.
    if (imports.env) imports.env.__cxa_throw = () => raise(backend);
    return instantiate(source, imports);
  };
  const db = await PGlite.create(options).finally(() => {
    wasm.instantiate = instantiate;
  });
  backend = db.Module as unknown as Backend;
  const { ___stack_pointer: stack, _PostgresMainLoopOnce: loopOnce } = backend;
  const { value: bottom } = stack;
  backend._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      const isAbort = error instanceof Error && error.message.startsWith('Aborted');
      if (!isAbort) throw error;
      setImmediate(() => {
        throw new Error('PostgreSQL has aborted', { cause: error });
      });
    } finally {
      stack.value = bottom;
    }
  };
  return db;
}

/** Ends the statement with an error, as PostgreSQL's macro `ereport` does. */
function raise(backend: Backend | undefined): never {
  if (!backend) throw new Error('The database has thrown an exception while it was opened.');
  backend._errstart(ERROR, 0);
  backend._errmsg_internal(backend.stringToUTF8OnStack('The geometry library has thrown an exception'), 0);
  backend._errfinish(0, 0, 0);
  throw new Error('An error did not end the statement.');
}
