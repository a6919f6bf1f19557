import { execFile } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile, type Plugin } from 'esbuild';
import { unstable_readConfig as readConfig } from 'wrangler';
import { ROOT } from './root.ts';
import { staticImports } from './static-imports.ts';
import { FOLDER, MAIN_MODULE, type Modules } from './worker-modules.ts';

export interface WorkerBuild {
  readonly modules: Modules;
  /** Names of the modules that every isolate loads at its start. The others are loaded when they are first needed. */
  readonly atStart: readonly string[];
  readonly metafile: Metafile;
}

/**
 * Builds a Worker and the pages for a deployment. What the source imports with `import()` becomes modules of its own; wrangler
 * would put everything into one. The other options are those of wrangler's own build, which `npm run dev` uses.
 *
 * @param entry its main module, a path in the repository
 * @param readable whether functions keep their names
 * @throws Error that says what is wrong with the sources
 */
export async function buildWorker({ entry = 'src/worker.ts', readable = false } = {}): Promise<WorkerBuild> {
  const pages = promisify(execFile)(process.execPath, [join(ROOT, 'scripts/pages.ts')], { cwd: ROOT });
  await pages.catch(({ stderr }) => {
    throw new Error(`The pages do not build.\n${stderr}`);
  });
  const { alias = {} } = readConfig({ config: join(ROOT, 'wrangler.toml') }, { hideWarnings: true });
  const { outputFiles, metafile } = await build({
    entryPoints: { worker: join(ROOT, entry) },
    outdir: join(ROOT, FOLDER),
    absWorkingDir: ROOT,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2024',
    supported: { using: true },
    conditions: ['workerd', 'worker', 'browser'],
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    external: ['cloudflare:*', 'node:*'],
    plugins: [replacements(alias), onDemand(join(ROOT, entry))],
    minify: !readable,
    logLevel: 'silent',
  }).catch((error: Error) => {
    throw new Error(`The Worker does not build.\n${error.message}`);
  });
  const main = `${FOLDER}/${MAIN_MODULE}`;
  return {
    modules: Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text])),
    atStart: [main, ...staticImports(main, metafile.outputs)].map((path) => basename(path)),
    metafile,
  };
}

/**
 * Makes what is imported on demand import the main module, which is always loaded already. So whatever the main module imports is one
 * file. Otherwise files that are also imported on demand would be in files of their own, and esbuild does not keep the order in which
 * those are evaluated (https://github.com/evanw/esbuild/issues/399): schemas would be made before the routes' library has extended zod.
 */
function onDemand(entry: string): Plugin {
  const namespace = 'on-demand';
  return {
    name: namespace,
    setup({ onResolve, onLoad, resolve: find }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const found = await find(path, { kind: 'import-statement', importer, resolveDir });
        return found.errors.length > 0 ? { errors: found.errors } : { path: found.path, namespace };
      });
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `import ${JSON.stringify(entry)}; export * from ${JSON.stringify(path)};`,
        resolveDir: ROOT,
      }));
    },
  };
}

/** Replaces imports by the names that they have in the source, as wrangler does; esbuild's own `alias` takes no relative names. */
function replacements(alias: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replacements',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path }) => {
        const file = alias[path];
        return file === undefined ? undefined : { path: resolve(ROOT, file) };
      });
    },
  };
}
