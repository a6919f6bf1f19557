import type { AreaCollection } from './area-collections.ts';
import type { Links } from './links.ts';

/** `queryables`: what filters can name of the features of a collection; `schema`: what the features have. */
export const SCHEMAS = ['queryables', 'schema'] as const;

type SchemaName = (typeof SCHEMAS)[number];

interface Described {
  readonly title: string;
  /** JSON Schemas by the names of properties. */
  readonly properties: object;
  /** Of the geometry, as 23-058r2 has it: `geometry-any`. Undefined where filters can't name it. */
  readonly format: string | undefined;
}

/** What records have and filters can't name. */
const SERIAL = { id: { type: 'integer', title: 'Serial id of the record, which changes with every release' } };

/** The facts of a collection of areas that its schema has. */
export function areasDescribed({ title, attributes, isThroughTime }: AreaCollection, name: SchemaName): Described {
  const schemas = Object.entries(attributes).map(([it, { type, title, format, role }]) => [
    it,
    { type, title, ...(format && { format }), ...(role && { 'x-ogc-role': role }) },
  ]);
  const properties = { ...(name === 'schema' && !isThroughTime && SERIAL), ...Object.fromEntries(schemas) };
  const format = name === 'queryables' && isThroughTime ? undefined : 'geometry-polygon-or-multipolygon';
  return { title, properties, format };
}

/** The JSON Schema of the features of a collection. */
export function schemaOf(links: Links, name: SchemaName, { title, properties, format }: Described): object {
  const geometry = {
    title: 'Geometry',
    'x-ogc-role': 'primary-geometry',
    format,
    ...(name === 'queryables' && { $ref: 'https://geojson.org/schema/Geometry.json' }),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: links.changed({ session: null, f: null }),
    type: 'object',
    title,
    properties: { ...inSequence(properties), ...(format !== undefined && { geometry }) },
    additionalProperties: name === 'schema',
  };
}

/** Says in which order tools show properties: that of a JSON object is none to them (23-058r2, 9.4). */
function inSequence(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema], i) => [name, { ...schema, 'x-ogc-propertySeq': i + 1 }]),
  );
}
