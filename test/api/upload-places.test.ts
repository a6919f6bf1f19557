import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Body, get, MASTER, patch, send } from '../support/api.ts';
import { featuresOf, newDataset } from '../support/datasets.ts';
import { keyOf, left } from '../support/limits.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { formOf, sendForm, upload } from '../support/uploads.ts';
import { writeSheets } from '../support/workbooks.ts';

const CEBU = '0702200000';
const TABLE = 'Lalawigan,rate\nLalawigan ng Cebu,22.1\nbohol,18\n';

const boundaryOf = async (path: string, geometry = 'simple') =>
  (await get(`/v1/${path}?format=geojson&geometry=${geometry}`, MASTER)).body.geometry;

async function uploaded(owner: Headers, text: string, fields: Record<string, string> = {}): Promise<Body> {
  const { status, body } = await upload(owner, 'rates.csv', text, fields);
  expect([status, body.code, body.message]).toEqual([200, undefined, undefined]);
  return body;
}

describe('a table whose rows name places', () => {
  it('becomes features with the boundaries of their areas', async () => {
    const { session } = await person();
    const { data, meta } = await uploaded(session, TABLE);
    expect(meta.places).toMatchObject({
      resolution: 'simple',
      columns: { province: ['Lalawigan'] },
      exact: 2,
      likely: 0,
    });
    expect(data).toMatchObject({ feature_count: 2, status: 'ready', srid: 4326 });
    const [cebu, bohol] = await featuresOf(session, data.id);
    expect(cebu?.properties).toEqual({
      ...{ Lalawigan: 'Lalawigan ng Cebu', rate: '22.1', psgc_code: CEBU, psgc_level: 'province' },
      ...{ psgc_name: 'Cebu', psgc_match: 'exact' },
    });
    expect([cebu?.geom, bohol?.geom]).toEqual([
      await boundaryOf(`provinces/${CEBU}`),
      await boundaryOf('provinces/0701200000'),
    ]);
    const [west, south, , north] = (await get('/v1/provinces/0701200000')).body.data.bbox;
    const found = (box: number[]) => get(`/v1/features/dataset/${data.id}?bbox=${box.join()}`, session);
    expect((await found([west, south, west + 0.01, north])).body.data.map((it: Body) => it.id)).toContain(bohol?.id);
    expect((await found([0, 0, 1, 1])).body.data).toEqual([]);
    const { text } = await get(`/v1/datasets/${data.id}/export?format=csv`, session);
    expect(text.split('\n')[1]).toMatch(/Cebu,exact,"?(MULTI)?POLYGON/);
  });

  it('tells of rows with nothing in the finest column, whose area is a larger one', async () => {
    const { session } = await person();
    const text = 'Province,Town,n\nCebu,Argao,1\nCebu,,2\nBohol,,3\nCebu,Argaw,4\n';
    const { meta } = await uploaded(session, text);
    expect(meta.places).toMatchObject({
      ...{ exact: 3, likely: 1, coarser: 2, levels: { municity: 2, province: 2 } },
      likely_rows: [
        { place: 'line 3', value: 'Cebu', code: CEBU, notes: ['municity is blank; the area is that of Cebu.'] },
        { place: 'line 4', value: 'Bohol', notes: ['municity is blank; the area is that of Bohol.'] },
        { place: 'line 5', value: 'Argaw', notes: [] },
      ],
    });
    // A total is not the province once more.
    const refused = await upload(session, 'a.csv', text.replace('Cebu,,2', 'Cebu,TOTAL,2'));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('names no place')]);
  });

  it('is read by a column of codes under any heading where no heading is known', async () => {
    const { session } = await person();
    for (const heading of ['ID', 'Kodigo']) {
      const { meta } = await uploaded(session, `${heading},n\n${CEBU},1\n`);
      expect(meta.places).toMatchObject({ columns: { code: [heading] }, exact: 1 });
    }
    for (const text of ['ID,n\n12,1\n', 'ID,n\n']) {
      const { status, body } = await upload(session, 'a.csv', text, {});
      expect([status, body.code]).toEqual([422, 'invalid_file']);
      expect(body.message).toMatch(/must have columns of coordinates.*line 1/);
    }
  });

  it('says how the codes of a table were found before, where a column does', async () => {
    const { session } = await person();
    const fields = { place_columns: '{"text":"code","match":"how"}' };
    const text = `code,how,n\n${CEBU},likely,1\n0701200000,chosen,2\n0702205000,,3\n0702206000,accepted,4\n`;
    const { data, meta } = await uploaded(session, text, fields);
    const told = (await featuresOf(session, data.id)).map(({ properties }) => properties);
    expect(told.map((it) => it?.psgc_match)).toEqual(['likely', 'chosen', 'exact', 'accepted']);
    expect(Object.keys(told[0] ?? {})).toEqual(['code', 'n', 'psgc_code', 'psgc_level', 'psgc_name', 'psgc_match']);
    expect([meta.places.exact, meta.places.likely]).toEqual([3, 1]);
    const wrong = await upload(session, 'a.csv', text.replace('likely', 'sure'), fields);
    expect([wrong.status, wrong.body.message]).toEqual([
      422,
      expect.stringContaining('how must be one of exact, likely, ambiguous, accepted, chosen'),
    ]);
    const missing = { place_columns: '{"text":"code","match":"no"}' };
    expect((await upload(session, 'a.csv', text, missing)).body.message).toContain('match: there is no column "no"');
  });

  it('stores a boundary once, and counts it with each feature, as readers get it', async () => {
    const { session } = await person();
    const { data } = await uploaded(session, 'municity,n\nArgao,1\nArgao,2\n', { resolution: 'detailed' });
    const boundary = await boundaryOf('municities/0702205000', 'detailed');
    expect((await featuresOf(session, data.id)).map(({ geom }) => geom)).toEqual([boundary, boundary]);
    const { rows } = await database.execute(
      sql`select bytes from area_shapes where key like '%/municity/detailed/0702205000'`,
    );
    expect(rows).toEqual([{ bytes: JSON.stringify(boundary).length }]);
    const { rows: counted } = await database.execute(
      sql`select min(f.bytes - octet_length(f.properties))::int as bytes, count(f.geojson)::int as own
        from features f join datasets d using (version_id) where d.id = ${data.id}`,
    );
    expect(counted).toEqual([{ ...rows[0], own: 0 }]);
  });

  it('is read by areas of the level and the edition that are asked for', async () => {
    const { session } = await person();
    const served = await uploaded(session, TABLE);
    const { edition, release } = served.meta.places;
    expect(release).toMatch(new RegExp(`^${edition}-\\d+$`));
    const lifted = await uploaded(session, 'Bayan,Lalawigan\nArgao,Cebu\n', { level: 'province', edition });
    const [feature] = await featuresOf(session, lifted.data.id);
    expect(feature?.properties).toMatchObject({ psgc_code: CEBU, psgc_level: 'province' });
    const { status, body } = await upload(session, 'rates.csv', TABLE, { edition: '1999-1q' });
    expect([status, body.code]).toEqual([404, 'edition_not_found']);
  });

  it('tells the rows that are likely, with what was passed over', async () => {
    const { session } = await person();
    const { meta } = await uploaded(
      session,
      'PSGC,province,region\n0702200000,Cebu,Caraga\n0702200000,Cebu,\n,boholl,\n',
    );
    expect(meta.places).toMatchObject({
      exact: 1,
      likely: 2,
      likely_rows: [
        {
          ...{ place: 'line 2', column: 'province', value: 'Cebu', code: CEBU, name: 'Cebu' },
          notes: ['region "Caraga" was passed over: Cebu lies in Region VII (Central Visayas).'],
        },
        { place: 'line 4', column: 'province', value: 'boholl', code: '0701200000', notes: [] },
      ],
    });
  });

  it('is refused with a row whose code and name are of two places, and both are told', async () => {
    const { session } = await person();
    const { status, body } = await upload(session, 'rates.csv', 'PSGC,province\n0702200000,Bohol\n0702200000,Cebu\n');
    expect([status, body.code]).toEqual([422, 'invalid_file']);
    expect(body.message).toMatch(/may be Cebu .*0702200000 or Bohol .*0701200000 \(line 2\)/);
  });

  it('is refused with the rows that name no place, or stored without them', async () => {
    const { session } = await person();
    const table = `${TABLE}Atlantis,1\n,2\n`;
    const { status, body } = await upload(session, 'rates.csv', table);
    expect([status, body.code, body.invalid_rows]).toEqual([
      422,
      'invalid_file',
      {
        ...{ count: 2, valid: 2 },
        rows: [
          { place: 'line 4', column: 'Lalawigan', value: 'Atlantis', message: 'names no place that is known' },
          { place: 'line 5', column: 'Lalawigan', value: '', message: 'names no place that is known' },
        ],
      },
    ]);
    expect(body).not.toHaveProperty('likely_rows');
    const { data, meta } = await uploaded(session, table, { on_invalid: 'skip' });
    expect([data.feature_count, meta.skipped.count, meta.places.exact]).toEqual([2, 2, 2]);
  });

  it('is refused with the rows that would be stored by what they are most like', async () => {
    const { session } = await person();
    const { status, body } = await upload(session, 'rates.csv', 'Lalawigan\nAtlantis\nCebu\nboholl\n');
    const row = { place: 'line 4', column: 'Lalawigan', value: 'boholl', code: '0701200000', name: 'Bohol', notes: [] };
    expect([status, body.invalid_rows.count, body.likely_rows]).toEqual([422, 1, { count: 1, rows: [row] }]);
  });

  it('names the candidates of a row that may mean several', async () => {
    const { session } = await person();
    const { body } = await upload(session, 'rates.csv', 'City/Municipality\nSan Isidro\n');
    expect(body.invalid_rows.rows[0].message).toMatch(
      /^may be San Isidro \(.+\), \d{10} or .+; a province beside it would decide$/,
    );
    // Both are in one region, which tells them not apart.
    const { body: split } = await upload(session, 'rates.csv', 'Province\nMaguindanao\n');
    expect(split.invalid_rows.rows[0].message).toMatch(/^may be Maguindanao del .+ or Maguindanao del .+, \d{10}$/);
  });

  it('keeps what its own columns of these names say', async () => {
    const { session } = await person();
    const { data, meta } = await uploaded(session, 'psgc_code,psgc_name\n072200000,mine\n');
    expect(meta.places.properties).toEqual({
      ...{ psgc_code: 'psgc_code_matched', psgc_name: 'psgc_name_matched' },
      ...{ psgc_level: 'psgc_level', psgc_match: 'psgc_match' },
    });
    const [feature] = await featuresOf(session, data.id);
    expect(feature?.properties).toMatchObject({
      ...{ psgc_code: '072200000', psgc_name: 'mine', psgc_code_matched: CEBU, psgc_name_matched: 'Cebu' },
    });
  });

  it('takes a table that it has exported, and keeps all of its columns', async () => {
    const { session } = await person();
    const first = await uploaded(session, 'psgc_code\n072200000\n');
    const { text } = await get(`/v1/datasets/${first.data.id}/export?format=csv`, session);
    const { data, meta } = await uploaded(session, text, { place_columns: '{"text":"psgc_code_matched"}' });
    expect(meta.places.properties.psgc_code).toBe('psgc_code_matched_matched');
    const [feature] = await featuresOf(session, data.id);
    expect(feature?.properties).toMatchObject({
      ...{ psgc_code: '072200000', psgc_code_matched: CEBU, psgc_code_matched_matched: CEBU },
    });
  });

  it('is read in parts where its rows are long, and says in which lines rows name no place', async () => {
    const { session } = await person();
    const long = 'x'.repeat(400_000);
    const rows = Array.from({ length: 7 }, (_, i) => `${i === 5 ? 'Atlantis' : 'Cebu'},${long}\n`);
    const { body } = await upload(session, 'a.csv', `province,about\n${rows.join('')}`);
    expect(body.invalid_rows).toMatchObject({ count: 1, valid: 6, rows: [{ place: 'line 7', value: 'Atlantis' }] });
  });

  it('may be stored as a file alone, which a field behind it says, also where there are no such areas', async () => {
    const { session } = await person();
    const fields = [
      ['edition', '1999-1q'],
      ['file', 'a.csv', TABLE],
    ] as const;
    const refused = await sendForm(session, formOf(fields as never));
    expect([refused.status, refused.body.code]).toEqual([404, 'edition_not_found']);
    const stored = await sendForm(
      session,
      formOf([
        ['file', 'a.csv', 'province\nAtlantis\n'],
        ['feature_storage', 'r2_only'],
      ]),
    );
    expect([stored.status, stored.body.data.feature_count]).toEqual([200, 0]);
  });

  it('needs the scope of boundaries, if its key has scopes', async () => {
    const { session } = await person();
    const keyWith = async (scopes: string[]) => bearer((await newKey(session, { scopes })).key);
    const refused = await upload(await keyWith(['write:datasets']), 'rates.csv', TABLE);
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'missing_scope', scope: 'read:boundaries' }]);
    const both = await keyWith(['write:datasets', 'read:boundaries']);
    expect((await upload(both, 'rates.csv', TABLE)).status).toBe(200);
    const points = await upload(await keyWith(['write:datasets']), 'points.csv', 'lon,lat\n1,2\n');
    expect(points.status).toBe(200);
  });

  it('counts a hundred rows as one request', async () => {
    const { key } = await keyOf(600);
    const headers = { Authorization: `Bearer ${key}` };
    const rows = `province\n${'Cebu\n'.repeat(2000)}`;
    // A field behind the file makes it be read twice.
    const { status } = await sendForm(
      headers,
      formOf([
        ['file', 'a.csv', rows],
        ['resolution', 'medium'],
      ]),
    );
    expect(status).toBe(200);
    const remaining = left(await get('/v1/regions?limit=1', headers))?.r ?? 0;
    expect(600 - remaining).toBeGreaterThanOrEqual(20);
    expect(600 - remaining).toBeLessThanOrEqual(24);
  });
});

describe('a sheet whose rows name places', () => {
  const CODE = '702200000';
  const rows = [['Table 1'], ['PSGC', 'Lalawigan', 'rate'], [Number(CODE), 'Cebu', 22.1], [null, 'Bohol', 18]];

  it('becomes features as a CSV does, also where it is named behind the file', async () => {
    const { session } = await person();
    const workbook = writeSheets({ Rates: rows, Notes: [['Source: PSA']] });
    const named = formOf([
      ['file', 'rates.xlsx', workbook],
      ['layer', 'Rates'],
    ]);
    const { status, body } = await sendForm(session, named);
    expect([status, body.message, body.meta?.places]).toMatchObject([
      200,
      undefined,
      { columns: { province: ['Lalawigan'], code: ['PSGC'] }, exact: 2, likely: 0 },
    ]);
    const features = await featuresOf(session, body.data.id);
    expect(features.map(({ properties }) => properties)).toMatchObject([
      { PSGC: CODE, rate: '22.1', psgc_code: CEBU, psgc_match: 'exact' },
      { PSGC: null, rate: '18', psgc_code: '0701200000' },
    ]);
    expect(features[0]?.geom).toEqual(await boundaryOf(`provinces/${CEBU}`));
    const unnamed = await upload(session, 'rates.xlsx', workbook);
    expect([unnamed.status, unnamed.body.code]).toEqual([422, 'invalid_file']);
    expect(unnamed.body.message).toContain('"Rates", "Notes"; name one in the field layer');
  });

  it('is refused with all rows that are not valid, or stored without them', async () => {
    const { session } = await person();
    const workbook = writeSheets({ A: [...rows, [null, 'Atlantis', 1], [null, null, 2]] });
    const refused = await upload(session, 'rates.xlsx', workbook);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_file']);
    expect(refused.body.invalid_rows).toMatchObject({
      count: 2,
      valid: 2,
      rows: [{ place: 'row 5', column: 'Lalawigan', value: 'Atlantis' }, { place: 'row 6' }],
    });
    const { status, body } = await upload(session, 'rates.xlsx', workbook, { on_invalid: 'skip' });
    expect([status, body.data?.feature_count, body.meta?.skipped?.count]).toEqual([200, 2, 2]);
  });

  it('counts a hundred rows as one request, and as a file alone none', async () => {
    const workbook = writeSheets({ A: [rows[1] ?? [], ...Array.from({ length: 1500 }, () => [null, 'Cebu', 1])] });
    const countOf = async (fields: Record<string, string>) => {
      const { key } = await keyOf(600);
      const headers = { Authorization: `Bearer ${key}` };
      expect((await upload(headers, 'a.xlsx', workbook, fields)).status).toBe(200);
      return 600 - (left(await get('/v1/regions?limit=1', headers))?.r ?? 0);
    };
    expect(await countOf({ feature_storage: 'r2_only' })).toBeLessThanOrEqual(3);
    const counted = await countOf({});
    expect(counted).toBeGreaterThanOrEqual(15);
    expect(counted).toBeLessThanOrEqual(18);
  });
});

describe('columns of places', () => {
  it('are named by the form, and go before coordinates', async () => {
    const { session } = await person();
    const table = 'area,lon,lat\nCebu,1,2\n';
    const fields = { place_columns: '{"province":"area"}' };
    for (const form of [
      [
        ['place_columns', fields.place_columns],
        ['file', 'a.csv', table],
      ],
      [
        ['file', 'a.csv', table],
        ['place_columns', fields.place_columns],
      ],
    ]) {
      const { body } = await sendForm(session, formOf(form as never));
      expect(body.meta.places.columns).toEqual({ province: ['area'] });
      const [feature] = await featuresOf(session, body.data.id);
      expect([feature?.properties.psgc_code, feature?.properties.lon, feature?.geom]).toEqual([
        CEBU,
        '1',
        await boundaryOf(`provinces/${CEBU}`),
      ]);
    }
    // A column x alone is of anything.
    const lone = await uploaded(session, 'Province,x\nCebu,5\n');
    expect((await featuresOf(session, lone.data.id))[0]?.properties).toMatchObject({ x: '5', psgc_code: CEBU });
    const { data, meta } = await uploaded(session, table);
    expect([(await featuresOf(session, data.id))[0]?.geom, meta]).toEqual([
      { type: 'Point', coordinates: [1, 2] },
      undefined,
    ]);
  });

  it.each([
    ['a.csv', TABLE, { place_columns: '{"province":"Province"}' }, 'there is no column \\"Province\\"'],
    ['a.csv', 'a,b\n1,2\n', {}, 'or of places (such as Province and Municipality)'],
    ['a.csv', 'Province,lat\nCebu,1\n', {}, 'has the column \\"lat\\" and none of longitude'],
    ['a.csv', TABLE, { place_columns: 'Lalawigan' }, 'must be a JSON object of headings'],
    ['a.csv', TABLE, { place_columns: '{"provinces":"Lalawigan"}' }, 'must be a JSON object of headings'],
    ['a.csv', TABLE, { resolution: 'fine' }, 'must be one of simple, medium, detailed'],
    ['a.csv', TABLE, { level: 'town' }, 'must be one of region, province'],
    ['a.csv', TABLE, { srid: '3857' }, 'srid must be left out (got 3857)'],
    ['a.csv', TABLE, { resolution: 'simple', feature_storage: 'r2_only' }, 'resolution: must be left out'],
    ['a.geojson', '{"type":"FeatureCollection","features":[]}', { edition: '2023-1q' }, 'edition: must be left out'],
  ] as [string, string, Record<string, string>, string][])(
    'are refused in %s %j %j',
    async (name, text, fields, message) => {
      const { session } = await person();
      const { status, body } = await upload(session, name, text, fields);
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(message)]);
      expect((await get('/v1/datasets', session)).body.data).toEqual([]);
    },
  );
});

describe('a feature with the boundary of an area', () => {
  it('keeps it while its properties change or it moves, and gives it up for a geometry of its own', async () => {
    const { session } = await person();
    const { data } = await uploaded(session, 'province\nCebu\n');
    const [{ id, geom } = {} as Body] = await featuresOf(session, data.id);
    const path = `/v1/features/${id}`;
    expect((await patch(path, { properties: { a: 1 } }, session)).body.data.geom).toEqual(geom);
    const other = await newDataset(session);
    expect((await patch(path, { dataset_id: other.id }, session)).body.data.geom).toEqual(geom);
    const bboxOf = async () => (await get(`/v1/datasets/${other.id}`, session)).body.data.bbox;
    expect(await bboxOf()).toEqual(data.bbox);
    const own = { type: 'Point', coordinates: [121, 14] };
    expect((await patch(path, { geom: own }, session)).body.data.geom).toEqual(own);
    expect(await bboxOf()).toEqual([121, 14, 121, 14]);
    expect((await get(path, session)).body.data.geom).toEqual(own);
  });

  it('may lose it, and be deleted', async () => {
    const { session } = await person();
    const { data } = await uploaded(session, TABLE);
    const [cebu, bohol] = await featuresOf(session, data.id);
    expect((await patch(`/v1/features/${cebu?.id}`, { geom: null }, session)).body.data.geom).toBeNull();
    expect((await send('DELETE', `/v1/features/${bohol?.id}`, session)).status).toBe(200);
    expect((await get(`/v1/datasets/${data.id}`, session)).body.data).toMatchObject({ feature_count: 1, bbox: null });
  });
});
