import type { FoundDataset } from '../datasets/dataset.ts';
import type { Database } from '../db/client.ts';
import { KINDS, sampleFeatureKinds } from '../features/repo/property-kinds.ts';

/** The types of JSON Schema that the bits of a property stand for. */
const NUMBERS = KINDS.integer | KINDS.longInteger | KINDS.hugeInteger | KINDS.decimal;

/**
 * The JSON Schema of the properties of a dataset, by name. Their types are those that some of its first features have: tools send
 * a condition only on a property whose type they know, and what it is compared with decides in each feature.
 */
export async function propertySchemas(
  db: Database,
  { versionId }: FoundDataset,
  names: readonly string[],
): Promise<Record<string, object>> {
  const { properties } = await sampleFeatureKinds(db, versionId);
  return Object.fromEntries(names.map((name) => [name, { title: name, ...typeOf(properties.get(name) ?? 0) }]));
}

function typeOf(bits: number): object {
  if (bits === 0 || (bits & KINDS.string) !== 0) return { type: 'string' };
  if (bits === KINDS.boolean) return { type: 'boolean' };
  if ((bits & ~(KINDS.integer | KINDS.longInteger)) === 0) return { type: 'integer' };
  return (bits & ~NUMBERS) === 0 ? { type: 'number' } : {};
}
