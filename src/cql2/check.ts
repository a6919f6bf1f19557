import type { Geometry } from '../geojson/geometry.ts';
import {
  COMPARISONS,
  type Comparison,
  type Expression,
  type Folded,
  InvalidFilter,
  LIMITS,
  literalType,
  type Property,
  type Queryables,
  type QueryableType,
  type Scalar,
  shown,
  unsupported,
} from './expression.ts';
import { withoutAccents, withoutCase } from './fold.ts';
import { segmentsOf } from './like.ts';
import type { Term } from './term.ts';

type Operation = Extract<Term, { kind: 'operation' }>;

/** How many operands the operations have that are not AND and OR. */
const OPERANDS: ReadonlyMap<string, number> = new Map([
  ...COMPARISONS.map((op) => [op, 2] as const),
  ...([
    ['not', 1],
    ['like', 2],
    ['between', 3],
    ['in', 2],
    ['isNull', 1],
    ['casei', 1],
    ['accenti', 1],
    ['s_intersects', 2],
  ] as const),
]);

/** How many properties a message names. */
const NAMED = 20;

/**
 * The filter that a term is, with names and types checked.
 *
 * @throws InvalidFilter with the location of the first fault
 */
export function expressionOf(term: Term, queryables: Queryables): Expression {
  return new Check(queryables).condition(term);
}

/** Terms are nested no deeper than their readers allow, which recursion counts on. */
class Check {
  readonly #queryables: Queryables;
  #comparisons = 0;
  #items = 0;

  constructor(queryables: Queryables) {
    this.#queryables = queryables;
  }

  condition(term: Term): Expression {
    if (term.kind === 'operation') {
      const { op, args, at } = term;
      if (op === 'and' || op === 'or') {
        if (args.length < 2)
          throw new InvalidFilter(`have two conditions or more in ${shown(op)}`, `${args.length}`, at);
        // As SQL has it, brackets around the same operator make no difference.
        const flat = args.map((arg) => this.condition(arg)).flatMap((inner) => operandsOf(inner, op));
        return { op, args: flat };
      }
      checkOperands(term);
      if (op === 'not') return { op, args: [this.condition(args[0] as Term)] };
    }
    this.#count(1, term.at);
    return this.#predicate(term);
  }

  #count(comparisons: number, at: string): void {
    this.#comparisons += comparisons;
    if (this.#comparisons > LIMITS.comparisons) {
      throw new InvalidFilter(`have ${LIMITS.comparisons} comparisons at most`, 'one more', at);
    }
  }

  #predicate(term: Term): Expression {
    if (term.kind === 'literal' && typeof term.value === 'boolean') return term.value;
    if (term.kind === 'property') {
      const type = this.#typeOf(term);
      if (type === 'boolean' || type === 'any') return { property: term.name, type: 'boolean' };
    }
    if (term.kind !== 'operation' || term.op === 'casei' || term.op === 'accenti') {
      throw new InvalidFilter('have a condition, such as a comparison,', this.#described(term), term.at);
    }
    const { op, args } = term;
    switch (op) {
      case 'like':
        return this.#like(args);
      case 'in':
        return this.#in(term);
      case 'between':
        return { op, args: this.#alike(args) as [Scalar, Scalar, Scalar] };
      case 'isNull':
        return { op, property: this.#propertyOf(args[0] as Term) };
      case 's_intersects':
        return this.#intersects(term);
      default:
        return { op: op as Comparison, args: this.#alike(args) as [Scalar, Scalar] };
    }
  }

  #like(args: readonly Term[]): Expression {
    const [value, pattern] = args as [Term, Term];
    const text = patternOf(pattern);
    if (text === undefined) {
      throw new InvalidFilter('have a text as pattern of LIKE', this.#described(pattern), pattern.at);
    }
    const segments = segmentsOf(text);
    if (!segments) throw new InvalidFilter('have something after the last \\ of a pattern', shown(text), pattern.at);
    if (segments.length > LIMITS.wildcards + 1) {
      const rule = `have ${LIMITS.wildcards} percent signs at most in a pattern`;
      throw new InvalidFilter(rule, `${segments.length - 1}`, pattern.at);
    }
    return { op: 'like', args: this.#alike([value, pattern]) as [Scalar, Scalar] };
  }

  #in({ args, at }: Operation): Expression {
    const [value, list] = args as [Term, Term];
    if (list.kind !== 'list') throw new InvalidFilter('have a list for IN', this.#described(list), list.at);
    if (list.items.length === 0) throw new InvalidFilter('have one value or more in a list', 'none', list.at);
    this.#items += list.items.length;
    if (this.#items > LIMITS.items) {
      throw new InvalidFilter(`have ${LIMITS.items} values at most in all lists`, `${this.#items}`, at);
    }
    // Values are looked up together. Anything else in the list is compared by itself.
    this.#count(list.items.filter(({ kind }) => kind !== 'literal' && kind !== 'instant').length, at);
    const [first, ...items] = this.#alike([value, ...list.items]);
    return { op: 'in', args: [first as Scalar, items] };
  }

  #intersects({ args, at }: Operation): Expression {
    const literal = args.find((arg) => arg.kind === 'geometry');
    const other = args.find((arg) => arg !== literal);
    if (literal?.kind !== 'geometry' || other?.kind !== 'property') {
      const got = args.map((arg) => this.#described(arg)).join(' and ');
      throw new InvalidFilter('compare a property with a geometry in S_INTERSECTS', got, at);
    }
    if (this.#typeOf(other) !== 'geometry') {
      throw new InvalidFilter('compare the property of geometry in S_INTERSECTS', this.#described(other), other.at);
    }
    const [first, ...rest] = partsOf(literal.geometry).map((geometry) => ({ op: 's_intersects' as const, geometry }));
    if (!first) throw new InvalidFilter('have geometries with coordinates', 'an empty one', literal.at);
    return rest.length === 0 ? first : { op: 'or', args: [first, ...rest] };
  }

  /** Scalars that are compared with each other: all are of one type. */
  #alike(terms: readonly Term[]): Scalar[] {
    const written = terms.map((term) => this.#typeOf(term));
    // Beside an instant, a property that is a text is one.
    const types = written.map((type, i) =>
      type === 'string' && terms[i]?.kind === 'property' && written.includes('instant') ? 'instant' : type,
    );
    const main = written.includes('instant') ? written.indexOf('instant') : types.findIndex((type) => type !== 'any');
    const type = types[main];
    const [first, stray] = [terms[main] ?? terms[0], terms.find((_, i) => types[i] !== 'any' && types[i] !== type)] as [
      Term,
      Term | undefined,
    ];
    if (stray) {
      const got = `${this.#described(first)} with ${this.#described(stray)}`;
      throw new InvalidFilter('compare values of one type', got, stray.at);
    }
    if (type === 'geometry') {
      throw new InvalidFilter('compare geometries by S_INTERSECTS only', this.#described(first), first.at);
    }
    const free = terms.find((_, i) => types[i] === 'any');
    if (free && terms.every(({ kind }) => kind === 'property')) {
      const rule = 'compare a property of no certain type with a value rather than with a property';
      throw new InvalidFilter(rule, this.#described(free), free.at);
    }
    return terms.map((term) => this.#scalar(term, type as Property['type']));
  }

  #scalar(term: Term, type: Property['type']): Scalar {
    if (term.kind === 'literal' || term.kind === 'instant') return term.value;
    if (term.kind === 'property') return { property: term.name, type };
    const { op, args } = term as Operation & { op: Folded['op'] };
    const inner = this.#scalar(args[0] as Term, 'string');
    return isFoldedBy(inner, op) ? inner : { op, args: [inner] };
  }

  /** @throws InvalidFilter if a term is no scalar and no property */
  #typeOf(term: Term): QueryableType | 'instant' {
    if (term.kind === 'literal') return literalType(term.value);
    if (term.kind === 'instant') return 'instant';
    if (term.kind === 'geometry') return 'geometry';
    if (term.kind === 'property') {
      const type = this.#queryables.get(term.name);
      if (!type) throw this.#unknown(term.name, term.at);
      return type;
    }
    if (term.kind === 'operation' && (term.op === 'casei' || term.op === 'accenti')) {
      checkOperands(term);
      const [inner] = term.args as [Term];
      const type = this.#typeOf(inner);
      if (type === 'string' || type === 'any') return 'string';
      throw new InvalidFilter(`have a string in ${term.op.toUpperCase()}`, this.#described(inner), inner.at);
    }
    if (term.kind === 'operation') checkOperands(term);
    throw new InvalidFilter('have a value or a property', this.#described(term), term.at);
  }

  #propertyOf(term: Term): string {
    if (term.kind !== 'property') {
      throw new InvalidFilter('have a property before IS NULL', this.#described(term), term.at);
    }
    this.#typeOf(term);
    return term.name;
  }

  #unknown(name: string, at: string): InvalidFilter {
    const names = [...this.#queryables.keys()];
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    const rule = `name properties that there are: ${names.slice(0, NAMED).map(shown).join(', ')}${more}`;
    return new InvalidFilter(rule, shown(name), at);
  }

  /** A term in a message. */
  #described(term: Term): string {
    switch (term.kind) {
      case 'literal':
        return typeof term.value === 'string'
          ? `the string ${shown(term.value)}`
          : `the ${literalType(term.value)} ${term.value}`;
      case 'instant':
        return `the moment ${new Date(term.value).toISOString()}`;
      case 'property': {
        const type = this.#queryables.get(term.name);
        return `the ${type === 'any' || !type ? '' : `${type} `}property ${shown(term.name)}`;
      }
      case 'geometry':
        return `a ${term.geometry.type}`;
      case 'list':
        return 'a list';
      default:
        return `an expression with ${shown(term.op)}`;
    }
  }
}

function operandsOf(expression: Expression, op: 'and' | 'or'): readonly Expression[] {
  return typeof expression === 'object' && 'op' in expression && expression.op === op ? expression.args : [expression];
}

/** Whether a function has had its effect on a scalar, within another one or not: a second time it has none. */
function isFoldedBy(scalar: Scalar, op: Folded['op']): boolean {
  if (typeof scalar !== 'object' || !('op' in scalar)) return false;
  return scalar.op === op || isFoldedBy(scalar.args[0], op);
}

/** @throws InvalidFilter if an operation is none of ours or has another number of operands */
function checkOperands({ op, args, at }: Operation): void {
  const count = op === 'and' || op === 'or' ? args.length : OPERANDS.get(op);
  if (count === undefined) throw unsupported(op, at);
  if (args.length !== count) {
    throw new InvalidFilter(`have ${count} operands of ${shown(op)}`, `${args.length}`, at);
  }
}

/** The text that a pattern of LIKE is compared as; undefined for what is no text. */
function patternOf(term: Term): string | undefined {
  if (term.kind === 'literal') return typeof term.value === 'string' ? term.value : undefined;
  if (term.kind !== 'operation' || term.args.length !== 1) return undefined;
  const inner = patternOf(term.args[0] as Term);
  if (inner === undefined) return undefined;
  if (term.op === 'casei') return withoutCase(inner);
  return term.op === 'accenti' ? withoutAccents(inner) : undefined;
}

/** The geometries of a collection, none of which is a collection; others are their only part. */
function partsOf(geometry: Geometry): Geometry[] {
  return geometry.geometries ? geometry.geometries.flatMap(partsOf) : [geometry];
}
