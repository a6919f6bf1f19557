import { strFromU8, unzipSync } from 'fflate';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { readWorkbook } from '../../pages/match/workbook-reader.ts';
import { EXTRACT_FORMATS, type ExtractFormat } from '../../src/downloads/extract-formats.ts';
import { freshAddress } from '../support/addresses.ts';
import { type Answer, type Body, MASTER, workerWith } from '../support/api.ts';
import { counting, left } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { apart, forgetBlocks, like, publish } from '../support/snapshot.ts';
import { readStored } from '../unit/uploads/read.ts';

// The areas inside an area as a file, read back by readers that know nothing of the code that writes them. What tools of other
// makers do with them is in test/clients/extracts.test.ts.

const { release } = inject('snapshot');
const FAILING = inject('faultyDatabases').fails as string;
const CEBU = '0702200000';
const LAYERS = EXTRACT_FORMATS.slice(2);

const bucket = apart();
/** The database fails: whatever succeeds asks nothing of it. */
const ask = workerWith({ FILES: bucket, DATABASE_URL: FAILING });
const askWithDatabase = workerWith({ FILES: bucket });

beforeAll(() => publish({ active: true, bucket }));

const extract = (path: string, headers: Record<string, string> = MASTER, of = ask) =>
  of(`/v1/downloads/areas/${path}`, { headers });
const codeOf = ({ status, body }: Answer) => [status, body?.code];

/** What the API lists of the areas of a level, with boundaries at medium resolution. */
async function listed(path: string, of = ask): Promise<Body[]> {
  return (await of(`/v1/${path}&format=geojson&geometry=medium`, { headers: MASTER })).body.features;
}

interface Row {
  readonly values: Record<string, unknown>;
  readonly polygons: number[][][][];
}

const polygonsOf = ({ type, coordinates }: Body): number[][][][] => (type === 'Polygon' ? [coordinates] : coordinates);

/** The columns of Shapefiles that have another name than everywhere else. */
const RENAMED: Record<string, string> = {
  pop_year: 'population_year',
  inc_class: 'income_class',
  urb_rural: 'urban_rural',
  dens_km2: 'density_km2',
  isl_group: 'island_group',
  host_code: 'host_province_code',
  host_name: 'host_province_name',
};

/** The areas of a file, read by a reader of its format. Missing values are left out. */
async function rowsOf(format: ExtractFormat, { bytes, text }: Answer): Promise<Row[]> {
  const present = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
  if (format === 'geojson') {
    const { features } = JSON.parse(text);
    return features.map((it: Body) => ({ values: present(it.properties), polygons: polygonsOf(it.geometry) }));
  }
  if (format === 'parquet') {
    const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
    return rows.map(({ geometry, bbox: _, ...values }) => ({
      values: present(values),
      polygons: polygonsOf(geometry as Body),
    }));
  }
  const { features } = await readStored(format === 'shp' ? 'a.zip' : `a.${format}`, bytes);
  return features.map(({ properties, geometry }) => ({
    values: Object.fromEntries(Object.entries(present(properties)).map(([name, it]) => [RENAMED[name] ?? name, it])),
    polygons: polygonsOf(geometry),
  }));
}

/** A polygon's rings, each as a text that begins at its least position and goes one way round. */
const ringTexts = (polygons: number[][][][]) =>
  polygons
    .flat()
    .map((ring) => {
      const open = ring.slice(0, -1).map(String);
      const least = open.indexOf(open.toSorted()[0] as string);
      const turned = [...open.slice(least), ...open.slice(0, least)];
      const back = [turned[0] as string, ...turned.slice(1).toReversed()];
      return [turned.join(' '), back.join(' ')].sort()[0];
    })
    .sort();

describe('a table of the areas inside an area', () => {
  it('is free, has the columns of the files of levels, and is not sent to who has it', async () => {
    const { status, text, headers } = await extract(`${CEBU}?level=municity`, {});
    expect(status).toBe(200);
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'name,code,type,city_class,p_code,host_province_code,r_code,p_name,host_province_name,r_name,population,population_year,income_class,urban_rural,area_km2,density_km2,iso_3166_2,island_group,pcode,lon,lat,west,south,east,north',
    );
    const areas = await listed(`municities?province_code=${CEBU}`);
    expect(lines.map((line) => line.split(',')[1])).toEqual(areas.map(({ id }) => id));
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=300',
      'content-disposition': `attachment; filename="${release}.${CEBU}.municities.csv"`,
      'content-type': 'text/csv; charset=utf-8',
      'x-attribution': expect.stringMatching(/^%"/),
      'x-data-release': release,
    });
    const again = await extract(`${CEBU}?level=municity`, { 'If-None-Match': headers.get('ETag') ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('is a workbook with codes as text, numbers as numbers, and the terms on a sheet of their own', async () => {
    const csv = (await extract('0200900000?level=barangay', {})).text.trimEnd().split('\r\n');
    const { status, bytes, headers } = await extract('0200900000?level=barangay&format=xlsx', {});
    expect([status, headers.get('Content-Disposition')]).toEqual([
      200,
      `attachment; filename="${release}.0200900000.barangays.xlsx"`,
    ]);
    const { sheets = [] } = (await readWorkbook(bytes.slice().buffer)) as Body;
    const [areas, source] = sheets;
    expect(areas.name).toBe('barangays');
    expect(areas.rows.map((row: unknown[]) => row.map((cell) => String(cell ?? '')).join(','))).toEqual(
      csv.map((line) => line.replaceAll(/"([^"]*)"/g, '$1')),
    );
    expect(areas.rows[1].slice(0, 2)).toEqual([expect.any(String), expect.stringMatching(/^\d{10}$/)]);
    const populations = areas.rows.slice(1).map((row: unknown[]) => row[areas.rows[0].indexOf('population')]);
    expect(populations).toContain(200);
    expect(source).toMatchObject({
      name: 'source',
      rows: [
        ['release', release],
        ['edition', release.replace(/-\d+$/, '')],
        ['licence', expect.any(String)],
        ['attribution', expect.any(String)],
      ],
    });
    expect(strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] as Uint8Array)).toContain('state="frozen"');
  });
});

describe('a layer of the areas inside an area', () => {
  it.each(LAYERS)('as %s has their attributes and boundaries', async (format) => {
    const areas = await listed(`municities?province_code=${CEBU}`);
    const answer = await extract(`${CEBU}?level=municity&format=${format}`);
    expect(answer.status).toBe(200);
    const ending = format === 'shp' ? 'shp.zip' : format;
    expect(answer.headers.get('Content-Disposition')).toBe(
      `attachment; filename="${release}.${CEBU}.municities.medium.${ending}"`,
    );
    expect(answer.headers.get('Cache-Control')).toBe('private, max-age=300');
    const rows = await rowsOf(format, answer);
    const names = new Map(
      [...(await listed('provinces?')), ...(await listed('regions?'))].map(({ properties: it }) => [it.code, it.name]),
    );
    const inOrder = rows.toSorted((a, b) => (String(a.values.code) < String(b.values.code) ? -1 : 1));
    expect(inOrder).toHaveLength(areas.length);
    for (const [i, { properties, geometry }] of areas.entries()) {
      const { id: _, m_code: __, ...record } = properties;
      const parents = ['p', 'host_province', 'r'].map((it) => [`${it}_name`, names.get(record[`${it}_code`]) ?? null]);
      const expected = [...Object.entries(record), ...parents].filter(([, value]) => value !== null);
      const { values, polygons } = inOrder[i] as Row;
      expect(values).toEqual(Object.fromEntries(expected));
      expect(ringTexts(polygons)).toEqual(ringTexts(polygonsOf(geometry)));
    }
  });

  it('says whose it is and under which terms wherever the format has a place for it', async () => {
    const texts: Record<string, string> = {};
    for (const format of LAYERS) {
      const { bytes } = await extract(`${CEBU}?level=province&format=${format}&resolution=simple`);
      const stored = format === 'shp' ? (unzipSync(bytes)['README.txt'] as Uint8Array) : bytes;
      texts[format] = new TextDecoder('latin1').decode(stored);
    }
    for (const text of Object.values(texts)) expect(text).toContain(release);
    expect(JSON.parse(texts.geojson as string)).toMatchObject({
      ...{ type: 'FeatureCollection', name: 'provinces', release, licence: expect.any(String) },
      attribution: expect.stringContaining('Philippine Statistics Authority'),
    });
    for (const text of Object.values(texts)) expect(text).toContain('Philippine Statistics Authority');
    const { key_value_metadata: facts = [] } = parquetMetadata(
      (await extract(`${CEBU}?level=province&format=parquet`)).bytes.buffer as ArrayBuffer,
    );
    expect(facts.map(({ key }) => key)).toEqual(['geo', 'description']);
  });

  it('as a Shapefile has its columns renamed, in a header and in a file', async () => {
    const { bytes, headers } = await extract(`${CEBU}?level=municity&format=shp`);
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual([
      'README.txt',
      ...['prj', 'cpg', 'dbf', 'shp', 'shx'].map((ending) => `municities.${ending}`),
    ]);
    const renamed = Object.fromEntries(
      (headers.get('X-Renamed-Columns') ?? '').split('; ').map((it) => it.split('=').reverse()),
    );
    expect(renamed).toEqual(RENAMED);
    const readMe = strFromU8(files['README.txt'] as Uint8Array);
    for (const [short, name] of Object.entries(RENAMED)) expect(readMe).toContain(`${short}: ${name}\r\n`);
  });

  it.each(EXTRACT_FORMATS)(
    'has the same bytes as %s each time, from PostGIS too, and with a session',
    async (format) => {
      const path = `${CEBU}?level=municity&format=${format}`;
      const first = await extract(path);
      const other = await extract(path, MASTER, workerWith({ FILES: like(bucket), DATABASE_URL: FAILING }));
      expect(other.bytes).toEqual(first.bytes);
      expect(other.headers.get('ETag')).toBe(first.headers.get('ETag'));
      const unpublished = await extract(path, MASTER, workerWith({ FILES: apart() }));
      expect(unpublished.bytes).toEqual(first.bytes);
    },
  );

  it('needs credentials that may read boundaries', async () => {
    const { session } = await person();
    const [reader, stranger] = [
      await newKey(session, { scopes: ['read:boundaries'] }),
      await newKey(session, { scopes: ['read:datasets'] }),
    ];
    const at = async (headers: Record<string, string>) =>
      codeOf(await extract(`${CEBU}?level=province&format=gpkg`, headers, askWithDatabase));
    expect(await at({})).toEqual([401, 'authentication_required']);
    expect(await at(bearer(stranger.key))).toEqual([403, 'missing_scope']);
    expect((await at(bearer(reader.key)))[0]).toBe(200);
  });

  it('is opened by a session for all files, whose requests count as those of nobody', async () => {
    const sessionOf = async (body: object) => {
      const init = { method: 'POST', headers: { ...MASTER, 'Content-Type': 'application/json' } };
      return (await askWithDatabase('/v1/downloads/sessions', { ...init, body: JSON.stringify(body) })).body.data
        .session;
    };
    const session = await sessionOf({});
    const path = `${CEBU}?level=province&format=gpkg&session=${session}`;
    const limited = workerWith({ FILES: bucket, DATABASE_URL: FAILING, FREE_TIER_RPM: '2' });
    const address = { 'CF-Connecting-IP': freshAddress() };
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(codeOf(await extract(path, address, limited)));
    expect(answers).toEqual([
      [200, undefined],
      [200, undefined],
      [429, 'rate_limit_exceeded'],
    ]);
    expect((await extract(path, { 'CF-Connecting-IP': freshAddress() })).headers.get('Cache-Control')).toMatch(
      /^private/,
    );
    const forged = await extract(`${CEBU}?level=province&format=gpkg&session=${session.slice(0, -2)}`, {});
    expect(codeOf(forged)).toEqual([401, 'invalid_download_session']);
  });
});

describe('an extract counts by its size', () => {
  const MIB = 1024 * 1024;
  const settings = { FILES: bucket, DATABASE_URL: FAILING };
  const sessionOf = async () => {
    const init = { method: 'POST', headers: { ...MASTER, 'Content-Type': 'application/json' }, body: '{}' };
    return (await askWithDatabase('/v1/downloads/sessions', init)).body.data.session;
  };
  const textOf = (features: Body[]) => features.reduce((sum, it) => sum + JSON.stringify(it.geometry).length, 0);

  it('without a key a thousand areas as one request, with one call of the counter', async () => {
    const { ask: of, calls } = counting(settings);
    const from = { 'CF-Connecting-IP': freshAddress() };
    const tables = [await extract('0200000000?level=municity', from, of), await extract('PH?level=municity', from, of)];
    expect(tables.map(({ status }) => status)).toEqual([200, 200]);
    expect(tables.map((it) => left(it, 'free-tier')?.r)).toEqual([29, 27]);
    expect(calls).toEqual(['take', 'take']);
  });

  it('with a session also by the boundaries that it is made of, as with a key', async () => {
    const path = 'PH?level=province&format=gpkg&resolution=detailed';
    const provinces = await ask('/v1/provinces?format=geojson&geometry=detailed', { headers: MASTER });
    const text = textOf(provinces.body.features);
    expect(text).toBeGreaterThan(MIB);
    const from = { 'CF-Connecting-IP': freshAddress() };
    const answer = await extract(`${path}&session=${await sessionOf()}`, from);
    expect([answer.status, left(answer, 'free-tier')?.r]).toEqual([200, 30 - Math.ceil(text / MIB)]);
    const { key } = await newKey((await person()).session, { rate_limit_rpm: 60 });
    expect(left(await extract(path, bearer(key), askWithDatabase))?.r).toBe(60 - Math.ceil(text / MIB));
  });

  it('is made while anything of the limit is left, and then counts in full', async () => {
    const of = workerWith({ ...settings, FREE_TIER_RPM: '2' });
    const from = { 'CF-Connecting-IP': freshAddress() };
    await of('/v1/regions?limit=1', { headers: from });
    await scheduler.wait(2000);
    const large = await extract('PH?level=municity', from, of);
    expect([large.status, left(large, 'free-tier')?.r]).toEqual([200, 0]);
    // Once the first request counts no more, the large one still does.
    expect(left(large, 'free-tier')?.t).toBe(60);
    const refused = await of('/v1/regions?limit=1', { headers: from });
    expect([refused.status, left(refused, 'free-tier')]).toEqual([429, { r: 0, t: 60 }]);
    // No answer counts as more than the limit of a minute.
    const least = workerWith({ ...settings, FREE_TIER_RPM: '1' });
    expect((await extract('PH?level=municity', { 'CF-Connecting-IP': freshAddress() }, least)).status).toBe(200);
  });
});

describe('the areas that an extract has', () => {
  const codesOf = async (path: string) => {
    const { status, text } = await extract(path, {});
    expect([path, status]).toEqual([path, 200]);
    const [, ...lines] = text.trimEnd().split('\r\n');
    return lines.map((line) => /,(\d{10}),/.exec(`${line},`)?.[1]);
  };

  it('are those of a level in the country, a region, a province, a city, or a sub-municipality, or the area itself', async () => {
    const all = async (path: string) => (await listed(path)).map(({ id }: Body) => id);
    expect(await codesOf('PH?level=region')).toEqual(await all('regions?'));
    expect(await codesOf('PH?level=province')).toHaveLength(82);
    expect(await codesOf('0700000000?level=province')).toEqual(await all('provinces?region=0700000000'));
    expect(await codesOf('1300000000?level=municity')).toEqual(await all('municities?region=1300000000'));
    expect(await codesOf('1380600000?level=submunicipality')).toHaveLength(14);
    expect(await codesOf('1380601000?level=barangay')).toEqual(await all('barangays?municity_code=1380601000'));
    expect(await codesOf('0730600000?level=municity')).toEqual(['0730600000']);
    expect(await codesOf('0730600000?level=barangay')).toEqual(await all('barangays?municity_code=0730600000'));
  });

  it('of a province are those that lie in it, or only those that belong to it', async () => {
    expect(await codesOf(`${CEBU}?level=municity`)).toContain('0730600000');
    const own = await codesOf(`${CEBU}?level=municity&scope=admin`);
    expect(own).not.toContain('0730600000');
    expect(own.length).toBeGreaterThan(40);
  });

  it('are found by an old code, and the file and its address are named by that of today', async () => {
    const { headers } = await extract('0604500000?level=municity', {});
    expect(headers.get('Content-Disposition')).toContain(`${release}.1804500000.municities.csv`);
    const current = '1804500000?level=municity';
    expect(headers.get('Content-Location')).toBe(`/v1/downloads/areas/${current}`);
    const again = await extract('0604500000?level=municity', { 'If-None-Match': headers.get('ETag') ?? '' });
    expect([again.status, again.headers.get('Content-Location')]).toEqual([304, `/v1/downloads/areas/${current}`]);
    expect((await extract(current, {})).headers.has('Content-Location')).toBe(false);
  });

  it('are those of an edition', async () => {
    const { status, headers } = await extract('0604500000?level=municity&edition=2023-4q', {});
    expect([status, headers.get('Content-Disposition')?.includes('.0604500000.')]).toEqual([200, true]);
    // The editions that the release of tests carries have no boundaries.
    const layer = await extract('0604500000?level=municity&edition=2023-4q&format=shp');
    expect(codeOf(layer)).toEqual([503, 'boundaries_not_loaded']);
  });

  it.each([
    ['0799999999?level=barangay', 404, 'area_not_found'],
    ['0200998000?level=barangay', 404, 'area_abolished'],
    [`${CEBU}?level=region`, 404, 'download_not_found'],
    ['1300000000?level=province', 404, 'download_not_found'],
    [`${CEBU}?level=submunicipality`, 404, 'download_not_found'],
    [`${CEBU}?level=municity&edition=2020-1q`, 404, 'edition_not_found'],
    [`${CEBU}?level=district`, 422, undefined],
    [CEBU, 422, undefined],
    [`${CEBU}?level=municity&format=kml`, 422, undefined],
    ['cebu?level=municity', 422, undefined],
  ])('%s is %i %s', async (path, status, code) => {
    expect(codeOf(await extract(path))).toEqual([status, code]);
  });

  it('with a code that no area has names no level', async () => {
    const { message } = (await extract('0799999999?level=barangay&edition=2023-4q')).body;
    expect(message).toMatch(
      /^No area has the PSGC code 0799999999 in the edition 2023-4q\. \/v1\/changes\/0799999999 tells/,
    );
  });

  it('of which the snapshot is gone is 503 before a byte is sent', async () => {
    forgetBlocks('boundaries-barangay-detailed');
    const gone = like(bucket, {
      get: async (key: string, ...rest: []) => (key.includes('boundaries-') ? null : bucket.get(key, ...rest)),
    });
    const answer = await extract(
      '0700000000?level=barangay&format=shp&resolution=detailed',
      MASTER,
      workerWith({ FILES: gone, DATABASE_URL: FAILING }),
    );
    expect(answer.status).toBe(503);
  });
});
