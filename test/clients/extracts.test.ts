import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fetchAgain } from '../support/fetch-again.ts';

// What GDAL, GeoPandas and openpyxl read in files of the areas inside an area, which are made when they are asked for. What
// they are compared with is the API's own list. .ci/clients installs the tools, see clients.test.ts.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const CEBU = '0702200000';

const { address, masterToken } = inject('clientsService');
const ask = (path: string) => fetchAgain(`${address}${path}`, { headers: { Authorization: `Bearer ${masterToken}` } });

interface Found {
  rows: number;
  /** Code and name of each area, in the order of the codes. */
  names: string[];
  residents: number;
  /** Square degrees. */
  area: number;
}

let directory: string;
let expected: Omit<Found, 'area'>;
/** What GeoPandas finds in the GeoJSON that the API answers a list with. */
let area: number;

async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: directory, maxBuffer: 64e6 });
  return stdout;
}

async function save(name: string, path: string): Promise<void> {
  const answer = await ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  await writeFile(join(directory, name), new Uint8Array(await answer.arrayBuffer()));
}

const SCRIPT = `
import json, sys, geopandas, shapely
name = sys.argv[1]
table = geopandas.read_parquet(name) if name.endswith('parquet') else geopandas.read_file(name)
assert table.crs.to_epsg() == 4326, table.crs
assert table.geometry.is_valid.all()
table = table.sort_values('code')
print(json.dumps({'rows': len(table), 'names': list(table['code'] + ' ' + table['name']),
  'residents': int(table['population'].fillna(0).sum()), 'area': float(shapely.area(table.geometry.values).sum())}))
`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-extracts-'));
  const list = `/v1/barangays?province_code=${CEBU}&format=geojson&geometry=medium`;
  const { features } = (await (await ask(list)).json()) as {
    features: { properties: { code: string; name: string; population: number | null }; geometry: object | null }[];
  };
  const drawn = features.filter(({ geometry }) => geometry !== null);
  expected = {
    rows: drawn.length,
    names: drawn.map(({ properties: { code, name } }) => `${code} ${name}`),
    residents: drawn.reduce((sum, { properties: { population } }) => sum + (population ?? 0), 0),
  };
  await writeFile(join(directory, 'listed.geojson'), JSON.stringify({ type: 'FeatureCollection', features: drawn }));
  ({ area } = JSON.parse(await run(PYTHON, ['-c', SCRIPT, 'listed.geojson'])) as Found);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('the province that is judged by has many areas, and an ñ', () => {
  expect(expected.rows).toBeGreaterThan(1000);
  expect(expected.names.join()).toContain('ñ');
});

describe.each([
  ['gpkg', 'gpkg'],
  ['shp', 'shp.zip'],
  ['geojson', 'geojson'],
  ['fgb', 'fgb'],
  ['parquet', 'parquet'],
])('an extract as %s', (format, ending) => {
  const name = `cebu.${ending}`;
  beforeAll(() => save(name, `/v1/downloads/areas/${CEBU}?level=barangay&format=${format}`));

  it('is to GeoPandas what the list is', async () => {
    const found = JSON.parse(await run(PYTHON, ['-c', SCRIPT, name]));
    expect(found).toEqual({ ...expected, area: expect.closeTo(area, 9) });
  });

  // GDAL of Debian reads no GeoParquet.
  if (format === 'parquet') return;
  it('is to GDAL a layer of polygons in WGS 84 without a fault', async () => {
    const about = await run('ogrinfo', ['-so', '-al', name]);
    expect(about).toMatch(new RegExp(`Layer name: ${format === 'geojson' ? '\\w+' : 'barangays'}\\b`));
    expect(about).toMatch(new RegExp(`Feature Count: ${expected.rows}\\b[\\s\\S]+ID\\["EPSG",4326\\]`));
    expect(about).not.toMatch(/warning|error/i);
  });
});

it('a workbook is to openpyxl what the list is, with codes as text', async () => {
  await save('cebu.xlsx', `/v1/downloads/areas/${CEBU}?level=barangay&format=xlsx`);
  const script = `
import json, warnings, openpyxl
warnings.simplefilter('error')
areas, source = openpyxl.load_workbook('cebu.xlsx').worksheets
head, *rows = areas.iter_rows(values_only=True)
at = head.index
assert areas.title == 'barangays' and areas.freeze_panes == 'A2'
print(json.dumps({'rows': len(rows), 'names': [f"{row[at('code')]} {row[at('name')]}" for row in rows],
  'residents': sum(row[at('population')] or 0 for row in rows), 'source': [row[0] for row in source.iter_rows(values_only=True)]}))
`;
  const found = JSON.parse(await run(PYTHON, ['-c', script]));
  const { names } = expected;
  expect(found).toMatchObject({
    residents: expected.residents,
    source: ['release', 'edition', 'licence', 'attribution'],
  });
  // Tables also have areas that nobody draws.
  expect(found.names).toEqual(expect.arrayContaining(names));
  expect(found.rows).toBeGreaterThanOrEqual(expected.rows);
});
