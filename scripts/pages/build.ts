import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { servedDocument } from './document.ts';
import { insertPartials } from './partials.ts';
import type { OpenApi } from './reference/openapi.ts';
import { renderReference } from './reference/reference.ts';
import { workerUrls } from './worker-urls.ts';

/** Where browsers find what a page loads. Names carry a hash of the content, so that it can be kept for ever. */
const ASSETS = 'assets';

/** A script, stylesheet or picture of ours that a page's HTML names. */
const REFERENCE = /(?<=\b(?:src|href)=")\.{1,2}\/[^"]+(?=")/g;

/** Where a page has the reference of the service. */
const CONTENTS = '<!-- contents of the reference -->';
const BODY = '<!-- body of the reference -->';

/** Files whose names browsers and the platform know. */
const AS_THEY_ARE = ['_headers'];

const OPTIONS: BuildOptions = {
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  target: 'es2022',
  metafile: true,
  write: false,
  entryNames: `${ASSETS}/[dir]/[name]-[hash]`,
  chunkNames: `${ASSETS}/[name]-[hash]`,
  assetNames: `${ASSETS}/[name]-[hash]`,
  publicPath: '/',
  legalComments: 'linked',
  loader: { '.svg': 'copy' },
  logLevel: 'silent',
  plugins: [workerUrls],
};

/**
 * Builds every page: `pages/<name>/index.html` becomes `/<name>`, and what it names is bundled.
 *
 * @param root the repository
 * @returns paths of the files below `dist/pages`
 * @throws Error that says what is wrong with the sources
 */
export async function buildPages(root: string): Promise<string[]> {
  const sources = join(root, 'pages');
  const out = join(root, 'dist', 'pages');
  const pages = await readPages(sources);
  const entryPoints = [...new Set(pages.flatMap(({ references }) => references))];
  const { outputFiles = [], metafile } = await build({
    ...OPTIONS,
    entryPoints,
    outbase: sources,
    outdir: out,
    absWorkingDir: root,
  });
  const built = new Map<string, string>();
  for (const [path, { entryPoint }] of Object.entries(metafile?.outputs ?? {})) {
    if (entryPoint) built.set(resolve(root, entryPoint), `/${relative(out, resolve(root, path))}`);
  }
  const files = new Map<string, Uint8Array | string>(
    outputFiles.map(({ path, contents }) => [relative(out, path), contents]),
  );
  for (const { name, folder, html } of pages) {
    const named = html.replaceAll(REFERENCE, (reference) => built.get(resolve(folder, reference)) as string);
    files.set(`${name}.html`, await filled(named));
  }
  await place(out, files);
  for (const name of AS_THEY_ARE) await cp(join(sources, name), join(out, name));
  return [...files.keys(), ...AS_THEY_ARE];
}

/** A page with what is made from the service itself in the places that its HTML has for it. */
async function filled(html: string): Promise<string> {
  if (!html.includes(CONTENTS)) return html;
  const { contents, body } = renderReference((await servedDocument()) as OpenApi);
  return html.replace(CONTENTS, () => contents).replace(BODY, () => body);
}

interface Page {
  name: string;
  folder: string;
  html: string;
  /** Absolute paths. */
  references: string[];
}

async function readPages(sources: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (const entry of await readdir(sources, { withFileTypes: true })) {
    const folder = join(sources, entry.name);
    const source = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
    if (source === undefined) continue;
    const html = await insertPartials(source, folder, entry.name);
    const references = [...html.matchAll(REFERENCE)].map(([reference]) => resolve(folder, reference));
    pages.push({ name: entry.name, folder, html, references });
  }
  return pages;
}

/** Makes a folder hold these files and nothing else. Those that are there already are not touched: they may be watched. */
async function place(out: string, files: ReadonlyMap<string, Uint8Array | string>): Promise<void> {
  for (const [name, content] of files) {
    const path = join(out, name);
    const present = await readFile(path).catch(() => undefined);
    if (present?.equals(Buffer.from(content))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(out, path);
    if (entry.isFile() && !files.has(name) && !AS_THEY_ARE.includes(name)) await rm(path, { force: true });
  }
}
