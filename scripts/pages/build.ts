import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { staticImports } from '../command/static-imports.ts';
import { renderDocument, renderTexts } from './document.ts';
import { insertPartials } from './partials.ts';
import type { OpenApi } from './reference/openapi.ts';
import { renderReference } from './reference/render.ts';
import { workerUrls } from './worker-urls.ts';

/**
 * Folder of the files that pages load. Their names contain a hash of the content, so that browsers can cache them for
 * ever.
 */
const ASSETS = 'assets';

/** Folder of the texts that the Worker alone reads: wrangler.toml lets nobody else ask for them. */
const TEXTS = 'texts';

/** Matches the path of a script, stylesheet or picture of this repository in the HTML of a page. */
const REFERENCE = /(?<=\b(?:src|href)=")\.{1,2}\/[^"]+(?=")/g;

/** Matches the script of a page in its HTML: a line of its own. */
const SCRIPT = /^([ \t]*)<script type="module" src="([^"]+)"><\/script>\n/gm;

/** Places in the HTML of a page where the reference of the service is inserted. */
const CONTENTS = '<!-- contents of the reference -->';
const BODY = '<!-- body of the reference -->';
const SEARCH = 'search of the reference';

/**
 * Pages that share no file with others, so that the other pages are not split into more files for them. The page in frames
 * of other sites then has only code that it uses and none that handles tokens; browsers would not share its files either,
 * because they partition the cache of frames. The reference reads the code of its search later, and /match most of its code, parts
 * of which others have. Few see the page of what is not there.
 */
const ALONE: ReadonlySet<string> = new Set(['embed', 'docs', 'match', '404']);

/** Files that are copied with their names, because browsers or the platform expect these names. */
const STATIC_FILES = ['_headers', 'favicon.ico', 'robots.txt'];

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
 * Builds every page: `pages/<name>/index.html` becomes `/<name>`, and the files that it names are bundled.
 *
 * @param root the repository
 * @returns paths of the files below `dist/pages`
 * @throws Error that says what is wrong with the sources
 */
export async function buildPages(root: string): Promise<string[]> {
  const sources = join(root, 'pages');
  const out = join(root, 'dist', 'pages');
  const pages = await readPages(sources);
  const addressOf = (path: string) => `/${relative(out, resolve(root, path))}`;
  const built = new Map<string, string>();
  const parts = new Map<string, string[]>();
  const files = new Map<string, Uint8Array | string>();
  for (const group of Map.groupBy(pages, ({ name }) => (ALONE.has(name) ? name : '')).values()) {
    const { outputFiles = [], metafile } = await build({
      ...OPTIONS,
      entryPoints: [...new Set(group.flatMap(({ references }) => references))],
      outbase: sources,
      outdir: out,
      absWorkingDir: root,
    });
    const outputs = metafile?.outputs ?? {};
    for (const [path, { entryPoint }] of Object.entries(outputs)) {
      if (!entryPoint) continue;
      built.set(resolve(root, entryPoint), addressOf(path));
      parts.set(addressOf(path), [...staticImports(path, outputs)].map(addressOf));
    }
    for (const { path, contents } of outputFiles) files.set(relative(out, path), contents);
  }
  for (const { name, folder, html } of pages) {
    const named = html
      .replaceAll(REFERENCE, (reference) => built.get(resolve(folder, reference)) as string)
      .replaceAll(
        SCRIPT,
        (script, indent, address) => script + (parts.get(address) ?? []).map(preloadOf(indent)).join(''),
      );
    for (const [path, text] of await withReference(name, named)) files.set(path, text);
  }
  for (const [name, text] of Object.entries(await renderTexts())) files.set(join(TEXTS, name), text);
  await writeFiles(out, files);
  for (const name of STATIC_FILES) await cp(join(sources, name), join(out, name));
  return [...files.keys(), ...STATIC_FILES];
}

/** The line that lets a browser read a part of a script at once, which it would find only when it has read the one before. */
function preloadOf(indent: string): (address: string) => string {
  return (address) => `${indent}<link rel="modulepreload" href="${address}">\n`;
}

/**
 * The files that the source of a page becomes, by their paths. A source with places for the reference, which is made from
 * the OpenAPI document, becomes one for each of its pages, and a file that its search reads.
 */
async function withReference(name: string, html: string): Promise<[string, string][]> {
  if (!html.includes(CONTENTS)) return [[`${name}.html`, html]];
  const { pages, search } = renderReference((await renderDocument()) as OpenApi);
  const text = JSON.stringify(search);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  const file = `${ASSETS}/${name}/search-${hash}.json`;
  return [
    [file, text],
    ...pages.map(({ path, title, contents, body }): [string, string] => [
      `${join(name, path)}.html`,
      html
        .replace('<title>', () => `<title>${title}`)
        .replace(SEARCH, () => `/${file}`)
        .replace(CONTENTS, () => contents)
        .replace(BODY, () => body),
    ]),
  ];
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

/** Makes a folder contain exactly these files. Unchanged files are not written, because they may be watched. */
async function writeFiles(out: string, files: ReadonlyMap<string, Uint8Array | string>): Promise<void> {
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
    if (entry.isFile() && !files.has(name) && !STATIC_FILES.includes(name)) await rm(path, { force: true });
  }
}
