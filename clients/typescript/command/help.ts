import type { OptionName } from './options.ts';

interface Command {
  /** Its arguments. */
  readonly words: string;
  readonly about: string;
  readonly takes: readonly OptionName[];
}

/** Options for a service. */
const ONLINE = ['url', 'key-file', 'edition'] as const;

export const COMMANDS = {
  search: {
    words: 'NAME…',
    about:
      'places of all levels by their names, best first; typos, old names and "San Juan, Metro Manila" are understood',
    takes: [...ONLINE, 'offline', 'json', 'level', 'parent', 'limit'],
  },
  get: { words: 'CODE', about: 'what is known of the place with a code, also an old one', takes: [...ONLINE, 'json'] },
  reverse: {
    words: 'LAT LON',
    about: 'what lies at a point, such as 9.88 123.6 (needs a key)',
    takes: [...ONLINE, 'json', 'level', 'within'],
  },
  match: {
    words: '[IN.csv]',
    about: 'the codes of a table of places, which comes back with six more columns (needs a key, or --offline)',
    takes: [
      ...[...ONLINE, 'offline', 'json', 'level', 'output', 'force'],
      ...(['region', 'province', 'municity', 'barangay', 'text'] as const),
    ],
  },
  download: {
    words: '[DIR]',
    about: 'a snapshot, from which search and match answer with --offline',
    takes: [...ONLINE, 'json'],
  },
  changes: {
    words: '[CODE]',
    about: 'the history of a code, or what changed between editions',
    takes: ['url', 'key-file', 'json', 'from', 'to', 'level', 'kind'],
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** Help texts of the options. Those without names apply to every command. */
const OPTIONS: readonly { readonly names: readonly OptionName[]; readonly form: string; readonly about: string }[] = [
  { names: ['url'], form: '--url URL', about: 'the address of the service; PSGC_URL unless given' },
  {
    names: ['key-file'],
    form: '--key-file FILE',
    about: 'a file with the API key; PSGC_TOKEN has the key unless given',
  },
  { names: ['edition'], form: '--edition EDITION', about: 'answer from this edition of the PSGC, such as 2026-3q' },
  { names: ['offline'], form: '--offline[=DIR]', about: 'answer from the downloaded snapshot, without any network' },
  { names: ['json'], form: '--json', about: 'print the answer of the service as it is' },
  {
    names: ['level'],
    form: '--level LEVEL',
    about: 'region, province, municity, submunicipality or barangay; search takes several: a,b',
  },
  { names: ['parent'], form: '--parent CODE', about: 'only what lies in this area' },
  { names: ['limit'], form: '--limit N', about: 'at most so many places, 1 to 100; 10 unless given' },
  { names: ['within'], form: '--within METRES', about: 'look for the nearest place so far around, 0 to 15000' },
  {
    names: ['output'],
    form: '-o, --output FILE',
    about: 'write the table here; to standard output unless given, or as -',
  },
  { names: ['force'], form: '-f, --force', about: 'replace the file if it exists' },
  {
    names: ['region', 'province', 'municity', 'barangay', 'text'],
    form: '--municity HEADING',
    about: 'the column of cities and municipalities; so --region, --province, --barangay, --text. Empty for none',
  },
  { names: ['from', 'to'], form: '--from E, --to E', about: 'between these editions; all of them unless given' },
  { names: ['kind'], form: '--kind KIND', about: 'only renamed, merged, split, moved …' },
  { names: [], form: '-q, --quiet', about: 'say nothing on standard error but what went wrong' },
  { names: [], form: '-h, --help', about: 'this text, or that of one command' },
  { names: [], form: '--version', about: 'the version of this command' },
];

const ENDS = `Status: 0 found; 1 nothing found, or no row of a table has a code; 2 the command line or a file is wrong;
3 the service refuses or can't be reached. - stands for standard input and output.`;

export function helpOf(command: CommandName | undefined): string {
  const shown = OPTIONS.filter(
    ({ names }) => !command || names.length === 0 || names.some((name) => takes(command, name)),
  );
  const options = shown.map(({ form, about }) => line(form, about)).join('\n');
  if (command) {
    const { words, about } = COMMANDS[command];
    return `psgc ${command} ${words}\n\n  ${about}\n\n${options}\n\n${ENDS}\n`;
  }
  const commands = Object.entries(COMMANDS).map(([name, { words, about }]) => line(`${name} ${words}`, about));
  return `psgc COMMAND: places of the Philippines and their codes\n\n${commands.join('\n')}\n\n${options}\n\n${ENDS}\n`;
}

function takes(command: CommandName, name: OptionName): boolean {
  const { takes: taken }: Command = COMMANDS[command];
  return taken.includes(name);
}

function line(form: string, about: string): string {
  return `  ${form.padEnd(20)} ${about}`;
}
