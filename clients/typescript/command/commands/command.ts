import type { Options } from '../options.ts';

/** What a command is given. */
export interface Asked {
  /** What stands behind its name. */
  readonly words: readonly string[];
  readonly options: Options;
}

/** Whether anything was found. */
export type Found = boolean;
