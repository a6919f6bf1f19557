import { lowerAscii } from '../../ascii.ts';
import type { NewFeature } from '../../features/feature.ts';
import { ByteReader } from './byte-reader.ts';
import { DbaseTable } from './dbase.ts';
import { encodingNamed } from './encoding.ts';
import { featureOfValues } from './feature-values.ts';
import {
  type FeatureFile,
  FileFault,
  type Format,
  layerIn,
  MAX_FEATURES,
  type OpenOptions,
  type RandomAccess,
  type ReadOptions,
  withLocation,
} from './format.ts';
import { sridOfProjection } from './projection.ts';
import { newComparisons } from './rings.ts';
import { geometryOfShape } from './shapes.ts';
import { unpacked, type ZipEntry, zipEntries } from './zip.ts';

const MAX_SHAPE_BYTES = 16 * 1024 * 1024;
/** Max size of a `.prj` or `.cpg` file, bytes. Each is a line of text. */
const MAX_NOTE_BYTES = 16 * 1024;
const FILE_CODE = 9994;
/** Bytes read at once of the rest after the records. */
const LEFTOVER_BYTES = 64 * 1024;

export const shapefile: Format = {
  name: 'zipped shapefile',
  kind: 'file',
  extensions: ['.zip'],
  storesFeatures: false,
  hasEncodings: true,
  hasLayers: true,
  open,
};

/** Opens the only shapefile of an archive, or the requested one. Its `.prj` file names the reference system. */
async function open(file: RandomAccess, options: OpenOptions = {}): Promise<FeatureFile> {
  const entries = await zipEntries(file);
  const shapes = entries.filter(({ name }) => /\.shp$/i.test(name));
  if (shapes.length === 0) throw new FileFault('has no .shp file in it');
  const stems = shapes.map(({ name }) => name.slice(0, -4));
  const at = layerIn(stems, options.layer);
  const [layer, stem] = [shapes[at] as ZipEntry, lowerAscii(stems[at] as string)];
  const beside = (extension: string) => entries.find(({ name }) => lowerAscii(name) === stem + extension);
  const projection = await noteIn(file, beside('.prj'));
  const codePage = options.encoding === undefined ? await noteIn(file, beside('.cpg')) : undefined;
  return {
    srid: () => (projection?.trim() ? sridOfProjection(projection) : undefined),
    features: (reading) => {
      const encoding = options.encoding ?? (codePage?.trim() ? encodingOfCodePage(codePage) : undefined);
      return featuresOf(file, { shapes: layer, table: beside('.dbf'), encoding }, reading);
    },
  };
}

/** @throws FileFault if it names none that is known */
function encodingOfCodePage(text: string): string {
  const encoding = encodingNamed(text);
  if (encoding !== undefined) return encoding;
  const named = JSON.stringify(text.trim().slice(0, 40));
  throw new FileFault(
    `the .cpg file names an encoding that is not known: ${named}. Send its name in the field encoding`,
  );
}

interface Layer {
  readonly shapes: ZipEntry;
  readonly table: ZipEntry | undefined;
  /** The label of the table's encoding, if named. */
  readonly encoding: string | undefined;
}

async function* featuresOf(
  file: RandomAccess,
  { shapes: layer, table, encoding }: Layer,
  options: ReadOptions,
): AsyncGenerator<NewFeature> {
  const shapes = new ByteReader(unpacked(file, layer));
  const rows = table && new ByteReader(unpacked(file, table));
  try {
    const dbase = rows && (await DbaseTable.open(rows, encoding));
    const header = (await shapes.next(100)).slice();
    if (header.length < 100 || new DataView(header.buffer).getInt32(0) !== FILE_CODE) {
      throw new FileFault('the .shp file is no shapefile');
    }
    const words = new DataView(header.buffer).getInt32(24);
    // Some programs write no length, or the length of a file without records.
    const end = words < 50 || (words === 50 && !dbase) ? Number.POSITIVE_INFINITY : words * 2;
    const comparisons = newComparisons();
    for (let number = 1; ; number += 1) {
      // An outdated length must not lose records that the table counts.
      const isIn = shapes.at < end || number <= (dbase?.count ?? 0);
      const shape = isIn ? await nextShape(shapes) : undefined;
      if (shape === undefined) break;
      // Deleted records count too, because they take as much time to read.
      if (number > MAX_FEATURES) throw new FileFault(`the .shp file has more than ${MAX_FEATURES} records`);
      const properties = dbase ? await dbase.next() : null;
      if (properties === undefined)
        throw new FileFault('the .dbf file has fewer records than the .shp file: save the layer anew');
      if (properties === 'deleted') continue;
      yield withLocation(
        () => `record ${number}`,
        () => featureOfValues(geometryOfShape(shape, comparisons), properties, options),
      );
    }
    // The rest are leftovers of deleted records. It is read for the checksum of the entry.
    while ((await shapes.next(LEFTOVER_BYTES)).length > 0);
  } finally {
    await shapes.close();
    await rows?.close();
  }
}

/** The content of the next record; undefined at the end of the file. */
async function nextShape(shapes: ByteReader): Promise<Uint8Array | undefined> {
  const at = shapes.at;
  const head = (await shapes.next(8)).slice();
  if (head.length === 0) return undefined;
  const bytes = head.length < 8 ? -1 : new DataView(head.buffer).getInt32(4) * 2;
  if (bytes > MAX_SHAPE_BYTES)
    throw new FileFault(`a shape is larger than ${MAX_SHAPE_BYTES} bytes`, `.shp byte ${at}`);
  const shape = bytes < 0 ? undefined : await shapes.next(bytes);
  if (shape === undefined || shape.length < bytes) throw new FileFault('the .shp file is cut off', `byte ${at}`);
  return shape;
}

/** The text of a `.prj` or `.cpg` file; undefined if missing. */
async function noteIn(file: RandomAccess, entry: ZipEntry | undefined): Promise<string | undefined> {
  if (!entry) return undefined;
  if (entry.bytes > MAX_NOTE_BYTES) throw new FileFault(`${JSON.stringify(entry.name.slice(-40))} is too large`);
  let text = '';
  for await (const chunk of unpacked(file, entry)) text += new TextDecoder('windows-1252').decode(chunk);
  return text;
}
