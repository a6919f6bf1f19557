import { InvalidFilter, shown } from './expression.ts';

export interface Token {
  /** `name`: a property in double quotes. `end`: behind the last of the text. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'sign' | 'end';
  /** Of strings and names: what is quoted, without escapes. */
  readonly text: string;
  /** Index in the text, and the index behind it. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /[\s\u0085]+/y;
/** `identifier` of the grammar: what may begin none is excluded first. */
const WORD =
  /(?![\u0300-\u036F\u203F\u2040.0-9])[:_.0-9A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFE\u200C-\u200D\u203F\u2040\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}]+/uy;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const SIGN = /<>|<=|>=|[(),=<>+\-*/%^]/y;

/** What a backslash and a character stand for in a string (/req/cql2-text/escaping). LIKE has its own use of others. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ["'", "'"],
  ['\\', '\\'],
]);

/** A location in a text, as messages have it. */
export function locationOf(index: number): string {
  return `character ${index + 1}`;
}

/**
 * The tokens of a filter in CQL2 text, with one of the kind `end` behind them.
 *
 * @throws InvalidFilter if a quote is not closed, and for characters that no filter has
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = endOf(SPACE, text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = endOf(SPACE, text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: at, end: at });
  return tokens;
}

function tokenAt(text: string, start: number): Token {
  const char = text[start];
  if (char === "'" || char === '"') return quoted(text, start, char);
  for (const [kind, form] of [
    ['word', WORD],
    ['number', NUMBER],
    ['sign', SIGN],
  ] as const) {
    const end = endOf(form, text, start);
    if (kind === 'number' && text[end] === '.') {
      throw new InvalidFilter(
        'have one point at most in a number',
        shown(text.slice(start, end + 1)),
        locationOf(start),
      );
    }
    if (end > start) return { kind, text: text.slice(start, end), start, end };
  }
  const got = String.fromCodePoint(text.codePointAt(start) as number);
  const rule = got === '!' ? 'have <> for values that differ' : 'have other characters in quotes only';
  throw new InvalidFilter(rule, shown(got), locationOf(start));
}

/** Where a match ends that begins at an index; the index itself where there is none. */
function endOf(form: RegExp, text: string, start: number): number {
  form.lastIndex = start;
  return form.test(text) ? form.lastIndex : start;
}

function quoted(text: string, start: number, quote: string): Token {
  const isString = quote === "'";
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    const next = text[at + 1] ?? '';
    if (char === quote) {
      if (next !== quote) {
        return { kind: isString ? 'string' : 'name', text: value + text.slice(from, at), start, end: at + 1 };
      }
      at += 1;
      value += text.slice(from, at);
      from = at + 1;
    } else if (char === '\\' && isString) {
      const escaped = ESCAPES.get(next);
      if (escaped !== undefined) {
        value += text.slice(from, at) + escaped;
        from = at + 2;
      }
      at += 1;
    }
  }
  throw new InvalidFilter(`close each ${isString ? 'single' : 'double'} quote`, 'one that is open', locationOf(start));
}
