/** All options by name. `COMMANDS` lists those of each command. */
export const OPTIONS = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  edition: { type: 'string' },
  offline: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  level: { type: 'string' },
  parent: { type: 'string' },
  limit: { type: 'string' },
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean', short: 'f' },
  region: { type: 'string' },
  province: { type: 'string' },
  municity: { type: 'string' },
  barangay: { type: 'string' },
  text: { type: 'string' },
  within: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  kind: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof OPTIONS;

export type Options = {
  readonly [Name in OptionName]?: ((typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string) | undefined;
};
