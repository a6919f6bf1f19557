import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from './bytes.ts';
import { type BoundaryFormat, type SourceFeature, type SourceFile, UnreadableFile } from './format.ts';
import { readSequence } from './sequence.ts';

/** A ZIP archive of shapefiles, or of GeoJSON or TopoJSON files. Coordinates are projected to WGS 84 by its `.prj`. */
export const shapefile: BoundaryFormat = {
  name: 'zipped shapefile',
  matches: (name) => /\.zip$/.test(name),
  read: (file, scratch) => readConverted(file, scratch, { name: 'input.zip', content: () => readFile(file.path) }),
};

/** A TopoJSON topology; each of its objects is a layer. */
export const topojson: BoundaryFormat = {
  name: 'TopoJSON',
  matches: (name, head) => /\.topojson$/.test(name) || (/\.json$/.test(name) && /"type"\s*:\s*"Topology"/.test(head)),
  read: readTopology,
};

async function* readTopology(file: SourceFile, scratch: string): AsyncIterable<SourceFeature> {
  const text = await textOf(file);
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(file.name, null, `is no JSON (${(error as Error).message}); the file may be cut off`);
  }
  yield* readConverted(file, scratch, { name: 'input.json', content: () => Promise.resolve(text) });
}

interface Input {
  /** The name under which mapshaper gets the content; its ending tells the format. */
  name: 'input.json' | 'input.zip';
  content: () => Promise<Uint8Array | string>;
}

/**
 * Reads the features of a file that mapshaper understands, in WGS 84. The file is converted once, to one text sequence
 * per layer in the directory `scratch`, and read from there every time.
 */
async function* readConverted(file: SourceFile, scratch: string, input: Input): AsyncIterable<SourceFeature> {
  const directory = join(scratch, createHash('sha256').update(file.path).digest('hex').slice(0, 16));
  const done = await readdir(directory).catch(() => undefined);
  for (const entry of (done ?? (await convert(file, directory, input))).sort()) {
    // Messages name the given file and the layer in it.
    yield* readSequence({ path: join(directory, entry), name: file.name }, scratch, entry.replace(/\.[^.]+$/, ''));
  }
}

async function convert(file: SourceFile, directory: string, { name, content }: Input): Promise<string[]> {
  // It is loaded only here, because loading takes a moment and most sources don't need it.
  const { default: mapshaper } = await import('mapshaper');
  const project = name === 'input.zip' ? '-proj wgs84 target=*' : '';
  let layers: Record<string, Uint8Array | string>;
  try {
    const commands = `-i ${name} ${project} -o target=* format=geojson ndjson`;
    layers = await mapshaper.applyCommands(commands, { [name]: await content() });
  } catch (error) {
    const { message } = error as Error;
    throw new UnreadableFile(file.name, null, `can't be read (${message.trim()}); the file may be cut off`);
  }
  const building = `${directory}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  const names = Object.keys(layers).map((layer) => layer.replaceAll(/[^\w.-]/g, '_'));
  if (names.length === 0) throw new UnreadableFile(file.name, null, 'holds no layer of features');
  for (const [i, text] of Object.values(layers).entries()) await writeFile(join(building, names[i] ?? `${i}`), text);
  await rename(building, directory);
  return names;
}
