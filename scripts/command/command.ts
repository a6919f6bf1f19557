import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { sentenceOf } from '../database/failure.ts';
import { type Progress, progressOn } from './progress.ts';

/** Options of the kinds that several commands have. */
export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean' } as const;

/** Arguments that cannot be used. The command prints the message and its usage. */
export class WrongUse extends Error {}

interface Command<Options extends ParseArgsOptionsConfig> {
  usage: string;
  /** Besides `--help`. */
  options?: Options;
  /** The least and the most positional arguments; none by default. */
  positionals?: readonly [least: number, most: number];
}

interface Given<Options extends ParseArgsOptionsConfig> {
  values: ReturnType<typeof parseArgs<{ options: Options }>>['values'];
  positionals: string[];
  progress: Progress;
}

/**
 * Runs a command of the command line and sets the exit code: 0 or what `work` returns, 1 if it fails, and 2 with the usage if
 * the arguments are wrong.
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig>(
  { usage, options, positionals: [least, most] = [0, 0] }: Command<Options>,
  work: (given: Given<Options>) => Promise<number> | Promise<void>,
): Promise<void> {
  const progress = progressOn(process.stderr);
  const misused = (error: unknown) => {
    console.error(`${sentenceOf(error)}\n\n${usage}`);
    process.exitCode = 2;
  };
  let parsed: { values: Given<Options>['values'] & { help?: boolean }; positionals: string[] };
  try {
    const all = { ...options, help: FLAG };
    parsed = parseArgs({ options: all, allowPositionals: most > 0 }) as typeof parsed;
  } catch (error) {
    return misused(error);
  }
  const { values, positionals } = parsed;
  if (values.help || positionals.length < least || positionals.length > most) {
    console.error(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  try {
    process.exitCode = (await work({ values, positionals, progress })) ?? 0;
  } catch (error) {
    if (error instanceof WrongUse) return misused(error);
    progress.clear();
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}
