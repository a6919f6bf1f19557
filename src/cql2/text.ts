import { geometryOfWkt } from '../geojson/wkt.ts';
import { expressionOf } from './check.ts';
import {
  COMPARISONS,
  checkDepth,
  checkText,
  type Expression,
  exactNumber,
  InvalidFilter,
  type Queryables,
  shown,
  type ToLonLat,
  unsupported,
} from './expression.ts';
import { boxLiteral, geometryLiteral, instantLiteral } from './literals.ts';
import type { Term } from './term.ts';
import { locationOf, type Token, tokensOf } from './tokens.ts';

/** Words that name no property unless they are in double quotes. */
const KEYWORDS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'LIKE', 'BETWEEN', 'IN', 'IS', 'NULL']);

const GEOMETRY = /^(?:MULTI)?(?:POINT|LINESTRING|POLYGON)(?:ZM|Z|M)?$|^GEOMETRYCOLLECTION(?:ZM|Z|M)?$/;
const AFTER_GEOMETRY: ReadonlySet<string> = new Set(['Z', 'M', 'ZM', 'EMPTY']);

/**
 * Reads a filter in CQL2 text.
 *
 * @param queryables the properties that it may name
 * @param toLonLat converts positions in the reference system of the filter to longitude and latitude; undefined if they are so already
 * @throws InvalidFilter if it is not valid, with the location of the first fault
 */
export function parseCql2Text(text: string, queryables: Queryables, toLonLat?: ToLonLat): Expression {
  checkText(text);
  return expressionOf(new TextReader(text, toLonLat).filter(), queryables);
}

/**
 * Reads tokens from left to right by the rules of the grammar (annex B of CQL2, OGC 21-065r2). Methods with names of rules read what
 * the rules describe. `depth` is the number of expressions around the one that is read.
 */
class TextReader {
  readonly #text: string;
  readonly #toLonLat: ToLonLat | undefined;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string, toLonLat: ToLonLat | undefined) {
    this.#text = text;
    this.#toLonLat = toLonLat;
    this.#tokens = tokensOf(text);
  }

  filter(): Term {
    const term = this.#booleanExpression(1);
    if (this.#token.kind !== 'end') throw this.#expected('end or go on with AND or OR');
    return term;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #booleanExpression(depth: number): Term {
    return this.#joined('or', () => this.#joined('and', () => this.#booleanFactor(depth)));
  }

  /** Operands with `AND` or `OR` between them; the operand itself if there is one only. */
  #joined(op: 'and' | 'or', read: () => Term): Term {
    const { start } = this.#token;
    const args = [read()];
    while (this.#takeWord(op.toUpperCase())) args.push(read());
    return args.length === 1 ? (args[0] as Term) : { kind: 'operation', op, args, at: locationOf(start) };
  }

  #booleanFactor(depth: number): Term {
    const at = locationOf(this.#token.start);
    checkDepth(depth, at);
    if (this.#takeWord('NOT')) return { kind: 'operation', op: 'not', args: [this.#booleanFactor(depth + 1)], at };
    return this.#predicate(depth);
  }

  #predicate(depth: number): Term {
    const left = this.#operand(depth);
    const { at } = left;
    const comparison = COMPARISONS.find((sign) => this.#takeSign(sign));
    if (comparison) return { kind: 'operation', op: comparison, args: [left, this.#operand(depth)], at };
    if (this.#takeWord('IS')) {
      const isNegated = this.#takeWord('NOT');
      this.#demandWord('NULL');
      return negatedIf(isNegated, { kind: 'operation', op: 'isNull', args: [left], at });
    }
    const isNegated = this.#takeWord('NOT');
    if (this.#takeWord('LIKE')) {
      return negatedIf(isNegated, { kind: 'operation', op: 'like', args: [left, this.#operand(depth)], at });
    }
    if (this.#takeWord('BETWEEN')) {
      const low = this.#operand(depth);
      this.#demandWord('AND');
      return negatedIf(isNegated, { kind: 'operation', op: 'between', args: [left, low, this.#operand(depth)], at });
    }
    if (this.#takeWord('IN')) {
      const start = locationOf(this.#token.start);
      const items = this.#inBrackets(() => this.#operand(depth));
      const list: Term = { kind: 'list', items, at: start };
      return negatedIf(isNegated, { kind: 'operation', op: 'in', args: [left, list], at });
    }
    if (isNegated) throw this.#expected('have LIKE, BETWEEN or IN after NOT');
    return left;
  }

  /** A literal, a property, a function, or anything in brackets. */
  #operand(depth: number): Term {
    const term = this.#atom(depth);
    const { kind, text, start } = this.#token;
    const isArithmetic = kind === 'sign' ? '+-*/%^'.includes(text) : kind === 'word' && text.toUpperCase() === 'DIV';
    if (isArithmetic) throw unsupported(text, locationOf(start));
    return term;
  }

  #atom(depth: number): Term {
    const token = this.#token;
    const at = locationOf(token.start);
    checkDepth(depth, at);
    if (this.#takeSign('(')) {
      const term = this.#booleanExpression(depth + 1);
      this.#demandSign(')');
      return term;
    }
    const number = this.#takeNumber();
    if (number !== undefined) return { kind: 'literal', value: number, at };
    if (token.kind === 'sign' && token.text === '-') throw unsupported('-', at);
    if (token.kind === 'word') return this.#word(token, depth);
    if (token.kind !== 'string' && token.kind !== 'name') throw this.#expected('have a property or a value here');
    this.#next += 1;
    if (token.kind === 'string') return { kind: 'literal', value: token.text, at };
    return { kind: 'property', name: token.text, at };
  }

  #word(token: Token, depth: number): Term {
    const at = locationOf(token.start);
    const word = token.text.toUpperCase();
    const following = this.#tokens[this.#next + 1] as Token;
    const isCall = following.kind === 'sign' && following.text === '(';
    if (GEOMETRY.test(word) && (isCall || AFTER_GEOMETRY.has(following.text.toUpperCase()))) return this.#wkt(at);
    if (KEYWORDS.has(word)) throw this.#expected('have a property or a value here');
    this.#next += 1;
    if (!isCall) {
      if (word === 'TRUE' || word === 'FALSE') return { kind: 'literal', value: word === 'TRUE', at };
      return { kind: 'property', name: token.text, at };
    }
    switch (word) {
      case 'CASEI':
      case 'ACCENTI':
      case 'S_INTERSECTS': {
        const args = this.#inBrackets(() => this.#operand(depth + 1));
        return { kind: 'operation', op: word.toLowerCase(), args, at };
      }
      case 'DATE':
      case 'TIMESTAMP': {
        const kind = word === 'DATE' ? 'date' : 'timestamp';
        const [text, ...more] = this.#inBrackets(() => this.#string());
        if (more.length > 0) throw new InvalidFilter(`have one text in ${word}`, `${more.length + 1}`, at);
        return { kind: 'instant', value: instantLiteral(kind, text, at), at };
      }
      case 'BBOX': {
        const numbers = this.#inBrackets(() => this.#number());
        return { kind: 'geometry', geometry: boxLiteral(numbers, at, this.#toLonLat), at };
      }
      default:
        throw unsupported(token.text, at);
    }
  }

  /** A geometry in well-known text, which ends with the bracket that closes its first bracket, or with EMPTY. */
  #wkt(at: string): Term {
    const { start } = this.#token;
    let open = 0;
    let end: Token;
    do {
      end = this.#token;
      if (end.kind === 'end') throw this.#expected('close each bracket');
      this.#next += 1;
      if (end.text === '(' && end.kind === 'sign') open += 1;
      if (end.text === ')' && end.kind === 'sign') open -= 1;
    } while (open > 0 || (end.text !== ')' && end.text.toUpperCase() !== 'EMPTY'));
    const text = this.#text.slice(start, end.end);
    const geometry = geometryOfWkt(text);
    if (!geometry) {
      const rule = geometry === null ? 'have geometries with coordinates' : 'have geometries as well-known text';
      throw new InvalidFilter(rule, shown(text), at);
    }
    return { kind: 'geometry', geometry: geometryLiteral(geometry, at, this.#toLonLat), at };
  }

  /** One or more items between brackets, with commas between them. */
  #inBrackets<T>(read: () => T): T[] {
    this.#demandSign('(');
    const items = [read()];
    while (this.#takeSign(',')) items.push(read());
    this.#demandSign(')');
    return items;
  }

  #string(): string {
    const { kind, text } = this.#token;
    if (kind !== 'string') throw this.#expected('have a text in single quotes here');
    this.#next += 1;
    return text;
  }

  #number(): number {
    const number = this.#takeNumber();
    if (number === undefined) throw this.#expected('have a number here');
    return Number(number);
  }

  /** Takes the next token if it is a number, with the sign before it; undefined if it is none. */
  #takeNumber(): number | bigint | undefined {
    const { kind, text, start } = this.#token;
    const isSigned = kind === 'sign' && (text === '-' || text === '+');
    const digits = this.#tokens[this.#next + (isSigned ? 1 : 0)] as Token;
    if (digits.kind !== 'number' || (isSigned && digits.start > start + 1)) return undefined;
    const number = exactNumber(digits.text);
    if (!Number.isFinite(Number(number))) {
      throw new InvalidFilter('have numbers up to 1.7976931348623157e308', shown(digits.text), locationOf(start));
    }
    this.#next += isSigned ? 2 : 1;
    return isSigned && text === '-' ? -number : number;
  }

  #takeSign(sign: string): boolean {
    const isNext = this.#token.kind === 'sign' && this.#token.text === sign;
    if (isNext) this.#next += 1;
    return isNext;
  }

  #takeWord(word: string): boolean {
    const isNext = this.#token.kind === 'word' && this.#token.text.toUpperCase() === word;
    if (isNext) this.#next += 1;
    return isNext;
  }

  #demandSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#expected(`have ${shown(sign)} here`);
  }

  #demandWord(word: string): void {
    if (!this.#takeWord(word)) throw this.#expected(`have ${word} here`);
  }

  /** The error that the next token breaks a rule. `rule` continues the words “the filter must”. */
  #expected(rule: string): InvalidFilter {
    const { kind, start, end } = this.#token;
    const got = kind === 'end' ? 'the end' : shown(this.#text.slice(start, end));
    return new InvalidFilter(rule, got, locationOf(start));
  }
}

function negatedIf(isNegated: boolean, term: Term): Term {
  return isNegated ? { kind: 'operation', op: 'not', args: [term], at: term.at } : term;
}
