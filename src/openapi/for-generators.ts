/** The name of a parameter that is written as lists are in forms: `codes[]`, beside `codes`, which means the same. */
const FORM_LIST = /^(.+)\[\]$/;

type Written = Record<string, unknown>;

/** What a schema says in each of several ways. Beside `properties`, generators take it in place of them. */
const WAYS = ['oneOf', 'anyOf'];

/**
 * Writes a document so that generators of clients lose nothing of it, and that it says the same:
 *
 * - Most of them know no tuples, and refuse an array without `items`: the type of all items stands beside those of each.
 * - An object whose members may be any says so by `additionalProperties`.
 * - Conditions on the members of an object stand in `allOf`, because many take `oneOf` in place of the `properties` beside it.
 * - Those that only say which members must be there, which no type says, stand in `then` of a condition that always holds:
 *   several in `allOf` would be types of the same name.
 * - What may be any JSON value has no type; a list of all types would be a type of none of them.
 * - What is either true or false only is not the other one: some take a list of truth values for one of texts.
 * - What is nothing but null is so as the only value of a type that may be null.
 * - Numbers are double, because those of Go would keep seven digits of a coordinate.
 * - A parameter that only repeats another one, for forms, would become the same name as that in code, so it is left out; the
 *   service takes it nevertheless.
 */
export function forGenerators<T>(value: T): T {
  if (Array.isArray(value)) {
    const names = new Set(value.map((item: { name?: unknown } | null) => item?.name));
    const repeats = (name: unknown) => typeof name === 'string' && names.has(FORM_LIST.exec(name)?.[1] ?? {});
    return value.filter((item: { name?: unknown } | null) => !repeats(item?.name)).map(forGenerators) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const written: Written = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      WAYS.includes(name) ? member.map(ofWay) : forGenerators(member),
    ]),
  );
  return withConditions(withOpenMembers(withItems(withPrecision(withTypes(written))))) as T;
}

/** One of several ways. That it may be null is understood there. */
const ofWay = (way: Written) => (way.type === 'null' ? way : forGenerators(way));

/** How many types make any value: numbers are integers too. */
const ALL_TYPES = 6;

function withTypes(schema: Written): Written {
  if (schema.type === 'null') return { ...schema, type: ['string', 'null'], const: null };
  if (schema.type === 'boolean' && Array.isArray(schema.enum)) {
    const {
      enum: [value],
      ...either
    } = schema;
    return { ...either, not: { const: !value } };
  }
  if (!Array.isArray(schema.type) || schema.type.length < ALL_TYPES) return schema;
  const { type: _, ...rest } = schema;
  return rest;
}

/** A number that may be null is one too; of what may also be a text, the number stands alone in one of several ways. */
function withPrecision(schema: Written): Written {
  const [type, ...others] = [schema.type].flat().filter((each) => each !== 'null');
  return type === 'number' && others.length === 0 ? { format: 'double', ...schema } : schema;
}

const isOf = (type: string, { type: types }: Written) =>
  types === type || (Array.isArray(types) && types.includes(type));

function withItems(schema: Written): Written {
  if (!isOf('array', schema) || 'items' in schema) return schema;
  const [first] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return { ...schema, items: first ?? {} };
}

function withOpenMembers(schema: Written): Written {
  if (!isOf('object', schema) || 'properties' in schema || 'additionalProperties' in schema) return schema;
  return { ...schema, additionalProperties: {} };
}

function withConditions(schema: Written): Written {
  if (!isOf('object', schema) || !('properties' in schema)) return schema;
  const conditions = WAYS.filter((way) => way in schema).map((way) => ({ [way]: schema[way] }));
  if (conditions.length === 0) return schema;
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => !WAYS.includes(name)));
  const own = conditions.filter(({ anyOf }) => anyOf === undefined);
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema, and nobody awaits a schema.
  const presence = 'anyOf' in schema ? { if: {}, then: { anyOf: schema.anyOf } } : {};
  const allOf = [...((rest.allOf as unknown[] | undefined) ?? []), ...own];
  return { ...rest, ...(allOf.length > 0 && { allOf }), ...presence };
}
