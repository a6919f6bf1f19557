import { format, type Schema, ucs2length, validate } from '@cfworker/json-schema';

type Check = (value: unknown) => boolean;
type Values = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about values. */
const SILENT = new Set(['default', 'deprecated', 'description', 'example', 'examples', 'title']);

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, Check>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
};

const ifNumber = (check: (value: number) => boolean) => (value: unknown) => typeof value !== 'number' || check(value);
const ifText = (check: (value: string) => boolean) => (value: unknown) => typeof value !== 'string' || check(value);
const ifArray = (check: (value: unknown[]) => boolean) => (value: unknown) => !Array.isArray(value) || check(value);
const ifObject = (check: (value: Values) => boolean) => (value: unknown) => !isObject(value) || check(value);

/**
 * Says whether values keep to the schemas of a document, many times faster than the validator that says what is wrong:
 * each schema is compiled into functions once. The validator checks what has a keyword that is not compiled here.
 *
 * @param places all schemas of the document by their addresses, as `dereference` gives them
 */
export function compiler(places: Record<string, Schema | boolean>): (schema: Schema | boolean) => Check {
  const compiled = new Map<Schema, Check>();

  function compile(schema: Schema | boolean): Check {
    if (typeof schema === 'boolean') return () => schema;
    const known = compiled.get(schema);
    if (known) return known;
    // A schema that contains itself finds this while it is compiled.
    let check: Check = () => false;
    compiled.set(schema, (value) => check(value));
    const keywords = Object.keys(schema).filter((keyword) => !SILENT.has(keyword));
    const checks = keywords.map((keyword) => CHECKS[keyword]?.(schema));
    check = checks.every((it) => it !== undefined)
      ? (value) => checks.every((it) => it(value))
      : (value) => validate(value, schema, '2020-12', places).valid;
    return check;
  }

  const all = (schemas: readonly Schema[] = []) => schemas.map(compile);

  const CHECKS: Readonly<Record<string, (schema: Schema) => Check | undefined>> = {
    $ref: ({ $ref = '', __absolute_ref__ = $ref }) => {
      const schema = places[__absolute_ref__];
      return schema === undefined ? undefined : compile(schema);
    },
    type: ({ type = [] }) => {
      const types = [type].flat().map((name) => TYPES[name] ?? (() => false));
      return (value) => types.some((it) => it(value));
    },
    enum: ({ enum: values = [] }) => (values.some(isObject) ? undefined : (value) => values.includes(value)),
    anyOf: ({ anyOf }) => {
      const checks = all(anyOf);
      return (value) => checks.some((it) => it(value));
    },
    allOf: ({ allOf }) => {
      const checks = all(allOf);
      return (value) => checks.every((it) => it(value));
    },
    required: ({ required = [] }) => ifObject((value) => required.every((name) => Object.hasOwn(value, name))),
    properties: ({ properties = {} }) => {
      const checks = Object.entries(properties).map(([name, schema]) => [name, compile(schema)] as const);
      return ifObject((value) => checks.every(([name, it]) => !Object.hasOwn(value, name) || it(value[name])));
    },
    additionalProperties: ({ properties = {}, additionalProperties = true, patternProperties }) => {
      if (patternProperties) return undefined;
      const others = compile(additionalProperties);
      return ifObject((value) =>
        Object.keys(value).every((name) => Object.hasOwn(properties, name) || others(value[name])),
      );
    },
    minProperties: ({ minProperties = 0 }) => ifObject((value) => Object.keys(value).length >= minProperties),
    prefixItems: ({ prefixItems }) => {
      const checks = all(prefixItems as Schema[]);
      return ifArray((value) => checks.every((it, i) => i >= value.length || it(value[i])));
    },
    items: ({ items = true, prefixItems = [] }) => {
      if (Array.isArray(items)) return undefined;
      const check = compile(items);
      return ifArray((value) => value.every((item, i) => i < prefixItems.length || check(item)));
    },
    minItems: ({ minItems = 0 }) => ifArray((value) => value.length >= minItems),
    maxItems: ({ maxItems = Infinity }) => ifArray((value) => value.length <= maxItems),
    minimum: ({ minimum = -Infinity }) => ifNumber((value) => value >= minimum),
    maximum: ({ maximum = Infinity }) => ifNumber((value) => value <= maximum),
    minLength: ({ minLength = 0 }) => ifText((value) => ucs2length(value) >= minLength),
    maxLength: ({ maxLength = Infinity }) =>
      ifText((value) => value.length <= maxLength || ucs2length(value) <= maxLength),
    pattern: ({ pattern = '' }) => {
      const expression = new RegExp(pattern, 'u');
      return ifText((value) => expression.test(value));
    },
    format: ({ format: name = '' }) => {
      const known = format[name as keyof typeof format];
      return ifText((value) => known?.(value) ?? true);
    },
  };
  return compile;
}
