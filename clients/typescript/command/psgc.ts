#!/usr/bin/env node
import { constants } from 'node:os';
import { DomainError } from '../../../src/errors.ts';
import packageFile from '../package.json' with { type: 'json' };
import { PsgcError } from '../src/errors.ts';
import { readCommandLine } from './command-line.ts';
import type { Found, Invocation } from './commands/command.ts';
import { type CommandName, helpOf } from './help.ts';
import { removeUnfinished, standardOutput } from './output.ts';
import { UsageError } from './usage-error.ts';
import { plain } from './words.ts';

// psgc: command line client of the Philippine Geographic Data Service, or of its snapshot.

const STATUS = { found: 0, nothing: 1, usage: 2, service: 3 } as const;

/** Error codes for an unknown code. */
const NOTHING = ['area_not_found', 'area_abolished'];

/** Statuses of errors in the request, and codes of such errors in the middle of a table. */
const WRONG = { statuses: [400, 413, 415, 422], codes: ['edition_not_found', 'invalid_csv', 'payload_too_large'] };

/** Commands, loaded on demand. */
const RUN: Readonly<Record<CommandName, () => Promise<(invocation: Invocation) => Promise<Found>>>> = {
  search: async () => (await import('./commands/search.ts')).search,
  get: async () => (await import('./commands/get.ts')).get,
  reverse: async () => (await import('./commands/reverse.ts')).reverse,
  match: async () => (await import('./commands/match.ts')).match,
  download: async () => (await import('./commands/download.ts')).download,
  changes: async () => (await import('./commands/changes.ts')).changes,
};

async function main(args: readonly string[]): Promise<number> {
  const { command, words, options } = readCommandLine(args);
  if (options.version) await standardOutput.write(`${packageFile.version}\n`);
  else if (options.help) await standardOutput.write(helpOf(command));
  else if (command === undefined) throw new UsageError(`What is wanted? See psgc --help.`);
  else {
    const run = await RUN[command]();
    return (await run({ words, options })) ? STATUS.found : STATUS.nothing;
  }
  return STATUS.found;
}

/** Prints an error. @returns the exit status */
function explain(error: unknown): number {
  const report = (text: string) => console.error(`psgc: ${text.split('\n').map(plain).join('\n      ')}`);
  if (error instanceof UsageError || error instanceof DomainError) report(error.message);
  else if (error instanceof PsgcError) return explainAnswer(error, report);
  else if (error instanceof Error && 'syscall' in error) report(`${error.message}.`);
  else {
    report(`Something went wrong in this command: ${error instanceof Error ? error.stack : error}`);
    return STATUS.service;
  }
  return STATUS.usage;
}

function explainAnswer(error: PsgcError, report: (text: string) => void): number {
  const { code, status, message, requestId, retryAfter } = error;
  const hints = [
    status === 401 && code === 'authentication_required' ? 'PSGC_TOKEN has no key yet; --offline needs none.' : '',
    retryAfter === undefined || message.includes('Try again in')
      ? ''
      : `Try again in ${Math.ceil(retryAfter)} seconds.`,
    (status ?? 0) >= 500 && requestId ? `Its request id is ${requestId}.` : '',
  ];
  report([message, ...hints].filter(Boolean).join(' '));
  if (NOTHING.includes(code)) return STATUS.nothing;
  return WRONG.codes.includes(code) || WRONG.statuses.includes(status ?? 0) ? STATUS.usage : STATUS.service;
}

process.on('exit', removeUnfinished);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
// The reader of the output, such as `head`, has closed it. With -o nothing is written there.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? STATUS.found : explain(error));
});
// A closed standard error does not stop the work.
process.stderr.on('error', () => undefined);

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error);
}
removeUnfinished();
