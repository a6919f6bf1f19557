import type { Options } from '../options.ts';

/** The arguments and options of a command. */
export interface Invocation {
  /** Arguments after its name. */
  readonly words: readonly string[];
  readonly options: Options;
}

/** Whether anything was found. */
export type Found = boolean;
