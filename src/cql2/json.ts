import { jsonFaultAt } from '../geojson/json-fault.ts';
import { lossOf } from '../geojson/json-losses.ts';
import { expressionOf } from './check.ts';
import {
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

/** The location of the whole filter in a message. */
const TOP = 'the top';

/**
 * Reads a filter in CQL2 JSON.
 *
 * @param queryables the properties that it may name
 * @param toLonLat makes positions of the filter's reference system longitude and latitude; left out where they are
 * @throws InvalidFilter if it is not valid, with the location of the first fault
 */
export function parseCql2Json(text: string, queryables: Queryables, toLonLat?: ToLonLat): Expression {
  checkText(text);
  return expressionOf(new JsonReader(toLonLat).term(parsed(text), '', 1), queryables);
}

function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text, exact);
  } catch (error) {
    // A reviver is called within itself for each level.
    if (error instanceof RangeError) checkDepth(Number.POSITIVE_INFINITY, TOP);
    const at = jsonFaultAt(text);
    const got = at < text.length ? shown(text.slice(at, at + 10)) : 'the end';
    throw new InvalidFilter('be JSON', got, `character ${at + 1}`);
  }
  const loss = lossOf(text, value);
  if (loss) throw new InvalidFilter(loss.replace(/^must /, ''), 'one', TOP);
  return value;
}

/**
 * A reviver that keeps the digits of integers that a double would round, but for those of positions, whose range none of them
 * is in. TypeScript does not know its third parameter yet.
 */
const exact: (key: string, value: unknown, context?: { source: string }) => unknown = (key, value, context) => {
  if (key === 'coordinates' || key === 'bbox') return withDoubles(value);
  return typeof value === 'number' && Number.isFinite(value) ? exactNumber(context?.source ?? String(value)) : value;
};

function withDoubles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDoubles);
  return typeof value === 'bigint' ? Number(value) : value;
}

class JsonReader {
  readonly #toLonLat: ToLonLat | undefined;

  constructor(toLonLat: ToLonLat | undefined) {
    this.#toLonLat = toLonLat;
  }

  /** @param path where the value stands, such as `args[0].args[1]`; empty for the whole */
  term(value: unknown, path: string, depth: number): Term {
    const at = path || TOP;
    checkDepth(depth, at);
    if (typeof value === 'string') {
      // Escapes can write what the text itself has not.
      checkText(value);
      return { kind: 'literal', value, at };
    }
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
      return { kind: 'literal', value, at };
    }
    if (value === null) throw new InvalidFilter('have the operation "isNull" where NULL is meant', 'null', at);
    if (Array.isArray(value)) {
      return { kind: 'list', items: value.map((item, i) => this.term(item, `${path}[${i}]`, depth + 1)), at };
    }
    return this.#object(value as Record<string, unknown>, path, depth);
  }

  #object(object: Record<string, unknown>, path: string, depth: number): Term {
    const at = path || TOP;
    const { op, args, property, date, timestamp, bbox, type } = object;
    if (typeof op === 'string') {
      if (!Array.isArray(args)) throw new InvalidFilter('have an array "args" beside each "op"', 'none', at);
      const inner = path === '' ? 'args' : `${path}.args`;
      return { kind: 'operation', op, args: args.map((arg, i) => this.term(arg, `${inner}[${i}]`, depth + 1)), at };
    }
    if (typeof property === 'string') return { kind: 'property', name: property, at };
    if (date !== undefined) return { kind: 'instant', value: instantLiteral('date', date, at), at };
    if (timestamp !== undefined) return { kind: 'instant', value: instantLiteral('timestamp', timestamp, at), at };
    if (object.interval !== undefined) throw unsupported('interval', at);
    if (type !== undefined) return { kind: 'geometry', geometry: geometryLiteral(object, at, this.#toLonLat), at };
    if (Array.isArray(bbox) && bbox.every((number) => typeof number === 'number')) {
      return { kind: 'geometry', geometry: boxLiteral(bbox, at, this.#toLonLat), at };
    }
    const rule =
      'have objects with "op" and "args", "property", "date", "timestamp", "bbox", or "type" and "coordinates"';
    throw new InvalidFilter(rule, `one with ${Object.keys(object).slice(0, 5).map(shown).join(', ') || 'nothing'}`, at);
  }
}
