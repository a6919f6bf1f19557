/** Quantization steps from one side of the topology to the other: some 2 m each for the Philippines. */
const QUANTIZATION = 1_000_000;

/**
 * A TopoJSON topology with the borders that areas share once.
 *
 * @param features GeoJSON texts
 * @param layer name of its one object
 */
export async function topologyOf(layer: string, features: readonly string[]): Promise<Buffer> {
  // It is loaded only here, because loading takes a moment and releases without boundaries don't need it.
  const { default: mapshaper } = await import('mapshaper');
  const input = `${layer}.json`;
  const output = `${layer}.topojson`;
  const text = Buffer.from(`{"type":"FeatureCollection","features":[${features.join(',')}]}`);
  const commands = `-i ${input} -o ${output} format=topojson quantization=${QUANTIZATION} bbox id-field=code`;
  const made = await mapshaper.applyCommands(commands, { [input]: text });
  const topology = made[output];
  if (topology === undefined) throw new Error(`mapshaper made ${Object.keys(made).join(', ') || 'nothing'}.`);
  return Buffer.from(topology);
}
