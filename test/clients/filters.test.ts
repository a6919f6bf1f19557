import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Random } from '../../scripts/bench/names/random.ts';
import { COMPARISONS, InvalidFilter, type Queryables, type QueryableType } from '../../src/cql2/expression.ts';
import { parseCql2Json } from '../../src/cql2/json.ts';
import { predicateOf } from '../../src/cql2/predicate.ts';
import { parseCql2Text } from '../../src/cql2/text.ts';
import { type Filter, filterSource, QUERYABLES } from '../support/filters.ts';

// What other parsers of CQL2 make of filters, and what ours makes of the examples of the standard. .ci/clients installs the
// parsers; CLIENTS_CQL2 is the source of one, which has the examples of opengeospatial/ogcapi-features (tag cql2-1.0.0).

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const JUDGE = fileURLToPath(new URL('filters.py', import.meta.url));

interface Judged {
  readonly json: unknown;
  readonly text: string | null;
  readonly is_read_by_pygeofilter: boolean;
}

async function judged(filters: readonly { text: string; json?: unknown }[]): Promise<Judged[]> {
  const python = spawn(PYTHON, [JUDGE], { stdio: ['pipe', 'pipe', 'ignore'] });
  python.stdin.end(JSON.stringify(filters));
  return (await json(python.stdout)) as Judged[];
}

const text = (filter: string) => parseCql2Text(filter, QUERYABLES);
const asJson = (filter: unknown) => parseCql2Json(JSON.stringify(filter), QUERYABLES);

describe('a filter that cql2 has converted is read as the same', () => {
  it.each([
    [1, false],
    [2, true],
  ] as const)('seed %i, rare forms %s', async (seed, isHard) => {
    const filters = Array.from({ length: 750 }, filterSource(seed, isHard));
    const answers = await judged(filters);
    // cql2 knows no escapes in strings (/req/cql2-text/escaping) but two quotes.
    const isComparable = ({ text, json }: Filter) => !`${text}${JSON.stringify(json)}`.includes('\\');
    for (const [i, filter] of filters.entries()) {
      const { json, text: written } = answers[i] as Judged;
      expect(json, filter.text).not.toBeNull();
      const expression = text(filter.text);
      expect(asJson(filter.json), filter.text).toEqual(expression);
      if (!isComparable(filter)) continue;
      expect(asJson(json), filter.text).toEqual(expression);
      expect(text(written as string), written as string).toEqual(expression);
    }
    expect(filters.filter(isComparable).length).toBeGreaterThan(600);
    // The grammar of pygeofilter lacks some forms, such as NOT before NOT. What it reads is read above.
    expect(answers.filter(({ is_read_by_pygeofilter: isRead }) => isRead).length).toBeGreaterThan(350);
  });
});

it('a filter that cql2 refuses is refused, and one that both read gives the same expression', async () => {
  const random = new Random(3);
  const next = filterSource(3, false);
  const broken = Array.from({ length: 3000 }, () => ({ text: withFault(next().text, random) }));
  const answers = await judged(broken);
  let [refused, read] = [0, 0];
  for (const [i, { text: filter }] of broken.entries()) {
    const { json } = answers[i] as Judged;
    if (json === null) {
      expect(() => text(filter), filter).toThrow(InvalidFilter);
      refused += 1;
      continue;
    }
    const expression = expressionIn(filter);
    // The other way round cql2 is laxer: it takes BETWEEN2 for BETWEEN 2, lists with empty items, and any function.
    if (expression === undefined) continue;
    expect(asJson(json), filter).toEqual(expression);
    read += 1;
  }
  expect([refused, read].map((count) => count > 300)).toEqual([true, true]);
});

/** A filter with one token left out, written twice, or replaced by another; or with another between two. */
function withFault(filter: string, random: Random): string {
  const tokens = filter.match(/'(?:[^']|'')*'|"[^"]*"|[\w.\u00c0-\u024f]+|<>|<=|>=|\s+|./gsu) ?? [];
  const at = random.below(tokens.length);
  const other = ` ${random.pick(TOKENS)} `;
  const put = random.pick([[], [tokens[at] as string, tokens[at] as string], [other], [tokens[at] as string, other]]);
  return tokens.toSpliced(at, 1, ...put).join('');
}

const TOKENS = [
  ...['AND', 'OR', 'NOT', '(', ')', ',', '=', '<>', "'x'", '5', 'name', 'NULL', 'IS', 'BETWEEN', 'IN', 'LIKE', 'true'],
  ...['-', '+', '"', "'", '.', 'casei(', 'POINT(1 2)', "DATE('2020-01-01')"],
];

/** What a filter is read as; undefined where it is none. */
function expressionIn(filter: string): unknown {
  try {
    return text(filter);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidFilter);
    return undefined;
  }
}

describe('the examples of the standard', async () => {
  const directory = join(process.env.CLIENTS_CQL2 ?? '', 'examples');
  const names = process.env.CLIENTS_CQL2 ? await readdir(join(directory, 'text')) : [];
  const read = (of: 'text' | 'json', name: string) =>
    readFile(join(directory, of, `${name}.${of === 'text' ? 'txt' : of}`), 'utf8');

  it('are there', () => expect(names.length).toBeGreaterThan(100));

  it.each(names.map((name) => name.replace('.txt', '')))('%s', async (name) => {
    const inText = await read('text', name);
    // Some have more than one form as text.
    const inJson = await read('json', name.replace(/-alt\d+$/, ''));
    const { queryables, operations } = usesOf(JSON.parse(inJson));
    const [fromText, fromJson] = [
      () => parseCql2Text(inText.trim(), queryables),
      () => parseCql2Json(inJson, queryables),
    ];
    if (operations.every((op) => OURS.has(op))) {
      expect(fromText()).toEqual(fromJson());
    } else {
      expect(fromText).toThrow(/which is not supported/);
      expect(fromJson).toThrow(/which is not supported/);
    }
  });
});

describe('a filter finds the rows that cql2 finds in its own test data', async () => {
  const read = async (name: string) =>
    process.env.CLIENTS_CQL2 ? readFile(join(process.env.CLIENTS_CQL2, 'tests', name), 'utf8') : '';
  const lines = (await read('operators_expected.txt')).trimEnd().split('\n');
  const rows = (await read('cql2testdata.ndjson')).split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  // A filter, and below it what it finds. Some are of operators that the service has not, and of functions for IN and LIKE.
  const filters = lines.flatMap((filter, i) => (i % 2 === 0 ? [[filter, lines[i + 1] ?? ''] as const] : []));
  const queryables: Queryables = new Map<string, QueryableType>([
    ...(['textfield', 'datefield', 'ts_start', 'ts_end'] as const).map((name) => [name, 'string'] as const),
    ...(['intfield', 'floatfield'] as const).map((name) => [name, 'number'] as const),
    ...(['boolfield', 'nfield'] as const).map((name) => [name, 'boolean'] as const),
    ['geom', 'geometry'],
    ['intarrayfield', 'any'],
  ]);
  const UNSUPPORTED = /[tas]_[a-z]+\(|\b(in|like)\(|\w [-+*/%^] /;

  it('are there', () => {
    expect(rows.length).toBe(112);
    expect(filters.filter(([filter]) => !UNSUPPORTED.test(filter)).length).toBeGreaterThan(60);
  });

  it.each(filters)('%s', (filter, found) => {
    if (UNSUPPORTED.test(filter)) {
      expect(() => parseCql2Text(filter, queryables)).toThrow(InvalidFilter);
      return;
    }
    const passes = predicateOf(parseCql2Text(filter, queryables), {
      valueOf: (name) => (row) => rows[row][name] ?? null,
      intersects: () => () => null,
    });
    const passing = rows.filter((_, row) => passes(row)).map(({ intfield }) => intfield);
    expect(passing.join(' ')).toBe(found.trim());
  });
});

const OURS: ReadonlySet<string> = new Set([
  ...COMPARISONS,
  ...['and', 'or', 'not', 'like', 'between', 'in', 'isNull', 'casei', 'accenti', 's_intersects'],
]);

/** The properties and operations of a filter in JSON. Properties in spatial functions are geometries. */
function usesOf(filter: unknown): { queryables: Queryables; operations: string[] } {
  const queryables = new Map<string, QueryableType>();
  const operations: string[] = [];
  const visit = (value: unknown, op: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { property, interval, ...rest } = value as Record<string, unknown>;
    if (interval) operations.push('interval');
    if (typeof property === 'string') queryables.set(property, op.startsWith('s_') ? 'geometry' : 'any');
    const inner = typeof rest.op === 'string' ? rest.op : op;
    if (typeof rest.op === 'string') operations.push(rest.op);
    for (const member of Object.values(rest)) visit(member, inner);
  };
  visit(filter, '');
  return { queryables, operations };
}
