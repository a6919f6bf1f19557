import { textOf } from './bytes.ts';
import { asFeature, type BoundaryFormat, type SourceFeature, type SourceFile, UnreadableFile } from './format.ts';

/** A GeoJSON text (RFC 7946): a FeatureCollection or one Feature, read as a whole. */
export const geojson: BoundaryFormat = {
  name: 'GeoJSON',
  matches: (name) => /\.(geojson|json)$/.test(name),
  read,
};

async function* read(file: SourceFile): AsyncIterable<SourceFeature> {
  const text = await textOf(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(file.name, null, `is no JSON (${(error as Error).message}); the file may be cut off`);
  }
  const { type, features } = (value ?? {}) as Record<string, unknown>;
  const list = type === 'FeatureCollection' && Array.isArray(features) ? features : [value];
  for (const [i, item] of list.entries()) {
    const at = `feature ${i + 1}`;
    const feature = asFeature(item, at);
    if (feature) yield feature;
    else if (list === features) throw new UnreadableFile(file.name, at, 'is no GeoJSON Feature');
    else throw new UnreadableFile(file.name, null, 'is neither a GeoJSON FeatureCollection nor a Feature');
  }
}
