import { dirname } from 'node:path';
import { build, type Plugin } from 'esbuild';

const SUFFIX = '?worker';

/** `import url from './work.ts?worker'` bundles a separate script for a web worker and imports its URL. */
export const workerUrls: Plugin = {
  name: 'worker-urls',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /\?worker$/ }, async ({ path, importer, kind, resolveDir }) => {
      const found = await resolve(path.slice(0, -SUFFIX.length), { importer, kind, resolveDir });
      if (found.errors.length > 0) return { errors: found.errors };
      // Servers derive the type of a file from its extension.
      return { path: found.path.replace(/\.ts$/, '.js'), namespace: 'worker', pluginData: found.path };
    });
    onLoad({ filter: /.*/, namespace: 'worker' }, async ({ pluginData: path }: { pluginData: string }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        format: 'esm',
        minify: true,
        target: 'es2022',
        write: false,
        legalComments: 'inline',
        logLevel: 'silent',
      });
      return { contents: outputFiles[0]?.contents ?? '', loader: 'file', resolveDir: dirname(path) };
    });
  },
};
