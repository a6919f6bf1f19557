import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { renderDocument } from '../../scripts/pages/document.ts';
import { VERSION } from '../../src/version.ts';

const textOf = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

it('the service, both clients, their texts and the changelog have one version', async () => {
  expect(VERSION).toBe(version);
  expect(JSON.parse(await textOf('clients/typescript/package.json')).version).toBe(version);
  expect(/^version = "(.*)"$/m.exec(await textOf('clients/python/pyproject.toml'))?.[1]).toBe(version);
  for (const path of ['clients/typescript/README.md', 'docs/quick-start.md']) {
    const named = [...(await textOf(path)).matchAll(/psgc-client-(\d[\d.]*\d)\.tgz/g)].map(([, found]) => found);
    expect([path, ...new Set(named)]).toEqual([path, version]);
  }
  expect(await textOf('CHANGELOG.md')).toContain(`\n## ${version} – `);
});

it('the page of versions names all that the document marks as deprecated, and nothing else', async () => {
  const marked = new Set<string>();
  const look = (value: unknown, key: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { deprecated, name, operationId } = value as Record<string, unknown>;
    if (deprecated === true) marked.add(String(name ?? operationId ?? key));
    for (const [inner, member] of Object.entries(value)) look(member, inner);
  };
  look(await renderDocument(), '');
  const rows = (await textOf('docs/versions.md')).split('| deprecated |')[1]?.split('\n\n')[0] ?? '';
  const listed = [...rows.matchAll(/^\| [^|`]*`([^`]+)`/gm)].map(([, name]) => name);
  expect(listed).toEqual([...marked]);
});
