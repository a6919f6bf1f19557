import { lowerAscii } from '../../ascii.ts';
import { FileFault } from './format.ts';
import type { SqliteValue } from './sqlite-values.ts';

/** Max length of a CREATE TABLE statement, characters. */
const MAX_STATEMENT = 256 * 1024;
const MAX_COLUMNS = 2000;

/**
 * Comments, quoted names, texts, brackets, commas, and words. An unterminated token ends with the statement, so that
 * no part is scanned twice.
 */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"]*(?:""[^"]*)*"?|'[^']*(?:''[^']*)*'?|`[^`]*(?:``[^`]*)*`?|\[[^\]]*\]?|[(),]|[^\s(),"'`[]+/g;

/** Words that begin a column constraint and so end the column's type. */
const CONSTRAINTS = new Set(
  'CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS'.split(' '),
);
const TABLE_CONSTRAINTS = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN']);

/** A column of a table, in the order in which values are stored. */
export interface SqliteColumn {
  readonly name: string;
  /** The declared type in upper case without its length; empty if none. */
  readonly type: string;
  /** Whether it is an alias of the rowid, which is not stored among the values. */
  readonly isRowId: boolean;
  /** The value of rows that were stored before the column was added; undefined where its default is not understood. */
  readonly defaultValue: SqliteValue | undefined;
}

/**
 * The columns of a `CREATE TABLE` statement, without virtual generated ones.
 *
 * @param table name of the table in messages
 * @throws FileFault if it can't be parsed
 */
export function columnsOfStatement(statement: string, table: string): SqliteColumn[] {
  if (statement.length > MAX_STATEMENT) {
    throw new FileFault(`table ${table} has a statement of more than ${MAX_STATEMENT} characters`);
  }
  const parts = partsOf(statement, table);
  const columns: SqliteColumn[] = [];
  let key: string | undefined;
  for (const part of parts) {
    const [first = ''] = part;
    if (TABLE_CONSTRAINTS.has(first.toUpperCase())) {
      key ??= keyOf(part);
      continue;
    }
    const column = columnOf(part);
    if (column) columns.push(column);
    if (columns.length > MAX_COLUMNS) throw new FileFault(`table ${table} has more than ${MAX_COLUMNS} columns`);
  }
  return columns.map((column) =>
    key === lowerAscii(column.name) && column.type === 'INTEGER' ? { ...column, isRowId: true } : column,
  );
}

/** The definitions of columns and constraints in the brackets of a statement, each as its words. */
function partsOf(statement: string, table: string): string[][] {
  const parts: string[][] = [];
  let depth = 0;
  for (const [token] of statement.matchAll(TOKEN)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (token === ')') {
      depth -= 1;
      if (depth === 0) return parts;
    }
    if (depth === 1 && token === ',') parts.push([]);
    else if (depth > 0) parts.at(-1)?.push(token);
    if (token === '(') {
      depth += 1;
      if (depth === 1) parts.push([]);
    }
  }
  throw new FileFault(`table ${table} has a statement that does not end`);
}

function columnOf([first = '', ...words]: readonly string[]): SqliteColumn | undefined {
  const upper = words.map((word) => word.toUpperCase());
  const computed = upper.findIndex((word) => word === 'GENERATED' || word === 'AS');
  if (computed >= 0 && !upper.includes('STORED', computed)) return undefined;
  const end = upper.findIndex((word) => word === '(' || CONSTRAINTS.has(word));
  const type = upper.slice(0, end < 0 ? undefined : end).join(' ');
  const isKey = upper.some((word, i) => word === 'PRIMARY' && upper[i + 1] === 'KEY' && upper[i + 2] !== 'DESC');
  const given = upper.indexOf('DEFAULT');
  return {
    name: nameOf(first),
    type: nameOf(type),
    isRowId: isKey && nameOf(type) === 'INTEGER',
    defaultValue: given < 0 ? null : literalOf(words.slice(given + 1)),
  };
}

/** The only column of a primary key of a table, in lower case. */
function keyOf(part: readonly string[]): string | undefined {
  const at = part.findIndex((word, i) => word.toUpperCase() === 'PRIMARY' && part[i + 2] === '(');
  return at >= 0 && part[at + 4] === ')' ? lowerAscii(nameOf(part[at + 3] as string)) : undefined;
}

/** A literal text, number or blob, or null; undefined for any other expression. Brackets around it change nothing. */
function literalOf(words: readonly string[]): SqliteValue | undefined {
  const [first = '', second = '', third = ''] = words.filter((word) => word !== '(');
  if (/^["']/.test(first)) return nameOf(first);
  if (/^x$/i.test(first) && /^'(?:[0-9a-f]{2})*'$/i.test(second)) {
    return Uint8Array.from(second.slice(1, -1).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  }
  const text = /^[+-]$/.test(first) ? first + second : first;
  const after = text === first ? second : third;
  if (words[0] === '(' && after !== ')') return undefined;
  if (/^[+-]?\d{1,18}$/.test(text)) return BigInt(text);
  if (/^0x[0-9a-f]{1,15}$/i.test(text)) return BigInt(text);
  if (/^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))) return Number(text);
  const known = { true: 1n, false: 0n, null: null } as const;
  return known[text.toLowerCase() as keyof typeof known];
}

/** A name or text without its quotes. */
function nameOf(token: string): string {
  const quote = token[0] ?? '';
  if (quote === '[') return token.slice(1, -1);
  return /["'`]/.test(quote) ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
}
