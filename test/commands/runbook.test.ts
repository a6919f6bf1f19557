import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { renderDocument } from '../../scripts/pages/document.ts';
import { MEANINGS } from '../../src/openapi/error-meanings.ts';

// What docs/runbook.md and docs/monitoring.md name exists: whoever is called at night has no time to look for it.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = ['docs/runbook.md', 'docs/monitoring.md'];

let texts: Map<string, string>;
const all = () => [...texts.values()].join('\n');
const found = (pattern: RegExp) => [...new Set([...all().matchAll(pattern)].map(([, name = '']) => name))];

beforeAll(async () => {
  texts = new Map();
  for (const path of DOCUMENTS) texts.set(path, await readFile(join(ROOT, path), 'utf8'));
});

it('commands of npm', () => {
  const named = found(/npm run (?:--silent )?([a-z:]+)/g);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

it('commands of wrangler, with their options', async () => {
  const lines = found(/npx wrangler ([a-z][^`\n]*)/g);
  const commands = new Map<string, Set<string>>();
  for (const line of lines) {
    const [command = ''] = /^[a-z]+(?: (?:put|list|deploy|status))?/.exec(line) ?? [];
    const options = commands.get(command) ?? new Set();
    for (const [option] of line.matchAll(/--[a-z-]+/g)) options.add(option);
    commands.set(command, options);
  }
  expect(commands.size).toBeGreaterThan(5);
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
  for (const [command, options] of commands) {
    const { stdout } = await promisify(execFile)(process.execPath, [wrangler, ...command.split(' '), '--help']);
    expect(stdout).toContain(`wrangler ${command}`);
    expect([command, [...options].filter((option) => !stdout.includes(option))]).toEqual([command, []]);
  }
});

it('operations and their parameters', async () => {
  const { paths } = (await renderDocument()) as { paths: Record<string, Record<string, Operation>> };
  const operations = [...all().matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/[^`?]*)(?:\?(\w+))?/g)];
  expect(operations.length).toBeGreaterThan(8);
  for (const [, method = '', path = '', parameter] of operations) {
    const operation = paths[path]?.[method.toLowerCase()];
    expect([method, path, operation !== undefined]).toEqual([method, path, true]);
    if (parameter) expect(operation?.parameters?.map(({ name }) => name)).toContain(parameter);
  }
  for (const path of found(/\$GEO(\/[^"\s?]+)/g)) expect([path, paths[path] !== undefined]).toEqual([path, true]);
});

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
}

it('metrics, and codes of errors', () => {
  const listed = new Set(
    (texts.get('docs/monitoring.md')?.match(/^\| `pgds_.*$/gm) ?? []).flatMap((row) => row.match(/pgds_\w+/g) ?? []),
  );
  const metrics = found(/(pgds_\w+[a-z])/g).map((name) => name.replace(/_(total|info)$/, ''));
  expect(metrics.filter((name) => !listed.has(name) && name !== 'pgds_instance')).toEqual([]);
  const codes = found(/`(\w+_(?:unavailable|timeout|missing|exceeded|error|loaded|signature|token))`/g);
  expect(codes.length).toBeGreaterThan(8);
  expect(codes.filter((code) => !(code in MEANINGS))).toEqual([]);
});

it('links', async () => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-');
  for (const [path, text] of texts) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (target.startsWith('https:')) continue;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? text : await readFile(join(ROOT, normalize(join(dirname(path), file))), 'utf8');
      const anchors = [...linked.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
      if (anchor !== undefined) expect([path, target, anchors.includes(anchor)]).toEqual([path, target, true]);
    }
  }
});
