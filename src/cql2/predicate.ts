import type { Geometry } from '../geojson/geometry.ts';
import type { Comparison, Expression, Folded, Property, Scalar } from './expression.ts';
import { withoutAccents, withoutCase } from './fold.ts';
import { instantIn } from './instant.ts';
import { matcherOf, segmentsOf } from './like.ts';

/** A table in memory. */
export interface RowColumns {
  /** Reads a property of a row: by its name, which is one of the queryables. */
  valueOf(name: string): (row: number) => string | number | boolean | null;
  /**
   * Whether a row's geometry intersects `geometry` (degrees, never a GeometryCollection); null if the row has no geometry.
   * Self-crossing polygons are filled by the even-odd rule.
   */
  intersects(geometry: Geometry): (row: number) => boolean | null;
}

type Value = string | number | bigint | boolean;
type Read = (row: number) => Value | null;
type Test = (row: number) => boolean | null;

/** Whether rows pass a filter: the same rows as those of the condition that `conditionOf` makes of it. */
export function predicateOf(expression: Expression, columns: RowColumns): (row: number) => boolean {
  const test = testOf(expression, new Readers(columns));
  return (row) => test(row) === true;
}

function testOf(expression: Expression, readers: Readers): Test {
  if (typeof expression === 'boolean') return () => expression;
  if ('type' in expression) return readers.of(expression) as Test;
  switch (expression.op) {
    case 'and':
    case 'or': {
      const tests = expression.args.map((arg) => testOf(arg, readers));
      return joined(tests, expression.op === 'or');
    }
    case 'not': {
      const test = testOf(expression.args[0], readers);
      return (row) => {
        const is = test(row);
        return is === null ? null : !is;
      };
    }
    case 'like': {
      const [value, pattern] = expression.args;
      const read = readers.of(value);
      const matches = matcherOf(segmentsOf(constantOf(pattern) as string) ?? []);
      return (row) => {
        const text = read(row);
        return text === null ? null : matches(text as string);
      };
    }
    case 'between': {
      const [value, low, high] = expression.args.map((arg) => readers.of(arg)) as [Read, Read, Read];
      return joined([comparing('>=', value, low), comparing('<=', value, high)], false);
    }
    case 'in':
      return among(expression.args[0], expression.args[1], readers);
    case 'isNull': {
      const read = readers.columns.valueOf(expression.property);
      return (row) => read(row) === null;
    }
    case 's_intersects':
      return readers.columns.intersects(expression.geometry);
    default: {
      const [left, right] = expression.args.map((arg) => readers.of(arg)) as [Read, Read];
      return comparing(expression.op, left, right);
    }
  }
}

/**
 * AND or OR in SQL's three-valued logic.
 *
 * @param decisive the value that decides alone: false for AND, true for OR
 */
function joined(tests: readonly Test[], decisive: boolean): Test {
  return (row) => {
    let hasNull = false;
    for (const test of tests) {
      const is = test(row);
      if (is === decisive) return decisive;
      if (is === null) hasNull = true;
    }
    return hasNull ? null : !decisive;
  };
}

function comparing(op: Comparison, left: Read, right: Read): Test {
  const holds = HOLDS[op];
  return (row) => {
    const a = left(row);
    if (a === null) return null;
    const b = right(row);
    return b === null ? null : holds(a, b);
  };
}

const HOLDS: Readonly<Record<Comparison, (a: Value, b: Value) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => isBefore(a, b),
  '>': (a, b) => isBefore(b, a),
  '<=': (a, b) => !isBefore(b, a),
  '>=': (a, b) => !isBefore(a, b),
};

/** The order of numbers, of false and true, and of texts by code points. */
function isBefore(a: Value, b: Value): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a < b;
  // UTF-16 order differs from code points only for surrogates, which must sort after U+E000–U+FFFF.
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left === right) continue;
    const [isSurrogateLeft, isSurrogateRight] = [isSurrogate(left), isSurrogate(right)];
    return isSurrogateLeft === isSurrogateRight ? left < right : isSurrogateRight;
  }
  return a.length < b.length;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function among(value: Scalar, items: readonly Scalar[], readers: Readers): Test {
  const read = readers.of(value);
  const constants = new Set(items.map(constantOf).filter((item) => item !== undefined));
  const others = items
    .filter((item) => constantOf(item) === undefined)
    .map((item) => comparing('=', read, readers.of(item)));
  const isListed: Test = (row) => {
    const found = read(row);
    return found === null ? null : constants.has(found);
  };
  return others.length === 0 ? isListed : joined([isListed, ...others], true);
}

/** What reads scalars of a table. Comparisons share what reads the same, so that a text is folded once per row. */
class Readers {
  readonly columns: RowColumns;
  readonly #folded = new Map<string, Read>();
  readonly #instants = new Map<string, number | null>();

  constructor(columns: RowColumns) {
    this.columns = columns;
  }

  /** A value of another type than is asked for, as free properties may have, is null. */
  of(scalar: Scalar): Read {
    const constant = constantOf(scalar);
    if (constant !== undefined) return () => constant;
    if ('op' in (scalar as Property | Folded)) return this.#foldedBy(scalar as Folded);
    const { property, type } = scalar as Property;
    const read = this.columns.valueOf(property);
    if (type === 'instant') return this.#instantBy(read);
    return (row) => {
      const value = read(row);
      return typeof value === type ? value : null;
    };
  }

  /** Each text is read once: a column of days has few. */
  #instantBy(read: Read): Read {
    return (row) => {
      const text = read(row);
      if (typeof text !== 'string') return null;
      let instant = this.#instants.get(text);
      if (instant === undefined) {
        instant = instantIn(text);
        this.#instants.set(text, instant);
      }
      return instant;
    };
  }

  #foldedBy(scalar: Folded): Read {
    const key = JSON.stringify(scalar);
    const known = this.#folded.get(key);
    if (known) return known;
    const [read, fold] = [this.of(scalar.args[0]), FOLDS[scalar.op]];
    let last = -1;
    let folded: string | null = null;
    const reader: Read = (row) => {
      if (row === last) return folded;
      const text = read(row);
      last = row;
      folded = text === null ? null : fold(text as string);
      return folded;
    };
    this.#folded.set(key, reader);
    return reader;
  }
}

const FOLDS = { casei: withoutCase, accenti: withoutAccents };

/** The value of a scalar that is the same for every row; undefined where it has a property. */
function constantOf(scalar: Scalar): Value | undefined {
  if (typeof scalar !== 'object') return scalar;
  if (!('op' in scalar)) return undefined;
  const inner = constantOf(scalar.args[0]);
  return inner === undefined ? undefined : FOLDS[scalar.op](inner as string);
}
