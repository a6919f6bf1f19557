import { type SourceFeature, type SourceFile, UnreadableFile } from '../feature.ts';
import { textOf } from './bytes.ts';
import type { Format } from './format.ts';
import { converted } from './mapshaper.ts';

/** A TopoJSON topology; each of its objects is a layer. */
export const topojson: Format = {
  name: 'TopoJSON',
  matches: (name, head) => /\.topojson$/.test(name) || (/\.json$/.test(name) && /"type"\s*:\s*"Topology"/.test(head)),
  read,
};

async function* read(file: SourceFile, scratch: string): AsyncIterable<SourceFeature> {
  const text = await textOf(file);
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(file.name, null, `is no JSON (${(error as Error).message}); the file may be cut off`);
  }
  yield* converted(file, scratch, { name: 'input.json', content: () => Promise.resolve(text) });
}
