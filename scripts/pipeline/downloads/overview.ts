import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { FILE_LEVELS } from '../../../src/areas/snapshot/download-names.ts';
import { type Overview, type OverviewName, overviewName } from '../../../src/areas/snapshot/layout.ts';
import type { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import type { Area } from '../../../src/areas/store.ts';
import capitals from './capitals.json' with { type: 'json' };
import { areasOf, boundaryTexts, boundedAreas } from './release-files.ts';

/** Tolerances of simplification, metres. The next one is used if the map is too large. */
const INTERVALS = [500, 1000, 2000, 4000];

/** Max size of each map compressed with brotli, bytes. */
const MAX_BYTES = { overview: 110_000, 'overview-municities': 250_000 } as const;

/** Quantization steps from one side to the other: some 100 m each for the Philippines. */
const QUANTIZATION = 20_000;

/**
 * The capitals of provinces by the last eight digits of their codes, which stay when a province comes into another
 * region. The PSGC marks them with `(Capital)`; those of the two Maguindanaos are those of RA 11550.
 */
const CAPITALS: ReadonlySet<string> = new Set(capitals.map(({ code }) => code));

/** The class of highly urbanised cities, and the code of the National Capital Region. */
const HIGHLY_URBANISED = 'HUC';
const CAPITAL_REGION = '1300000000';

interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  objects: Record<string, object>;
}

/**
 * The map of a release's regions and provinces with the capitals and large cities, plain and compressed: a quantized topology.
 *
 * @returns its objects; none where the release has no boundaries of these levels
 */
export async function overviewOf(directory: string, opened: OpenedAreas): Promise<[OverviewName, Buffer][]> {
  const layers = [await layerOf(directory, opened, 'region'), await layerOf(directory, opened, 'province')];
  if (layers.some(({ count }) => count === 0)) return [];
  const points = namedCities(areasOf(opened, 'municity'));
  return packed('overview', async (interval) => withCapitals(await topologyOf(layers, interval), points));
}

/** The capitals, and the highly urbanised cities outside of the capital region, whose own name stands for its cities. The largest are first. */
export function namedCities<A extends Pick<Area, 'code' | 'cityClass' | 'regionCode' | 'population'>>(
  areas: readonly A[],
): A[] {
  const isNamed = ({ code, cityClass, regionCode }: A) =>
    CAPITALS.has(code.slice(2)) || (cityClass === HIGHLY_URBANISED && regionCode !== CAPITAL_REGION);
  return areas.filter(isNamed).toSorted((a, b) => (b.population ?? 0) - (a.population ?? 0));
}

/**
 * The map of a release's cities, municipalities and sub-municipalities, as `overviewOf` gives that of its provinces.
 *
 * @returns its objects; none where the release has no boundaries of cities and municipalities
 */
export async function municityOverviewOf(directory: string, opened: OpenedAreas): Promise<[OverviewName, Buffer][]> {
  const municities = await layerOf(directory, opened, 'municity');
  if (municities.count === 0) return [];
  const districts = await layerOf(directory, opened, 'submunicipality');
  const layers = [municities, districts].filter(({ count }) => count > 0);
  return packed('overview-municities', async (interval) => JSON.stringify(await topologyOf(layers, interval)));
}

/** A map as it is stored, with the finest boundaries that its size allows. */
async function packed(
  overview: Overview,
  make: (interval: number) => Promise<string>,
): Promise<[OverviewName, Buffer][]> {
  let plain = Buffer.alloc(0);
  let compressed = Buffer.alloc(0);
  for (const interval of INTERVALS) {
    plain = Buffer.from(await make(interval));
    compressed = await promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
    });
    if (compressed.length <= MAX_BYTES[overview]) break;
  }
  return [
    [overviewName(overview), plain],
    [overviewName(overview, 'br'), compressed],
    [overviewName(overview, 'gzip'), await promisify(gzip)(plain, { level: 9 })],
  ];
}

type Layers = 'region' | 'province' | 'municity' | 'submunicipality';

interface Layer {
  file: string;
  count: number;
  text: Buffer;
}

/** The areas of a level with their coarsest boundaries, as a FeatureCollection. */
async function layerOf(directory: string, opened: OpenedAreas, level: Layers): Promise<Layer> {
  const file = `${FILE_LEVELS[level]}.json`;
  const bounded = boundedAreas(opened, level, 'simple');
  if (bounded.length === 0) return { file, count: 0, text: Buffer.alloc(0) };
  const textOf = await boundaryTexts(directory, level, 'simple');
  const features = bounded.map((it) => {
    const properties = JSON.stringify(propertiesOf(it.area));
    return `{"type":"Feature","properties":${properties},"geometry":${textOf(it)}}`;
  });
  const text = Buffer.from(`{"type":"FeatureCollection","features":[${features.join(',')}]}`);
  return { file, count: features.length, text };
}

function propertiesOf({ level, code, name, regionCode, provinceCode, hostProvinceCode, municityCode, centroid }: Area) {
  const [lon, lat] = (centroid ?? []).map((degrees) => Number(degrees.toFixed(4)));
  return {
    code,
    name,
    ...(regionCode !== null && { r_code: regionCode }),
    ...(level === 'municity' && { p_code: provinceCode, host_province_code: hostProvinceCode }),
    ...(level === 'submunicipality' && { m_code: municityCode }),
    lon: lon ?? null,
    lat: lat ?? null,
  };
}

/** All layers as one topology, in which areas share their borders. */
async function topologyOf(layers: readonly Layer[], interval: number): Promise<Topology> {
  // It is loaded only here, because loading takes a moment and releases without boundaries don't need it.
  const { default: mapshaper } = await import('mapshaper');
  const output = 'overview.json';
  const files = layers.map(({ file }) => file).join(' ');
  const commands = `-i ${files} combine-files -simplify weighted keep-shapes interval=${interval} target=* -o ${output} target=* format=topojson quantization=${QUANTIZATION}`;
  const input = Object.fromEntries(layers.map(({ file, text }) => [file, text]));
  const topology = (await mapshaper.applyCommands(commands, input))[output];
  if (topology === undefined) throw new Error('mapshaper made no overview.');
  return JSON.parse(String(topology)) as Topology;
}

/** The text of a topology with the capitals and large cities as points. */
function withCapitals(topology: Topology, areas: readonly Area[]): string {
  const { scale, translate } = topology.transform;
  const geometries = areas.flatMap(({ code, name, provinceCode, hostProvinceCode, centroid }) =>
    centroid
      ? [
          {
            type: 'Point',
            coordinates: [0, 1].map((i) =>
              Math.round(((centroid[i] as number) - (translate[i] as number)) / (scale[i] as number)),
            ),
            properties: { code, name, p_code: provinceCode ?? hostProvinceCode },
          },
        ]
      : [],
  );
  const objects = { ...topology.objects, capitals: { type: 'GeometryCollection', geometries } };
  return JSON.stringify({ ...topology, objects });
}
