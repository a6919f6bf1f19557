import { lowerAscii } from '../../ascii.ts';
import type { NewFeature } from '../../features/feature.ts';
import { GeometryFault } from '../../geojson/geometry.ts';
import {
  type FeatureFile,
  FileFault,
  type Format,
  type OpenOptions,
  type RandomAccess,
  type ReadOptions,
} from './format.ts';
import { type Found, Placemarks, requirePlacemarks } from './kml.ts';
import { XmlReader } from './xml.ts';
import { shown, unpacked, type ZipEntry, zipEntries } from './zip.ts';

export const kmz: Format = {
  name: 'KMZ',
  kind: 'file',
  extensions: ['.kmz'],
  storesFeatures: true,
  isWgs84: true,
  hasLayers: true,
  open,
};

/** Opens an archive of KML (OGC 12-007r2, annex C). Its coordinates are in WGS 84, as in any KML. */
async function open(file: RandomAccess, { layer }: OpenOptions = {}): Promise<FeatureFile> {
  const documents = (await zipEntries(file)).filter(({ name }) => /\.kml$/i.test(name));
  const main = mainOf(documents);
  if (!main) throw new FileFault('has no .kml file in it');
  return { srid: () => undefined, features: ({ srid }) => featuresOf(file, { documents, main }, { srid, layer }) };
}

/** The main document: `doc.kml`, or else the first one. Documents in folders come last. */
function mainOf(documents: readonly ZipEntry[]): ZipEntry | undefined {
  const depth = ({ name }: ZipEntry) => name.split(/[\\/]/).length;
  const least = Math.min(...documents.map(depth));
  const outer = documents.filter((document) => depth(document) === least);
  return outer.find(({ name }) => /(^|[\\/])doc\.kml$/i.test(name)) ?? outer[0];
}

/** The Placemarks of the main document, then of all documents in the archive linked from it or from these, each once. */
async function* featuresOf(
  file: RandomAccess,
  { documents, main }: { documents: readonly ZipEntry[]; main: ZipEntry },
  options: ReadOptions,
): AsyncGenerator<NewFeature> {
  const byPath = new Map(documents.map((document) => [pathOf(document.name), document]));
  const found = new Set([main]);
  const all: Found = { featureCount: 0, links: [], layers: new Set() };
  // Iterating a set includes what is added meanwhile.
  for (const document of found) {
    const own: Found = { featureCount: 0, links: [], layers: all.layers };
    const reader = new XmlReader(new Placemarks(options, own));
    for await (const chunk of unpacked(file, document)) yield* withName(document, reader.push(chunk));
    yield* withName(document, reader.end());
    all.featureCount += own.featureCount;
    for (const link of own.links) {
      const linked = byPath.get(linkedPath(document, link) ?? '');
      if (linked) found.add(linked);
      else all.links.push(link);
    }
  }
  requirePlacemarks(all, options);
}

/** Adds the name of the document to its faults. */
function* withName({ name }: ZipEntry, features: Iterable<NewFeature>): Generator<NewFeature> {
  try {
    yield* features;
  } catch (error) {
    if (error instanceof GeometryFault) throw error.at(shown(name));
    if (!(error instanceof FileFault)) throw error;
    throw new FileFault(
      error.message,
      error.location === undefined ? shown(name) : `${shown(name)}, ${error.location}`,
    );
  }
}

/** The path in the archive of an address in a document; undefined if it is outside of the archive. */
function linkedPath({ name }: ZipEntry, link: string): string | undefined {
  const archive = 'archive://kmz/';
  try {
    const { href, pathname } = new URL(link, archive + encodeURI(pathOf(name)));
    return href.startsWith(archive) ? lowerAscii(decodeURIComponent(pathname.slice(1))) : undefined;
  } catch {
    return undefined;
  }
}

function pathOf(name: string): string {
  return lowerAscii(name.replaceAll('\\', '/'));
}
