import { rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import mapshaper from 'mapshaper';
import { afterEach, describe, expect, it } from 'vitest';
import { findBoundaryFiles } from '../../../../scripts/pipeline/boundaries/read/files.ts';
import { all, barangays, box, collection, directoryOf, feature, lines, polygon } from '../country.ts';

let directory = '';
afterEach(() => rm(directory, { recursive: true, force: true }));

/** What is read of these files, in their order. */
async function read(files: Record<string, string | Uint8Array>) {
  directory = await directoryOf(files);
  const found = await findBoundaryFiles(directory);
  return (await Promise.all(found.map((file) => all(file.format.read(file, directory))))).flat();
}

const two = [feature('0100000000', polygon(box(120, 18))), feature('0200000000', polygon(box(121, 18)))];
const codes = ['0100000000', '0200000000'];
const codesOf = (features: { properties: Record<string, unknown> }[]) => features.map((it) => it.properties.psgc);

describe('a file of boundaries', () => {
  it.each([
    ['r.geojson', collection(two)],
    ['r.json', collection(two)],
    ['r.json.gz', collection(two)],
    ['r.ndjson', `\ufeff${lines(two)}`],
    ['r.ndjson.gz', lines(two)],
    ['r.geojsonl', lines(two).replaceAll('\n', '\r\n\r\n')],
    ['r.geojsons', two.map((it) => `\u001e${JSON.stringify(it, null, 2)}\n`).join('')],
  ])('is read from %s', async (name, text) => {
    const features = await read({ [name]: text });
    expect(codesOf(features)).toEqual(codes);
    expect(features[0]?.geometry).toEqual(two[0]?.geometry);
  });

  it('is read across the boundaries of chunks', async () => {
    const many = Array.from({ length: 3000 }, (_, i) =>
      feature(`${i}`, polygon(box(120, 18)), { name: 'ñ'.repeat(300) }),
    );
    const features = await read({ 'many.ndjson.gz': lines(many) });
    expect(features.map((it) => it.properties.psgc)).toEqual(many.map((it) => it.properties.psgc));
    expect(new Set(features.map((it) => it.properties.name)).size).toBe(1);
    expect(features.at(-1)?.at).toBe('line 3000');
  });

  it('is read from TopoJSON, and an object of it is a layer', async () => {
    const { 'adm1.json': topology = '' } = await mapshaper.applyCommands('-i adm1.json -o format=topojson', {
      'adm1.json': collection(two),
    });
    const features = await read({ 'x.json': String(topology) });
    expect(codesOf(features)).toEqual(codes);
    expect(features[1]).toMatchObject({ layer: 'adm1', at: 'adm1 line 2' });
  });

  it('is read from a zipped shapefile, whose projection is undone', async () => {
    const { 'x.zip': zip = '' } = await mapshaper.applyCommands(
      '-i adm1.json -proj EPSG:32651 -o x.zip format=shapefile',
      {
        'adm1.json': collection(two),
      },
    );
    const [first] = await read({ 'x.zip': zip });
    expect(first).toMatchObject({ layer: 'adm1', properties: { psgc: '0100000000' } });
    const geometry = first?.geometry as { coordinates: number[][][] } | undefined;
    const west = Math.min(...(geometry?.coordinates[0] ?? []).map(([x = 0]) => x));
    expect(west).toBeCloseTo(120, 6);
  });

  it('is found in directories below, by name, and files of other kinds are ignored', async () => {
    directory = await directoryOf({ 'b.ndjson': '', 'a.geojson': '', README: '', 'source.json': '{}', 'x.csv': '' });
    expect((await findBoundaryFiles(directory)).map(({ name }) => name)).toEqual(['a.geojson', 'b.ndjson']);
  });
});

describe('a file that can’t be read', () => {
  const text = lines(barangays());
  it.each([
    ['cut.ndjson', text.slice(0, -40), 'cut.ndjson line 6: is no JSON'],
    ['cut.ndjson.gz', gzipSync(text).subarray(0, 150), 'is cut off: the packed data ends too early'],
    ['broken.ndjson', `${text}nonsense\n${text}`, 'broken.ndjson line 7: is no JSON'],
    ['other.ndjson', `${text}{"type":"Topology"}\n`, 'other.ndjson line 7: is no GeoJSON Feature'],
    ['latin.ndjson', Buffer.from(`${text}{"n":"Parañaque"}`, 'latin1'), 'latin.ndjson after line 0: is not UTF-8'],
    ['damaged.ndjson.gz', Buffer.from('hello'), 'is damaged'],
    ['cut.geojson', collection(barangays()).slice(0, -40), 'cut.geojson: is no JSON'],
    ['odd.geojson', '{"type":"FeatureCollection","features":[1]}', 'odd.geojson feature 1: is no GeoJSON Feature'],
    ['point.geojson', '{"type":"Point","coordinates":[1,2]}', 'is neither a GeoJSON FeatureCollection nor a Feature'],
    ['cut.topojson', '{"type":"Topology","arcs":[[[', 'cut.topojson: is no JSON'],
    ['odd.topojson', '{"type":"Topology"}', 'odd.topojson: can’t be read'.replace('’', "'")],
    ['cut.zip', Buffer.from('PK\u0003\u0004 and no more'), "cut.zip: can't be read"],
  ])('%s is named, with the place', async (name, content, message) => {
    await expect(read({ [name]: content })).rejects.toThrow(message);
  });

  it('makes no list of files where there is none', async () => {
    directory = await directoryOf({ 'README.md': '' });
    await expect(findBoundaryFiles(directory)).rejects.toThrow('holds no boundary files');
    await expect(findBoundaryFiles(`${directory}/nowhere`)).rejects.toThrow('does not exist');
  });
});
