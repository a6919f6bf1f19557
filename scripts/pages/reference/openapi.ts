/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly title?: string;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The name of the schema to which a reference points. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref ? $ref.split('/').at(-1) : undefined;
}

/** Resolves a schema that is a reference. Members beside the reference take precedence. */
export function resolveSchema(document: OpenApi, schema: Schema): Schema {
  const name = nameOf(schema);
  const target = name === undefined ? undefined : document.components.schemas[name];
  return target ? { ...target, ...schema } : schema;
}

/** How deep an example goes where schemas contain themselves. */
const MAX_DEPTH = 8;

/** An example of a value of a schema: its own example, or one that is made from its members. */
export function exampleOf(document: OpenApi, given: Schema): unknown {
  return exampleValue(document, given, { sent: false, depth: 0 });
}

/** An example of what a request can send: the same, without optional and deprecated members. */
export function sentExampleOf(document: OpenApi, given: Schema): unknown {
  return exampleValue(document, given, { sent: true, depth: 0 });
}

function exampleValue(document: OpenApi, given: Schema, { sent, depth }: { sent: boolean; depth: number }): unknown {
  const schema = resolveSchema(document, given);
  const known = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (known !== undefined) return known;
  if (depth > MAX_DEPTH) return null;
  const choice = schema.anyOf ?? schema.oneOf;
  const within = (part: Schema) => exampleValue(document, part, { sent, depth: depth + 1 });
  if (choice?.[0]) return within(choice[0]);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(within));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name, { deprecated }]) => !sent || (schema.required?.includes(name) && !deprecated))
          .map(([name, member]) => [name, within(member)]),
      );
    case 'array':
      if (schema.prefixItems) return schema.prefixItems.map(within);
      return schema.items ? [within(schema.items)] : [];
    case 'string':
      return TEXTS[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T08:00:00.000Z',
  email: 'maria@example.com',
  uuid: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
  uri: 'https://example.com',
};
