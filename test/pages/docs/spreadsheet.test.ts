import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FREE_ROWS, MAX_ROWS } from '../../../pages/match/limits.ts';
import { number } from '../../../pages/shared/format.ts';
import { SPREADSHEET } from '../../../scripts/pages/reference/spreadsheet.ts';
import { placeColumns } from '../../../src/match/columns.ts';

const PAGES = new URL('../../../pages/', import.meta.url);

/** The sources of the pages that the guide is about. */
async function sources(): Promise<string> {
  const paths = (await readdir(PAGES, { recursive: true })).filter((path) =>
    /^(match|explore|shared)\/.*\.(ts|html)$/.test(path),
  );
  return (await Promise.all(paths.map((path) => readFile(new URL(path, PAGES), 'utf8')))).join('\n');
}

describe('the guide for people who do not program', () => {
  it('names buttons as the pages do', async () => {
    const text = await sources();
    const names = new Set([...SPREADSHEET.guide.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name));
    expect(names.size).toBeGreaterThan(15);
    const isOnPages = (name: string) =>
      [`'${name}'`, `>${name}<`, `>${name} <`, `(['${name}`].some((written) => text.includes(written)) ||
      // The names of the formats of a picture are made of its files' endings.
      text.includes(`save('${name.toLowerCase()}')`);
    expect([...names].filter((name) => !isOnPages(name))).toEqual([]);
  });

  it('has the limits of the page', () => {
    expect(SPREADSHEET.guide).toContain(`| Rows of a list | ${number(FREE_ROWS)} | ${number(MAX_ROWS)} |`);
  });

  it('has only headings that are understood, each in its column', () => {
    const fields = ['region', 'province', 'municity', 'barangay', 'text', 'code'] as const;
    const rows = [...SPREADSHEET.guide.matchAll(/^\| [^|]+ \| (`.+`) \|$/gm)].map(([, cell = '']) => cell);
    expect(rows).toHaveLength(fields.length);
    for (const [at, field] of fields.entries())
      for (const [, heading = ''] of (rows[at] ?? '').matchAll(/`([^`]+)`/g))
        expect([heading, Object.keys(placeColumns([heading], {}))]).toEqual([heading, [field]]);
  });
});
