/** Something in the command line, or in a file that it names, is wrong. Ends the command with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
