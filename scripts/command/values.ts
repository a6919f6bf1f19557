import { sentenceOf } from '../database/failure.ts';

/**
 * What a command is asked for. Where its arguments are wrong, or ask how it is used, it says so.
 *
 * @param read reads the arguments, and throws where they are wrong
 * @returns the exit code where the command has nothing more to do
 */
export function readValues<Values extends { readonly help?: boolean | undefined }>(
  args: string[],
  { usage, read }: { usage: string; read: (args: string[]) => Values },
): Values | number {
  try {
    const values = read(args);
    if (!values.help) return values;
    console.error(usage);
    return 0;
  } catch (error) {
    console.error(`${sentenceOf(error)}\n\n${usage}`);
    return 2;
  }
}
