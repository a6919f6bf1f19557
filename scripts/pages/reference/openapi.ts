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
  /** The name of another parameter. One of the two must be given. */
  readonly 'x-required-unless'?: string;
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
  readonly contentMediaType?: string;
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

interface Making {
  sent: boolean;
  depth: number;
  /** The name of the member whose value is made. */
  name?: string;
}

function exampleValue(document: OpenApi, given: Schema, { sent, depth, name = '' }: Making): unknown {
  const schema = resolveSchema(document, given);
  const example = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (example !== undefined) return example;
  if (depth > MAX_DEPTH) return null;
  const choice = schema.anyOf ?? schema.oneOf;
  const within = (part: Schema) => exampleValue(document, part, { sent, depth: depth + 1, name });
  const member = (of: string, part: Schema) => exampleValue(document, part, { sent, depth: depth + 1, name: of });
  if (choice?.[0]) return within(choice[0]);
  // Beside members it holds conditions on them.
  if (schema.allOf && !schema.properties) return Object.assign({}, ...schema.allOf.map(within));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([of, { deprecated }]) => !sent || (schema.required?.includes(of) && !deprecated))
          .map(([of, part]) => [of, member(of, part)]),
      );
    case 'array':
      if (schema.prefixItems) return schema.prefixItems.map(within);
      return schema.items ? [within(schema.items)] : [];
    case 'string':
      return TEXTS[schema.format ?? ''] ?? NAMED[name] ?? (schema.type !== 'string' && !sent ? null : 'text');
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

/** Texts for members by their names, where the document has no example of them. */
const NAMED: Readonly<Record<string, string>> = {
  name: 'Cebu',
  user_email: 'maria@example.com',
  self: 'https://geo.example/v1/datasets?page=1&limit=10',
  href: '/v1/provinces/0702200000',
  url: 'https://psa.gov.ph/classification/psgc',
  parameter: 'province_code',
  code: '0702200000',
  message: 'Done.',
  id: '2025-2q-1',
  release: '2025-2q-1',
  edition: '2025-2q',
  version: '1.0.0',
  principal: 'session',
  visibility: 'mine',
  subject: 'user_2aBcDeFgHiJk',
  external_id: 'user_2aBcDeFgHiJk',
  delivery_id: 'msg_2aBcDeFgHiJk',
  session: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTU0MTQ0MDB9.c2lnbmF0dXJl',
  description: 'Provinces of the Philippines',
  publisher: 'Philippine Statistics Authority',
  source: 'Philippine Standard Geographic Code, 2Q 2025',
  licence: 'CC BY 4.0',
  attribution: 'Philippine Statistics Authority',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  tiles: 'https://geo.example/v1/tiles/provinces/{z}/{x}/{y}',
  status: 'ok',
};
