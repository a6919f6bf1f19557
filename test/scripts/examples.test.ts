import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Texts in single quotes are literal, also those that span lines. Double quotes keep `$`, `!` and backquotes. */
const LITERAL = /'[^']*'/g;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** Every line for a shell in the documents, continued lines as one, without what stands in single quotes. */
async function shellLines(): Promise<{ at: string; line: string }[]> {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    ...(await readdir(join(ROOT, 'docs'))).map((name) => `docs/${name}`),
  ];
  const found: { at: string; line: string }[] = [];
  for (const path of documents.filter((name) => name.endsWith('.md'))) {
    const text = await readFile(join(ROOT, path), 'utf8');
    for (const [, block = ''] of text.matchAll(/^ *```(?:sh|console|bash)\n([\s\S]*?)^ *```$/gm)) {
      for (const line of block.replaceAll('\\\n', ' ').replaceAll(LITERAL, "''").split('\n'))
        found.push({ at: path, line: line.trim() });
    }
  }
  return found;
}

it('are read alike by zsh and bash, as they stand', async () => {
  const lines = await shellLines();
  expect(lines.length).toBeGreaterThan(60);
  const faults: string[] = [];
  for (const { at, line } of lines) {
    const fault = (what: string) => faults.push(`${at}: ${what}: ${line}`);
    const bare = line.replaceAll(QUOTED, '""');
    // Interactive zsh takes no comments, and a question mark or bracket for the pattern of a file name.
    if (/(^|\s)#/.test(bare)) fault('a comment');
    if (/[?*[\]]/.test(bare)) fault('a pattern without quotes');
    if (/!/.test(line)) fault('an exclamation mark, which recalls history');
    if (/<[a-z-]+>/.test(bare)) fault('a placeholder that redirects');
    if (/\becho\b.*\$NEW/.test(line)) fault('echo, which in zsh reads the backslashes of JSON');
  }
  expect(faults).toEqual([]);
});

it('leave no files in the clone', async () => {
  const faults: string[] = [];
  for (const { at, line } of await shellLines()) {
    // They say to work in a folder of one's own, because their tools write beside what they read.
    if (at === 'docs/clients.md' || at === 'docs/ogc.md') continue;
    const written = [...line.matchAll(/(?:\s-o|[^-2]>)\s*(\S+)/g)].map(([, path = '']) => path);
    for (const path of written) if (!/^(\/tmp\/|\/dev\/|\/etc\/)/.test(path)) faults.push(`${at}: ${line}`);
  }
  expect(faults).toEqual([]);
});
