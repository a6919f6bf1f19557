import type { Geometry } from '../geojson/geometry.ts';

/** Types of the values that filters compare. */
export type ScalarType = 'string' | 'number' | 'boolean';

/** `any`: a member of free JSON properties, whose type is that of the literal it is compared with. */
export type QueryableType = ScalarType | 'geometry' | 'any';

/** The properties that a filter may name. At most one of them is of the type `geometry`. */
export type Queryables = ReadonlyMap<string, QueryableType>;

/**
 * A property of the type that its context needs. A value of another type, where it is `any`, counts as NULL. An `instant` is
 * a text that says a day or a time, as milliseconds since 1970: other texts count as NULL.
 */
export interface Property {
  readonly property: string;
  readonly type: ScalarType | 'instant';
}

/** A string without differences of case, or of accents. */
export interface Folded {
  readonly op: 'casei' | 'accenti';
  readonly args: readonly [Scalar];
}

/** A bigint is an integer that a double would round. */
export type Scalar = string | number | bigint | boolean | Property | Folded;

/** The type of a literal. */
export function literalType(value: string | number | bigint | boolean): ScalarType {
  return typeof value === 'bigint' ? 'number' : (typeof value as ScalarType);
}

/** Reads the text of a decimal number. An integer that a double would round is a bigint. */
export function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text.replace(/^[+]/, '')) : number;
}

export const COMPARISONS = ['=', '<>', '<', '>', '<=', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/**
 * A filter of CQL2 (OGC 21-065r2) whose names and types are checked. It has the form of CQL2 JSON. All scalars of one
 * predicate are of one type. Each predicate is true, false or NULL, as in SQL, and a row passes where the whole is true.
 */
export type Expression =
  | boolean
  | Property
  | { readonly op: 'and' | 'or'; readonly args: readonly Expression[] }
  | { readonly op: 'not'; readonly args: readonly [Expression] }
  | { readonly op: Comparison; readonly args: readonly [Scalar, Scalar] }
  | { readonly op: 'like'; readonly args: readonly [value: Scalar, pattern: Scalar] }
  | { readonly op: 'between'; readonly args: readonly [value: Scalar, low: Scalar, high: Scalar] }
  | { readonly op: 'in'; readonly args: readonly [value: Scalar, items: readonly Scalar[]] }
  | { readonly op: 'isNull'; readonly property: string }
  | { readonly op: 's_intersects'; readonly geometry: Geometry };

/** What an expression consists of, without AND, OR and NOT. */
function predicatesOf(expression: Expression): Expression[] {
  if (typeof expression === 'boolean' || 'type' in expression) return [expression];
  if (expression.op !== 'and' && expression.op !== 'or' && expression.op !== 'not') return [expression];
  return expression.args.flatMap(predicatesOf);
}

/** What a comparison costs by what it compares, measured in PostgreSQL against one of texts or numbers. */
const COSTS = { plain: 1, folded: 6, instant: 12 } as const;

/** How many plain comparisons an expression is worth. One of IN with values is one; each property in its list is one more. */
export function comparisonsOf(expression: Expression): number {
  return predicatesOf(expression).reduce((sum, one) => {
    if (typeof one !== 'object' || !('args' in one)) return sum + COSTS.plain;
    const scalars = (one.args as readonly (Scalar | readonly Scalar[])[]).flat();
    const costs = scalars.map(costOf);
    const count = one.op === 'in' ? 1 + one.args[1].filter((item) => typeof item === 'object').length : 1;
    // BETWEEN is two comparisons, each of which reads the value.
    // A pattern is searched anew behind each percent sign.
    const times = one.op === 'between' ? 2 : one.op === 'like' ? 1 + wildcardsOf(one.args[1]) : count;
    return sum + Math.max(...costs) * times;
  }, 0);
}

/** How many percent signs a pattern has. */
function wildcardsOf(pattern: Scalar): number {
  if (typeof pattern === 'string') return pattern.split('%').length - 1;
  return typeof pattern === 'object' && 'op' in pattern ? wildcardsOf(pattern.args[0]) : 0;
}

function costOf(scalar: Scalar): number {
  if (typeof scalar !== 'object') return COSTS.plain;
  if ('op' in scalar) return COSTS.folded * (typeof scalar.args[0] === 'object' && 'op' in scalar.args[0] ? 2 : 1);
  return scalar.type === 'instant' ? COSTS.instant : COSTS.plain;
}

/** The geometries that an expression compares with. */
export function geometriesOf(expression: Expression): Geometry[] {
  return predicatesOf(expression).flatMap((one) =>
    typeof one === 'object' && 'op' in one && one.op === 's_intersects' ? [one.geometry] : [],
  );
}

/** A position of a literal, in the reference system of the filter, as longitude and latitude in degrees. */
export type ToLonLat = (position: readonly number[]) => [number, number];

/** The greatest filter that is read. Positions need no limit of their own: so short a text has 2,047 at most. */
export const LIMITS = {
  /** UTF-16 code units of the text. */
  length: 8192,
  /** Operations, brackets and arrays within each other. */
  depth: 24,
  /** Predicates of the filter, and items of lists of IN that are not plain values. */
  comparisons: 100,
  /** Items of all lists of IN. */
  items: 1000,
  /** Percent signs of a pattern of LIKE. */
  wildcards: 20,
} as const;

/** A filter that can't be used. The message goes on where a sentence begins with the name of the parameter: “must …”. */
export class InvalidFilter extends Error {
  override readonly name = 'InvalidFilter';

  /**
   * @param rule what would be right
   * @param got what there is instead
   * @param at where, such as `character 12` of a text, counted from one, or `args[0]` of JSON
   */
  constructor(rule: string, got: string, at: string) {
    super(`must ${rule} (got ${got} at ${at})`);
  }
}

/** The fault of a function or operator that CQL2 has, or another service may have, and this one has not. */
export function unsupported(name: string, at: string): InvalidFilter {
  return new InvalidFilter(
    'have no functions but S_INTERSECTS, CASEI and ACCENTI, and no arithmetic',
    `${shown(name)}, which is not supported,`,
    at,
  );
}

/** Text of a caller, for a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** @throws InvalidFilter if a filter is too long, or has characters that no database stores */
export function checkText(text: string): void {
  if (text.length > LIMITS.length) {
    throw new InvalidFilter(
      `have ${LIMITS.length} characters at most`,
      String(text.length),
      `character ${LIMITS.length + 1}`,
    );
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new InvalidFilter('be without the character U+0000', 'it', `character ${nul + 1}`);
  if (!text.isWellFormed()) {
    throw new InvalidFilter('be well-formed Unicode', 'a lone surrogate', `character ${loneSurrogateOf(text) + 1}`);
  }
}

function loneSurrogateOf(text: string): number {
  const changed = text.toWellFormed();
  for (let at = 0; ; at += 1) if (changed[at] !== text[at]) return at;
}

/** @throws InvalidFilter if operations are nested too deep */
export function checkDepth(depth: number, at: string): void {
  if (depth > LIMITS.depth) throw new InvalidFilter(`be nested ${LIMITS.depth} levels deep at most`, 'one more', at);
}
