/** The part of mapshaper's programmatic interface that is used here; the package has no types of its own. */
declare module 'mapshaper' {
  interface Mapshaper {
    /**
     * Runs commands as they are written on its command line. `-i` takes its files from `input`, `-o` gives them to
     * the result, both by name.
     */
    applyCommands(
      commands: string,
      input: Record<string, Uint8Array | string>,
    ): Promise<Record<string, Uint8Array | string>>;
  }
  const mapshaper: Mapshaper;

  export = mapshaper;
}
