import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildPages } from '../../../scripts/pages/build.ts';
import { buildChangedPages } from '../../../scripts/pages/changed.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pgds-pages-'));
  await write('pages/_headers', '/*\n  X-Content-Type-Options: nosniff\n');
  await write('pages/favicon.ico', 'icon');
  await write('pages/robots.txt', 'User-agent: *\n');
  await write('pages/shared/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await write('pages/hello/work.ts', 'self.postMessage("worked");');
  await write('pages/hello/main.ts', 'import url from "./work.ts?worker"; new Worker(url, { type: "module" });');
  await write('pages/hello/style.css', 'p { color: red }');
  await write(
    'pages/hello/index.html',
    '<link rel="icon" href="../shared/icon.svg"><link rel="stylesheet" href="./style.css"><script type="module" src="./main.ts"></script><a href="/docs">Docs</a>',
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const built = (path: string) => readFile(join(root, 'dist/pages', path), 'utf8');

/** Addresses of what a page loads. */
async function loadedBy(page: string): Promise<string[]> {
  return [...(await built(page)).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
}

describe('building pages', () => {
  it('makes a page of every folder with an index.html, and bundles what it names', async () => {
    const files = await buildPages(root);
    expect(files).toEqual(expect.arrayContaining(['hello.html', '_headers', 'robots.txt']));
    const loaded = await loadedBy('hello.html');
    expect(loaded.map((path) => path.replace(/-[A-Z0-9]{8}\./, '.'))).toEqual([
      '/assets/shared/icon.svg',
      '/assets/hello/style.css',
      '/assets/hello/main.js',
    ]);
    expect(await built('hello.html')).toContain('<a href="/docs">');
    const worker = /"\/(assets\/work-[A-Z0-9]{8}\.js)"/.exec(await built(loaded[2] as string))?.[1];
    expect(await built(worker as string)).toContain('postMessage');
  });

  it('names the parts of a script that a browser reads before it runs', async () => {
    await write(
      'pages/hello/shared.ts',
      'import { word } from "./word.ts"; export const say = () => console.log(word);',
    );
    await write('pages/hello/word.ts', 'export const word = "hello";');
    await write('pages/hello/late.ts', 'import { word } from "./word.ts"; console.log(word, "late");');
    await write('pages/hello/main.ts', 'import { say } from "./shared.ts"; say(); void import("./late.ts");');
    await write('pages/other/main.ts', 'import { say } from "../hello/shared.ts"; say();');
    for (const name of ['hello', 'other'])
      await write(`pages/${name}/index.html`, '  <script type="module" src="./main.ts"></script>\n');
    await buildPages(root);
    const html = await built('hello.html');
    const parts = [...html.matchAll(/^ {2}<link rel="modulepreload" href="\/(.+)">$/gm)].map(
      ([, path]) => path as string,
    );
    const texts = (await Promise.all(parts.map(built))).join('');
    expect(parts).toHaveLength(2);
    expect(texts).toContain('console.log');
    expect(texts).not.toContain('late');
  });

  it('inserts the parts that pages share, with the link to the page itself marked', async () => {
    await write('pages/shared/top.html', '<nav><a href="/hello">Hello</a><a href="/docs">Docs</a></nav>\n');
    await write('pages/hello/index.html', '<body>\n  <!-- ../shared/top.html -->\n</body>');
    await buildPages(root);
    expect(await built('hello.html')).toBe(
      '<body>\n<nav><a href="/hello" aria-current="page">Hello</a><a href="/docs">Docs</a></nav>\n</body>',
    );
    await write('pages/hello/index.html', '<!-- ../shared/none.html -->\n');
    await expect(buildPages(root)).rejects.toThrow('none.html');
  });

  it('names what a page loads by its content, and keeps nothing of an earlier build', async () => {
    const before = (await buildPages(root)).sort();
    await write('pages/hello/style.css', 'p { color: blue }');
    const after = (await buildPages(root)).sort();
    expect(after).not.toEqual(before);
    const present = (await readdir(join(root, 'dist/pages'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'dist/pages/').length));
    expect(present.sort()).toEqual(after);
  });

  it('says what is wrong with the sources', async () => {
    await write('pages/hello/main.ts', 'import "./missing.ts";');
    await expect(buildPages(root)).rejects.toThrow('Could not resolve "./missing.ts"');
  });

  it('is left out where no source has changed, and done where one has, or where the files are gone', async () => {
    expect(await buildChangedPages(root)).toBe(true);
    expect(await buildChangedPages(root)).toBe(false);
    await write('pages/robots.txt', 'User-agent: *\nDisallow: /\n');
    expect(await buildChangedPages(root)).toBe(true);
    expect(await built('robots.txt')).toContain('Disallow');
    await write('src/added.ts', '');
    expect(await buildChangedPages(root)).toBe(true);
    expect(await buildChangedPages(root)).toBe(false);
    await rm(join(root, 'dist/pages'), { recursive: true });
    expect(await buildChangedPages(root)).toBe(true);
  });
});
