import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMANDS, type CommandName, isCommand } from './help.ts';
import { OPTIONS, type OptionName, type Options } from './options.ts';
import { UsageError } from './usage-error.ts';

export interface CommandLine {
  /** Undefined if none is named. */
  readonly command: CommandName | undefined;
  /** Arguments after the command. */
  readonly words: readonly string[];
  /** `offline` is empty if no folder is named. */
  readonly options: Options;
}

/** Options that every command takes. */
const EVERYWHERE = ['help', 'version', 'quiet'];

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values: options, positionals } = parsed(args);
  const [name, ...words] = positionals;
  if (name === undefined) return { command: undefined, words, options };
  if (name === 'help') return { command: commandOf(words[0]), words: [], options: { ...options, help: true } };
  const command = commandOf(name) as CommandName;
  const taken: readonly string[] = [...EVERYWHERE, ...COMMANDS[command].takes];
  const wrong = Object.keys(options).find((option) => !taken.includes(option));
  if (wrong !== undefined && !options.help) throw new UsageError(`psgc ${command} takes no --${wrong}.`);
  return { command, words, options };
}

function commandOf(name: string | undefined): CommandName | undefined {
  if (name === undefined || isCommand(name)) return name;
  throw new UsageError(`There is no command "${name}". There are ${Object.keys(COMMANDS).join(', ')}.`);
}

function parsed(args: readonly string[]) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  // The folder of --offline is optional, so it needs an equals sign: --offline=DIR.
  const given = args.map((arg, i) => {
    if (arg !== '--offline' || i >= end) return arg;
    const next = args[i + 1] ?? '';
    if (/[/\\]/.test(next) && existsSync(next))
      throw new UsageError(`Name the folder of a snapshot so: --offline=${next}`);
    return '--offline=';
  });
  try {
    return parseArgs({ args: given, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split(/\. To specify/, 1) : [];
    throw new UsageError(`${message.replace(/\.$/, '')}.`);
  }
}

/** One of several words. @throws UsageError */
export function oneOf<const Word extends string>(option: OptionName, given: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be one of ${words.join(', ')} (got "${given}").`);
}

/** A number in decimal digits. @throws UsageError */
export function integer(option: OptionName, given: string, { min, max }: { min: number; max: number }): number {
  const value = Number(given);
  if (/^\d{1,10}$/.test(given) && value >= min && value <= max) return value;
  throw new UsageError(`--${option} must be a whole number from ${min} to ${max} (got "${given}").`);
}

const CODE = /^\d{1,15}$/;

/** A PSGC code. @throws UsageError */
export function code(what: string, given: string): string {
  if (CODE.test(given)) return given;
  throw new UsageError(
    `${what} must be a PSGC code, such as 0702205000 (got "${given}"). psgc search finds codes by names.`,
  );
}
