/** The module that a Worker starts with. */
export const MAIN_MODULE = 'worker.js';

/** The folder that a deployment uploads, from the root. */
export const FOLDER = 'dist/worker';

/** The text of each module of a Worker, by its name. All stand in one folder. */
export type Modules = Readonly<Record<string, string>>;

/** What Miniflare runs a Worker from. */
export function manifestOf(modules: Modules, mainModule = MAIN_MODULE) {
  const manifest = Object.entries(modules).map(
    ([name, contents]) => [name, { type: 'esm' as const, contents }] as const,
  );
  return { mainModule, modules: Object.fromEntries(manifest) };
}
