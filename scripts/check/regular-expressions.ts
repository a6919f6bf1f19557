import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'vitest/node';
import { slowText } from './linear.ts';

// Fails when a regular expression of the Worker takes more time than in proportion to a text, because callers choose texts.
// Literals are found in the source, and those that code builds while its modules are loaded.

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** Patterns whose time grows faster, by file, with what limits their texts. */
const LIMITED: Readonly<Record<string, { readonly by: string; readonly patterns: readonly string[] }>> = {
  'names/compare.ts': {
    by: 'MAX_LENGTH of src/names/match.ts: cells and questions are cut before they are folded',
    patterns: ['^(?:\\d+ )+(?=[a-z])|(?: \\d+)+$', '(?: \\d{4,})+$', '\\d+$'],
  },
  'auth/authenticate.ts': {
    by: 'no header has a line end, without which the end always matches',
    patterns: ['^([A-Za-z][\\w-]*)(?: +(.*))?$'],
  },
  'rate-limits/client-address.ts': {
    by: 'the edge writes the address of the client',
    patterns: ['\\d+\\.\\d+\\.\\d+\\.\\d+$'],
  },
};

interface Found {
  readonly regex: RegExp;
  /** Below src. */
  readonly file: string;
}

const Plain = RegExp;
const built: { readonly regex: RegExp; readonly trace: string }[] = [];
globalThis.RegExp = new Proxy(Plain, {
  construct(target, args, newTarget) {
    const regex = Reflect.construct(target, args, newTarget) as RegExp;
    built.push({ regex, trace: new Error().stack ?? '' });
    return regex;
  },
});
const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
const found: Found[] = [];
const constructions: { readonly file: string; readonly line: number }[] = [];
for (const file of files) read(file, await readFile(join(SOURCE, file), 'utf8'));
for (const file of ['app.ts', ...constructions.map((it) => it.file)])
  await import(pathToFileURL(join(SOURCE, file)).href);
globalThis.RegExp = Plain;

const problems: string[] = [];
for (const { file, line } of constructions) {
  const regexes = built.filter(({ trace }) => trace.includes(`${pathToFileURL(join(SOURCE, file)).href}:${line}:`));
  found.push(...regexes.map(({ regex }) => ({ regex, file })));
  if (regexes.length === 0)
    problems.push(`${file}:${line}: is not built when the module is loaded; write it as a literal`);
}
const distinct = new Map(found.map((it) => [`${it.file} ${it.regex}`, it]));
for (const { regex, file } of distinct.values()) {
  if (LIMITED[file]?.patterns.includes(regex.source)) continue;
  const slow = slowText(regex);
  if (slow !== undefined) problems.push(`${file}: ${regex} is slow on ${slow}`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(`${distinct.size} regular expressions`);

function read(file: string, text: string): void {
  visit(parseAst(text, { lang: 'ts' }, file), (node) => {
    const { regex: literal, type, callee, start } = node;
    if (literal) found.push({ regex: new Plain(literal.pattern, literal.flags), file });
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      constructions.push({ file, line: text.slice(0, start).split('\n').length });
    }
  });
}

interface Node {
  readonly type?: string;
  readonly start?: number;
  readonly callee?: { readonly name?: string };
  readonly regex?: { readonly pattern: string; readonly flags: string };
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  see(node);
  for (const inner of Object.values(node)) visit(inner, see);
}
